#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import Rewind
    import Testing

    /// The least that a protocol can be: what the platform itself makes of it, with nothing of Rewind in between.
    ///
    /// A canary shows that the platform still needs what Rewind does for it. Where a new version of the platform ends
    /// one, the message names what behaved otherwise and the code that may go.
    class CanaryProtocol: URLProtocol {
        /// An address that no server has.
        static let url = URL(string: "http://canary.invalid/") ?? URL(fileURLWithPath: "/")

        override class func canInit(with request: URLRequest) -> Bool { true }

        override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

        override func startLoading() {
            respond(text: "whole")
        }

        override func stopLoading() {}

        /// A session whose requests this class loads.
        class func session(_ delegate: (any URLSessionDelegate)? = nil) -> URLSession {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.protocolClasses = [self]
            return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        }

        /// Tells the client the head of a response.
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

        /// Tells the client pieces of the body.
        func load(_ pieces: String...) {
            for piece in pieces { client?.urlProtocol(self, didLoad: Data(piece.utf8)) }
        }

        /// Tells the client that all is said.
        func finish() {
            client?.urlProtocolDidFinishLoading(self)
        }

        /// Tells the client a whole answer.
        func respond(_ status: Int = 200, headers: [String: String] = [:], text: String) {
            begin(status, headers: headers)
            load(text)
            finish()
        }
    }

    extension ExitTest.Condition {
        /// The process was stopped by a check of Swift's or of libdispatch's.
        static var trap: Self {
            #if arch(x86_64) || arch(i386)
                .signal(SIGILL)
            #else
                .signal(SIGTRAP)
            #endif
        }

        /// The process did nothing more, until the alarm it had set ended it.
        static var alarm: Self { .signal(SIGALRM) }
    }

    /// What a task told its delegate from its start to its end.
    struct TaskStory: Equatable, Sendable {
        /// The status of the response; 0 where there was none.
        var status = 0
        /// The pieces of the body.
        var pieces: [String] = []
        /// What the file of a download held.
        var file: Data?
        /// The domain and code of the error that ended it.
        var failure: String?

        /// The body.
        var text: String { pieces.joined() }
    }

    /// A story as it is told, from one thread to another.
    final class TaskTeller: Sendable {
        private let state = Locked((story: TaskStory(), ends: 0))

        func add(_ change: (inout TaskStory) -> Void) {
            state.withLock { change(&$0.story) }
        }

        func end(_ task: URLSessionTask, _ error: (any Error)?) {
            state.withLock { state in
                state.story.status = (task.response as? HTTPURLResponse)?.statusCode ?? 0
                state.story.failure = error.map { "\(($0 as NSError).domain) \(($0 as NSError).code)" }
                state.ends += 1
            }
        }

        /// How often an end was told.
        var endCount: Int { state.withLock { $0.ends } }

        /// The story so far.
        var soFar: TaskStory { state.withLock { $0.story } }

        /// The story when its end is told; `nil` where it is not within ten seconds.
        func whole() async -> TaskStory? {
            await Canary.eventually { endCount > 0 } ? soFar : nil
        }
    }

    /// A delegate of data tasks.
    final class DataDelegate: NSObject, URLSessionDataDelegate {
        let story = TaskTeller()

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            story.add { $0.pieces.append(String(decoding: data, as: UTF8.self)) }
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            story.end(task, error)
        }
    }

    /// A delegate of download tasks.
    final class DownloadDelegate: NSObject, URLSessionDownloadDelegate {
        let story = TaskTeller()

        func urlSession(
            _ session: URLSession,
            downloadTask: URLSessionDownloadTask,
            didFinishDownloadingTo location: URL
        ) {
            let file = try? Data(contentsOf: location)
            story.add { $0.file = file }
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            story.end(task, error)
        }
    }

    /// A delegate of data tasks and of download tasks.
    final class DataAndDownloadDelegate: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
        let story = TaskTeller()

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            story.add { $0.pieces.append(String(decoding: data, as: UTF8.self)) }
        }

        func urlSession(
            _ session: URLSession,
            downloadTask: URLSessionDownloadTask,
            didFinishDownloadingTo location: URL
        ) {
            let file = try? Data(contentsOf: location)
            story.add { $0.file = file }
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            story.end(task, error)
        }
    }

    /// A delegate that answers every first challenge with a credential and gives up after it.
    final class CredentialDelegate: NSObject, URLSessionDataDelegate {
        let story = TaskTeller()

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
            story.add { $0.pieces.append(String(decoding: data, as: UTF8.self)) }
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            story.end(task, error)
        }
    }

    /// A delegate that is asked about redirects, and lets them be followed or not.
    final class RedirectDelegate: NSObject, URLSessionDataDelegate {
        let story = TaskTeller()
        private let follows: Bool
        private let targets = Locked<[String]>([])

        init(follows: Bool) {
            self.follows = follows
        }

        /// The paths that redirects led to.
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
            story.add { $0.pieces.append(String(decoding: data, as: UTF8.self)) }
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            story.end(task, error)
        }
    }
#endif
