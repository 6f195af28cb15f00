import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a live request has brought so far, with the times at which it came.
final class Capture: Sendable {
    fileprivate struct State: Sendable {
        let start = ContinuousClock.now
        var headAt: ContinuousClock.Instant?
        var data = Data()
        var chunks: [Body.Chunk] = []
        var response: Response?
        var outcome: Interaction.Outcome?
    }

    private let recording: Recording?
    private let state = Locked(State())

    init(_ recording: Recording?) {
        self.recording = recording
    }

    /// Keeps an event, and puts the whole on the cassette when it is the last.
    func add(_ event: LiveEvent) {
        let end = state.withLock { $0.add(event) }
        if let end { recording?.finish(end.outcome, timing: end.timing) }
    }

    /// The whole of what came, once it has ended.
    func interaction(answering request: Request) -> Interaction {
        let end = state.withLock { ($0.outcome ?? $0.ending(with: nil), $0.timing) }
        return Interaction(request: request, outcome: end.0, timing: end.1)
    }

    /// What is to be played in place of a failure to reach the network, where there is something.
    func replacement(for event: LiveEvent) -> Interaction? {
        guard case .end(let error?) = event, state.withLock({ $0.response == nil }) else { return nil }
        return recording?.replacement(for: Failure(error))
    }

    /// The response with what has come of its body.
    var whole: Response? { state.withLock { $0.whole } }
}

extension Capture.State {
    /// Keeps an event, and gives the whole when it is the last.
    mutating func add(
        _ event: LiveEvent
    ) -> (outcome: Interaction.Outcome, timing: Interaction.Timing)? {
        switch event {
        case .head(let response):
            self.response = response
            headAt = .now
        case .data(let piece):
            guard !piece.isEmpty else { return nil }
            data.append(piece)
            chunks.append(Body.Chunk(offset: milliseconds(from: headAt ?? start), count: piece.count))
        case .end(let error):
            let outcome = ending(with: error)
            self.outcome = outcome
            return (outcome, timing)
        }
        return nil
    }

    var whole: Response? {
        var response = response
        response?.body = Body(data, chunks: chunks)
        return response
    }

    func ending(with error: (any Error)?) -> Interaction.Outcome {
        if let error { return .failure(Failure(error), after: whole) }
        guard let response = whole else { return .failure(Failure(URLError(.badServerResponse)), after: nil) }
        return .response(response)
    }

    var timing: Interaction.Timing {
        guard let headAt else { return Interaction.Timing(wait: milliseconds(from: start)) }
        return Interaction.Timing(
            wait: milliseconds(from: start, to: headAt),
            receive: milliseconds(from: headAt)
        )
    }

    private func milliseconds(
        from start: ContinuousClock.Instant,
        to end: ContinuousClock.Instant = .now
    ) -> Double {
        let (seconds, attoseconds) = start.duration(to: end).components
        return Double(seconds) * 1e3 + Double(attoseconds) / 1e15
    }
}
