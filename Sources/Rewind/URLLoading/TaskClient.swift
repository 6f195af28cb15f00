import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A task and the session that created it.
struct SessionTask: Sendable {
    let task: URLSessionTask
    let session: URLSession

    var configuration: URLSessionConfiguration { session.configuration }

    /// The delegates of the task: its own first, then the session's.
    var delegates: [any URLSessionTaskDelegate] {
        let own = task.delegate
        guard let common = session.delegate as? any URLSessionTaskDelegate, common !== own else {
            return own.map { [$0] } ?? []
        }
        return (own.map { [$0] } ?? []) + [common]
    }

    /// Calls, on the session's delegate queue, the first delegate that implements a callback.
    func ask(
        _ call: @escaping @Sendable (any URLSessionTaskDelegate) -> Bool,
        otherwise: @escaping @Sendable () -> Void = {}
    ) {
        let delegates = delegates
        session.delegateQueue.addOperation {
            if !delegates.contains(where: call) { otherwise() }
        }
    }
}

enum LoadStopCause {
    case suspension
    /// The task was cancelled or has ended.
    case cancellation
}

/// The interface of a load to its task. Always used on the queue that started the load.
///
/// Extensions, which all platforms share, do what a session does only for its own protocols: header fields, cookies,
/// redirects, challenges and timeouts. A conforming type does the rest: ``CorelibsTaskClient`` on Linux, and
/// ``SystemTaskClient`` on Apple platforms, whose loading system does more itself.
protocol TaskClient: AnyObject {
    var failingURL: URL? { get }
    /// The queue on which the task must be used; `nil` if Foundation hides it.
    var queue: ClientQueue? { get }
    /// The task and its session; `nil` if there is no task or Foundation hides the session.
    var sessionTask: SessionTask? { get }
    /// The owner of the cookies and credentials that the request uses; `nil` for the owner of the running code.
    var storageOwner: StorageOwner? { get }

    // MARK: Life cycle

    var isCancelled: Bool { get }
    /// `nil` if the load continues.
    var stopCause: LoadStopCause? { get }
    func suspend()
    func resume()
    /// Ends the load without a callback: the platform itself fails a cancelled task.
    func end()
    /// Lets the platform's own protocol load the task from now on. Returns whether that is possible.
    func loadNatively(_ request: URLRequest) -> Bool

    // MARK: Requests

    var bodySource: RequestBody { get }
    /// Whether bytes that a stream already has are read on the queue, because every body arrives as a stream.
    var readsStreamsAtOnce: Bool { get }
    /// The request with what the platform would add before sending it.
    func prepared(_ request: URLRequest) -> URLRequest
    /// How to send the body of a request, so that its framing is the same as without Rewind.
    func liveBody(of request: URLRequest) -> LiveBody
    func willSend(_ body: Data?)
    /// Notes how many bytes of the body were sent since the last call.
    func sent(_ count: Int)
    /// Sets the task's current request after a redirect.
    func moved(to request: URLRequest)
    /// Discards an answer, as the same request is sent again.
    func willRetry()

    // MARK: Answers

    func head(of response: Interaction.Response, to request: URLRequest, isWhole: Bool) -> HTTPURLResponse?
    func challengedHead(of response: Interaction.Response, to request: URLRequest) -> HTTPURLResponse?
    /// Whether the app sees the 401 of a challenge only after the challenge is decided.
    var holdsChallengedResponse: Bool { get }
    func expect(_ head: HTTPURLResponse)
    func receive(_ head: HTTPURLResponse)
    /// Whether the app receives a body in chunks, and not as a whole.
    var wantsPieces: Bool { get }
    /// Receives a chunk of the body, whose indices begin at 0.
    func receive(_ piece: Data)
    func receiveWhole(_ body: Data)
    func finish()
    func fail(_ error: any Error)
    /// Called once if another thread may cancel the task while it ends.
    func expectCancellation()
    var timeout: Interaction.Failure { get }
    /// Returns the queue on which the app's callbacks run; `nil` if they have returned.
    var callbackQueue: @Sendable () -> OperationQueue? { get }
}

extension TaskClient {
    func expectCancellation() {}

    func sentWhole(_ body: Data?) {
        guard let body, !body.isEmpty else { return }
        // The size of curl's read buffer.
        for start in stride(from: 0, to: body.count, by: 65_536) { sent(min(65_536, body.count - start)) }
    }

