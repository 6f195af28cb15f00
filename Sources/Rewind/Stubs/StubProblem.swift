import Foundation

/// A stub that cannot answer as it is written.
public struct StubProblem: Error, Sendable {
    /// Where the stub stands.
    public let place: StubPlace
    /// What is wrong, without a full stop.
    public let cause: String
    /// What mends it, a sentence.
    public let mend: String

    /// Creates a problem of a stub at a place.
    package init(_ cause: String, mend: String, at place: StubPlace) {
        self.place = place
        self.cause = cause
        self.mend = mend
    }
}

extension StubProblem: LocalizedError, CustomStringConvertible {
    /// The place, the cause and what mends it.
    public var description: String {
        "The stub at \(place.fileID):\(place.line) cannot answer: \(cause).\n  \(mend)"
    }

    /// The place, the cause and what mends it.
    public var errorDescription: String? { description }
}

/// Where a stub stands in the source of a test, so that a message can name it.
public struct StubPlace: Sendable {
    /// The file as `#fileID` spells it, such as `AppTests/UserTests.swift`.
    public let fileID: StaticString
    /// The path of the file.
    public let filePath: StaticString
    /// The line, counted from one.
    public let line: UInt

    /// Names a place.
    package init(fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line) {
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
    }
}

extension StubPlace: CustomStringConvertible {
    /// The name of the file and the line.
    public var description: String {
        "\("\(fileID)".split(separator: "/").last ?? ""):\(line)"
    }
}

/// What can be wrong with an answer.
extension StubProblem {
    static func status(_ status: Int, at place: StubPlace) -> StubProblem {
        StubProblem(
            "\(status) is no status code",
            mend: "A status code has three digits: 100 to 999.",
            at: place
        )
    }

    static func redirectStatus(_ status: Int, at place: StubPlace) -> StubProblem {
        StubProblem(
            "a response of status \(status) leads nowhere",
            mend: "Redirect with 301, 302, 303, 307 or 308.",
            at: place
        )
    }

    static func redirectTarget(_ target: String, at place: StubPlace) -> StubProblem {
        StubProblem(
            "it redirects to \(target.debugDescription), which is no URL",
            mend: "Name a URL, or a reference such as \"/login\".",
            at: place
        )
    }

    static func unencodable(_ cause: String, at place: StubPlace) -> StubProblem {
        StubProblem(
            "its value cannot be encoded as JSON: \(cause.withoutFullStop)",
            mend: "Change the value, or give an encoder that can encode it.",
            at: place
        )
    }

    static func jsonText(_ cause: String, at place: StubPlace) -> StubProblem {
        StubProblem(
            "its text is no JSON: \(cause.withoutFullStop)",
            mend: "Mend the text, or answer with `.text` where it is to be broken.",
            at: place
        )
    }

    static func emptySequence(at place: StubPlace) -> StubProblem {
        StubProblem("its sequence has no answers", mend: "Give it one answer for each call.", at: place)
    }

    /// The problem of a time below zero; none of any other.
    static func negativeTime(_ time: Duration, at place: StubPlace) -> StubProblem? {
        guard time < .zero else { return nil }
        return StubProblem("a time of \(time) lies in the past", mend: "Give a time from zero on.", at: place)
    }

    static func speed(_ bytesPerSecond: Int, at place: StubPlace) -> StubProblem {
        StubProblem(
            "at \(bytesPerSecond) bytes in a second it never ends",
            mend: "Give a speed of one byte in a second or more, or use `.timingOut()`.",
            at: place
        )
    }

    static func jitter(_ fraction: Double, at place: StubPlace) -> StubProblem {
        StubProblem("its jitter is \(fraction)", mend: "Give a part of each pause, from 0 to 1.", at: place)
    }

    static func cut(_ count: Int, at place: StubPlace) -> StubProblem {
        StubProblem(
            "its connection is lost after \(count) bytes",
            mend: "Give a number of bytes from zero on.",
            at: place
        )
    }

    static func file(_ url: URL, _ cause: String, mend: String, at place: StubPlace) -> StubProblem {
        StubProblem("the file \(url.isFileURL ? url.path : url.absoluteString) \(cause)", mend: mend, at: place)
    }
}

extension String {
    /// The text without a full stop at its end, to stand within a sentence.
    fileprivate var withoutFullStop: String {
        hasSuffix(".") ? String(dropLast()) : self
    }
}
