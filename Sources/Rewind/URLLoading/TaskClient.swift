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

    // MARK: The course of a task

    /// Whether the task was cancelled, and must get no answer.
    var isCancelled: Bool { get }
    /// Why the platform stops the load now; `nil` where it goes on.
    var stopCause: LoadStopCause? { get }
    func suspend()
    func resume()
    /// Ends the load without a callback, as the platform itself fails a task that was cancelled.
    func end()
    /// Hands the task to the platform's own protocol, for good.
    /// - Returns: Whether that was possible.
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
    /// Notes that a number of bytes of the request's body was sent.
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
    /// Takes the head of a response.
    func receive(_ head: HTTPURLResponse)
    /// Whether the app receives a body in pieces; otherwise it is delivered whole.
    var wantsPieces: Bool { get }
    /// Takes a piece of the body, whose indices begin at 0.
    func receive(_ piece: Data)
    /// Takes the whole body.
    func receiveWhole(_ body: Data)
    /// Ends the load well.
    func finish()
    /// Ends the load with an error.
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
}

/// Where a task must be used: what leaves the load comes back through this.
package struct ClientQueue: Sendable {
    private let enqueue: @Sendable (_ seconds: Double, _ block: @escaping @Sendable () -> Void) -> Void

    /// Creates a queue from what runs a block there, after some seconds.
    init(_ enqueue: @escaping @Sendable (Double, @escaping @Sendable () -> Void) -> Void) {
        self.enqueue = enqueue
    }

    /// Runs a block on the queue, now or after some seconds.
    package func perform(after seconds: Double = 0, _ block: @escaping @Sendable () -> Void) {
        enqueue(seconds, block)
    }
}
