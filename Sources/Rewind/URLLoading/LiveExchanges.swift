import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The inner session's delegate: gives each task's events to its exchange.
final class LiveExchanges: NSObject, URLSessionDataDelegate {
    private let exchanges = Locked<[Int: LiveExchange]>([:])
    private let inner = Locked<URLSession?>(nil)
    private let answer: Configuration.LiveChallenge?

    init(answering answer: Configuration.LiveChallenge?) {
        self.answer = answer
    }

    /// Lets the session go, which otherwise keeps its delegate for ever on Apple's platforms.
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
        // On Linux, Foundation also tells of interim responses, such as the 100 that a streamed upload waits for.
        if let response = response as? HTTPURLResponse, !(100..<200).contains(response.statusCode) {
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
            exchange?.sendHeadIfMissing(Response(response))
        }
        exchange?.end(error)
    }
}
