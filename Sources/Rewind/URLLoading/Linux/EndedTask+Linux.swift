#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// Keeps Foundation from stopping the process where a task is suspended, resumed or cancelled in the moment it ends.
    ///
    /// Foundation fails a task without a protocol again if it is resumed before its end is delivered, and by then its
    /// session may have forgotten it. A task that waits for its cache only notes that it was resumed. So a task
    /// that has ended is left waiting for a cache that never answers.
    enum EndedTask {
        private static let fields = StoredFields(of: URLSessionTask.self)

        /// A task that waits for its cache, and what it keeps in the place of its protocol.
        private struct Waiting: @unchecked Sendable {
            // Sound as @unchecked Sendable: it never changes, and copies of it are taken on the queue all sessions share.
            let task: URLSessionTask
            let state: Any
        }

        private static let waiting: Waiting? = {
            guard let url = URL(string: "rewind-waiting:") else { return nil }
            let configuration = URLSessionConfiguration.ephemeral
            configuration.urlCache = SilentCache(memoryCapacity: 0, diskCapacity: 0, diskPath: nil)
            configuration.protocolClasses = [WaitingProtocol.self]
            let task = URLSession(configuration: configuration).dataTask(with: url)
            task.resume()
            guard let state = fields.read("_protocolStorage", of: task),
                "\(state)".hasPrefix("awaitingCacheReply")
            else { return nil }
            return Waiting(task: task, state: state)
        }()

        /// Makes the task that waits. To be called before a task ends, and not on a session's queue.
        static func prepare() {
            _ = waiting
        }

        /// Leaves a task waiting. To be called on its queue, after Foundation has its end.
        static func settle(_ task: URLSessionTask?) {
            guard let task, let waiting, let lock = fields.read("_protocolLock", of: task) as? NSLock else {
                return
            }
            lock.lock()
            defer { lock.unlock() }
            fields.write("_protocolStorage", of: task, waiting.state)
        }

        private final class SilentCache: URLCache, @unchecked Sendable {
            // Sound as @unchecked Sendable: it adds nothing that is stored.
            override func getCachedResponse(
                for dataTask: URLSessionDataTask,
                completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
            ) {}
        }

        private final class WaitingProtocol: URLProtocol {
            override class func canInit(with request: URLRequest) -> Bool { true }
            override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
            override func startLoading() {}
            override func stopLoading() {}
        }
    }
#endif
