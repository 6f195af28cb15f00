import Foundation
import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An ephemeral session whose delegate receives every chunk of a body and stores none.
final class StreamingSession: NSObject, URLSessionDataDelegate {
    enum Event: Sendable {
        case head(URLResponse)
        case data(Data)
        case end((any Error)?)
    }

    private let receivers = Locked<[Int: @Sendable (Event) -> Void]>([:])
    private let session = Locked<URLSession?>(nil)

    /// The configuration of the session: no storage and many connections.
    static var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        configuration.urlCache = nil
        configuration.httpMaximumConnectionsPerHost = 64
        return configuration
    }

    init(_ configuration: URLSessionConfiguration = StreamingSession.configuration) {
        super.init()
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: queue)
        self.session.withLock { $0 = session }
    }

    /// Loads a URL, passes each chunk to a closure, and returns the number of bytes.
    @discardableResult
    func load(_ url: URL, onData: @escaping @Sendable (Data) -> Void = { _ in }) async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            let count = Locked(0)
            start(URLRequest(url: url)) { event in
                switch event {
                case .head: break
                case .data(let data):
                    onData(data)
                    count.withLock { $0 += data.count }
                case .end(nil): continuation.resume(returning: count.withLock { $0 })
                case .end(let error?): continuation.resume(throwing: error)
                }
            }
        }
    }

    func start(_ request: URLRequest, receive: @escaping @Sendable (Event) -> Void) {
        guard let task = session.withLock({ $0?.dataTask(with: request) }) else {
            return receive(.end(URLError(.unknown)))
        }
        receivers.withLock { $0[task.taskIdentifier] = receive }
        task.resume()
    }

    /// Invalidates the session, which otherwise retains its delegate.
    func invalidate() { session.withLock { $0?.finishTasksAndInvalidate() } }

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

struct Requests: Sendable {
    let urls: [URL]
    let atOnce: Int

    func run(_ load: @escaping @Sendable (URL) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<atOnce {
                group.addTask {
                    for index in stride(from: lane, to: urls.count, by: atOnce) { try await load(urls[index]) }
                }
            }
            try await group.waitForAll()
        }
    }
}

/// Loads requests through a plain inner session and passes everything on unchanged: the minimum that a recorder between a
/// session and the network has to do.
final class ForwardingProtocol: URLProtocol {
    private static let inner = StreamingSession()
    // On Linux, using a session on the queue that all sessions of a process share crashes the process.
    private static let queue = DispatchQueue(label: "inner")

    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let queue = ClientQueue(of: self) else {
            client?.urlProtocol(self, didFailWithError: URLError(.unknown))
            return
        }
        // Sound as nonisolated(unsafe): the loader is used on its client's queue only.
        nonisolated(unsafe) let loader = self
        Self.queue.async { [request] in
            Self.inner.start(request) { event in queue.perform { loader.deliver(event) } }
        }
    }

    override func stopLoading() {}

    private func deliver(_ event: StreamingSession.Event) {
        switch event {
        case .head(let response):
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        case .data(let data): client?.urlProtocol(self, didLoad: data)
        case .end(nil): client?.urlProtocolDidFinishLoading(self)
        case .end(let error?): client?.urlProtocol(self, didFailWithError: error)
        }
    }
}
