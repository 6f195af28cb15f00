import Foundation

/// What a stub answers: a response written by hand, a failure, the cassette's own answer with changes, or the network's.
///
/// ```swift
/// stubber.stub(.get("https://api.example.com/users/*"), respond: .json(["id": 42, "name": "Ada"]))
/// stubber.stub(.host("api.example.com"), respond: .status(503).delayed(by: .seconds(2)))
/// stubber.stub(.path("/feed"), respond: .sequence([.failure(.timedOut), .recorded], then: .last))
/// ```
///
/// An answer comes at once unless it is told to take time. What was written wrongly, such as the name of a file that is
/// not there, fails each request it was to answer with a ``StubProblem`` that names the line.
public struct StubAnswer: Sendable {
    /// Where an answer comes from.
    enum Source: Sendable {
        /// From the test.
        case written(Interaction.Outcome, Interaction.Timing)
        /// From the cassette, or from the network while it is recorded.
        case recorded(@Sendable (inout Response) -> Void)
        /// From the network.
        case passthrough
        /// From one answer after the other.
        case sequence([StubAnswer], then: SequenceEnd)
    }

    /// Where the answer comes from.
    let source: Source
    /// What is done to it, in order.
    var faults: [StubFault] = []
    /// What of it cannot be followed; the first such thing.
    package internal(set) var problem: StubProblem?

    init(_ source: Source, problem: StubProblem? = nil) {
        self.source = source
        self.problem = problem
    }

    /// An answer written in the test; its status has to be one (RFC 9110 section 15).
    init(_ response: Response, timing: Interaction.Timing = Interaction.Timing(), at place: StubPlace) {
        source = .written(.response(response), timing)
        problem = 100...999 ~= response.status ? nil : .status(response.status, at: place)
    }

    /// An answer that cannot be given.
    init(_ problem: StubProblem) {
        self.init(.written(.unknown(reason: problem.cause), Interaction.Timing()), problem: problem)
    }
}

extension StubAnswer {
    /// The answer of the network: the request goes there as if there were no cassette, and is not recorded.
    ///
    /// Delays, cuts and other faults of such an answer are ignored. To have them on the network's answer, record it:
    /// ``recorded``.
    public static let passthrough = StubAnswer(.passthrough)

    /// The answer of the cassette, unchanged.
    ///
    /// It is there to have a fault, or a place in a sequence.
    ///
    /// ```swift
    /// stubber.stub(.path("/feed"), respond: .recorded.throttled(to: .edge))
    /// ```
    public static let recorded = StubAnswer.recorded { _ in }

    /// The answer of the cassette, changed; a recorded failure is played as it is.
    ///
    /// ```swift
    /// .recorded { $0.headers["ETag"] = nil }
    /// ```
    /// - Parameter change: Changes the response.
    /// - Returns: The answer.
    public static func recorded(_ change: @escaping @Sendable (inout Response) -> Void) -> StubAnswer {
        StubAnswer(.recorded(change))
    }
}
