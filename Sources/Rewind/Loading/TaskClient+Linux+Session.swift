#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    @_spi(Reflection) import Swift

    extension TaskClient {
        /// The header fields a request is sent with: the session's, overridden by the request's own.
        func headers(sentWith request: URLRequest) -> [String: String] {
            Self.headers(sentWith: request, by: session?.configuration)
        }

        /// Finds out the header fields of a request later, without the task, if anybody wants to know them.
        func completion(of request: URLRequest, body: Data?) -> @Sendable () -> Request {
            let configuration = session?.configuration
            return { Request(request, body: body).adding(Self.headers(sentWith: request, by: configuration)) }
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
            // The first change copies the request. Whether it handles cookies is not one: here Foundation's own protocol
            // asks the session only.
            if session?.configuration.httpAdditionalHeaders?.isEmpty == false {
                live.allHTTPHeaderFields = headers(sentWith: request)
            }
            let own = timeouts(of: request).idle
            // Also where it is equal: Foundation heeds only a timeout that was assigned.
            live.timeoutInterval = TimeoutLimit.bounded(own == Self.defaultTimeout ? liveTimeout ?? own : own)
            return live
        }

        /// How the body of a request is to be sent, so that it is on the wire what it is natively.
        ///
        /// A request that lost its body on the way, as by a redirect, has none to send.
        func liveBody(of request: URLRequest) -> LiveBody {
            switch bodySource {
            case .none, .data: return .inRequest
            case .stream: return request.httpBody.map { .stream($0) } ?? .inRequest
            case .upload, .file: return request.httpBody.map { .upload($0) } ?? .inRequest
            case .provided: return request.httpBody.map { .streamedUpload($0) } ?? .inRequest
            }
        }

        /// What requests and sessions say where nobody set a timeout.
        private static let defaultTimeout: TimeInterval = 60

        /// The times after which the session gives a request up.
        ///
        /// A session's timeout holds where the request has none of its own, which then states Foundation's default.
        func timeouts(of request: URLRequest) -> ReplaySchedule.Timeouts {
            let configuration = session?.configuration
            let isDefault =
                request.timeoutInterval == Self.defaultTimeout && !RequestInternals.hasTimeout(request)
            let idle = isDefault ? configuration?.timeoutIntervalForRequest : nil
            return ReplaySchedule.Timeouts(
                idle: TimeoutLimit.bounded(idle ?? request.timeoutInterval),
                total: TimeoutLimit.bounded(configuration?.timeoutIntervalForResource ?? .infinity)
            )
        }

        /// Stores a response's cookies where the session keeps its own.
        func storeCookies(of response: Response, to request: URLRequest) {
            let fields = response.headers.values(for: "Set-Cookie")
            guard !fields.isEmpty, let url = request.url, let configuration = session?.configuration,
                configuration.httpCookieAcceptPolicy != .never, let storage = configuration.httpCookieStorage,
                task?.originalRequest?.httpShouldHandleCookies == true
            else { return }
            let cookies = fields.filter(SetCookie.isReadable)
                .flatMap { HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": $0], for: url) }
            withStorage { storage.setCookies(cookies, for: url, mainDocumentURL: nil) }
        }

        /// The request with the cookies that the session has for its URL.
        private func addingCookies(to request: URLRequest) -> URLRequest {
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
        ///
        /// As in Foundation, only a request that no delegate was asked about gets the cookies that the session has by now.
        func redirect(
            _ response: HTTPURLResponse,
            to next: URLRequest,
            decision: @escaping @Sendable (URLRequest?) -> Void
        ) {
            guard let task, let delegate = task.delegate, let session, let queue else {
                return decision(addingCookies(to: next))
            }
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
            guard bodySource.isSlow, let queue else { return receive(bodySource.read()) }
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
    }

    extension RequestBody {
        /// Where the body of a client's request is.
        init(of client: TaskClient) {
            if client.task is URLSessionUploadTask {
                self.init(ofUpload: client)
            } else if let data = client.loader?.request.httpBody {
                self = .data(data)
            } else if let stream = client.loader?.request.httpBodyStream {
                self = .stream(stream)
            } else {
                self = .none
            }
        }

        private init(ofUpload client: TaskClient) {
            switch client.internals?.uploadBody {
            case .data(let data): self = .upload(data)
            case .file(let url): self = .file(url)
            case .empty: self = .none
            case nil:
                guard let task = client.task, let session = client.session, let delegate = task.delegate else {
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

    /// What a request of swift-corelibs-foundation knows and does not tell.
    private enum RequestInternals {
        private static let place: Int? = {
            var place: Int?
            _ = _forEachField(of: URLRequest.self) { name, offset, type, _ in
                if String(cString: name) == "isTimeoutIntervalSet", type == Bool.self { place = offset }
                return true
            }
            return place
        }()

        /// Whether a timeout was assigned to the request, which may be the default.
        static func hasTimeout(_ request: URLRequest) -> Bool {
            guard let place else { return false }
            return withUnsafeBytes(of: request) { $0.load(fromByteOffset: place, as: Bool.self) }
        }
    }
#endif
