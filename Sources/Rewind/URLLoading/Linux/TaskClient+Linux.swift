#if canImport(FoundationNetworking)
    import Dispatch
    import Foundation
    import FoundationNetworking

    /// The interface of a load to a task of swift-corelibs-foundation. Always used on the task's own queue.
    ///
    /// Does what Foundation does only for its own HTTP protocol, in the same order: the whole body for completion handlers,
    /// the callbacks of delegates that are passed to one call, download files, byte counts, cookies, redirects, challenges,
    /// and a 401 that neither hangs nor is sent again.
    final class CorelibsTaskClient: TaskClient {
        private let task: URLSessionTask?
        private let internals: TaskInternals?
        private(set) lazy var sessionTask = task.flatMap(SessionTask.init)
        private var session: URLSession? { sessionTask?.session }
        private var loader: URLProtocol?
        private lazy var audience = internals?.audience ?? .caller
        private lazy var progress = TaskProgress(of: sessionTask, internals)
        private var native: URLProtocol?
        /// The last head, passed to Foundation at once or at the end.
        private var response: HTTPURLResponse?
        private var isShown = false
        private var held = Data()
        private let isDownload: Bool
        private var expectsCancellation = false

        /// The URL of the original request, also after a redirect.
        let failingURL: URL?

        let queue: ClientQueue?

        init(_ loader: URLProtocol) {
            self.loader = loader
            task = loader.task
            queue = ClientQueue(of: loader)
            internals = loader.task.map(TaskInternals.init)
            isDownload = loader.task is URLSessionDownloadTask
            failingURL = loader.task?.originalRequest?.url ?? loader.request.url
        }

        // MARK: Life cycle

        /// Foundation starts the load of a cancelled task too and fails the task a little later. An answer in between would
        /// remove the task from the session's registry, and Foundation would crash.
        var isCancelled: Bool { task?.state == .canceling }

        var stopCause: LoadStopCause? {
            switch task?.state {
            case .running?: nil
            case .suspended?: .suspension
            default: .cancellation
            }
        }

        func suspend() { native?.stopLoading() }
        func resume() { native?.startLoading() }

        /// Foundation itself fails a cancelled task.
        func end() {
            native?.stopLoading()
            release()
        }

        /// Returns `false` for a timeout with which Foundation would crash; the inner session then loads the request.
        func loadNatively(_ request: URLRequest) -> Bool {
            let timeouts = [request.timeoutInterval, session?.configuration.timeoutIntervalForRequest ?? 0]
            guard timeouts.allSatisfy({ TimeoutLimit.bounded($0) == $0 }), beginsNatively(request), let loader,
                let native = NativeHTTPProtocol.chain(behind: loader)
            else { return false }
            // The native protocol ends the task without a callback here, so this breaks the reference cycle now.
            self.loader = nil
            self.native = native
            native.startLoading()
            return true
        }

        /// Returns `false` while another test loads natively from the same host, as their cookies could not be separated.
        private func beginsNatively(_ request: URLRequest) -> Bool {
            guard let task, let owner = storageOwner else { return true }
            let sharesCookies = session?.configuration.httpCookieStorage === HTTPCookieStorage.shared
            if sharesCookies, let url = request.url, NativeLoads.shared.isLoading(from: url, otherThan: owner) {
                return false
            }
            NativeLoads.shared.add(task, of: owner)
            return true
        }

        private func release() {
            loader = nil
            native = nil
            held = Data()
        }

        // MARK: Bodies of requests

        private(set) lazy var bodySource = makeBodySource()

        private func makeBodySource() -> RequestBody {
            if task is URLSessionUploadTask { return internals?.uploadBody ?? providedBody }
            if let data = loader?.request.httpBody { return .data(data) }
            return loader?.request.httpBodyStream.map { .stream(BodyStream($0)) } ?? .none
        }

        private var providedBody: RequestBody {
            guard let sessionTask, let delegate = sessionTask.task.delegate else { return .none }
            let (task, session) = (sessionTask.task, sessionTask.session)
            return .provided { receive in
                session.delegateQueue.addOperation {
                    delegate.urlSession(session, task: task, needNewBodyStream: receive)
                }
            }
        }

        /// On Linux only bodies that the app assigned as streams are streams, and opening one may block.
        var readsStreamsAtOnce: Bool { false }

        /// Foundation adds header fields and cookies before it calls a protocol.
        func prepared(_ request: URLRequest) -> URLRequest { request }

        /// A request that lost its body, for example in a redirect, sends none.
        func liveBody(of request: URLRequest) -> LiveBody {
            switch bodySource {
            case .none, .data: return .inRequest
            case .stream: return request.httpBody.map { .stream($0) } ?? .inRequest
            case .upload, .file: return request.httpBody.map { .upload($0) } ?? .inRequest
            case .provided: return request.httpBody.map { .streamedUpload($0) } ?? .inRequest
            }
        }

        func moved(to request: URLRequest) { internals?.set(.currentRequest, to: Optional(request)) }

        func willSend(_ body: Data?) {
            guard let body, !body.isEmpty, bodySource.hasKnownLength else { return }
            progress.willSend(body.count)
        }

        func sent(_ count: Int) { progress.sent(count, audience) }

        // MARK: Answers

        func head(of response: Interaction.Response, to request: URLRequest, isWhole: Bool) -> HTTPURLResponse?
        {
            guard let url = response.url(answering: request) else { return nil }
            let method = request.httpMethod ?? "GET"
            let headers = response.headersForClient(of: method, isWhole: isWhole, keepsCoding: true)
            let version = response.httpVersion.isEmpty ? nil : response.httpVersion
            return ResponseHeads.shared.head(headers, status: response.status, version: version, url: url)
        }

        func expect(_ head: HTTPURLResponse) { progress.expect(head) }

        /// Passes the head on at once if there is a delegate, and at the end otherwise, as Foundation does.
        func receive(_ head: HTTPURLResponse) {
            response = head
            isShown = false
            progress.expect(head)
            if !isDownload, audience.delegate != nil { show() }
        }

        private func show() {
            guard let loader, let response, !isShown else { return }
            isShown = true
            loader.client?.urlProtocol(loader, didReceive: response, cacheStoragePolicy: .notAllowed)
        }

        var wantsPieces: Bool { audience.delegate != nil }

        func receive(_ piece: Data) {
            guard let loader, !piece.isEmpty else { return }
            if isDownload {
                progress.wrote(piece.count, audience)
            } else if case .callDelegate(let delegate) = audience {
                hand(piece, to: delegate)
            } else if case .sessionDelegate = audience {
                loader.client?.urlProtocol(loader, didLoad: piece)
                return
            }
            // A body in one chunk is not copied.
            if held.isEmpty { held = piece } else { held.append(piece) }
        }

        func receiveWhole(_ body: Data) {
            guard wantsPieces, !isDownload, ReleasedPieces.suit(body) else { return receive(body) }
            for piece in ReleasedPieces(body) { receive(piece) }
        }

        /// Foundation's client passes chunks to the delegate of a session only, not to the delegate of one call.
        private func hand(_ piece: Data, to delegate: any URLSessionTaskDelegate) {
            guard let delegate = delegate as? any URLSessionDataDelegate, let session,
                let task = task as? URLSessionDataTask
            else { return }
            session.delegateQueue.addOperation {
                delegate.urlSession(session, dataTask: task, didReceive: piece)
            }
        }

        func willRetry() {
            response = nil
            held = Data()
        }

        /// Passes the 401 to Foundation before the challenge, as its own protocol does.
        func challengedHead(of response: Interaction.Response, to request: URLRequest) -> HTTPURLResponse? {
            show()
            return self.response
        }

        var holdsChallengedResponse: Bool { false }

        func finish() {
            guard loader != nil else { return }
            // Foundation crashes if a load succeeds without a response.
            guard response != nil else { return fail(URLError(.badServerResponse)) }
            show()
            if isDownload { return finishDownload() }
            guard let loader else { return }
            if !held.isEmpty { loader.client?.urlProtocol(loader, didLoad: held) }
            complete(loader)
        }

        /// Foundation 6.3 resumes an async call on the work queue, for which a cancellation waits, and the call's task waits for
        /// the cancellation (swift-corelibs-foundation 5412). On the session's queue, it can wait.
        func expectCancellation() { expectsCancellation = true }

        func fail(_ error: any Error) {
            guard let loader else { return }
            release()
            if expectsCancellation { _ = internals?.returnOnDelegateQueue() }
            internals?.set(.error, to: Optional(error))
            loader.client?.urlProtocol(loader, didFailWithError: error)
        }

        private func complete(_ loader: URLProtocol) {
            let response = response
            release()
            progress.finish()
            if expectsCancellation { _ = internals?.returnOnDelegateQueue() }
            if let response, let unchallenged = UnchallengedResponse(response) {
                unchallenged.replaceResponse(of: internals, in: session) {
                    loader.client?.urlProtocolDidFinishLoading(loader)
                }
            } else {
                loader.client?.urlProtocolDidFinishLoading(loader)
            }
            internals?.ignoreResumption()
        }

        private func finishDownload() {
            guard let loader else { return }
            do {
                try DownloadFile.hand(held, to: loader)
                complete(loader)
            } catch {
                let request = Redactor(.default).redact(Interaction.Request(loader.request, body: nil))
                fail(Miss(.unsupported("\(error)"), request: request))
            }
        }

        /// Foundation releases the task after its callbacks. Finding the queue takes time, so it waits until it is needed.
        var callbackQueue: @Sendable () -> OperationQueue? {
            { [weak task] in task.flatMap(SessionTask.init)?.session.delegateQueue }
        }

        /// A timeout contains no URL on Linux.
        var timeout: Interaction.Failure { Self.timeout }

        private static let timeout = Interaction.Failure(URLError(.timedOut), ofRequestTo: nil)

        // MARK: Storage

        var storageOwner: StorageOwner? {
            (loader as? CassetteURLProtocol).flatMap { $0.owner?.stubber }.map { StorageOwner(of: $0) }
        }
    }

    /// Counts the bytes of a task and reports them to delegates, as Foundation does for its own HTTP protocol.
    struct TaskProgress {
        private let sessionTask: SessionTask?
        private let internals: TaskInternals?
        private var expectedToReceive = NSURLSessionTransferSizeUnknown
        private var received: Int64 = 0
        private var expectedToSend: Int64 = 0
        private var sent: Int64 = 0

        init(of sessionTask: SessionTask?, _ internals: TaskInternals?) {
            self.sessionTask = sessionTask
            self.internals = internals
        }

        mutating func willSend(_ count: Int) {
            expectedToSend = Int64(count)
            internals?.set(.expectedToSend, to: expectedToSend)
        }

        /// Foundation counts sent bytes only if there is a delegate.
        mutating func sent(_ count: Int, _ audience: TaskAudience) {
            guard count > 0, let sessionTask, let delegate = audience.delegate else { return }
            sent += Int64(count)
            internals?.set(.sent, to: sent)
            let (total, expected) = (sent, expectedToSend)
            sessionTask.session.delegateQueue.addOperation {
                _ = delegate.didSend(Int64(count), total, expected, of: sessionTask)
            }
        }

        /// Foundation does not report the length of a compressed body.
        mutating func expect(_ head: HTTPURLResponse) {
            let isCoded = head.value(forHTTPHeaderField: "Content-Encoding").map { $0 != "identity" } ?? false
            let length = head.expectedContentLength
            expectedToReceive = length > 0 && !isCoded ? length : NSURLSessionTransferSizeUnknown
            internals?.set(.expectedToReceive, to: expectedToReceive)
        }

        mutating func wrote(_ count: Int, _ audience: TaskAudience) {
            guard let session = sessionTask?.session, let task = sessionTask?.task as? URLSessionDownloadTask,
                let delegate = audience.delegate as? any URLSessionDownloadDelegate
            else { return }
            received += Int64(count)
            internals?.set(.received, to: received)
            let (total, expected) = (received, expectedToReceive)
            session.delegateQueue.addOperation {
                delegate.urlSession(
                    session,
                    downloadTask: task,
                    didWriteData: Int64(count),
                    totalBytesWritten: total,
                    totalBytesExpectedToWrite: expected
                )
            }
        }

        func finish() {
            guard let progress = sessionTask?.task.progress else { return }
            if progress.totalUnitCount < 0 { progress.totalUnitCount = max(1, progress.completedUnitCount) }
            progress.completedUnitCount = progress.totalUnitCount
        }
    }

    extension SessionTask {
        /// `nil` if Foundation hides the session.
        init?(_ task: URLSessionTask) {
            guard let session = TaskInternals(task).session else { return nil }
            self.init(task: task, session: session)
        }
    }

    extension URLProtocol {
        var taskClient: any TaskClient { CorelibsTaskClient(self) }

        /// `nil` on Linux, where the class that accepts a task determines its route.
        var taskRoute: TaskRoute? { nil }
    }

    /// Each method returns whether the delegate implements the callback; on Linux every delegate does.
    extension URLSessionTaskDelegate {
        func decide(
            on response: HTTPURLResponse,
            leadingTo next: URLRequest,
            of task: SessionTask,
            _ decision: @escaping @Sendable (URLRequest?) -> Void
        ) -> Bool {
            urlSession(
                task.session,
                task: task.task,
                willPerformHTTPRedirection: response,
                newRequest: next,
                completionHandler: decision
            )
            return true
        }

        func decide(
            _ challenge: URLAuthenticationChallenge,
            of task: SessionTask,
            _ answer: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) -> Bool {
            urlSession(task.session, task: task.task, didReceive: challenge, completionHandler: answer)
            return true
        }

        func didSend(_ count: Int64, _ total: Int64, _ expected: Int64, of task: SessionTask) -> Bool {
            urlSession(
                task.session,
                task: task.task,
                didSendBodyData: count,
                totalBytesSent: total,
                totalBytesExpectedToSend: expected
            )
            return true
        }
    }

    extension ClientQueue {
        /// `nil` if Foundation hides the queue.
        package init?(of loader: URLProtocol) {
            guard let queue = loader.task.flatMap({ TaskInternals($0).workQueue }) else { return nil }
            self.init { seconds, block in
                if seconds > 0 {
                    queue.asyncAfter(deadline: .now() + seconds, execute: block)
                } else {
                    queue.async(execute: block)
                }
            }
        }
    }
#endif
