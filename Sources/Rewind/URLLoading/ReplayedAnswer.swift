import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Load {
    /// Delivers a recorded or written answer, at once or with its times.
    func replay(
        _ interaction: Interaction,
        to request: URLRequest,
        timeScale: Double,
        bodyWasSent: Bool = false
    ) {
        if !bodyWasSent, interaction.response != nil || interaction.failure?.bodyWasSent == true {
            client.sentWhole(request.httpBody)
        }
        if timeScale > 0 {
            replay(interaction, to: request, scheduledBy: timeScale)
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

    func begin(_ response: Interaction.Response, to request: URLRequest, isWhole: Bool) {
        guard let head = client.head(of: response, to: request, isWhole: isWhole) else { return }
        if response.url != nil, head.url != request.url {
            // As after the redirects that the recorder followed.
            var current = request
            current.url = head.url
            client.moved(to: current)
        }
        client.storeCookies(of: response, to: request)
        client.receive(head)
    }

    private func replay(_ interaction: Interaction, to request: URLRequest, scheduledBy timeScale: Double) {
        let schedule = ReplaySchedule(interaction, timeScale: timeScale, timeouts: client.timeouts(of: request))
        let continuation = interaction.response.flatMap { response in
            interaction.failure == nil ? self.continuation(of: response, to: request) : nil
        }
        let take: @Sendable (ReplaySchedule.Step) -> Void = { [self] step in
            switch step {
            case .head, .piece:
                // The app sees a redirect only if the delegate refuses to follow it.
                guard !holdsResponse(before: continuation) else { return }
                if case .piece(let data) = step { return client.receive(data.fromZero) }
                guard let response = interaction.response else { return }
                begin(response, to: request, isWhole: interaction.failure == nil)
            case .end:
                guard let continuation, let response = interaction.response else {
                    return end(request, interaction.failure)
                }
                proceed(continuation, after: response, to: request)
            case .timeout: end(request, client.timeout)
            }
        }
        guard let clock = stubber?.configuration.clock else {
            for (seconds, step) in schedule.steps { later(seconds) { take(step) } }
            return
        }
        awaited = Task { [self] in
            // The clock may be code of the test.
            await stubber?.run { await schedule.run(on: clock) { step in later(0) { take(step) } } }
        }
    }
}

extension Stubber {
    /// Prints that a request waits for its cancellation.
    func noteWait(of request: Interaction.Request) {
        callBackIfNeeded { [self] in
            let text = printable("\(redactor.redact(request))")
            Note.print("\(text) was cancelled during the recording; on replay it waits until it is cancelled")
        }
    }
}
