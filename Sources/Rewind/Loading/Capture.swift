import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a live request has brought so far, with the times at which it came.
final class Capture: @unchecked Sendable {
    // Sound as @unchecked Sendable: it is made and fed on the queue of one load's client only.
    private let recording: Recording?
    private let start = ContinuousClock.now
    private var headAt: ContinuousClock.Instant?
    private var data = Data()
    private var chunks: [Body.Chunk] = []

    private var response: Response?
    private var outcome: Interaction.Outcome?

    init(_ recording: Recording?) {
        self.recording = recording
    }

    /// Keeps an event, and puts the whole on the cassette when it is the last.
    func add(_ event: LiveEvent) {
        switch event {
        case .head(let response):
            self.response = response
            headAt = .now
        case .data(let piece):
            guard !piece.isEmpty else { return }
            data.append(piece)
            chunks.append(Body.Chunk(offset: milliseconds(since: headAt ?? start), count: piece.count))
        case .end(let error):
            let outcome = outcome(error)
            self.outcome = outcome
            recording?.finish(outcome, timing: timing)
        }
    }

    /// The whole of what came, once it has ended.
    func interaction(answering request: Request) -> Interaction {
        let outcome = outcome ?? .failure(Failure(URLError(.badServerResponse)), after: whole)
        return Interaction(request: request, outcome: outcome, timing: timing)
    }

    /// What is to be played in place of a failure to reach the network, where there is something.
    func replacement(for event: LiveEvent) -> Interaction? {
        guard response == nil, case .end(let error?) = event else { return nil }
        return recording?.replacement(for: Failure(error))
    }

    /// The response with what has come of its body.
    var whole: Response? {
        var response = response
        response?.body = Body(data, chunks: chunks)
        return response
    }

    private func outcome(_ error: (any Error)?) -> Interaction.Outcome {
        if let error { return .failure(Failure(error), after: whole) }
        guard let response = whole else { return .failure(Failure(URLError(.badServerResponse)), after: nil) }
        return .response(response)
    }

    private var timing: Interaction.Timing {
        guard let headAt else { return Interaction.Timing(wait: milliseconds(since: start)) }
        return Interaction.Timing(
            wait: milliseconds(from: start, to: headAt),
            receive: milliseconds(since: headAt)
        )
    }

    private func milliseconds(since instant: ContinuousClock.Instant) -> Double {
        milliseconds(from: instant, to: .now)
    }

    private func milliseconds(from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) -> Double {
        let (seconds, attoseconds) = start.duration(to: end).components
        return Double(seconds) * 1e3 + Double(attoseconds) / 1e15
    }
}
