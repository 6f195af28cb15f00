import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

enum LiveEvent: Sendable {
    /// The number of bytes of the request's body that were sent since the last event.
    case sent(Int)
    case head(Interaction.Response)
    /// A chunk of the body, decompressed.
    case data(Data)
    case end(Interaction.Failure?)
}

/// How the body of a live request is sent, which determines its framing (length or chunks).
enum LiveBody: Sendable {
    case inRequest
    /// As the body stream of a data task.
    case stream(Data)
    case upload(Data)
    /// By an upload task whose delegate provides the stream.
    case streamedUpload(Data)
}

/// Sends the live requests of recordings through an inner session that Rewind does not intercept.
///
/// The inner session follows no redirects, stores no cookies and answers no password challenges. The session that made
/// the request does that, in code that recording shares with replay.
final class LiveLoader: Sendable {
    static let shared = LiveLoader(Stubber.Configuration())

    // On Linux, using a session on the queue that all sessions of a process share crashes the process.
    private let queue = DispatchQueue(label: "rewind.live-loader")
    private let exchanges: LiveExchanges
    private let configuration: URLSessionConfiguration?

    private init(_ configuration: Stubber.Configuration) {
        self.configuration = configuration.liveSession
        exchanges = LiveExchanges(answering: configuration.liveChallenge)
    }

    deinit { exchanges.invalidate() }

    /// The loader of a stubber: a separate one if its configuration has a live session or a challenge handler.
    static func of(_ stubber: Stubber) -> LiveLoader {
        let configuration = stubber.configuration
        let isCustom = configuration.liveSession != nil || configuration.liveChallenge != nil
        return isCustom
            ? LiveLoader(configuration.isolated(by: stubber).routingChallenges(to: stubber)) : .shared
    }

    /// How the end of a request is processed: on a thread that code of the test may block, if that is called. All tests
    /// share the queue of the inner session, which the end leaves if it may take long.
    static func end(
        of recording: Recording?,
        in capture: Capture,
        _ transform: Answer.ResponseTransform?,
        for stubber: Stubber?
    ) -> LiveExchange.End {
        guard transform != nil || recording?.hasCallbacks ?? false, let stubber else {
            return { work in
                if capture.endsSlowly { DispatchQueue.global().async(execute: work) } else { work() }
            }
        }
        return { stubber.callBack($0) }
    }

    func load(
        _ request: URLRequest,
        sending body: LiveBody = .inRequest,
        endingOn end: @escaping LiveExchange.End = { $0() },
        receive: @escaping @Sendable (LiveEvent) -> Void
    ) -> LiveExchange {
        let exchange = LiveExchange(
            of: request.url,
            sending: body,
            queue: queue,
            endingOn: end,
            receive: receive
        )
        queue.async { [self] in
            let task = task(for: request, sending: body)
            exchanges.add(exchange, for: task)
            exchange.start(task)
        }
        return exchange
    }

    private func task(for request: URLRequest, sending body: LiveBody) -> URLSessionTask {
        var request = request
        switch body {
        case .inRequest: return session.dataTask(with: request)
        case .stream(let data):
            request.httpBodyStream = InputStream(data: data)
            return session.dataTask(with: request)
        case .upload(let data):
            request.httpBody = nil
            return session.uploadTask(with: request, from: data)
        case .streamedUpload:
            request.httpBody = nil
            return session.uploadTask(withStreamedRequest: request)
        }
    }

    var timeout: TimeInterval? { configuration?.timeoutIntervalForRequest }

    private var session: URLSession {
        exchanges.session {
            let configuration = innerConfiguration
            configuration.protocolClasses = Self.protocolClasses(of: configuration)
            configuration.urlCache = nil
            configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
            let timeouts = [\URLSessionConfiguration.timeoutIntervalForRequest, \.timeoutIntervalForResource]
            for timeout in timeouts {
                configuration[keyPath: timeout] = TimeoutLimit.bounded(configuration[keyPath: timeout])
            }
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 1
            return URLSession(configuration: configuration, delegate: exchanges, delegateQueue: queue)
        }
    }

    private var innerConfiguration: URLSessionConfiguration {
        if let copy = configuration?.copy() as? URLSessionConfiguration { return copy }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        configuration.httpMaximumConnectionsPerHost = 64
        return configuration
    }

    /// The protocol classes of a configuration without those of Rewind, which would ask the stubber again.
    private static func protocolClasses(of configuration: URLSessionConfiguration) -> [AnyClass] {
        let classes = (configuration.protocolClasses ?? []).filter { !($0 is CassetteURLProtocol.Type) }
        #if canImport(FoundationNetworking)
            // The platform's HTTP protocol declines every request while sessions are intercepted. NativeHTTPProtocol
            // takes its place and comes last: the registered classes, asked after this list, are Rewind's.
            let native: [AnyClass] = [NativeHTTPProtocol.self]
            return classes.filter { !($0 is NativeHTTPProtocol.Type) }
                .map { $0 == NativeHTTPProtocol.nativeClass ? NativeHTTPProtocol.self : $0 } + native
        #else
            return [InnerSessionProtocol.self] + classes
        #endif
    }
}

