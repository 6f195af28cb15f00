import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Load {
    /// Delivers a recorded interaction, at once or in the time it took.
    func replay(_ interaction: Interaction, to request: URLRequest, tempo: Double) {
        if tempo > 0 {
            replay(interaction, to: request, scheduledBy: tempo)
        } else {
            deliver(interaction, to: request)
        }
    }

    private func deliver(_ interaction: Interaction, to request: URLRequest) {
        if let response = interaction.response {
            if interaction.failure == nil, let continuation = continuation(of: response, to: request) {
                return proceed(continuation, after: response, to: request)
            }
            deliver(response, to: request, isWhole: interaction.failure == nil)
        }
        end(interaction.failure?.error(for: client.originalURL))
    }

    /// Delivers a response, each recorded piece of its body as one.
    func deliver(_ response: Response, to request: URLRequest, isWhole: Bool) {
        begin(response, to: request, isWhole: isWhole)
        if response.body.chunks.isEmpty {
            client.receiveWhole(response.body.data)
        } else {
            for piece in response.body.pieces { client.receive(piece) }
        }
    }

    func begin(_ response: Response, to request: URLRequest, isWhole: Bool) {
        guard let head = client.head(of: response, to: request, isWhole: isWhole) else { return }
        client.receive(head)
    }

    private func replay(_ interaction: Interaction, to request: URLRequest, scheduledBy tempo: Double) {
        let schedule = ReplaySchedule(interaction, tempo: tempo, timeouts: client.timeouts(of: request))
        let continuation = interaction.response.flatMap { response in
            interaction.failure == nil ? self.continuation(of: response, to: request) : nil
        }
        let take: @Sendable (ReplaySchedule.Step) -> Void = { [self] step in
            switch step {
            case .head, .piece:
                // An answer that leads on is not shown, unless the delegate wants to see it in the end.
                guard continuation == nil else { return }
                if case .piece(let data) = step { return client.receive(data) }
                guard let response = interaction.response else { return }
                begin(response, to: request, isWhole: interaction.failure == nil)
            case .end:
                guard let continuation, let response = interaction.response else {
                    return end(interaction.failure?.error(for: client.originalURL))
                }
                proceed(continuation, after: response, to: request)
            case .timeout:
                fail(Failure(code: NSURLErrorTimedOut).error(for: client.originalURL))
            }
        }
        guard let clock = stubber?.configuration.clock else {
            for (seconds, step) in schedule.steps { later(seconds) { take(step) } }
            return
        }
        awaited = Task { [self] in
            await schedule.run(on: clock) { step in later(0) { take(step) } }
        }
    }
}
