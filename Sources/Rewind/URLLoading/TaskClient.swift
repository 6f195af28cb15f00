import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Why the platform stops a load.
enum LoadStopCause {
    /// The task was suspended, and may be resumed.
    case suspension
    /// The task was cancelled, or is over.
    case cancellation
}

/// The task of a load, as the load talks to it, always on the queue that started the load.
///
/// What a session does for its own protocols is done in extensions, which all platforms share: header fields, cookies,
/// redirects, challenges and timeouts. A conforming type supplies the rest: ``CorelibsTaskClient`` on Linux, and
/// ``SystemTaskClient`` on Apple platforms, whose loading system does more by itself.
protocol TaskClient: AnyObject {
    /// The URL that errors name.
    var failingURL: URL? { get }
    /// Where the task must be used; `nil` where Foundation hides it.
    var queue: ClientQueue? { get }
    /// The task and its session; `nil` where there is no task, or Foundation hides the session.
    var sessionTask: SessionTask? { get }
    /// Whose cookies and credentials the request uses; `nil` for those of the code that runs.
    var storageOwner: StorageOwner? { get }

    // MARK: Life cycle

    /// Whether the task was cancelled, and must get no answer.
    var isCancelled: Bool { get }
    /// Why the platform stops the load now; `nil` where it goes on.
    var stopCause: LoadStopCause? { get }
    func suspend()
    func resume()
    /// Ends the load without a callback, as the platform itself fails a task that was cancelled.
    func end()
    /// Hands the task to the platform's own protocol, for good, where that is possible.
    func loadNatively(_ request: URLRequest) -> Bool

    // MARK: Requests

    /// How the body of the request is on its way to the server.
    var bodySource: RequestBody { get }
    /// Whether a stream is read on the queue as far as it has bytes, because every body arrives as one.
    var readsStreamsAtOnce: Bool { get }
    /// The request with what the platform would have added before it is sent.
    func prepared(_ request: URLRequest) -> URLRequest
    /// How the body of a request is to be sent, so that its framing is what it is without Rewind.
    func liveBody(of request: URLRequest) -> LiveBody
    /// Notes that a body is about to be sent.
    func willSend(_ body: Data?)
    /// Notes how many bytes of the body were sent since the last call.
    func sent(_ count: Int)
    /// Makes a request the task's current one, as it is after a redirect.
    func moved(to request: URLRequest)
    /// Forgets an answer that is followed by another one to the same request.
    func willRetry()

    // MARK: Answers

    /// The head of a response as the app will see it.
    func head(of response: Response, to request: URLRequest, isWhole: Bool) -> HTTPURLResponse?
    /// The head of a response that a challenge is about.
    func challengedHead(of response: Response, to request: URLRequest) -> HTTPURLResponse?
    /// Whether a response that a challenge is about is kept from the app until the challenge is decided.
    var holdsChallengedResponse: Bool { get }
    /// Notes how much a head says will come.
    func expect(_ head: HTTPURLResponse)
    func receive(_ head: HTTPURLResponse)
    /// Whether the app receives a body in pieces; otherwise it is delivered whole.
    var wantsPieces: Bool { get }
    /// Takes a piece of the body, whose indices begin at 0.
    func receive(_ piece: Data)
    func receiveWhole(_ body: Data)
    func finish()
    func fail(_ error: any Error)
    /// The failure of a request whose time is over.
    var timeout: Failure { get }
}

extension TaskClient {
    /// Notes that all of a body was sent.
    func sentWhole(_ body: Data?) {
        guard let body, !body.isEmpty else { return }
        // The size of the buffer that curl asks to be filled.
        for start in stride(from: 0, to: body.count, by: 65_536) { sent(min(65_536, body.count - start)) }
    }

    /// Whether the request's body is somewhere else than in the request.
    var hasBodyToRead: Bool {
        switch bodySource {
        // An upload of nothing sends nothing, whatever its request has.
        case .none: sessionTask?.task is URLSessionUploadTask
        case .data: false
        case .upload, .file, .stream, .provided: true
        }
    }

    /// Gives the request's body, wherever the app put it; off the queue where that takes time.
    func readBody(_ receive: @escaping @Sendable (Result<Data?, any Error>) -> Void) {
        guard bodySource.isSlow, let queue else { return receive(bodySource.read()) }
        if readsStreamsAtOnce, case .stream(let stream) = bodySource, let body = stream.readAtHand() {
            return receive(body)
        }
        bodySource.read { body in queue.perform { receive(body) } }
    }

    /// What Foundation fails an upload with whose file cannot be read; `nil` for other bodies.
    func failure(ofReading error: any Error) -> Failure? {
        guard case .file = bodySource else { return nil }
        let code =
            switch (error as? CocoaError)?.code {
            case .fileReadNoSuchFile?: NSURLErrorFileDoesNotExist
            case .fileReadNoPermission?: NSURLErrorNoPermissionsToReadFile
            default: NSURLErrorUnknown
            }
        return Failure(code: code, naming: "File system error")
    }

