import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The interface of a load to a task of Apple's loading system. Always used on the thread that started the load.
///
/// The system writes download files, counts received bytes, and delivers the answer to delegates, handlers and async
/// callers. It leaves redirects, cookies, challenges, sent bytes and the timeout of a request to the protocol. It
/// requires callbacks in this order, on the thread of `startLoading`: one head, then data, then one end, then nothing.
/// This class enforces that order. It has no platform condition, so that Linux tests check the order too, with a client
/// that records violations.
final class SystemTaskClient: TaskClient {
    private enum Stage {
        case opened
        /// The client has the head.
        case answering
        case over
    }

    private let loader: URLProtocol
    private let original: URLRequest?
    private var stage = Stage.opened
    private var isPrepared = false
    private var addedCookies: String?
    private var sentCount: Int64 = 0
    private var countToSend = NSURLSessionTransferSizeUnknown
    let sessionTask: SessionTask?
    let queue: ClientQueue?
    let failingURL: URL?

    /// Creates the client of a protocol, on the thread that starts the protocol.
    init(_ loader: URLProtocol, of sessionTask: SessionTask?, on queue: ClientQueue?) {
        self.loader = loader
        self.sessionTask = sessionTask
        self.queue = queue
        original = sessionTask?.task.originalRequest
        failingURL = original?.url ?? loader.request.url
    }

    // MARK: Life cycle

    /// The system does not start the load of a cancelled task, and stops a load when its task is cancelled.
    var isCancelled: Bool { false }

    /// The system buffers what a suspended task receives; it stops a load only to end it.
    var stopCause: LoadStopCause? { .cancellation }

    func suspend() {}
    func resume() {}
    func end() { stage = .over }

    /// A protocol cannot start one of the system's protocols, so the inner session loads the request.
    func loadNatively(_ request: URLRequest) -> Bool { false }

    /// On Apple platforms, tests share the cookies and credentials of their sessions.
    var storageOwner: StorageOwner? { nil }

    // MARK: Requests

    /// The system turns every body into a stream; the task's original request still has the body that the app assigned.
    private(set) lazy var bodySource: RequestBody = {
        // An upload task ignores the body of its request.
        let isUpload = sessionTask?.task is URLSessionUploadTask
        if !isUpload, let body = loader.request.httpBody ?? original?.httpBody { return .data(body) }
        return loader.request.httpBodyStream.map { .stream(BodyStream($0)) } ?? .none
    }()

    var readsStreamsAtOnce: Bool { true }

    /// Adds the body, which the system removed from the request, and cookies, which it does not add for protocols.
    func prepared(_ request: URLRequest) -> URLRequest {
        var request = request
        if !isPrepared, case .data(let body) = bodySource, request.httpBody == nil { request.httpBody = body }
        isPrepared = true
        // Cookies that the app assigned stay. Cookies that were added before a redirect are replaced after it.
        guard request.value(forHTTPHeaderField: "Cookie") == addedCookies else { return request }
        request.setValue(nil, forHTTPHeaderField: "Cookie")
        request = addingCookies(to: request)
        addedCookies = request.value(forHTTPHeaderField: "Cookie")
        return request
    }

    func liveBody(of request: URLRequest) -> LiveBody {
        guard let body = request.httpBody else { return .inRequest }
        if sessionTask?.task is URLSessionUploadTask { return .upload(body) }
        return original?.httpBodyStream == nil ? .inRequest : .stream(body)
    }

    func willSend(_ body: Data?) {
        guard let body, original?.httpBodyStream == nil else { return }
        countToSend = Int64(body.count)
    }

    /// Reports sent bytes to the delegate, as the system does not do so for protocols.
    func sent(_ count: Int) {
        guard count > 0, let sessionTask else { return }
        sentCount += Int64(count)
        let (total, expected) = (sentCount, countToSend)
        sessionTask.ask { $0.didSend(Int64(count), total, expected, of: sessionTask) }
    }

    /// The current request of a task cannot be changed; the response contains the final URL.
    func moved(to request: URLRequest) {}

    func willRetry() { sentCount = 0 }

    // MARK: Answers

    func head(of response: Interaction.Response, to request: URLRequest, isWhole: Bool) -> HTTPURLResponse? {
        guard let url = response.url(answering: request) else { return nil }
        let method = request.httpMethod ?? "GET"
        return HTTPURLResponse(
            url: url,
            statusCode: response.status,
            httpVersion: response.httpVersion.isEmpty ? nil : response.httpVersion,
            headerFields: response.headersForClient(of: method, isWhole: isWhole, keepsCoding: true).joined
        )
    }

    func challengedHead(of response: Interaction.Response, to request: URLRequest) -> HTTPURLResponse? {
        head(of: response, to: request, isWhole: true)
    }

    /// A head can be delivered only once, so challenges come before it.
    var holdsChallengedResponse: Bool { true }

    /// The system reads the length from the head.
    func expect(_ head: HTTPURLResponse) {}

    func receive(_ head: HTTPURLResponse) {
        guard stage == .opened else { return }
        stage = .answering
        loader.client?.urlProtocol(loader, didReceive: head, cacheStoragePolicy: .notAllowed)
    }

    var wantsPieces: Bool { true }

    func receive(_ piece: Data) {
        guard stage == .answering, !piece.isEmpty else { return }
        loader.client?.urlProtocol(loader, didLoad: piece)
    }

    func receiveWhole(_ body: Data) { receive(body) }

    func finish() {
        guard stage != .opened else { return fail(URLError(.badServerResponse)) }
        guard stage == .answering else { return }
        stage = .over
        loader.client?.urlProtocolDidFinishLoading(loader)
    }

    func fail(_ error: any Error) {
        guard stage != .over else { return }
        stage = .over
        loader.client?.urlProtocol(loader, didFailWithError: error)
    }

    var callbackQueue: @Sendable () -> OperationQueue? {
        { [weak session = sessionTask?.session] in session?.delegateQueue }
    }

    var timeout: Interaction.Failure {
        Interaction.Failure(code: NSURLErrorTimedOut, naming: "The request timed out.")
    }
}
