#if canImport(FoundationNetworking)
    import Dispatch
    import Foundation
    import FoundationNetworking

    /// A task of swift-corelibs-foundation, as a load talks to it, always on the task's own queue.
    ///
    /// Supplies what Foundation leaves out for protocols that are not its own: the whole body for completion handlers,
    /// download files, progress, cookies, redirects and challenges with the delegate's say, and a 401 that neither
    /// hangs nor goes live.
    final class TaskClient {
        let task: URLSessionTask?
        let internals: TaskInternals?
        private(set) lazy var session = internals?.session
        private(set) var loader: URLProtocol?

        private lazy var reportsToDelegate = internals?.reportsToDelegate ?? false
        private lazy var progress = TaskProgress(task, internals, session)
        private var native: URLProtocol?
        private var response: HTTPURLResponse?
        private var held = Data()

        /// The URL of the task as the app made it.
        let originalURL: URL?

        /// The task's own queue, to which everything comes back; `nil` where Foundation hides it.
        private(set) lazy var queue = internals.flatMap(ClientQueue.init)

        init(_ loader: URLProtocol) {
            self.loader = loader
            task = loader.task
            internals = loader.task.map(TaskInternals.init)
            originalURL = loader.task?.originalRequest?.url ?? loader.request.url
        }

        // MARK: The course of a task

        /// Whether the task was cancelled while Foundation still looked into its cache.
        ///
        /// Foundation then starts the load all the same and fails the task a little later; an answer in between would
        /// remove the task from the session's registry, and Foundation would stop the process.
        var isCancelled: Bool { task?.state == .canceling }

        var isSuspended: Bool { task?.state == .suspended }

        func suspend() { native?.stopLoading() }

        func resume() { native?.startLoading() }

        /// Ends the load without a word; Foundation itself fails a task that was cancelled.
        func end() {
            native?.stopLoading()
            release()
        }

        /// Hands the task to the platform's own protocol, for good.
        ///
        /// Not one whose timeouts would make Foundation stop the process; that is loaded by the inner session.
        func loadNatively(_ request: URLRequest) -> Bool {
            let timeouts = [request.timeoutInterval, session?.configuration.timeoutIntervalForRequest ?? 0]
            guard timeouts.allSatisfy({ TimeoutLimit.bounded($0) == $0 }), beginsNatively(request), let loader,
                let native = NativeHTTPProtocol.chain(behind: loader)
            else { return false }
            // The native protocol ends the task without a word to us, who would keep each other for ever.
            self.loader = nil
            self.native = native
            native.startLoading()
            return true
        }

        private func release() {
            loader = nil
            native = nil
            held = Data()
        }

        // MARK: Answers

        /// The head of a response as the app will see it.
        func head(of response: Response, to request: URLRequest, isWhole: Bool) -> HTTPURLResponse? {
            guard let url = request.url else { return nil }
            let headers = response.headersForClient(of: request.httpMethod ?? "GET", isWhole: isWhole)
            let version = response.httpVersion.isEmpty ? nil : response.httpVersion
            let setsCookies = headers["Set-Cookie"] != nil
            guard setsCookies || response.status == 401 else {
                return ResponseHeads.shared.head(headers) {
                    HTTPURLResponse(
                        url: url,
                        statusCode: response.status,
                        httpVersion: version,
                        headerFields: $0
                    )
                }
            }
            let head = ResponseHeads.shared.head(headers) {
                ClientResponse(url: url, statusCode: response.status, httpVersion: version, headerFields: $0)
            }
            head?.setsCookies = setsCookies
            return head
        }

        func receive(_ head: HTTPURLResponse) {
            guard let loader else { return }
            storeCookies(of: head)
            response = head
            if let sentBody, !sentBody.isEmpty { progress.sent(sentBody.count) }
            progress.expect(head.expectedContentLength)
            loader.client?.urlProtocol(loader, didReceive: head, cacheStoragePolicy: .notAllowed)
        }

        /// The body that was read for the task, where its request does not show it.
        var sentBody: Data?

        /// Delivers a piece of the body; completion handlers would be given only the last of them.
        func receive(_ piece: Data) {
            guard let loader, !piece.isEmpty else { return }
            if task is URLSessionDownloadTask || !reportsToDelegate {
                held.append(piece)
            } else {
                loader.client?.urlProtocol(loader, didLoad: piece)
            }
            progress.received(piece.count)
        }

        /// Delivers the whole body, by reference; a great one to a delegate in pieces.
        func receiveWhole(_ body: Data) {
            guard let loader, !body.isEmpty else { return }
            if task is URLSessionDownloadTask {
                held = body
            } else if ReleasedPieces.suit(body), reportsToDelegate {
                for piece in ReleasedPieces(body) { loader.client?.urlProtocol(loader, didLoad: piece) }
            } else {
                loader.client?.urlProtocol(loader, didLoad: body)
            }
            progress.received(body.count)
        }

        func finish() {
            guard let loader else { return }
            // Foundation stops the process where a load ends well and had no response.
            guard response != nil else { return fail(URLError(.badServerResponse)) }
            if task is URLSessionDownloadTask { return finishDownload() }
            if !held.isEmpty { loader.client?.urlProtocol(loader, didLoad: held) }
            complete(loader)
        }

        func fail(_ error: any Error) {
            guard let loader else { return }
            release()
            loader.client?.urlProtocol(loader, didFailWithError: error)
        }

        private func complete(_ loader: URLProtocol) {
            release()
            progress.finish()
            guard response?.statusCode == 401, let response = response as? ClientResponse else {
                return finish(loader)
            }
            response.hidingURL { finish(loader) }
        }

        private func finish(_ loader: URLProtocol) {
            loader.client?.urlProtocolDidFinishLoading(loader)
        }

        private func finishDownload() {
            do {
                guard let loader else { return }
                try DownloadFile(held).hand(to: loader)
                complete(loader)
            } catch {
                guard let loader else { return }
                let request = Redactor(.default).redact(Request(loader.request, body: nil))
                fail(Miss(.unsupported("\(error)"), request: request))
            }
        }
    }

    /// The queue on which a task must be used.
    package struct ClientQueue: Sendable {
        private let queue: DispatchQueue

        /// The queue of the task that a protocol loads; `nil` where Foundation hides it.
        package init?(of loader: URLProtocol) {
            guard let task = loader.task else { return nil }
            self.init(TaskInternals(task))
        }

        init?(_ task: TaskInternals) {
            guard let queue = task.workQueue else { return nil }
            self.queue = queue
        }

        /// Runs a block on the queue, now or after some seconds.
        package func perform(after seconds: Double = 0, _ block: @escaping @Sendable () -> Void) {
            if seconds > 0 {
                queue.asyncAfter(deadline: .now() + seconds, execute: block)
            } else {
                queue.async(execute: block)
            }
        }
    }

    /// A response that sets cookies, or a 401, which can hide its URL from the thread that hands it over.
    ///
    /// At the end of a 401, Foundation 6.3 looks for a protection space under the response's URL. If it finds one, it
    /// waits for ever, or loads again from the network; without a URL it finds none. The app, on another thread by
    /// then, sees the URL all the time.
    final class ClientResponse: HTTPURLResponse, @unchecked Sendable {
        // Sound as @unchecked Sendable: the flag is the delivery's alone, and all else is Foundation's and never
        // changes. Nothing that is written here may be read by the app: Foundation's queues hand a response over in a
        // way that a thread sanitizer does not see, and it would report each test of an app that runs under it.

        /// The response that hides its URL from what runs now.
        @TaskLocal private static var hiding: ObjectIdentifier?

        /// Whether there are cookies to be stored, which costs more to ask Foundation for.
        var setsCookies = false

        func hidingURL(_ body: () -> Void) {
            Self.$hiding.withValue(ObjectIdentifier(self)) { body() }
        }

        override var url: URL? {
            Self.hiding == ObjectIdentifier(self) ? nil : super.url
        }
    }
#endif
