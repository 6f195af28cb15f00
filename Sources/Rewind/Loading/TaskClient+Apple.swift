#if canImport(ObjectiveC)
    import CoreFoundation
    import Foundation

    /// A task of Apple's Foundation, as a load talks to it, always on the thread that started the load.
    ///
    /// Foundation does most of the work here: it stores cookies, asks delegates about redirects and makes the next
    /// request, writes download files and counts progress.
    final class TaskClient {
        private var loader: URLProtocol?

        /// The URL that errors name.
        let failingURL: URL?

        /// The thread on which the load was started.
        let queue: ClientQueue?

        init(_ loader: URLProtocol) {
            self.loader = loader
            failingURL = loader.request.url
            queue = ClientQueue(of: loader)
        }

        // MARK: The course of a task

        /// Apple's Foundation starts no load of a task that was cancelled.
        var isCancelled: Bool { false }

        /// Apple's Foundation holds back what a suspended task is given; a load is stopped only for good.
        var stopCause: LoadStopCause? { .cancellation }

        func suspend() {}

        func resume() {}

        func end() { loader = nil }

        /// There is no protocol that could be chained in place; the inner session loads.
        func loadNatively(_ request: URLRequest) -> Bool { false }

        // MARK: Answers

        func head(of response: Response, to request: URLRequest, isWhole: Bool) -> HTTPURLResponse? {
            guard let url = request.url else { return nil }
            return HTTPURLResponse(
                url: url,
                statusCode: response.status,
                httpVersion: response.httpVersion.isEmpty ? nil : response.httpVersion,
                headerFields:
                    response
                    .headersForClient(of: request.httpMethod ?? "GET", isWhole: isWhole, keepsCoding: true)
                    .joined
            )
        }

        func receive(_ head: HTTPURLResponse) {
            guard let loader else { return }
            loader.client?.urlProtocol(loader, didReceive: head, cacheStoragePolicy: .notAllowed)
        }

        func receive(_ piece: Data) {
            guard let loader else { return }
            loader.client?.urlProtocol(loader, didLoad: piece)
        }

        func receiveWhole(_ body: Data) { if !body.isEmpty { receive(body) } }

        var wantsPieces: Bool { true }

        /// The loading system counts bytes itself.
        func willSend(_ body: Data?) {}

        func sent(_ count: Int) {}

        func sentWhole(_ body: Data?) {}

        func expect(_ head: HTTPURLResponse) {}

        static let timeout = Failure(code: NSURLErrorTimedOut, naming: "The request timed out.")

        func finish() {
            guard let loader else { return }
            self.loader = nil
            loader.client?.urlProtocolDidFinishLoading(loader)
        }

        func fail(_ error: any Error) {
            guard let loader else { return }
            self.loader = nil
            loader.client?.urlProtocol(loader, didFailWithError: error)
        }

        // MARK: What the session adds

        /// The loading system merges the session's fields into the request before a protocol sees it.
        func headers(sentWith request: URLRequest) -> [String: String] {
            request.allHTTPHeaderFields ?? [:]
        }

        func completion(of request: URLRequest, body: Data?) -> @Sendable () -> Request {
            { Request(request, body: body).adding(request.allHTTPHeaderFields ?? [:]) }
        }

        func liveRequest(for request: URLRequest, liveTimeout: TimeInterval?) -> URLRequest {
            var live = request
            live.httpShouldHandleCookies = false
            if let liveTimeout { live.timeoutInterval = liveTimeout }
            return live
        }

        /// The loading system's own timers hold for its protocols.
        func timeouts(of request: URLRequest) -> ReplaySchedule.Timeouts {
            ReplaySchedule.Timeouts(idle: .infinity, total: .infinity)
        }

        func liveBody(of request: URLRequest) -> LiveBody { .inRequest }

        func storeCookies(of response: Response, to request: URLRequest) {}

        func failure(ofReading error: any Error) -> Failure? { nil }

        /// Tells the loading system, which asks the delegate and loads the next request through a protocol of its own.
        ///
        /// The redirect itself is delivered as well: it is the answer where the delegate refuses to follow it.
        func redirect(
            _ response: HTTPURLResponse,
            to next: URLRequest,
            decision: @escaping @Sendable (URLRequest?) -> Void
        ) {
            guard let loader else { return }
            loader.client?.urlProtocol(loader, wasRedirectedTo: next, redirectResponse: response)
            decision(nil)
        }

        func moved(to request: URLRequest) {}

        /// Whether the request's body is a stream.
        var hasBodyToRead: Bool { loader?.request.httpBody == nil && loader?.request.httpBodyStream != nil }

        /// Gives the request's body, which the loading system turns into a stream.
        func readBody(_ receive: @escaping @Sendable (Result<Data?, any Error>) -> Void) {
            guard let loader, let queue else { return }
            if let data = loader.request.httpBody { return receive(.success(data)) }
            guard let stream = loader.request.httpBodyStream else { return receive(.success(nil)) }
            RequestBody.stream(stream).read { body in queue.perform { receive(body) } }
        }
    }

    /// The run loop of the thread on which a task must be used.
    package struct ClientQueue: @unchecked Sendable {
        // Sound as @unchecked Sendable: a run loop may be given blocks and woken from any thread.
        private let runLoop = CFRunLoopGetCurrent()
        private let mode = RunLoop.current.currentMode ?? .default

        /// The present thread, on which a protocol is started.
        package init?(of loader: URLProtocol) {}

        /// Runs a block on the thread, now or after some seconds.
        package func perform(after seconds: Double = 0, _ block: @escaping @Sendable () -> Void) {
            guard seconds <= 0 else {
                return DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [self] in perform(block)
                }
            }
            CFRunLoopPerformBlock(runLoop, mode.rawValue as CFString, block)
            CFRunLoopWakeUp(runLoop)
        }
    }
#endif