    var hasBodyToRead: Bool {
        switch bodySource {
        // An upload task ignores the body of its request.
        case .none: sessionTask?.task is URLSessionUploadTask
        case .data: false
        case .upload, .file, .stream, .provided: true
        }
    }

    /// Reads off the queue if that takes time.
    func readBody(_ receive: @escaping @Sendable (Result<Data?, any Error>) -> Void) {
        guard bodySource.isSlow, let queue else { return receive(bodySource.read()) }
        if readsStreamsAtOnce, case .stream(let stream) = bodySource, let body = stream.readAtHand() {
            return receive(body)
        }
        bodySource.read { body in queue.perform { receive(body) } }
    }

    /// The failure of an upload whose file cannot be read, as in Foundation; `nil` for other bodies.
    func failure(ofReading error: any Error) -> Interaction.Failure? {
        guard case .file = bodySource else { return nil }
        let code =
            switch (error as? CocoaError)?.code {
            case .fileReadNoSuchFile?: NSURLErrorFileDoesNotExist
            case .fileReadNoPermission?: NSURLErrorNoPermissionsToReadFile
            default: NSURLErrorUnknown
            }
        return Interaction.Failure(code: code, naming: "File system error")
    }

    func withStorage<Result>(_ body: () throws -> Result) rethrows -> Result {
        try StorageOwner.$bound.withValue(storageOwner ?? StorageOwner.bound, operation: body)
    }

    // MARK: Header fields

    /// Returns a closure that finds the header fields of a request, without the task and only when they are needed.
    func completion(of request: URLRequest, body: Data?) -> @Sendable () -> Interaction.Request {
        let configuration = sessionTask?.configuration
        return {
            Interaction.Request(request, body: body).adding(
                request.headers(addedTo: configuration?.httpAdditionalHeaders)
            )
        }
    }

    /// Uses the inner session's timeout if the app leaves it at the default.
    func liveRequest(for request: URLRequest, liveTimeout: TimeInterval?) -> URLRequest {
        var live = request
        // The first change copies the request. `httpShouldHandleCookies` needs no change: on Linux, Foundation's protocol
        // only reads the session's settings.
        if let fields = sessionTask?.configuration.httpAdditionalHeaders, !fields.isEmpty {
            live.allHTTPHeaderFields = request.headers(addedTo: fields)
        }
        let (own, inner) = (timeouts(of: request).idle, liveTimeout ?? URLRequest.defaultTimeout)
        let timeout = TimeoutLimit.bounded(own == URLRequest.defaultTimeout ? inner : own)
        // Foundation uses only a timeout that was assigned, and otherwise that of the inner session.
        if live.hasAssignedTimeout || timeout != inner { live.timeoutInterval = timeout }
        return live
    }

    // MARK: Timeouts

    /// The session's timeout applies if none was assigned to the request.
    func timeouts(of request: URLRequest) -> ReplaySchedule.Timeouts {
        let configuration = sessionTask?.configuration
        let idle = request.hasAssignedTimeout ? nil : configuration?.timeoutIntervalForRequest
        return ReplaySchedule.Timeouts(
            idle: TimeoutLimit.bounded(idle ?? request.timeoutInterval),
            total: TimeoutLimit.bounded(configuration?.timeoutIntervalForResource ?? .infinity)
        )
    }

    // MARK: Cookies

