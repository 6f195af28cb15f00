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

    let client: TaskClient
    let stubber: Stubber?
    let testName: String?
    let loader: LiveLoader
    private var state = State.running
    private var waiting: [@Sendable () -> Void] = []
    private var hasArrived = false
    private var redirects = 0
    private var challenges = 0
    /// What is waited for and ends with the load: code of the test that gives an answer, or pauses on its clock.
    var awaited: Task<Void, Never>?
    /// The live request, while there is one.
    var live: LiveCourse?
    /// Whether the time for the whole load is already watched.
    var isLimited = false

    init(_ client: TaskClient, of tenant: SlotTable.Tenant?) {
        self.client = client
        stubber = tenant?.stubber
        testName = tenant?.testName
        loader = tenant?.loader ?? .shared
    }

    // MARK: The course of a load

    func start(_ request: URLRequest) {
        guard !client.isCancelled else {
            over()
            return client.end()
        }
        // Most requests have no body, or one at hand, and then nothing has to wait.
        if !client.hasBodyToRead { return begin(request, body: request.httpBody) }
        client.readBody { [self] body in
            then { [self] in
                switch body {
                case .success(let body):
                    var request = request
                    request.httpBody = body
                    begin(request, body: body)
                case .failure(let error):
                    let miss = miss(.unreadableBody("\(error)"), request)
                    stubber?.report(miss)
                    fail(miss)
                }
            }
        }
    }

    private func begin(_ request: URLRequest, body: Data?) {
        client.sentBody = body
        ask(request, body: body)
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
        guard state != .over else { return }
        if client.isSuspended {
            state = .suspended
            client.suspend()
        } else {
            over()
            client.end()
        }
    }

    /// Runs a block now, or when the task is resumed, or never when it is over.
    func then(_ block: @escaping @Sendable () -> Void) {
        switch state {
        case .running: block()
        case .suspended: waiting.append(block)
        case .over: break
        }
    }

    /// Runs a block on the client's queue after some seconds, under the same conditions.
    func later(_ seconds: Double, _ block: @escaping @Sendable () -> Void) {
        guard let queue = client.queue else { return block() }
        queue.perform(after: seconds) { [self] in then(block) }
    }

    /// Ends the load with what came, or with an error.
    func end(_ error: (any Error)? = nil) {
        if let error { return fail(error) }
        over()
        client.finish()
    }

    func fail(_ error: any Error) {
        over()
        client.fail(error)
    }

    private func over() {
        state = .over
        waiting = []
        arrive()
        awaited?.cancel()
        awaited = nil
        live?.exchange.cancel()
        live = nil
    }

    /// Tells the stubber, once, that it need not wait for this load to be decided about.
    private func arrive() {
        guard !hasArrived else { return }
        hasArrived = true
        stubber?.requestArrived()
    }

    // MARK: The stubber's decision

    private func ask(_ request: URLRequest, body: Data?) {
        let asked = Request(request, body: body)
        guard let stubber else { return fail(miss(.testOver, request)) }
        stubber.answer(to: asked, completed: client.completion(of: asked, request)) { act(on: $0, to: request) }
    }

    private func act(on answer: Answer, to request: URLRequest) {
        if case .compute(let work) = answer { return compute(work, request) }
        defer { arrive() }
        switch answer {
        case .play(let track, let tempo):
            replay(track.interaction, to: request, tempo: tempo)
        case .forward(let recording, let shape):
            let isFirst = redirects == 0 && challenges == 0
            if recording == nil, shape == nil, isFirst, client.loadNatively(request) { return }
            forward(request, recording, shape: shape)
        case .refuse(let miss):
            fail(miss)
        case .compute:
            break
        }
    }

    private func compute(_ work: @escaping @Sendable () async -> Answer, _ request: URLRequest) {
        guard let queue = client.queue, let stubber else { return fail(hiddenQueue(request)) }
        awaited = Task { [self] in
            let answer = await stubber.run { await work() }
            queue.perform { [self] in
                then { [self] in
                    awaited = nil
                    act(on: answer, to: request)
                }
            }
        }
    }

    /// The refusal of a task whose queue the platform hides, to which nothing that comes later could come back.
    func hiddenQueue(_ request: URLRequest) -> Miss {
        miss(.unsupported("this version of Foundation hides the queue of a task"), request)
    }

    /// A refusal that is not the stubber's, its secrets taken out all the same.
    func miss(_ reason: Miss.Reason, _ request: URLRequest) -> Miss {
        let redactor = stubber?.redactor ?? Redactor(.default)
        return Miss(reason, request: redactor.redact(Request(request, body: nil)), testName: testName)
    }

    // MARK: Answers that lead on

    /// What a whole response leads to, other than its delivery.
    enum Continuation {
        /// The next request, unless the delegate has other plans.
        case redirect(URLRequest)
        #if canImport(FoundationNetworking)
            /// The same request with a credential, if there is one.
            case challenge(URLProtectionSpace)
        #endif
    }

    func continuation(of response: Response, to request: URLRequest) -> Continuation? {
        if let next = Redirect.request(after: response, to: request) { return .redirect(next) }
        #if canImport(FoundationNetworking)
            if let space = client.protectionSpace(of: response, to: request) { return .challenge(space) }
        #endif
        return nil
    }

    /// Goes on from a whole response that leads to another request, and delivers it where it does not after all.
    func proceed(_ continuation: Continuation, after response: Response, to request: URLRequest) {
        guard let head = client.head(of: response, to: request, isWhole: true) else { return end() }
        client.storeCookies(of: head)
        switch continuation {
        case .redirect(let next):
            redirects += 1
            guard redirects <= Redirect.limit else {
                return fail(Failure(code: NSURLErrorHTTPTooManyRedirects).error(for: client.originalURL))
            }
            client.redirect(head, to: client.addingCookies(to: next)) { [self] accepted in
                then { [self] in
                    guard let accepted else { return deliverWhole(response, to: request) }
                    client.moved(to: accepted)
                    ask(accepted, body: accepted.httpBody)
                }
            }
        #if canImport(FoundationNetworking)
            case .challenge(let space):
                client.challenge(space, after: head, failures: challenges) { [self] decision in
                    then { [self] in answer(decision, after: response, to: request) }
                }
        #endif
        }
    }

    #if canImport(FoundationNetworking)
        private func answer(
            _ decision: TaskClient.ChallengeDecision,
            after response: Response,
            to request: URLRequest
        ) {
            switch decision {
            case .retry(let credential):
                challenges += 1
                var next = request
                next.setValue(credential.basicAuthorization, forHTTPHeaderField: "Authorization")
                ask(next, body: next.httpBody)
            case .deliver:
                deliverWhole(response, to: request)
            case .cancel:
                fail(Failure(code: NSURLErrorCancelled).error(for: client.originalURL))
            }
        }
    #endif

    private func deliverWhole(_ response: Response, to request: URLRequest) {
        deliver(response, to: request, isWhole: true)
        end()
    }
}
