import Foundation

/// What a stub answers: a response or a failure written by hand, the recorded response with changes, or the live response.
///
/// ```swift
/// stubber.stub(.get("https://api.example.com/users/*"), respond: .json(["id": 42, "name": "Ada"]))
/// stubber.stub(.host("api.example.com"), respond: .status(503).delayed(by: .seconds(2)))
/// stubber.stub(.path("/feed"), respond: .sequence([.failure(.timedOut), .recorded], then: .last))
/// ```
///
/// An answer arrives at once unless you delay it. An invalid answer, such as a file that does not exist, fails each
/// matching request with a ``StubError`` that names the line of the stub.
public struct StubAnswer: Sendable {
    enum Source: Sendable {
        case written(Interaction.Outcome, Interaction.Timing)
        case file(path: String, FileContent)
        /// From the cassette, or from the network while recording.
        case recorded(@Sendable (inout Interaction.Response) -> Void)
        case passthrough
        case sequence([StubAnswer], then: SequenceEnd)
    }

    var source: Source
    var faults: [StubFault] = []
    /// The first invalid part.
    package internal(set) var problem: Problem?

    init(_ source: Source, problem: Problem? = nil) {
        self.source = source
        self.problem = problem
    }

    /// The status must be valid (RFC 9110 section 15).
    init(_ response: Interaction.Response, timing: Interaction.Timing = Interaction.Timing()) {
        source = .written(.response(response), timing)
        guard !(100...999 ~= response.status) else { return }
        problem = Problem(
            "the status code \(response.status) is invalid",
            recoverySuggestion: "Use a status code from 100 to 999."
        )
    }

    init(_ problem: Problem) {
        self.init(.written(.unknown(reason: problem.cause), Interaction.Timing()), problem: problem)
    }

    /// The answer of the network: the request goes there as if there were no cassette, and is not recorded.
    ///
    /// Its faults, such as delays, are ignored; to have them on the network's answer, use ``recorded``.
    public static let passthrough = StubAnswer(.passthrough)

    /// The answer of the cassette, unchanged: to add a fault, or for a sequence.
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
    public static func recorded(_ change: @escaping @Sendable (inout Interaction.Response) -> Void)
        -> StubAnswer
    {
        StubAnswer(.recorded(change))
    }

    /// No answer until the session's timeout ends the request, or after ten years where it has none.
    public static let timeout = failure(.timedOut).timingOut()

    /// A failure of the loading system, such as `.notConnectedToInternet`.
    /// - Parameter code: The code of the error.
    /// - Returns: The answer.
    public static func failure(_ code: URLError.Code) -> StubAnswer {
        failure(Interaction.Failure(code: code.rawValue))
    }

    /// A failure with an error, which arrives as an `NSError` of its domain, code and description.
    /// - Parameter error: The error.
    /// - Returns: The answer.
    public static func failure(_ error: any Error & Sendable) -> StubAnswer {
        failure(Interaction.Failure(error))
    }

    private static func failure(_ failure: Interaction.Failure) -> StubAnswer {
        StubAnswer(.written(.failure(failure, after: nil), Interaction.Timing()))
    }

    /// What a sequence answers after its last answer.
    public enum SequenceEnd: Sendable, CaseIterable {
        /// The last answer, again and again.
        case last
        /// Nothing: the request fails.
        case fail
        /// All answers, from the first again.
        case `repeat`
    }

    /// One answer for each call; faults of the sequence apply to each answer after its own.
    ///
    /// ```swift
    /// .sequence([.status(503), .status(503), .recorded], then: .last)
    /// ```
    /// - Parameters:
    ///   - answers: The answers, at least one; a sequence among them goes on by one with each turn it has.
    ///   - end: What comes after the last of them; nothing by default, so that a call too many is not missed.
    /// - Returns: The answer.
    public static func sequence(_ answers: [StubAnswer], then end: SequenceEnd = .fail) -> StubAnswer {
        let suggestion = "Give it one answer for each call."
        let empty = Problem("its sequence has no answers", recoverySuggestion: suggestion)
        let problem = answers.isEmpty ? empty : answers.lazy.compactMap(\.problem).first
        return StubAnswer(.sequence(answers, then: end), problem: problem)
    }
}

extension StubAnswer.SequenceEnd {
    /// Which answer of a sequence a call gets, and how often it was given before.
    fileprivate func turn(of call: Int, among count: Int) -> (position: Int, call: Int)? {
        guard count > 0, call >= 0 else { return nil }
        guard call >= count else { return (call, 0) }
        return switch self {
        case .last: (count - 1, call - count + 1)
        case .fail: nil
        case .repeat: (call % count, call / count)
        }
    }
}

extension StubAnswer {
    /// Changes an interaction that would be played with a time scale.
    package typealias ResponseTransform =
        @Sendable (Interaction, _ timeScale: Double) -> (Interaction, timeScale: Double)

    package enum Resolved: Sendable {
        /// At once with time scale 0, in its own times with 1.
        case play(Interaction, timeScale: Double)
        case recorded(ResponseTransform)
        case passthrough
        /// The sequence is at its end.
        case exhausted
        case invalid(Problem)
    }

    /// The call's number counts earlier requests that the stub answered.
    package func resolved(for request: Interaction.Request, call number: Int) -> Resolved {
        if let problem { return .invalid(problem) }
        var answer = self
        var turn = number
        var faults = answer.faults
        while case .sequence(let answers, let end) = answer.source {
            guard let next = end.turn(of: turn, among: answers.count) else { return .exhausted }
            answer = answers[next.position]
            turn = next.call
            faults = answer.faults + faults
        }
        switch answer.source {
        case .written(let outcome, let timing):
            var interaction = Interaction(request: request, outcome: outcome, timing: timing)
            if request.method == "HEAD" {
                // The answer to HEAD is the head alone (RFC 9110 section 9.3.2).
                interaction.changeResponse { $0.body = Interaction.Body() }
                interaction.timing.receive = 0
            }
            Self.apply(faults, to: &interaction, call: number)
            return .play(interaction, timeScale: interaction.takesTime ? 1 : 0)
        case .recorded(let change):
            return .recorded { [faults] interaction, timeScale in
                var changed = interaction
                changed.scaleTimes(by: timeScale)
                if case .response = changed.outcome { changed.changeResponse(change) }
                Self.apply(faults, to: &changed, call: number)
                return (changed, timeScale: changed.takesTime ? 1 : 0)
            }
        case .passthrough: return .passthrough
        // Files were read when the stub was declared.
        case .file, .sequence: return .exhausted
        }
    }

    private static func apply(_ faults: [StubFault], to interaction: inout Interaction, call: Int) {
        for fault in faults {
            fault.apply(to: &interaction, call: call)
            // Nothing follows silence.
            if case .silence = fault { return }
        }
    }
}
