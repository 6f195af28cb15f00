#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import Rewind
    import Testing

    /// A minimal `URLProtocol` without any code of Rewind, to test how the platform itself behaves.
    ///
    /// A canary test checks that a platform bug which Rewind works around still exists. If a new version of the platform
    /// fixes the bug, the test fails and its message names the workaround that can be deleted.
    class CanaryProtocol: URLProtocol {
        /// A URL that no server listens on.
        static let url = URL(string: "http://canary.invalid/") ?? URL(fileURLWithPath: "/")

        override class func canInit(with request: URLRequest) -> Bool { true }

        override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

        override func startLoading() {
            respond(text: "whole")
        }

        override func stopLoading() {}

        /// A session whose requests are loaded by this class.
        class func session(_ delegate: (any URLSessionDelegate)? = nil) -> URLSession {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.protocolClasses = [self]
            return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        }

        /// Sends the head of a response to the client.
        func begin(_ status: Int = 200, headers: [String: String] = [:]) {
            guard let url = request.url,
                let head = HTTPURLResponse(
                    url: url,
                    statusCode: status,
                    httpVersion: "HTTP/1.1",
                    headerFields: headers
                )
            else { return }
            client?.urlProtocol(self, didReceive: head, cacheStoragePolicy: .notAllowed)
        }

        /// Sends chunks of the body to the client.
        func load(_ chunks: String...) {
            for chunk in chunks { client?.urlProtocol(self, didLoad: Data(chunk.utf8)) }
        }

        /// Reports the end of the response to the client.
        func finish() {
            client?.urlProtocolDidFinishLoading(self)
        }

        /// Sends a complete response to the client.
        func respond(_ status: Int = 200, headers: [String: String] = [:], text: String) {
            begin(status, headers: headers)
            load(text)
            finish()
        }
    }

    extension ExitTest.Condition {
        /// A runtime check of Swift or libdispatch stopped the process.
        static var trap: Self {
            #if arch(x86_64) || arch(i386)
                .signal(SIGILL)
            #else
                .signal(SIGTRAP)
            #endif
        }

        /// The process hung until the alarm it had set ended it.
        static var alarm: Self { .signal(SIGALRM) }
    }

    /// What the delegate of a task received, from its start to its end.
    struct TaskResult: Equatable, Sendable {
        /// The status of the response; 0 if there was none.
        var status = 0
        /// The chunks of the body.
        var pieces: [String] = []
        /// The content of the downloaded file.
        var file: Data?
        /// The domain and code of the error that ended the task.
        var failure: String?

        /// The body.
        var text: String { pieces.joined() }
    }

    /// Collects what a delegate receives on another thread.
    final class TaskLog: Sendable {
        private let state = Locked((result: TaskResult(), ends: 0))

        func add(_ change: (inout TaskResult) -> Void) {
            state.withLock { change(&$0.result) }
        }

        func end(_ task: URLSessionTask, _ error: (any Error)?) {
            state.withLock { state in
                state.result.status = (task.response as? HTTPURLResponse)?.statusCode ?? 0
                state.result.failure = error.map { "\(($0 as NSError).domain) \(($0 as NSError).code)" }
                state.ends += 1
            }
        }

        /// How many times the delegate received an end.
        var endCount: Int { state.withLock { $0.ends } }

        /// What the delegate received so far.
        var current: TaskResult { state.withLock { $0.result } }

        /// Waits for the end of the task; `nil` if it does not come within ten seconds.
        func result() async -> TaskResult? {
            await Canary.eventually { endCount > 0 } ? current : nil
        }
    }

    /// A delegate of data tasks.
    final class DataDelegate: NSObject, URLSessionDataDelegate {
        let log = TaskLog()

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            log.add { $0.pieces.append(String(decoding: data, as: UTF8.self)) }
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            log.end(task, error)
        }
    }

    /// A delegate of download tasks.
    final class DownloadDelegate: NSObject, URLSessionDownloadDelegate {
        let log = TaskLog()

        func urlSession(
            _ session: URLSession,
            downloadTask: URLSessionDownloadTask,
            didFinishDownloadingTo location: URL
        ) {
            let file = try? Data(contentsOf: location)
            log.add { $0.file = file }
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            log.end(task, error)
        }
    }

    /// A delegate of data tasks and of download tasks.
    final class DataAndDownloadDelegate: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
        let log = TaskLog()

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            log.add { $0.pieces.append(String(decoding: data, as: UTF8.self)) }
        }

        func urlSession(
            _ session: URLSession,
            downloadTask: URLSessionDownloadTask,
            didFinishDownloadingTo location: URL
        ) {
            let file = try? Data(contentsOf: location)
            log.add { $0.file = file }
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            log.end(task, error)
        }
    }

    /// A delegate that answers the first challenge with a credential and cancels the second.
    final class CredentialDelegate: NSObject, URLSessionDataDelegate {
        let log = TaskLog()

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            guard challenge.previousFailureCount == 0 else {
                return completionHandler(.cancelAuthenticationChallenge, nil)
            }
            let credential = URLCredential(user: "ada", password: "lovelace", persistence: .none)
            completionHandler(.useCredential, credential)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            log.add { $0.pieces.append(String(decoding: data, as: UTF8.self)) }
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            log.end(task, error)
        }
    }

    /// A delegate that follows or refuses redirects.
    final class RedirectDelegate: NSObject, URLSessionDataDelegate {
        let log = TaskLog()
        private let follows: Bool
        private let targets = Locked<[String]>([])

        init(follows: Bool) {
            self.follows = follows
        }

        /// The paths of the redirect targets.
        var paths: [String] { targets.withLock { $0 } }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest,
            completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            targets.withLock { $0.append(request.url?.path ?? "") }
            completionHandler(follows ? request : nil)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            log.add { $0.pieces.append(String(decoding: data, as: UTF8.self)) }
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            log.end(task, error)
        }
    }
#endif
