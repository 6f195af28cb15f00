import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Loads one task: asks the stubber about each request of a redirect chain and delivers the answer.
///
/// Recording and replay share this code, so that a test that passes while it records also passes on replay.
final class Load: @unchecked Sendable {
    // Sound as @unchecked Sendable: Foundation starts and stops a protocol on its task's queue, and every callback
    // returns to that queue through `ClientQueue.perform`.
    private enum State {
        case opening
        case cancelledWhileOpening
        case running
        case suspended
        case over
    }

    let client: any TaskClient
    private(set) var stubber: Stubber?
    private let identity: TestIdentity?
    let loader: LiveLoader
    private let refusal: Miss.Reason
    private var state = State.opening
    private var waiting: [@Sendable () -> Void] = []
    /// An answer that arrived while the task was suspended, with the request to announce.
    private var undelivered: (answer: Answer, incoming: IncomingRequest?)?
    private var pending: PendingWork.Token?
    private var redirects = 0
    private var challenges = 0
    /// Runs a closure of the test that computes the answer, or waits on the test's clock; cancelled when the load ends.
    var awaited: Task<Void, Never>?
    var live: LiveAnswer?
    var isLimited = false
    /// Identifies the closure with which the stubber ends a load that waits for the app to cancel it.
    private var held: Int?
    /// The request whose answer the app has not received yet.
    private var unanswered: IncomingRequest?
    private var isNative = false

    init(_ client: any TaskClient, of owner: RequestOwner?, pending: PendingWork.Token?) {
        self.client = client
        self.pending = pending
        stubber = owner?.stubber
        identity = owner?.identity
        loader = owner?.loader ?? .shared
        refusal = owner?.refusal ?? .testEnded
        // A sweep cancels what takes too long.
        if stubber?.configuration.missesAreUnavailable == true { client.expectCancellation() }
    }

