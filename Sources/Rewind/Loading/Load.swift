import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One load of one task: asks the stubber, hop by hop, and delivers what it decides.
///
/// Replay and recording share this delivery, so that a test that passes while it records passes on replay.
final class Load: @unchecked Sendable {
    // Sound as @unchecked Sendable: Foundation starts and stops a protocol on its task's queue, and every block that
    // leaves it comes back to it through `ClientQueue.perform`.
    private enum State {
        case running
        case suspended
        case over
    }

    private let client: TaskClient
    private let stubber: Stubber?
    private let testName: String?
    private var state = State.running
    private var waiting: [@Sendable () -> Void] = []
    private var hasArrived = false
    private var hops = 0
    private var exchange: LiveExchange?

    init(_ client: TaskClient, stubber: Stubber?, testName: String?) {
        self.client = client
        self.stubber = stubber
        self.testName = testName
    }

    func start(_ request: URLRequest) {
        client.readBody { [self] body in
            switch body {
            case .success(let body):
                var request = request
                request.httpBody = body
                ask(request)
            case .failure(let error):
                let miss = Miss(
                    .unreadableBody("\(error)"),
                    request: Request(request, body: nil),
                    testName: testName
                )
                stubber?.report(miss)
                fail(miss)
            }
        }
    }

    func resume() {
        guard state == .suspended else { return }
        state = .running
        client.resume()
        let blocks = waiting
        waiting = []
        for block in blocks { then(block) }
    }

    /// Stops for good where the task was cancelled, for a while where it was suspended.
    func stop() {
        guard state == .running || state == .suspended else { return }
        if client.isSuspended {
            state = .suspended
            client.suspend()
        } else {
            state = .over
            waiting = []
            arrive()
            exchange?.cancel()
            client.end()
        }
    }

    private func ask(_ request: URLRequest) {
        let asked = Request(request, body: request.httpBody)
        guard let stubber else { return fail(Miss(.testOver, request: asked, testName: testName)) }
        defer { arrive() }
        switch stubber.answer(to: asked, completed: { asked.adding(client.headers(sentWith: request)) }) {
        case .replay(let interaction):
            replay(interaction, to: request, timing: stubber.configuration.timing.factor)
        case .forward(let recording):
            forward(request, recording)
        case .refuse(let miss):
            fail(miss)
        }
    }

    /// Runs a block now, or when the task is resumed, or never when it is over.
    private func then(_ block: @escaping @Sendable () -> Void) {
        switch state {
        case .running: block()
        case .suspended: waiting.append(block)
        case .over: break
        }
    }

    /// Runs a block on the client's queue after some seconds, under the same conditions.
    private func later(_ seconds: Double, _ block: @escaping @Sendable () -> Void) {
        guard let queue = client.queue else { return block() }
        queue.perform(after: seconds) { [self] in then(block) }
    }

    /// Tells the stubber, once, that it need not wait for this load to be decided about.
    private func arrive() {
        guard !hasArrived else { return }
        hasArrived = true
        stubber?.requestArrived()
    }

    private func fail(_ error: any Error) {
        state = .over
        arrive()
        client.fail(error)
    }
}

// MARK: - Replay

extension Load {
    private func replay(_ interaction: Interaction, to request: URLRequest, timing factor: Double) {
        guard factor > 0 else { return deliver(interaction, to: request) }
        let wait = interaction.timing.wait / 1000 * factor
        guard let response = interaction.response, response.body.chunks.count > 1,
            response.redirectTarget == nil
        else {
            let whole = wait + interaction.timing.receive / 1000 * factor
            return later(whole) { [self] in deliver(interaction, to: request) }
        }
        later(wait) { [self] in begin(response, to: request, isWhole: interaction.failure == nil) }
        for (piece, chunk) in zip(response.body.pieces, response.body.chunks) {
            later(wait + chunk.offset / 1000 * factor) { [self] in client.receive(piece) }
        }
        later(wait + interaction.timing.receive / 1000 * factor) { [self] in end(interaction.failure) }
    }

    private func deliver(_ interaction: Interaction, to request: URLRequest) {
        if let response = interaction.response {
            if interaction.failure == nil, let next = Redirect.request(after: response, to: request) {
                return follow(next, after: response, to: request)
            }
            deliver(response, to: request, isWhole: interaction.failure == nil)
        }
        end(interaction.failure)
    }

    private func deliver(_ response: Response, to request: URLRequest, isWhole: Bool) {
        begin(response, to: request, isWhole: isWhole)
        let pieces = response.body.pieces
        if pieces.count == 1 {
            client.receiveWhole(pieces[0])
        } else {
            for piece in pieces { client.receive(piece) }
        }
    }

    private func begin(_ response: Response, to request: URLRequest, isWhole: Bool) {
        guard let head = client.head(of: response, to: request, isWhole: isWhole) else { return }
        client.receive(head)
    }

    private func end(_ failure: Failure?) {
        if let failure {
            fail(failure.error(for: client.originalURL))
        } else {
            state = .over
            client.finish()
        }
    }

    /// Goes on with the request that a redirect leads to, unless the task's delegate has other plans.
    private func follow(_ next: URLRequest, after response: Response, to request: URLRequest) {
        hops += 1
        guard hops <= Redirect.limit else {
            return end(Failure(code: NSURLErrorHTTPTooManyRedirects, message: "too many HTTP redirects"))
        }
        guard let head = client.head(of: response, to: request, isWhole: true) else { return end(nil) }
        client.storeCookies(of: head)
        client.redirect(head, to: client.addingCookies(to: next)) { [self] accepted in
            then { [self] in
                if let accepted { return ask(accepted) }
                deliver(response, to: request, isWhole: true)
                end(nil)
            }
        }
    }
}

// MARK: - Live

extension Load {
    private func forward(_ request: URLRequest, _ recording: Recording?) {
        if recording == nil, hops == 0, client.loadNatively() {
            return
        }
        guard let queue = client.queue else {
            let cause = "this version of Foundation hides the queue of a task"
            return fail(Miss(.unsupported(cause), request: Request(request, body: nil), testName: testName))
        }
        let capture = Capture(recording)
        exchange = LiveLoader.shared.load(client.liveRequest(for: request)) { [self] event in
            queue.perform { [self] in
                // Also what comes after a cancellation is recorded: that is what a replay has to repeat.
                capture.add(event)
                then { [self] in receive(event, capture, of: request) }
            }
        }
    }

    private func receive(_ event: LiveEvent, _ capture: Capture, of request: URLRequest) {
        switch event {
        case .head(let response):
            // A redirect is held back until it is whole, for only then is it known whether it is followed.
            if Redirect.request(after: response, to: request) == nil {
                begin(response, to: request, isWhole: false)
            }
        case .data(let data):
            guard let response = capture.response, Redirect.request(after: response, to: request) == nil else {
                return
            }
            client.receive(data)
        case .end(let error):
            exchange = nil
            if error == nil, let response = capture.response,
                let next = Redirect.request(after: response, to: request)
            {
                return follow(next, after: response, to: request)
            }
            if let error { fail(error) } else { end(nil) }
        }
    }
}
