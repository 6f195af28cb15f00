import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A live request of a load: how to end it, and what has come of it.
struct LiveCourse {
    let exchange: LiveExchange
    let capture: Capture
    /// What its response leads to, where it leads on.
    var continuation: Load.Continuation?
}

extension Load {
    /// Loads from the network, and puts what comes on the cassette where it is recorded.
    ///
    /// An answer that is to be shaped is held back until it is whole.
    func forward(_ asked: URLRequest, _ recording: Recording?, shape: Answer.Shape?) {
        guard let queue = client.queue else { return fail(hiddenQueue(asked)) }
        let capture = Capture(recording, bodyCount: asked.httpBody?.count ?? 0)
        let request = client.liveRequest(for: asked, liveTimeout: loader.timeout)
        let tempo = stubber?.configuration.timing.factor ?? 0
        let exchange = loader.load(request, sending: client.liveBody(of: asked)) { [self] event in
            // This is done here, as the client's queue has enough to do with handing on what came before.
            let step = capture.step(
                after: event,
                answering: Request(asked, body: asked.httpBody),
                shape: shape,
                tempo: tempo
            )
            queue.perform { [self] in then { [self] in take(step, of: asked) } }
        }
        live = LiveCourse(exchange: exchange, capture: capture)
        limitTime(queue, asked)
    }

    private func take(_ step: LiveStep, of request: URLRequest) {
        switch step {
        case .deliver(let event): receive(event, of: request)
        case .play(let interaction, let tempo):
            live = nil
            replay(interaction, to: request, tempo: tempo, bodyWasSent: true)
        case .hold: break
        }
    }

    /// Ends the load when the time is over that its session allows for all of it.
    private func limitTime(_ queue: ClientQueue, _ request: URLRequest) {
        let total = client.timeouts(of: request).total
        // A timer that nobody will live to see is not worth its memory.
        guard !isLimited, total < 86_400 else { return }
        isLimited = true
        queue.perform(after: total) { [weak self] in
            guard let self, let live else { return }
            let failure = client.timeout
            live.capture.add(.end(failure))
            end(request, failure)
        }
    }

    private func receive(_ event: LiveEvent, of request: URLRequest) {
        guard let live else { return }
        switch event {
        case .sent(let count): client.sent(count)
        case .head(let response):
            // A redirect is held back until it is whole, for only then is it known whether it is followed.
            let continuation = continuation(of: response, to: request)
            self.live?.continuation = continuation
            if !holdsResponse(before: continuation) { begin(response, to: request, isWhole: false) }
        case .data(let data):
            if !holdsResponse(before: live.continuation) { client.receive(data) }
        case .end(let failure):
            self.live = nil
            guard failure == nil, let continuation = live.continuation, let response = live.capture.whole else {
                return end(request, failure)
            }
            proceed(continuation, after: response, to: request)
        }
    }
}
