#if canImport(FoundationNetworking)
    import Dispatch
    import Foundation
    import FoundationNetworking

    /// A task of swift-corelibs-foundation, as a load talks to it, always on the task's own queue.
    ///
    /// Supplies what Foundation leaves out for protocols that are not its own: the whole body for completion handlers,
    /// download files, cookies, redirects with the delegate's say, and a 401 that neither hangs nor goes live.
    final class TaskClient {
        private var loader: URLProtocol?
        private let task: URLSessionTask?
        private let internals: TaskInternals?
        private lazy var session = internals?.session
        private lazy var reportsToDelegate = internals?.reportsToDelegate ?? false
        private var native: URLProtocol?
        private var response: ClientResponse?
        private var held = Data()

        /// The URL of the task as the app made it.
        let originalURL: URL?

        /// The task's own queue, to which everything comes back; `nil` where Foundation hides it.
        private(set) lazy var queue = internals?.workQueue.map(ClientQueue.init)

        init(_ loader: URLProtocol) {
            self.loader = loader
            task = loader.task
            internals = loader.task.map(TaskInternals.init)
            originalURL = loader.task?.originalRequest?.url ?? loader.request.url
        }

        // MARK: The course of a task

        var isSuspended: Bool { task?.state == .suspended }

        func suspend() { native?.stopLoading() }

        func resume() { native?.startLoading() }

        /// Ends the load without a word; Foundation itself fails a task that was cancelled.
        func end() {
            native?.stopLoading()
            release()
        }

        /// Hands the task to the platform's own protocol, for good.
        func loadNatively() -> Bool {
            guard let loader, let native = NativeHTTPProtocol.chain(behind: loader) else { return false }
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
            return ClientResponse(
                url: url,
                statusCode: response.status,
                httpVersion: response.httpVersion.isEmpty ? nil : response.httpVersion,
                headerFields: headers.joined
            )
        }

        func receive(_ head: HTTPURLResponse) {
            guard let loader else { return }
            storeCookies(of: head)
            response = head as? ClientResponse
            loader.client?.urlProtocol(loader, didReceive: head, cacheStoragePolicy: .notAllowed)
        }

        /// Delivers a piece of the body; completion handlers would be given only the last of them.
        func receive(_ piece: Data) {
            guard let loader else { return }
            if task is URLSessionDownloadTask || !reportsToDelegate {
                held.append(piece)
            } else {
                loader.client?.urlProtocol(loader, didLoad: piece)
            }
        }

        /// Delivers the whole body, by reference.
        func receiveWhole(_ body: Data) {
            if task is URLSessionDownloadTask {
                held = body
            } else if let loader {
                loader.client?.urlProtocol(loader, didLoad: body)
            }
        }

        func finish() {
            guard let loader else { return }
            if task is URLSessionDownloadTask { return finishDownload(loader) }
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
            response?.hidesURL = true
            loader.client?.urlProtocolDidFinishLoading(loader)
            response?.hidesURL = false
        }

        private func finishDownload(_ loader: URLProtocol) {
            do {
                try DownloadFile(held).hand(to: loader)
                complete(loader)
            } catch {
                fail(Miss(.unsupported("\(error)"), request: Request(loader.request, body: nil)))
            }
        }
    }

    // MARK: - What the session adds

    extension TaskClient {
        /// The header fields a request is sent with: the session's, overridden by the request's own.
        func headers(sentWith request: URLRequest) -> [String: String] {
            var fields = request.allHTTPHeaderFields ?? [:]
            let own = Set(fields.keys.map { $0.lowercased() })
            for (name, value) in session?.configuration.httpAdditionalHeaders ?? [:] {
                guard let name = name as? String, !own.contains(name.lowercased()) else { continue }
                fields[name] = "\(value)"
            }
            return fields
        }

        /// The request as the inner session sends it, with all that the task's own session would have added.
        func liveRequest(for request: URLRequest) -> URLRequest {
            var live = request
            live.allHTTPHeaderFields = headers(sentWith: request)
            live.httpShouldHandleCookies = false
            // The session's timeout holds where the request has none of its own, which then says the default.
            let isDefault = request.timeoutInterval == 60
            let timeout =
                isDefault
                ? session?.configuration.timeoutIntervalForRequest ?? request.timeoutInterval
                : request.timeoutInterval
            live.timeoutInterval = Self.bounded(timeout)
            return live
        }

        /// Foundation traps where a number of milliseconds does not fit its integer.
        private static func bounded(_ timeout: TimeInterval) -> TimeInterval {
            let week: TimeInterval = 604_800
            return timeout.isNaN ? 60 : min(max(timeout, 0), week)
        }

        /// Stores a response's cookies where the session keeps its own.
        func storeCookies(of response: HTTPURLResponse) {
            guard let url = response.url, response.value(forHTTPHeaderField: "Set-Cookie") != nil,
                loader?.request.httpShouldHandleCookies == true,
                let storage = session?.configuration.httpCookieStorage
            else { return }
            let fields = response.allHeaderFields.reduce(into: [String: String]()) { fields, field in
                if let name = field.key as? String, let value = field.value as? String { fields[name] = value }
            }
            let cookies = HTTPCookie.cookies(withResponseHeaderFields: fields, for: url)
            storage.setCookies(cookies, for: url, mainDocumentURL: nil)
        }

        /// The request with the cookies that the session has for its URL.
        func addingCookies(to request: URLRequest) -> URLRequest {
            guard let url = request.url, request.httpShouldHandleCookies,
                let configuration = session?.configuration, configuration.httpShouldSetCookies,
                let cookies = configuration.httpCookieStorage?.cookies(for: url), !cookies.isEmpty
            else { return request }
            var request = request
            for (name, value) in HTTPCookie.requestHeaderFields(with: cookies) {
                request.setValue(value, forHTTPHeaderField: name)
            }
            return request
        }

        /// Asks the task's delegate about a redirect; without one it is followed.
        func redirect(
            _ response: HTTPURLResponse,
            to next: URLRequest,
            decision: @escaping @Sendable (URLRequest?) -> Void
        ) {
            guard let task, let delegate = task.delegate, let session, let queue else { return decision(next) }
            session.delegateQueue.addOperation {
                delegate.urlSession(session, task: task, willPerformHTTPRedirection: response, newRequest: next)
                {
                    accepted in
                    queue.perform { decision(accepted) }
                }
            }
        }

        /// Gives the request's body, wherever the app put it; off the queue where that takes reading.
        func readBody(_ receive: @escaping @Sendable (Result<Data?, any Error>) -> Void) {
            guard let loader else { return }
            let source: RequestBody
            if let data = loader.request.httpBody {
                source = .data(data)
            } else if let stream = loader.request.httpBodyStream {
                source = .stream(stream)
            } else if task is URLSessionUploadTask {
                source = uploadBody
            } else {
                source = .none
            }
            guard source.isSlow, let queue else { return receive(source.read()) }
            source.read { body in queue.perform { receive(body) } }
        }

        private var uploadBody: RequestBody {
            switch internals?.uploadBody {
            case .data(let data): return .data(data)
            case .file(let url): return .file(url)
            case .empty: return .none
            case nil:
                guard let task, let session, let delegate = task.delegate else { return .none }
                return .provided { receive in
                    session.delegateQueue.addOperation {
                        delegate.urlSession(session, task: task, needNewBodyStream: receive)
                    }
                }
            }
        }
    }

    /// The queue on which a task must be used.
    struct ClientQueue: Sendable {
        private let queue: DispatchQueue

        init(_ queue: DispatchQueue) {
            self.queue = queue
        }

        /// Runs a block on the queue, now or after some seconds.
        func perform(after seconds: Double = 0, _ block: @escaping @Sendable () -> Void) {
            if seconds > 0 {
                queue.asyncAfter(deadline: .now() + seconds, execute: block)
            } else {
                queue.async(execute: block)
            }
        }
    }

    /// A response that can hide its URL while it is handed over.
    ///
    /// At the end of a 401, Foundation 6.3 looks for a protection space under the response's URL. If it finds one, it
    /// waits for ever, or loads again from the network; without a URL it finds none.
    private final class ClientResponse: HTTPURLResponse, @unchecked Sendable {
        // Sound as @unchecked Sendable: the flag is behind a lock, all else is Foundation's and never changes.
        private let isHidden = Locked(false)

        var hidesURL: Bool {
            get { isHidden.withLock { $0 } }
            set { isHidden.withLock { $0 = newValue && statusCode == 401 } }
        }

        override var url: URL? { hidesURL ? nil : super.url }
    }
#endif
