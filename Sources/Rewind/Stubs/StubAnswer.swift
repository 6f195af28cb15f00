import Foundation

/// The answer of a stub: a response or an error that you write, the recorded response with changes, or the live response.
///
/// ```swift
/// stubber.stub(.get("https://api.example.com/users/*"), respond: .json(["id": 42, "name": "Ada"]))
/// stubber.stub(.host("api.example.com"), respond: .status(503).delayed(by: .seconds(2)))
/// stubber.stub(.path("/feed"), respond: .sequence([.failure(.timedOut), .recorded], then: .last))
/// ```
///
/// A request with a `Range` receives that part of a complete body, unless the answer has the header field
/// `Accept-Ranges: none`.
///
/// An answer arrives at once unless you delay it. An invalid answer, such as a file that does not exist, fails each
/// matching request with a ``StubError`` that names the line of the stub.
public struct StubAnswer: Sendable {
    enum Source: Sendable {
        case written(Interaction.Outcome, Interaction.Timing)
        case file(FileName, FileContent)
        /// From the cassette, or from the network while recording.
        case recorded((@Sendable (inout Interaction.Response) -> Void)?)
        case passthrough
        case sequence([StubAnswer], then: SequenceEnd)
    }

    var source: Source
    var faults: [StubFault] = []
    /// The first invalid part.
    package internal(set) var problem: Problem?

    /// Whether it names files. Without any, deeply nested sequences are not traversed, which would need stack.
    private(set) var namesFiles = false
    /// Whether it calls a closure of the test.
    private(set) var hasCallbacks = false

    init(_ source: Source, problem: Problem? = nil) {
        self.source = source
        self.problem = problem
        namesFiles =
            switch source {
            case .file: true
            case .sequence(let answers, _): answers.contains(where: \.namesFiles)
            case .written, .recorded, .passthrough: false
            }
        hasCallbacks =
            switch source {
            case .recorded(let change): change != nil
            case .sequence(let answers, _): answers.contains(where: \.hasCallbacks)
            case .written, .file, .passthrough: false
            }
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

    /// Sends the request to the network and does not record it, as if there were no cassette.
    ///
    /// Delays and other faults have no effect on this answer. To apply them to a live response, use ``recorded``.
    public static let passthrough = StubAnswer(.passthrough)

    /// Answers with the recorded response, to which you can add faults. While recording, it is the live response.
    ///
    /// ```swift
    /// stubber.stub(.path("/feed"), respond: .recorded.throttled(to: .edge))
    /// ```
    public static let recorded = StubAnswer(.recorded(nil))

    /// Answers with the recorded response after changing it. A recorded error is replayed unchanged.
    ///
    /// ```swift
    /// .recorded { $0.headers["ETag"] = nil }
    /// ```
    /// - Parameter change: Changes the response before the app receives it, on a thread of its own.
    /// - Returns: The answer.
    public static func recorded(_ change: @escaping @Sendable (inout Interaction.Response) -> Void)
        -> StubAnswer
    {
        StubAnswer(.recorded(change))
    }

    /// Never answers, so that the session's timeout ends the request. Without a timeout, it fails after ten years.
    public static let timeout = failure(.timedOut).timingOut()

    /// Fails with an error of the URL loading system, such as `.notConnectedToInternet`. It contains the request's URL.
    /// - Parameter code: The error code.
    /// - Returns: The answer.
    public static func failure(_ code: URLError.Code) -> StubAnswer {
        // With its user info, the code `.cancelled` is not a cancellation by the app, which would be waited for.
        failure(Interaction.Failure(code: code.rawValue, userInfo: Interaction.Failure.requestURLs))
    }

    /// Fails with an error, which the app receives as it is: the same value or object, with all of its user info.
    ///
    /// On Apple platforms, the loading system may replace it by an `NSError` with its domain, code and user info.
    /// - Parameter error: The error.
    /// - Returns: The answer.
    public static func failure(_ error: any Error & Sendable) -> StubAnswer {
        failure(Interaction.Failure(delivering: error))
    }

    private static func failure(_ failure: Interaction.Failure) -> StubAnswer {
        StubAnswer(.written(.failure(failure, after: nil), Interaction.Timing()))
    }

    /// How a sequence answers requests after its last answer.
    public enum SequenceEnd: Sendable, CaseIterable {
        /// It repeats the last answer.
        case last
        /// The request fails as a miss.
        case fail
        /// It starts again with the first answer.
        case `repeat`
    }

    /// Answers each request with the next answer of a list.
    ///
    /// Faults that you add to the sequence apply after those of each answer.
    ///
    /// ```swift
    /// .sequence([.status(503), .status(503), .recorded], then: .last)
    /// ```
    /// - Parameters:
    ///   - answers: The answers, at least one. A sequence in the list advances by one answer each time its turn comes.
    ///   - end: How requests after the last answer are answered; ``SequenceEnd/fail`` by default.
    /// - Returns: The answer.
    public static func sequence(_ answers: [StubAnswer], then end: SequenceEnd = .fail) -> StubAnswer {
        let suggestion = "Pass at least one answer."
        let empty = Problem("its sequence has no answers", recoverySuggestion: suggestion)
        let problem = answers.isEmpty ? empty : answers.lazy.compactMap(\.problem).first
        return StubAnswer(.sequence(answers, then: end), problem: problem)
    }
}

extension StubAnswer.SequenceEnd {
    /// The answer for a request, and how often that answer was given before.
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
    /// Changes an interaction before it is replayed with a time scale.
    package typealias ResponseTransform =
        @Sendable (Interaction, _ timeScale: Double) -> (Interaction, timeScale: Double)

    package enum Resolved: Sendable {
        /// A time scale of 0 replays at once, 1 with the interaction's own times.
        case play(Interaction, timeScale: Double)
        case recorded(ResponseTransform)
        case passthrough
        /// The sequence has no more answers.
        case exhausted
        case invalid(Problem)
    }

    /// The call number is the number of requests that the stub answered before.
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
                // A response to HEAD has no body (RFC 9110 section 9.3.2).
                interaction.changeResponse { $0.body = Interaction.Body() }
                interaction.timing.receive = 0
            }
            interaction.takePart(askedForBy: request)
            Self.apply(faults, to: &interaction, call: number)
            return .play(interaction, timeScale: interaction.takesTime ? 1 : 0)
        case .recorded(let change):
            return .recorded { [faults] interaction, timeScale in
                var changed = interaction
                changed.scaleTimes(by: timeScale)
                if let change, case .response = changed.outcome { changed.changeResponse(change) }
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