extension Stubber.Configuration {
    /// Makes the stubber answer the requests of the closure that answers challenges.
    fileprivate func routingChallenges(to stubber: Stubber) -> Stubber.Configuration {
        guard let answer = liveChallenge else { return self }
        var routed = self
        routed.liveChallenge = { [weak stubber] challenge in
            guard let stubber else { return await answer(challenge) }
            return await stubber.run { await answer(challenge) }
        }
        return routed
    }

    func isolated(by stubber: Stubber) -> Stubber.Configuration {
        guard let storage = stubber.isolatedStorage,
            let session = liveSession?.copy() as? URLSessionConfiguration
        else { return self }
        SharedStorage.replace(in: session, by: storage)
        var isolated = self
        isolated.liveSession = session
        return isolated
    }
}

final class LiveExchange: Sendable {
    private let url: URL?
    private let body: LiveBody
    private let queue: DispatchQueue
    private let perform: End
    private let receive: @Sendable (LiveEvent) -> Void
    private let state = Locked(State())

    /// Processes the end of a request.
    typealias End = @Sendable (_ work: @escaping @Sendable () -> Void) -> Void

    private struct State: Sendable {
        var task: URLSessionTask?
        var isCancelled = false
        var isChallenged = false
        var hasHead = false
    }

    init(
        of url: URL?,
        sending body: LiveBody,
        queue: DispatchQueue,
        endingOn perform: @escaping End,
        receive: @escaping @Sendable (LiveEvent) -> Void
    ) {
        self.url = url
        self.body = body
        self.queue = queue
        self.perform = perform
        self.receive = receive
    }

    func start(_ task: URLSessionTask) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        task.resume()
        if isCancelled { task.cancel() }
    }

    /// Cancels the request; its last event is then the cancellation.
    func cancel() {
        queue.async { [state] in
            let task = state.withLock { state in
                state.isCancelled = true
                return state.task
            }
            task?.cancel()
        }
    }

    /// Sends a response that the platform did not report, such as a redirect without a target on Linux.
    func sendHeadIfMissing(_ head: HTTPURLResponse) {
        guard !state.withLock({ $0.hasHead }) else { return }
        // Foundation loses its body, so a length would be wrong.
        var response = Interaction.Response(head)
        response.headers.removeAll(named: "Content-Length")
        send(.head(response))
    }

    func send(_ event: LiveEvent) {
        if case .head = event { state.withLock { $0.hasHead = true } }
        // After a 101 that nobody asked for, Foundation reports everything that follows as its body.
        if case .data = event, !state.withLock({ $0.hasHead }) { return }
        receive(event)
    }

    func end(_ error: (any Error)?) {
        let (isCancelled, isChallenged) = state.withLock { ($0.isCancelled, $0.isChallenged) }
        // The inner session cancels the task at a challenge; the response is complete by then.
        let failure =
            isChallenged && !isCancelled
            ? nil
            : error.map {
                isCancelled ? Interaction.Failure.cancellation : Interaction.Failure($0, ofRequestTo: url)
            }
        // All earlier events are delivered by now, so the end may leave the queue.
        perform { [receive] in receive(.end(failure)) }
    }

    var newBodyStream: InputStream? {
        switch body {
        case .inRequest: nil
        case .stream(let data), .upload(let data), .streamedUpload(let data): InputStream(data: data)
        }
    }

    func giveUpChallenge() { state.withLock { $0.isChallenged = true } }
}

final class LiveExchanges: NSObject, URLSessionDataDelegate {
    private let exchanges = Locked<[Int: LiveExchange]>([:])
    private let inner = Locked<URLSession?>(nil)
    typealias ChallengeHandler =
        @Sendable (URLAuthenticationChallenge) async -> (URLSession.AuthChallengeDisposition, URLCredential?)
    private let answer: ChallengeHandler?

    init(answering answer: ChallengeHandler?) { self.answer = answer }

    /// On Apple platforms, a session retains its delegate until it is invalidated.
    func invalidate() {
        inner.withLock { session in
            session?.finishTasksAndInvalidate()
            session = nil
        }
    }

    func session(_ make: () -> URLSession) -> URLSession {
        inner.withLock { session in
            let existing = session ?? make()
            session = existing
            return existing
        }
    }

    func add(_ exchange: LiveExchange, for task: URLSessionTask) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    private func exchange(of task: URLSessionTask) -> LiveExchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        // On Linux, Foundation also reports interim responses, such as the 100 that a streamed upload waits for.
        if let response = response as? HTTPURLResponse, !(100..<200).contains(response.statusCode) {
            exchange(of: dataTask)?.send(.head(Interaction.Response(response)))
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.send(.data(data))
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        completionHandler(exchange(of: task)?.newBodyStream)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        exchange(of: task)?.send(.sent(Int(bytesSent)))
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if challenge.failureResponse is HTTPURLResponse {
            exchange(of: task)?.giveUpChallenge()
            return completionHandler(.cancelAuthenticationChallenge, nil)
        }
        guard let answer else { return completionHandler(.performDefaultHandling, nil) }
        Task {
            let (disposition, credential) = await answer(challenge)
            completionHandler(disposition, credential)
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        if error == nil, let response = task.response as? HTTPURLResponse {
            exchange?.sendHeadIfMissing(response)
        }
        exchange?.end(error)
    }
}
