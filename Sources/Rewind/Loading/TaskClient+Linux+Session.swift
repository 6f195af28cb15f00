#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    extension TaskClient {
        /// The header fields a request is sent with: the session's, overridden by the request's own.
        func headers(sentWith request: URLRequest) -> [String: String] {
            Self.headers(sentWith: request, by: session?.configuration)
        }

        /// Finds out the header fields of a request later, without the task, if anybody wants to know them.
        func completion(of asked: Request, _ request: URLRequest) -> @Sendable () -> Request {
            let configuration = session?.configuration
            return { asked.adding(Self.headers(sentWith: request, by: configuration)) }
        }

        private static func headers(
            sentWith request: URLRequest,
            by configuration: URLSessionConfiguration?
        ) -> [String: String] {
            var fields = request.allHTTPHeaderFields ?? [:]
            let own = Set(fields.keys.map { $0.lowercased() })
            for (name, value) in configuration?.httpAdditionalHeaders ?? [:] {
                guard let name = name as? String, !own.contains(name.lowercased()) else { continue }
                fields[name] = "\(value)"
            }
            return fields
        }

        /// The request as the inner session sends it, with all that the task's own session would have added.
        ///
        /// The inner session's own timeout holds where the app leaves it at the default.
        func liveRequest(for request: URLRequest, liveTimeout: TimeInterval?) -> URLRequest {
            var live = request
            // The first change copies the request, and most need none. Whether it handles cookies is not one: here
            // Foundation's own protocol asks the session only.
            if session?.configuration.httpAdditionalHeaders?.isEmpty == false {
                live.allHTTPHeaderFields = headers(sentWith: request)
            }
            let own = timeouts(of: request).idle
            let timeout = TimeoutLimit.bounded(own == Self.defaultTimeout ? liveTimeout ?? own : own)
            if live.timeoutInterval != timeout { live.timeoutInterval = timeout }
            return live
        }

        /// What requests and sessions say where nobody set a timeout.
        private static let defaultTimeout: TimeInterval = 60

        /// The times after which the session gives a request up.
        ///
        /// A session's timeout holds where the request has none of its own, which then states Foundation's default.
        func timeouts(of request: URLRequest) -> ReplaySchedule.Timeouts {
            let configuration = session?.configuration
            let isDefault = request.timeoutInterval == Self.defaultTimeout
            let idle = isDefault ? configuration?.timeoutIntervalForRequest : nil
            return ReplaySchedule.Timeouts(
                idle: TimeoutLimit.bounded(idle ?? request.timeoutInterval),
                total: TimeoutLimit.bounded(configuration?.timeoutIntervalForResource ?? .infinity)
            )
        }

        /// Stores a response's cookies where the session keeps its own.
        func storeCookies(of response: HTTPURLResponse) {
            guard (response as? ClientResponse)?.setsCookies == true, let url = response.url,
                task?.originalRequest?.httpShouldHandleCookies == true,
                let configuration = session?.configuration, configuration.httpCookieAcceptPolicy != .never,
                let storage = configuration.httpCookieStorage
            else { return }
            let fields = response.allHeaderFields.first { ($0.key as? String)?.lowercased() == "set-cookie" }
            let cookies = SetCookie.split(fields?.value as? String ?? "").filter(SetCookie.isReadable)
                .flatMap { HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": $0], for: url) }
            withStorage { storage.setCookies(cookies, for: url, mainDocumentURL: nil) }
        }

        /// The request with the cookies that the session has for its URL.
        func addingCookies(to request: URLRequest) -> URLRequest {
            guard let url = request.url, request.httpShouldHandleCookies,
                let configuration = session?.configuration, configuration.httpShouldSetCookies,
                let cookies = withStorage({ configuration.httpCookieStorage?.cookies(for: url) }),
                !cookies.isEmpty
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

        /// Makes a request the task's current one, as it is after a redirect.
        func moved(to request: URLRequest) {
            internals?.setCurrentRequest(request)
        }

        // MARK: Bodies of requests

        /// Whether the request's body is somewhere else than in the request.
        var hasBodyToRead: Bool {
            guard let loader else { return false }
            return task is URLSessionUploadTask || loader.request.httpBodyStream != nil
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
#endif
