import Foundation
import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An ephemeral session whose delegate is given every piece of a body and keeps none.
final class StreamingSession: NSObject, URLSessionDataDelegate {
    private struct Waiting: Sendable {
        var count = 0
        let continuation: CheckedContinuation<Int, any Error>
    }

    private let waiting = Locked<[Int: Waiting]>([:])
    private let session = Locked<URLSession?>(nil)

    private let look: @Sendable (Data) -> Void

    /// What such a session is made of: nothing is kept, and connections are many.
    static var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        configuration.urlCache = nil
        configuration.httpMaximumConnectionsPerHost = 64
        return configuration
    }

    /// Makes a session.
    /// - Parameters:
    ///   - configuration: What it is made of.
    ///   - look: What looks at each piece; nothing by default.
    init(
        _ configuration: URLSessionConfiguration = StreamingSession.configuration,
        looking look: @escaping @Sendable (Data) -> Void = { _ in }
    ) {
        self.look = look
        super.init()
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: queue)
        self.session.withLock { $0 = session }
    }

    /// Loads a URL, and gives the number of bytes that came.
    @discardableResult
    func load(_ url: URL) async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            guard let task = session.withLock({ $0?.dataTask(with: url) }) else {
                return continuation.resume(throwing: URLError(.unknown))
            }
            waiting.withLock { $0[task.taskIdentifier] = Waiting(continuation: continuation) }
            task.resume()
        }
    }

    /// Lets the session go, which otherwise keeps its delegate for ever.
    func invalidate() {
        session.withLock { $0?.finishTasksAndInvalidate() }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        look(data)
        waiting.withLock { $0[dataTask.taskIdentifier]?.count += data.count }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let waiting = waiting.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        if let error {
            waiting.continuation.resume(throwing: error)
        } else {
            waiting.continuation.resume(returning: waiting.count)
        }
    }
}

/// Requests that are made one after the other, or so many at once.
struct Requests: Sendable {
    let urls: [URL]
    let atOnce: Int

    /// Makes them all, each lane one after the other.
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
