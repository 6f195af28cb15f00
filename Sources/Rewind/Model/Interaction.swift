import Foundation

/// One request and its outcome: a response or a failure.
public struct Interaction: Sendable, Hashable {
    /// The request as the app made it.
    public var request: Interaction.Request
    /// The outcome of the request: a response or a failure.
    public var outcome: Outcome
    /// The time at which the request started.
    public var startedAt: Date
    /// How long the response took.
    public var timing: Timing

    /// What the file has of the response, if the outcome is unknown. The body is empty if it cannot be read.
    package var unreplayableResponse: Interaction.Response?

    /// The places from which secrets were removed, without the secrets.
    package var redactedPlaces: [String] = []

    /// The text from which it was read. A rewrite repeats this text if the interaction has not changed.
    @NotCompared package var original: OriginalText?

    /// Creates an interaction.
    /// - Parameters:
    ///   - request: The request.
    ///   - outcome: The response or the failure.
    ///   - startedAt: The time at which the request started, rounded to milliseconds; now by default.
    ///   - timing: How long the response took; zero by default.
    public init(
        request: Interaction.Request,
        outcome: Outcome,
        startedAt: Date = Date(),
        timing: Timing = Timing()
    ) {
        self.request = request
        self.outcome = outcome
        self.startedAt = startedAt.roundedToMilliseconds
        self.timing = timing
    }

    /// The outcome of a request.
    public enum Outcome: Hashable, Sendable {
        /// A complete response.
        case response(Interaction.Response)
        /// A failure, and the part of a response that arrived before it.
        case failure(Interaction.Failure, after: Interaction.Response?)
        /// No outcome can be read from the file, for the given reason. Such an interaction never answers a request.
        case unknown(reason: String)
    }

    /// The duration of a response, in milliseconds.
    public struct Timing: Hashable, Sendable {
        /// The time from the start of the request to the head of the response, in milliseconds.
        public var wait: Double
        /// The time from the head of the response to its end, in milliseconds.
        public var receive: Double

        /// Creates a timing.
        /// - Parameters:
        ///   - wait: The milliseconds before the head of the response, rounded to microseconds; 0 by default.
        ///   - receive: The milliseconds from the head to the end, rounded to microseconds; 0 by default.
        public init(wait: Double = 0, receive: Double = 0) {
            self.wait = wait.roundedToThousandths
            self.receive = receive.roundedToThousandths
        }
    }

    /// The response, or the part of it that arrived before the failure; `nil` if nothing arrived.
    public var response: Interaction.Response? {
        switch outcome {
        case .response(let response): response
        case .failure(_, let partial): partial
        case .unknown: nil
        }
    }

    /// What the file has of the response, even if it never answers a request.
    package var recordedResponse: Interaction.Response? { isReplayable ? response : unreplayableResponse }

    /// Why the interaction never answers, with the status that the file has; `nil` if it can answer.
    package var obstacle: String? {
        guard case .unknown(let reason) = outcome else { return nil }
        guard let status = unreplayableResponse?.status, 100...999 ~= status else { return reason }
        return "\(reason) (status \(status))"
    }

    /// Whether the interaction can answer a request.
    package var isReplayable: Bool { if case .unknown = outcome { false } else { true } }

    /// The failure; `nil` if the response is complete or the outcome is unknown.
    public var failure: Interaction.Failure? {
        if case .failure(let failure, _) = outcome { failure } else { nil }
    }

    /// Changes the response, the part of it that arrived before the failure, or what the file has of it.
    mutating func changeResponse(_ change: (inout Interaction.Response) -> Void) {
        switch outcome {
        case .response(var response):
            change(&response)
            outcome = .response(response)
        case .failure(let failure, .some(var partial)):
            change(&partial)
            outcome = .failure(failure, after: partial)
        case .unknown:
            unreplayableResponse = unreplayableResponse.map { response in
                var response = response
                change(&response)
                return response
            }
        case .failure: break
        }
    }

    mutating func changeFailure(_ change: (inout Interaction.Failure) -> Void) {
        guard case .failure(var failure, let partial) = outcome else { return }
        change(&failure)
        outcome = .failure(failure, after: partial)
    }
}

extension Date {
    /// The date rounded to milliseconds, the precision of a HAR archive.
    package var roundedToMilliseconds: Date {
        Date(timeIntervalSince1970: (timeIntervalSince1970 * 1000).rounded() / 1000)
    }
}

extension Double {
    /// The number rounded to thousandths: milliseconds become whole microseconds. 0 if it is not finite.
    package var roundedToThousandths: Double { isFinite ? (self * 1000).rounded() / 1000 : 0 }
}

package struct OriginalText: Sendable {
    package var text: Data

    package init(_ text: Data) { self.text = text }
}