    func storeCookies(of response: Interaction.Response, to request: URLRequest) {
        let fields = response.headers.values(for: "Set-Cookie")
        guard !fields.isEmpty, let url = response.url(answering: request), let sessionTask,
            case let configuration = sessionTask.configuration,
            configuration.httpCookieAcceptPolicy != .never, let storage = configuration.httpCookieStorage,
            sessionTask.task.originalRequest?.httpShouldHandleCookies == true
        else { return }
        let cookies = fields.filter(SetCookie.isReadable)
            .flatMap { HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": $0], for: url) }
        withStorage { storage.setCookies(cookies, for: url, mainDocumentURL: nil) }
    }

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
    /// As in swift-corelibs-foundation, the new request gets the session's current cookies if there is no delegate.
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
    /// The timeout of requests and sessions that Foundation uses if none was set.
    static let defaultTimeout: TimeInterval = 60

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

/// The queue on which a task must be used.
package struct ClientQueue: Sendable {
    let enqueue: @Sendable (_ seconds: Double, _ block: @escaping @Sendable () -> Void) -> Void

    package func perform(after seconds: Double = 0, _ block: @escaping @Sendable () -> Void) {
        enqueue(seconds, block)
    }
}

enum ChallengeDecision: Sendable {
    case retry(URLCredential)
    case deliver
}

extension TaskClient {
    /// The protection space of a 401 that asks for a credential; only the scheme Basic does.
    ///
    /// `nil` if there is neither a delegate nor a stored credential: then the 401 is the answer.
    func protectionSpace(of response: Interaction.Response, to request: URLRequest) -> URLProtectionSpace? {
        guard response.status == 401, let url = response.url(answering: request), let host = url.host,
            let realm = response.headers.basicRealm
        else { return nil }
        let scheme = url.scheme ?? "http"
        let space = URLProtectionSpace(
            host: host,
            port: url.port ?? (scheme == "https" ? 443 : 80),
            protocol: scheme,
            realm: realm,
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic
        )
        guard let sessionTask else { return nil }
        return sessionTask.delegates.isEmpty && storedCredential(for: space) == nil ? nil : space
    }

    /// Asks the delegate for a credential; cancels the task if the delegate cancels or rejects the challenge.
    /// - Parameters:
    ///   - space: The protection space of the 401.
    ///   - head: The head of the 401.
    ///   - failures: The number of credentials that the server has refused.
    ///   - decision: Called on the client's queue.
    func challenge(
        _ space: URLProtectionSpace,
        about head: HTTPURLResponse?,
        failures: Int,
        decision: @escaping @Sendable (ChallengeDecision) -> Void
    ) {
        let proposed = failures == 0 ? storedCredential(for: space) : nil
        let byDefault = proposed.map(ChallengeDecision.retry) ?? .deliver
        guard let sessionTask, let queue, !sessionTask.delegates.isEmpty else { return decision(byDefault) }
        let challenge = URLAuthenticationChallenge(
            protectionSpace: space,
            proposedCredential: proposed,
            previousFailureCount: failures,
            failureResponse: head,
            error: nil,
            sender: SilentSender()
        )
        let answer: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void = {
            switch ($0, $1) {
            case (.useCredential, let credential?): queue.perform { decision(.retry(credential)) }
            case (.cancelAuthenticationChallenge, _), (.rejectProtectionSpace, _): sessionTask.task.cancel()
            default: queue.perform { decision(byDefault) }
            }
        }
        sessionTask.ask { delegate in
            delegate.decide(challenge, of: sessionTask, answer)
        } otherwise: {
            queue.perform { decision(byDefault) }
        }
    }

    /// swift-corelibs-foundation compares protection spaces by identity, so this looks for an equal one.
    private func storedCredential(for space: URLProtectionSpace) -> URLCredential? {
        guard let storage = sessionTask?.configuration.urlCredentialStorage else { return nil }
        return withStorage {
            let equal = storage.allCredentials.keys.first { $0.isEquivalent(to: space) }
            return equal.flatMap(storage.defaultCredential)
        }
    }
}

extension URLProtectionSpace {
    fileprivate func isEquivalent(to other: URLProtectionSpace) -> Bool {
        guard host == other.host, port == other.port, realm == other.realm else { return false }
        return `protocol` == other.protocol && authenticationMethod == other.authenticationMethod
    }
}

private final class SilentSender: NSObject, URLAuthenticationChallengeSender {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}

extension URLCredential {
    /// The value of an `Authorization` field of the scheme Basic (RFC 7617 section 2).
    var basicAuthorization: String {
        "Basic " + Data("\(user ?? ""):\(password ?? "")".utf8).base64EncodedString()
    }
}

extension HeaderList {
    /// The realm of a Basic challenge (RFC 7617 section 2); empty if it names none, `nil` if Basic is not the first
    /// challenge.
    fileprivate var basicRealm: String? {
        let words = self["WWW-Authenticate"]?.split(separator: " ", maxSplits: 1) ?? []
        guard words.first?.lowercased() == "basic" else { return nil }
        guard words.count > 1, let name = words[1].range(of: "realm=", options: .caseInsensitive) else {
            return ""
        }
        let value = words[1][name.upperBound...]
        let isQuoted = value.hasPrefix("\"")
        return String(isQuoted ? value.dropFirst().prefix { $0 != "\"" } : value.prefix { $0 != "," })
    }
}
