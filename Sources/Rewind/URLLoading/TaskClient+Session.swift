import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TaskClient {
    // MARK: Header fields

    /// The header fields a request is sent with: the session's, overridden by the request's own.
    func headers(sentWith request: URLRequest) -> [String: String] {
        request.headers(addedTo: sessionTask?.configuration.httpAdditionalHeaders)
    }

    /// Finds out the header fields of a request later, without the task, if anybody wants to know them.
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
        if sessionTask?.configuration.httpAdditionalHeaders?.isEmpty == false {
            live.allHTTPHeaderFields = headers(sentWith: request)
        }
        let own = timeouts(of: request).idle
        // Also where it is equal: Foundation heeds only a timeout that was assigned.
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
