import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the network says, in the order it says it.
enum LiveEvent: Sendable {
    /// The head of a response.
    case head(Response)
    /// A piece of its body, content coding undone.
    case data(Data)
    /// The end, with the error that caused it, if one did.
    case end((any Error)?)
}

/// Loads live requests that are recorded, through one inner session that none of our protocols sees.
///
/// It follows no redirect, keeps no cookie and answers no challenge: these are the business of the session whose
/// request it loads, and of the delivery that recording shares with replay.
final class LiveLoader: Sendable {
    static let shared = LiveLoader()

    // Touching a session on the queue that all sessions of a process share stops the process on Linux.
    private let queue = DispatchQueue(label: "rewind.live-loader")
    private let exchanges = LiveExchanges()

    /// Starts a request; the receiver is called on a queue of the inner session.
    func load(_ request: URLRequest, receive: @escaping @Sendable (LiveEvent) -> Void) -> LiveExchange {
        let exchange = LiveExchange(queue: queue, receive: receive)
        queue.async { [self] in
            let task = session.dataTask(with: request)
            exchanges.add(exchange, for: task)
            exchange.start(task)
        }
        return exchange
    }

    private var session: URLSession {
        exchanges.session {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.protocolClasses = Self.protocolClasses(of: configuration)
            configuration.httpCookieStorage = nil
            configuration.urlCache = nil
            configuration.urlCredentialStorage = nil
            configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
            configuration.httpMaximumConnectionsPerHost = 64
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 1
            return URLSession(configuration: configuration, delegate: exchanges, delegateQueue: queue)
        }
    }

    private static func protocolClasses(of configuration: URLSessionConfiguration) -> [AnyClass] {
        #if canImport(FoundationNetworking)
            [NativeHTTPProtocol.self]
        #else
            (configuration.protocolClasses ?? []).filter {
                !($0 is CassetteURLProtocol.Type) && $0 != UnroutableProtocol.self
            }
        #endif
    }
}

/// One live request, which can be cancelled.
final class LiveExchange: Sendable {
    private let queue: DispatchQueue
    private let receive: @Sendable (LiveEvent) -> Void
    private let state = Locked(State())

    private struct State: Sendable {
        var task: URLSessionTask?
        var isCancelled = false
        var isChallenged = false
    }

    fileprivate init(queue: DispatchQueue, receive: @escaping @Sendable (LiveEvent) -> Void) {
        self.queue = queue
        self.receive = receive
    }

    fileprivate func start(_ task: URLSessionTask) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        task.resume()
        if isCancelled { task.cancel() }
    }

    /// Ends the request; its last event is then the cancellation.
    func cancel() {
        queue.async { [state] in
            let task = state.withLock { state in
                state.isCancelled = true
                return state.task
            }
            task?.cancel()
        }
    }

    fileprivate func send(_ event: LiveEvent) {
        // The inner session gives up a challenge by cancelling; what had come by then is the whole answer.
        if case .end = event, state.withLock({ $0.isChallenged && !$0.isCancelled }) {
            return receive(.end(nil))
        }
        receive(event)
    }

    fileprivate func giveUpChallenge() {
        state.withLock { $0.isChallenged = true }
    }
}

/// The inner session's delegate: gives each task's events to its exchange.
private final class LiveExchanges: NSObject, URLSessionDataDelegate {
    private let exchanges = Locked<[Int: LiveExchange]>([:])
    private let inner = Locked<URLSession?>(nil)

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
        if let response = response as? HTTPURLResponse {
            exchange(of: dataTask)?.send(.head(Response(response)))
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.send(.data(data))
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
        guard challenge.failureResponse is HTTPURLResponse else {
            return completionHandler(.performDefaultHandling, nil)
        }
        exchange(of: task)?.giveUpChallenge()
        completionHandler(.cancelAuthenticationChallenge, nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        exchange?.send(.end(error))
    }
}
