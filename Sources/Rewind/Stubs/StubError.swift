import Foundation

/// A stub that cannot answer because it is invalid: a file is missing, a status code is out of range, a condition is malformed.
///
/// The requests that the stub matches fail with it, and so does the test.
public struct StubError: Error, Sendable {
    /// The line that declares the stub.
    public let sourceLocation: Stub.SourceLocation
    /// What is wrong, without a full stop.
    public let cause: String
    private let suggestion: String

    init(_ problem: StubAnswer.Problem, at sourceLocation: Stub.SourceLocation) {
        self.sourceLocation = sourceLocation
        cause = problem.cause
        suggestion = problem.recoverySuggestion
    }
}

extension StubError: LocalizedError, CustomStringConvertible {
    /// The stub's line, the cause and the fix.
    public var description: String { message }
    /// The stub's line and the cause.
    public var errorDescription: String? {
        "The stub at \(sourceLocation.fileID):\(sourceLocation.line) cannot answer: \(cause)."
    }
    /// How to fix it.
    public var recoverySuggestion: String? { suggestion }
}

extension StubAnswer {
    /// What is wrong with an answer, before a stub gives it a place.
    package struct Problem: Error, Hashable, Sendable {
        /// What is wrong, without a full stop.
        package let cause: String
        /// How to fix it, as a sentence.
        package let recoverySuggestion: String

        init(_ cause: String, recoverySuggestion: String) {
            self.cause = cause
            self.recoverySuggestion = recoverySuggestion
        }

        /// `nil` unless the time is negative.
        static func negativeTime(_ time: Duration) -> Problem? {
            guard time < .zero else { return nil }
            return Problem("the time \(time) is negative", recoverySuggestion: "Use a time of zero or more.")
        }
    }
}

extension Stub {
    /// The place in a test's source that declares a stub.
    public struct SourceLocation: Hashable, Sendable {
        /// The file in the form of `#fileID`, such as `AppTests/UserTests.swift`.
        public let fileID: String
        /// The path of the file.
        public let filePath: String
        /// The line number, counted from 1.
        public let line: UInt

        package init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt) {
            self.fileID = "\(fileID)"
            self.filePath = "\(filePath)"
            self.line = line
        }
    }
}

extension Stub.SourceLocation {
    /// The file's name and the line, such as `UserTests.swift:12`.
    var text: String { "\(fileID.split(separator: "/").last ?? ""):\(line)" }
}
