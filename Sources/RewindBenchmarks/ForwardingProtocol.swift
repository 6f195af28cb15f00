import Foundation
import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Loads what a session asks for through a plain inner session, as it comes and without a look at it.
///
/// It is the least that a recorder can do which stands between a session and the network.
final class ForwardingProtocol: URLProtocol {
    private static let inner = InnerSession()

    override class func canInit(with request: URLRequest) -> Bool { true }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let queue = ClientQueue(of: self) else {
            client?.urlProtocol(self, didFailWithError: URLError(.unknown))
            return
        }
        // Sound as nonisolated(unsafe): the loader is used on its client's queue only.
        nonisolated(unsafe) let loader = self
        Self.inner.load(request) { event in
            queue.perform { loader.deliver(event) }
        }
    }

    override func stopLoading() {}

    private func deliver(_ event: InnerSession.Event) {
        switch event {
        case .head(let response):
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        case .data(let data): client?.urlProtocol(self, didLoad: data)
        case .end(nil): client?.urlProtocolDidFinishLoading(self)
        case .end(let error?): client?.urlProtocol(self, didFailWithError: error)
        }
    }
}

/// A session that tells of each task what comes.
private final class InnerSession: NSObject, URLSessionDataDelegate {
    enum Event: Sendable {
        case head(URLResponse)
        case data(Data)
        case end((any Error)?)
    }

    private let receivers = Locked<[Int: @Sendable (Event) -> Void]>([:])
    private let session = Locked<URLSession?>(nil)
    // Touching a session on the queue that all sessions of a process share stops the process on Linux.
    private let queue = DispatchQueue(label: "inner")

    override init() {
        super.init()
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        session.withLock { [configuration = StreamingSession.configuration] in
            $0 = URLSession(configuration: configuration, delegate: self, delegateQueue: queue)
        }
    }

    func load(_ request: URLRequest, receive: @escaping @Sendable (Event) -> Void) {
        queue.async { [self] in
            guard let task = session.withLock({ $0?.dataTask(with: request) }) else { return }
            receivers.withLock { $0[task.taskIdentifier] = receive }
            task.resume()
        }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        receivers.withLock { $0[dataTask.taskIdentifier] }?(.head(response))
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        receivers.withLock { $0[dataTask.taskIdentifier] }?(.data(data))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        receivers.withLock { $0.removeValue(forKey: task.taskIdentifier) }?(.end(error))
    }
}
