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
