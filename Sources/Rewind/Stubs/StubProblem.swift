import Foundation

/// A stub that cannot answer as it is written.
public struct StubProblem: Error, Sendable {
    /// Where the stub stands.
    public let place: StubPlace
    /// What is wrong, without a full stop.
    public let cause: String
    /// How to fix it, a sentence.
    public let mend: String

    package init(_ cause: String, mend: String, at place: StubPlace) {
        self.place = place
        self.cause = cause
        self.mend = mend
    }
}

extension StubProblem: LocalizedError, CustomStringConvertible {
    /// The place, the cause and how to fix it.
    public var description: String {
        "The stub at \(place.fileID):\(place.line) cannot answer: \(cause).\n  \(mend)"
    }

    /// The place, the cause and how to fix it.
    public var errorDescription: String? { description }
}

/// Where a stub is in the source of a test, so that a message can name it.
public struct StubPlace: Sendable {
    /// The file as `#fileID` spells it, such as `AppTests/UserTests.swift`.
    public let fileID: StaticString
    /// The path of the file.
    public let filePath: StaticString
    /// The line, counted from one.
    public let line: UInt

    package init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt) {
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
    }
}

extension StubPlace: CustomStringConvertible {
    /// The name of the file and the line.
    public var description: String { "\("\(fileID)".split(separator: "/").last ?? ""):\(line)" }
}

extension StubProblem {
    /// `nil` unless the time is below zero.
    static func negativeTime(_ time: Duration, at place: StubPlace) -> StubProblem? {
        guard time < .zero else { return nil }
        return StubProblem("a time of \(time) lies in the past", mend: "Give a time from zero on.", at: place)
    }
}

extension String {
    var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
