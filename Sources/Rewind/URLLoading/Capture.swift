import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a live request has brought so far, with the times at which it came.
final class Capture: Sendable {
    fileprivate struct State: Sendable {
        let start = ContinuousClock.now
        let bodyCount: Int
        var sentCount = 0
        var headAt: ContinuousClock.Instant?
        var data = Data()
        var chunks: [Body.Chunk] = []
        var response: Response?
        var outcome: Interaction.Outcome?
    }

    private let recording: Recording?
    private let state: Locked<State>

    /// Begins to keep what comes.
    /// - Parameters:
    ///   - recording: What takes the whole, where it is recorded.
    ///   - bodyCount: The number of bytes of the request's body.
    init(_ recording: Recording?, bodyCount: Int) {
        self.recording = recording
        state = Locked(State(bodyCount: bodyCount))
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
        guard case .end(let failure?) = event, state.withLock({ $0.response == nil }) else { return nil }
        return recording?.replacement(for: failure)
    }

    /// The response with what has come of its body.
    var whole: Response? { state.withLock { $0.whole } }
}

extension Capture.State {
    /// Keeps an event, and gives the whole when it is the last.
    mutating func add(
        _ event: LiveEvent
    ) -> (outcome: Interaction.Outcome, timing: Interaction.Timing)? {
        // What comes after the end, such as after a cancellation, is no part of the answer.
        guard outcome == nil else { return nil }
        switch event {
        case .sent(let count): sentCount += count
        case .head(let response):
            self.response = response
            headAt = .now
        case .data(let piece):
            guard !piece.isEmpty else { return nil }
            data.append(piece)
            chunks.append(Body.Chunk(offset: milliseconds(from: headAt ?? start), count: piece.count))
        case .end(let failure):
            let outcome = ending(with: failure)
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

    func ending(with failure: Failure?) -> Interaction.Outcome {
        if var failure {
            failure.bodyWasSent = bodyCount > 0 && sentCount >= bodyCount
            return .failure(failure, after: whole)
        }
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
