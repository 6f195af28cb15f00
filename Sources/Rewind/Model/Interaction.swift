import Foundation

/// One request and what came back.
public struct Interaction: Sendable, Hashable {
    /// The request, as the app made it.
    public var request: Interaction.Request
    /// What came back: a response, or a failure.
    public var outcome: Outcome
    /// When the request was started.
    public var startedAt: Date
    /// How long the answer took.
    public var timing: Timing

    /// Where secrets were taken out of it; never what they were.
    package var redactedPlaces: [String] = []

    /// The text it was read from, which a rewrite repeats unless something changed.
    @NotCompared package var original: OriginalText?

    /// Creates an interaction.
    /// - Parameters:
    ///   - request: The request.
    ///   - outcome: What came back.
    ///   - startedAt: When the request was started, to the millisecond; the present by default.
    ///   - timing: How long the answer took; no time by default.
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

    /// What came back for a request.
    public enum Outcome: Hashable, Sendable {
        /// A whole response.
        case response(Interaction.Response)
        /// A failure, with what had arrived of a response before it.
        case failure(Interaction.Failure, after: Interaction.Response?)
        /// The file does not say, for the reason given; such an interaction never answers a request.
        case unknown(reason: String)
    }

    /// The time an answer took, in milliseconds.
    public struct Timing: Hashable, Sendable {
        /// The time from the start of the request to the head of the response.
        public var wait: Double
        /// The time from the head of the response to its end.
        public var receive: Double

        /// Creates a timing from milliseconds, to the microsecond.
        public init(wait: Double = 0, receive: Double = 0) {
            self.wait = wait.roundedToThousandths
            self.receive = receive.roundedToThousandths
        }
    }

    /// The response, or what had arrived of one before the failure.
    public var response: Interaction.Response? {
        switch outcome {
        case .response(let response): response
        case .failure(_, let partial): partial
        case .unknown: nil
        }
    }

    /// Whether there is something to answer a request with.
    package var isReplayable: Bool { if case .unknown = outcome { false } else { true } }

    /// The failure that ended the interaction, if one did.
    public var failure: Interaction.Failure? {
        if case .failure(let failure, _) = outcome { failure } else { nil }
    }

    /// Changes the response, or the part of one that had arrived before the failure.
    mutating func changeResponse(_ change: (inout Interaction.Response) -> Void) {
        switch outcome {
        case .response(var response):
            change(&response)
            outcome = .response(response)
        case .failure(let failure, .some(var partial)):
            change(&partial)
            outcome = .failure(failure, after: partial)
        case .failure, .unknown: break
        }
    }

    mutating func changeFailure(_ change: (inout Interaction.Failure) -> Void) {
        guard case .failure(var failure, let partial) = outcome else { return }
        change(&failure)
        outcome = .failure(failure, after: partial)
    }
}

extension Date {
    /// The nearest whole millisecond, which is what a file can hold.
    package var roundedToMilliseconds: Date {
        Date(timeIntervalSince1970: (timeIntervalSince1970 * 1000).rounded() / 1000)
    }
}

extension Double {
    /// A time in milliseconds, as exact as a clock can tell it.
    package var roundedToThousandths: Double { isFinite ? (self * 1000).rounded() / 1000 : 0 }
}

package struct OriginalText: Sendable {
    package var text: Data

    package init(_ text: Data) { self.text = text }
}
