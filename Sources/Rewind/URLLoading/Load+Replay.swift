import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Load {
    /// Delivers a recorded interaction, at once or in the time it took.
    /// - Parameters:
    ///   - interaction: The interaction.
    ///   - request: The request that it answers.
    ///   - tempo: What its times are multiplied by; 0 for at once.
    ///   - bodyWasSent: Whether the app was already told that the body was sent.
    func replay(_ interaction: Interaction, to request: URLRequest, tempo: Double, bodyWasSent: Bool = false) {
        if !bodyWasSent, interaction.response != nil || interaction.failure?.bodyWasSent == true {
            client.sentWhole(request.httpBody)
        }
        if tempo > 0 {
            replay(interaction, to: request, scheduledBy: tempo)
        } else {
            deliver(interaction, to: request)
        }
    }

    private func deliver(_ interaction: Interaction, to request: URLRequest) {
        guard let response = interaction.response else { return end(request, interaction.failure) }
        let isWhole = interaction.failure == nil
        let continuation = isWhole ? self.continuation(of: response, to: request) : nil
        if !holdsResponse(before: continuation) {
            begin(response, to: request, isWhole: isWhole)
            if response.body.chunks.isEmpty || !client.wantsPieces {
                client.receiveWhole(response.body.data)
            } else {
                for piece in response.body.pieces { client.receive(piece) }
            }
        }
        guard let continuation else { return end(request, interaction.failure) }
        proceed(continuation, after: response, to: request)
    }

    func begin(_ response: Response, to request: URLRequest, isWhole: Bool) {
        guard let head = client.head(of: response, to: request, isWhole: isWhole) else { return }
        client.storeCookies(of: response, to: request)
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
                // A redirect is not shown, unless the delegate wants to see it in the end.
                guard !holdsResponse(before: continuation) else { return }
                if case .piece(let data) = step { return client.receive(data) }
                guard let response = interaction.response else { return }
                begin(response, to: request, isWhole: interaction.failure == nil)
            case .end:
                guard let continuation, let response = interaction.response else {
                    return end(request, interaction.failure)
                }
                proceed(continuation, after: response, to: request)
            case .timeout:
                end(request, client.timeout)
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
