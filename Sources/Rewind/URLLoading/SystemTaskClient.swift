import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A task of Apple's loading system, as a load talks to it, always on the thread that started the load.
///
/// The system writes download files, counts what was received, and hands the answer to delegates, handlers and async
/// callers. It leaves redirects, cookies, challenges, sent bytes and the timeout of a request to the protocol, and it
/// takes callbacks in one order only: on the thread of `startLoading`, one head before any data, one end, nothing after
/// it. This class keeps that order, whatever a load asks for. It has no platform condition, so that the order is tested
/// on Linux too, with a client that enforces it.
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

    /// Creates the client of a protocol that is being started, on the thread where it is started.
    init(_ loader: URLProtocol, of sessionTask: SessionTask?, on queue: ClientQueue?) {
        self.loader = loader
        self.sessionTask = sessionTask
        self.queue = queue
        original = sessionTask?.task.originalRequest
        failingURL = original?.url ?? loader.request.url
    }

    // MARK: Life cycle

    /// The system starts no load of a cancelled task, and stops the load of one that is cancelled later.
    var isCancelled: Bool { false }

    /// The system holds back what a suspended task receives, and stops a load only for good.
    var stopCause: LoadStopCause? { .cancellation }

    func suspend() {}
    func resume() {}
    func end() { stage = .over }

    /// No protocol of the system can be started behind this one; the inner session loads.
    func loadNatively(_ request: URLRequest) -> Bool { false }

    /// Tests share the cookies and credentials of their sessions.
    var storageOwner: StorageOwner? { nil }

    // MARK: Requests

    /// The system turns every body into a stream; what the app assigned is still in the task's original request.
    private(set) lazy var bodySource: RequestBody = {
        // An upload sends its own body, whatever its request has.
        let isUpload = sessionTask?.task is URLSessionUploadTask
        if !isUpload, let body = loader.request.httpBody ?? original?.httpBody { return .data(body) }
        return loader.request.httpBodyStream.map { .stream(BodyStream($0)) } ?? .none
    }()

    var readsStreamsAtOnce: Bool { true }

    /// Adds the body that the system took out of the request, and the cookies that it adds to no request of a protocol.
    func prepared(_ request: URLRequest) -> URLRequest {
        var request = request
        if !isPrepared, case .data(let body) = bodySource, request.httpBody == nil { request.httpBody = body }
        isPrepared = true
        // What the app assigned stays; what was added before a redirect is out of date after it.
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

    /// The system does not report to a delegate what a protocol sends.
    func sent(_ count: Int) {
        guard count > 0, let sessionTask else { return }
        sentCount += Int64(count)
        let (total, expected) = (sentCount, countToSend)
        sessionTask.ask { $0.didSend(Int64(count), total, expected, of: sessionTask) }
    }

    /// The current request of a task cannot be changed; the response names the URL that was reached.
    func moved(to request: URLRequest) {}

    func willRetry() { sentCount = 0 }

    // MARK: Answers

    func head(of response: Interaction.Response, to request: URLRequest, isWhole: Bool) -> HTTPURLResponse? {
        guard let url = request.url else { return nil }
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

    /// Challenges come before the head, which can be given only once.
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

    var timeout: Interaction.Failure {
        Interaction.Failure(code: NSURLErrorTimedOut, naming: "The request timed out.")
    }
}