    /// Foundation releases the load when the platform's own protocol has answered.
    ///
    /// The last reference to a stubber is released elsewhere, as objects that the closures of its test have captured may use
    /// a session in `deinit`.
    deinit {
        if isNative, state == .running { noteAnswer() }
        guard isKnownUniquelyReferenced(&stubber) else { return }
        // Later than the end of this function, which has a reference too.
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(10)) { [stubber] in
            withExtendedLifetime(stubber) {}
        }
    }

    // MARK: Life cycle

    /// Starts on the next turn of the queue, so that a task that is cancelled or suspended right after `resume()` gets no
    /// answer first.
    func start(_ request: URLRequest) {
        guard let queue = client.queue else { return open(request) }
        queue.perform { [self] in open(request) }
    }

    private func open(_ request: URLRequest) {
        let request = client.prepared(request)
        // Most requests have no body, or have it in memory: nothing to wait for.
        if !client.hasBodyToRead { return begin(request, body: request.httpBody) }
        client.readBody { [self] body in
            switch body {
            case .success(let body):
                var request = request
                request.httpBody = body
                begin(request, body: body)
            case .failure(let error):
                guard !isCancelledWhileOpening else { return giveUp() }
                if let failure = client.failure(ofReading: error) { return end(request, failure) }
                aside(when: stubber?.rules.hasCallbacks ?? false) { [self] in
                    let miss = miss(.unreadableBody("\(error)"), request)
                    stubber?.report(miss)
                    return miss
                } then: { [self] miss in
                    if isCancelledWhileOpening { giveUp() } else { fail(miss) }
                }
            }
        }
    }

    private func begin(_ request: URLRequest, body: Data?) {
        client.willSend(body)
        if isCancelledWhileOpening {
            stubber?.noteCancelled(incoming(request, body))
            return giveUp()
        }
        state = client.stopCause == .suspension ? .suspended : .running
        then { [self] in ask(request, body: body) }
    }

    private var isCancelledWhileOpening: Bool { state == .cancelledWhileOpening || client.isCancelled }

    private func giveUp() {
        over()
        client.end()
    }

    func resume() {
        guard state == .suspended else { return }
        state = .running
        client.resume()
        let blocks = waiting
        waiting = []
        for block in blocks { then(block) }
    }

    /// Ends the load if the task was cancelled, and pauses it if the task was suspended.
    func stop() {
        switch state {
        case .over, .cancelledWhileOpening: break
        case .opening: if client.stopCause == .cancellation { state = .cancelledWhileOpening }
        case .running, .suspended:
            switch client.stopCause {
            case .suspension:
                state = .suspended
                client.suspend()
            case .cancellation:
                // The app sees nothing of what arrives from now on.
                live?.capture.add(.end(.cancellation))
                giveUp()
            // The task was resumed before this call ran.
            case nil: break
            }
        }
    }

    /// Runs a block now, or when the task is resumed; never if the load has ended.
    func then(_ block: @escaping @Sendable () -> Void) {
        switch state {
        case .opening, .running: block()
        case .suspended: waiting.append(block)
        case .cancelledWhileOpening, .over: break
        }
    }

    func later(_ seconds: Double, _ block: @escaping @Sendable () -> Void) {
        guard let queue = client.queue else { return block() }
        queue.perform(after: seconds) { [self] in then(block) }
    }

    func end(_ request: URLRequest, _ failure: Interaction.Failure? = nil) {
        guard let failure else {
            over()
            client.finish()
            return noteAnswer()
        }
        if failure.isCancellationByApp, hold(request) { return }
        fail(failure.error(for: client.failingURL))
    }

    func fail(_ error: any Error) {
        over()
        client.fail(error)
        noteAnswer()
    }

    private func noteAnswer() {
        guard let request = unanswered else { return }
        unanswered = nil
        stubber?.requestLog.noteAnswer(to: request, callbackQueue: client.callbackQueue)
    }

    /// Waits until the app cancels the task, as it did during the recording, or until the test ends.
    ///
    /// Prints a note if that takes longer than the end of a test waits for requests in flight.
    private func hold(_ request: URLRequest) -> Bool {
        guard let queue = client.queue, let stubber else { return false }
        queue.perform(after: stubber.configuration.inFlightTimeout) { [weak self] in
            guard let self, state != .over else { return }
            stubber.noteWait(of: Interaction.Request(request, body: nil))
        }
        held = stubber.whenEnded { [self] in
            queue.perform { [self] in
                guard state != .over else { return }
                fail(Interaction.Failure.cancellation.error(for: client.failingURL))
            }
        }
        return true
    }

    private func over() {
        state = .over
        waiting = []
        if let undelivered { discard(undelivered.answer, announcing: undelivered.incoming) }
        undelivered = nil
        pending?.end()
        awaited?.cancel()
        awaited = nil
        live?.exchange.cancel()
        live = nil
        if let held { stubber?.removeCallback(held) }
        held = nil
    }

    // MARK: The stubber's decision

    private func ask(_ request: URLRequest, body: Data?) {
        guard let stubber else { return fail(miss(refusal, request)) }
        let incoming = incoming(request, body)
        // The app follows a redirect, so that hop is answered.
        noteAnswer()
        unanswered = incoming
        let arrival = stubber.receive(incoming)
        guard arrival.hasCallbacks else {
            act(on: stubber.answer(to: arrival), to: request)
            return stubber.announce(incoming)
        }
        guard client.queue != nil else { return fail(hiddenQueue(request)) }
        aside(when: true) {
            stubber.answer(to: arrival)
        } then: { [self] answer in
            deliver(answer, to: request, announcing: incoming)
        }
    }

    /// Computes a value that may need code of the test, which must not run on the client's queue, and returns to that queue.
    private func aside<Value: Sendable>(
        when hasCallbacks: Bool,
        _ compute: @escaping @Sendable () -> Value,
        then receive: @escaping @Sendable (Value) -> Void
    ) {
        guard hasCallbacks, let stubber, let queue = client.queue else { return receive(compute()) }
        let pending = stubber.pendingWork.begin()
        stubber.callBack {
            let value = compute()
            queue.perform {
                receive(value)
                pending.end()
            }
        }
    }

    /// Delivers an answer that was computed on another thread, now or when the task is resumed.
    private func deliver(_ answer: Answer, to request: URLRequest, announcing incoming: IncomingRequest?) {
        guard state != .over else { return discard(answer, announcing: incoming) }
        undelivered = (answer, incoming)
        then { [self] in
            undelivered = nil
            act(on: answer, to: request)
            if let incoming { stubber?.announce(incoming) }
        }
    }

    private func discard(_ answer: Answer, announcing incoming: IncomingRequest?) {
        stubber?.discard(answer)
        if let incoming { stubber?.announce(incoming) }
    }

    private func incoming(_ request: URLRequest, _ body: Data?) -> IncomingRequest {
        IncomingRequest(
            Interaction.Request(request, body: body),
            complete: client.completion(of: request, body: body)
        )
    }

    private func act(on answer: Answer, to request: URLRequest) {
        switch answer {
        case .compute(let work): return compute(work, request)
        case .play(let recorded, let timeScale): replay(recorded.interaction, to: request, timeScale: timeScale)
        case .forward(let recording, let transform):
            isNative =
                recording == nil && transform == nil && redirects == 0 && challenges == 0
                && client.loadNatively(request)
            if !isNative { forward(request, recording, transform: transform) }
        case .refuse(let miss): fail(miss)
        }
        pending?.end()
    }

    private func compute(_ work: @escaping @Sendable () async -> Answer, _ request: URLRequest) {
        guard let queue = client.queue, let stubber else { return fail(hiddenQueue(request)) }
        awaited = Task { [self] in
            let answer = await stubber.run { await work() }
            queue.perform { [self] in
                awaited = nil
                deliver(answer, to: request, announcing: nil)
            }
        }
    }

    /// Refuses a task whose queue cannot be read: an answer that arrives later could not be delivered.
    func hiddenQueue(_ request: URLRequest) -> Miss {
        miss(
            .unsupported("the queue of a URLSession task cannot be read in this version of Foundation"),
            request
        )
    }

    /// A miss that the load reports itself, redacted like the stubber's.
    func miss(_ reason: Miss.Reason, _ request: URLRequest) -> Miss {
        // On a hidden queue, closures of the test cannot be called.
        let isHidden = client.queue == nil && stubber?.rules.hasCallbacks ?? false
        let redactor = isHidden ? Redactor(.default) : stubber?.redactor ?? Redactor(.default)
        let miss = Miss(
            reason,
            request: redactor.redact(Interaction.Request(request, body: nil)),
            identity: identity
        )
        if !isHidden, let log = stubber?.log {
            log.add(.missed(miss), miss.request)
        } else {
            DecisionLog.note(miss)
        }
        return miss
    }

    // MARK: Redirects and challenges

    /// What follows a complete response instead of its delivery.
    enum Continuation {
        /// The next request, unless the delegate decides otherwise. The app sees the response only if it is not followed.
        case redirect(URLRequest)
        case challenge(URLProtectionSpace)
    }

    func holdsResponse(before continuation: Continuation?) -> Bool {
        switch continuation {
        case nil: false
        case .redirect: true
        case .challenge: client.holdsChallengedResponse
        }
    }

    func continuation(of response: Interaction.Response, to request: URLRequest) -> Continuation? {
        if let next = Redirect.request(after: response, to: request) { return .redirect(next) }
        return client.protectionSpace(of: response, to: request).map { .challenge($0) }
    }

    /// Continues after a redirect or a challenge. Delivers the response if the delegate declines both.
    func proceed(_ continuation: Continuation, after response: Interaction.Response, to request: URLRequest) {
        switch continuation {
        case .redirect(let next):
            guard let head = client.head(of: response, to: request, isWhole: true) else { return end(request) }
            client.storeCookies(of: response, to: request)
            client.expect(head)
            redirects += 1
            guard redirects <= Redirect.limit else { return fail(Redirect.tooMany.error(for: request.url)) }
            client.redirect(head, to: next) { [self] accepted in
                then { [self] in
                    guard let accepted else { return deliverWhole(response, to: request) }
                    client.moved(to: accepted)
                    ask(client.prepared(accepted), body: accepted.httpBody)
                }
            }
        case .challenge(let space):
            let head = client.challengedHead(of: response, to: request)
            client.challenge(space, about: head, failures: challenges) { [self] decision in
                then { [self] in
                    switch decision {
                    case .retry(let credential): retry(request, with: credential)
                    case .deliver where client.holdsChallengedResponse: deliverWhole(response, to: request)
                    case .deliver: end(request)
                    }
                }
            }
        }
    }

    private func retry(_ request: URLRequest, with credential: URLCredential) {
        challenges += 1
        var next = request
        next.setValue(credential.basicAuthorization, forHTTPHeaderField: "Authorization")
        client.willRetry()
        guard case .provided = client.bodySource else { return ask(next, body: next.httpBody) }
        // Asks for a new stream, as Foundation does: a stream can be sent only once.
        client.readBody { [self, next] body in
            then { [self] in
                var next = next
                if case .success(let body) = body { next.httpBody = body }
                ask(next, body: next.httpBody)
            }
        }
    }

    private func deliverWhole(_ response: Interaction.Response, to request: URLRequest) {
        begin(response, to: request, isWhole: true)
        client.receiveWhole(response.body.data)
        end(request)
    }
}
