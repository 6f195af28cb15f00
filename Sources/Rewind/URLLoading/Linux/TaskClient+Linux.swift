#if canImport(FoundationNetworking)
    import Dispatch
    import Foundation
    import FoundationNetworking

    /// A task of swift-corelibs-foundation, as a load talks to it, always on the task's own queue.
    ///
    /// Supplies what Foundation leaves out for protocols that are not its own, in the order in which its own HTTP protocol
    /// does it: the whole body for completion handlers, the callbacks of delegates given to one call, download files,
    /// counts, cookies, redirects and challenges with the delegate's say, and a 401 that neither hangs nor goes live.
    final class CorelibsTaskClient: TaskClient {
        let task: URLSessionTask?
        let internals: TaskInternals?
        private lazy var session = internals?.session
        private(set) lazy var sessionTask = session.flatMap { session in
            task.map { SessionTask(task: $0, session: session) }
        }
        private(set) var loader: URLProtocol?

        private lazy var audience = internals?.audience ?? .caller
        private lazy var progress = TaskProgress(task, internals, session)
        private var native: URLProtocol?
        /// The head that came last, which Foundation is given at once or at the end.
        private var response: HTTPURLResponse?
        private var isShown = false
        private var held = Data()
        private let isUpload: Bool
        private let isDownload: Bool

        /// The URL that errors name: that of the task as the app made it, also after a redirect.
        let failingURL: URL?

        /// The task's own queue, to which everything comes back; `nil` where Foundation hides it.
        private(set) lazy var queue = internals.flatMap(ClientQueue.init)

        init(_ loader: URLProtocol) {
            self.loader = loader
            task = loader.task
            internals = loader.task.map(TaskInternals.init)
            isUpload = loader.task is URLSessionUploadTask
            isDownload = loader.task is URLSessionDownloadTask
            failingURL = loader.task?.originalRequest?.url ?? loader.request.url
        }

        // MARK: The course of a task

        /// Whether the task was cancelled while Foundation still looked into its cache.
        ///
        /// Foundation then starts the load all the same and fails the task a little later; an answer in between would
        /// remove the task from the session's registry, and Foundation would stop the process.
        var isCancelled: Bool { task?.state == .canceling }

        /// Why Foundation stops the load now; `nil` where it goes on.
        var stopCause: LoadStopCause? {
            switch task?.state {
            case .running?: nil
            case .suspended?: .suspension
            default: .cancellation
            }
        }

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

        // MARK: Bodies of requests

        /// How the body of the request is on its way to the server.
        private(set) lazy var bodySource = RequestBody(of: self)

        /// Only what was assigned as a stream is one, and opening that may block.
        var readsStreamsAtOnce: Bool { false }

        /// Foundation adds header fields and cookies before it asks a protocol.
        func prepared(_ request: URLRequest) -> URLRequest { request }

        /// A request that lost its body on the way, as by a redirect, has none to send.
        func liveBody(of request: URLRequest) -> LiveBody {
            switch bodySource {
            case .none, .data: return .inRequest
            case .stream: return request.httpBody.map { .stream($0) } ?? .inRequest
            case .upload, .file: return request.httpBody.map { .upload($0) } ?? .inRequest
            case .provided: return request.httpBody.map { .streamedUpload($0) } ?? .inRequest
            }
        }

        func moved(to request: URLRequest) { internals?.setCurrentRequest(request) }

        /// Notes that a body is about to be sent, whose length Foundation tells where it knows it.
        func willSend(_ body: Data?) {
            guard let body, !body.isEmpty, bodySource.hasKnownLength else { return }
            progress.willSend(body.count)
        }

        /// Notes that a number of bytes of the request's body was sent.
        func sent(_ count: Int) { progress.sent(count, audience) }

        // MARK: Answers

        /// The head of a response as the app will see it.
        func head(of response: Response, to request: URLRequest, isWhole: Bool) -> HTTPURLResponse? {
            guard let url = request.url else { return nil }
            let method = request.httpMethod ?? "GET"
            let headers = response.headersForClient(of: method, isWhole: isWhole, keepsCoding: true)
            let version = response.httpVersion.isEmpty ? nil : response.httpVersion
            return ResponseHeads.shared.head(headers) {
                HTTPURLResponse(url: url, statusCode: response.status, httpVersion: version, headerFields: $0)
            }
        }

        /// Notes how much a head says will come.
        func expect(_ head: HTTPURLResponse) { progress.expect(head) }

        /// Takes the head of a response.
        ///
        /// Foundation tells delegates of it at once, and shows it to others at the end.
        func receive(_ head: HTTPURLResponse) {
            response = head
            isShown = false
            progress.expect(head)
            if !isDownload, audience.delegate != nil { show() }
        }

        /// Gives Foundation the head, if it has it not yet.
        private func show() {
            guard let loader, let response, !isShown else { return }
            isShown = true
            loader.client?.urlProtocol(loader, didReceive: response, cacheStoragePolicy: .notAllowed)
        }

        /// Whether a delegate receives the pieces; otherwise the body is delivered whole.
        var wantsPieces: Bool { audience.delegate != nil }

        /// Delivers a piece of the body, whose indices begin at 0.
        func receive(_ piece: Data) {
            guard let loader, !piece.isEmpty else { return }
            if isDownload {
                held.append(piece)
                progress.wrote(piece.count, audience)
            } else {
                switch audience {
                case .sessionDelegate: loader.client?.urlProtocol(loader, didLoad: piece)
                case .callDelegate(let delegate):
                    tell(delegate, piece)
                    held.append(piece)
                case .caller: held.append(piece)
                }
            }
        }

        /// Delivers the whole body, by reference; a great one to a delegate in pieces.
        func receiveWhole(_ body: Data) {
            guard let loader, !body.isEmpty else { return }
            if ReleasedPieces.suit(body), wantsPieces, !isDownload {
                for piece in ReleasedPieces(body) { receive(piece) }
            } else if isDownload {
                held = body
                progress.wrote(body.count, audience)
            } else {
                if case .callDelegate(let delegate) = audience { tell(delegate, body) }
                if case .sessionDelegate = audience {
                    loader.client?.urlProtocol(loader, didLoad: body)
                } else {
                    held = body
                }
            }
        }

        /// Tells the delegate of one call, of which Foundation's client forgets that it wants pieces.
        private func tell(_ delegate: any URLSessionTaskDelegate, _ piece: Data) {
            guard let delegate = delegate as? any URLSessionDataDelegate, let session,
                let task = task as? URLSessionDataTask
            else { return }
            session.delegateQueue.addOperation {
                delegate.urlSession(session, dataTask: task, didReceive: piece)
            }
        }

        /// Forgets an answer that is followed by another one to the same request.
        func willRetry() {
            response = nil
            held = Data()
        }

        /// Shows Foundation an answer that a challenge is about, as its own protocol does.
        func challengedHead(of response: Response, to request: URLRequest) -> HTTPURLResponse? {
            show()
            return self.response
        }

        var holdsChallengedResponse: Bool { false }

        func finish() {
            guard loader != nil else { return }
            // Foundation stops the process where a load ends well and had no response.
            guard response != nil else { return fail(URLError(.badServerResponse)) }
            show()
            if isDownload { return finishDownload() }
            guard let loader else { return }
            if !held.isEmpty { loader.client?.urlProtocol(loader, didLoad: held) }
            complete(loader)
        }

        func fail(_ error: any Error) {
            guard let loader else { return }
            release()
            internals?.setError(error)
            loader.client?.urlProtocol(loader, didFailWithError: error)
            EndedTask.settle(task)
        }

        private func complete(_ loader: URLProtocol) {
            let response = response
            release()
            progress.finish()
            guard let response, let plain = UnchallengedResponse(response) else { return finish(loader) }
            plain.stand(in: internals, of: session) { finish(loader) }
        }

        private func finish(_ loader: URLProtocol) {
            loader.client?.urlProtocolDidFinishLoading(loader)
            EndedTask.settle(task)
        }

        private func finishDownload() {
            guard let loader else { return }
            do {
                try DownloadFile(held).hand(to: loader)
                complete(loader)
            } catch {
                let request = Redactor(.default).redact(Request(loader.request, body: nil))
                fail(Miss(.unsupported("\(error)"), request: request))
            }
        }

        /// It names no URL on Linux.
        var timeout: Failure { Self.timeout }

        private static let timeout = Failure(URLError(.timedOut), ofRequestTo: nil)

        // MARK: Storage

        private var owner: StorageOwner? {
            (loader as? CassetteURLProtocol)
                .flatMap { type(of: $0).tenant(for: $0.request)?.stubber }
                .map { StorageOwner(of: $0) }
        }

        var storageOwner: StorageOwner? { owner }
    }

    extension RequestBody {
        /// Where the body of a client's request is.
        fileprivate init(of client: CorelibsTaskClient) {
            if client.task is URLSessionUploadTask {
                self.init(ofUpload: client)
            } else if let data = client.loader?.request.httpBody {
                self = .data(data)
            } else if let stream = client.loader?.request.httpBodyStream {
                self = .stream(BodyStream(stream))
            } else {
                self = .none
            }
        }

        private init(ofUpload client: CorelibsTaskClient) {
            switch client.internals?.uploadBody {
            case .data(let data): self = .upload(data)
            case .file(let url): self = .file(url)
            case .empty: self = .none
            case nil:
                guard let task = client.task, let session = client.sessionTask?.session,
                    let delegate = task.delegate
                else {
                    self = .none
                    return
                }
                self = .provided { receive in
                    session.delegateQueue.addOperation {
                        delegate.urlSession(session, task: task, needNewBodyStream: receive)
                    }
                }
            }
        }
    }
#endif