    /// Runs code that uses the session's storage, as part of the test whose request this is.
    func withStorage<Result>(_ body: () throws -> Result) rethrows -> Result {
        try StorageOwner.$bound.withValue(storageOwner ?? StorageOwner.bound, operation: body)
    }

    // MARK: Header fields

    /// Finds out the header fields of a request later, without the task, if anybody asks.
    func completion(of request: URLRequest, body: Data?) -> @Sendable () -> Request {
        let configuration = sessionTask?.configuration
        return {
            Request(request, body: body).adding(request.headers(addedTo: configuration?.httpAdditionalHeaders))
        }
    }

    /// The request as the inner session sends it, with all that the task's own session would have added.
    ///
    /// The inner session's own timeout holds where the app leaves it at the default.
    func liveRequest(for request: URLRequest, liveTimeout: TimeInterval?) -> URLRequest {
        var live = request
        // The first change copies the request. Whether it handles cookies is not one: on Linux Foundation's own protocol
        // asks the session only.
        if let fields = sessionTask?.configuration.httpAdditionalHeaders, !fields.isEmpty {
            live.allHTTPHeaderFields = request.headers(addedTo: fields)
        }
        let own = timeouts(of: request).idle
        // Also where it is equal: Foundation uses only a timeout that was assigned.
        live.timeoutInterval = TimeoutLimit.bounded(own == URLRequest.defaultTimeout ? liveTimeout ?? own : own)
        return live
    }

    // MARK: Timeouts

    /// The times after which the session gives a request up.
    ///
    /// A session's timeout holds where the request has none of its own, which then states Foundation's default.
    func timeouts(of request: URLRequest) -> ReplaySchedule.Timeouts {
        let configuration = sessionTask?.configuration
        let idle = request.hasAssignedTimeout ? nil : configuration?.timeoutIntervalForRequest
        return ReplaySchedule.Timeouts(
            idle: TimeoutLimit.bounded(idle ?? request.timeoutInterval),
            total: TimeoutLimit.bounded(configuration?.timeoutIntervalForResource ?? .infinity)
        )
    }

    // MARK: Cookies

    /// Stores a response's cookies where the session keeps its own.
    func storeCookies(of response: Response, to request: URLRequest) {
        let fields = response.headers.values(for: "Set-Cookie")
        guard !fields.isEmpty, let url = request.url, let sessionTask,
            case let configuration = sessionTask.configuration,
            configuration.httpCookieAcceptPolicy != .never, let storage = configuration.httpCookieStorage,
            sessionTask.task.originalRequest?.httpShouldHandleCookies == true
        else { return }
        let cookies = fields.filter(SetCookie.isReadable)
            .flatMap { HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": $0], for: url) }
        withStorage { storage.setCookies(cookies, for: url, mainDocumentURL: nil) }
    }

    /// The request with the cookies that the session has for its URL.
    func addingCookies(to request: URLRequest) -> URLRequest {
        guard let url = request.url, request.httpShouldHandleCookies,
            let configuration = sessionTask?.configuration, configuration.httpShouldSetCookies,
            let cookies = withStorage({ configuration.httpCookieStorage?.cookies(for: url) }),
            !cookies.isEmpty
        else { return request }
        var request = request
        for (name, value) in HTTPCookie.requestHeaderFields(with: cookies) {
            request.setValue(value, forHTTPHeaderField: name)
        }
        return request
    }

    // MARK: Redirects

    /// Asks the task's delegate about a redirect; without one it is followed.
    ///
    /// As in swift-corelibs-foundation, a request that no delegate was asked about gets the cookies that the session
    /// has by now.
    func redirect(
        _ response: HTTPURLResponse,
        to next: URLRequest,
        decision: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let followed = addingCookies(to: next)
        guard let sessionTask, let queue, !sessionTask.delegates.isEmpty else { return decision(followed) }
        sessionTask.ask { delegate in
            delegate.decide(on: response, leadingTo: next, of: sessionTask) { accepted in
                queue.perform { decision(accepted) }
            }
        } otherwise: {
            queue.perform { decision(followed) }
        }
    }
}

extension URLRequest {
    /// What requests and sessions say where nobody set a timeout.
    static let defaultTimeout: TimeInterval = 60

    /// The request's own fields and those of a session that it does not have.
    fileprivate func headers(addedTo sessionFields: [AnyHashable: Any]?) -> [String: String] {
        var fields = allHTTPHeaderFields ?? [:]
        let own = Set(fields.keys.map { $0.lowercased() })
        for (name, value) in sessionFields ?? [:] {
            guard let name = name as? String, !own.contains(name.lowercased()) else { continue }
            fields[name] = "\(value)"
        }
        return fields
    }
}

/// Where a task must be used: what leaves the load comes back through this.
package struct ClientQueue: Sendable {
    /// Runs a block on the queue after some seconds.
    let enqueue: @Sendable (_ seconds: Double, _ block: @escaping @Sendable () -> Void) -> Void

    package func perform(after seconds: Double = 0, _ block: @escaping @Sendable () -> Void) {
        enqueue(seconds, block)
    }
}
