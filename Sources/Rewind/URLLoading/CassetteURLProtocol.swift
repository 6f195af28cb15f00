import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the loading system sees of a stubber: asks it about a task's request, and delivers the answer.
class CassetteURLProtocol: URLProtocol {
    private var load: Load?
    private var isGivenUp = false
    /// Makes the end of the test wait for the load, until that does so itself.
    private var pending: PendingWork.Token?

    override class func canonicalRequest(for request: URLRequest) -> URLRequest {
        request
    }

    #if canImport(FoundationNetworking)
        /// Here a protocol is made on the thread that resumes its task, and starts on another one a little later. A test that
        /// ends in between has to wait for it.
        required init(request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?)
        {
            super.init(request: request, cachedResponse: cachedResponse, client: client)
            pending = owner?.stubber?.pendingWork.beginAnnounced()
        }
    #endif

    /// Accepts a request, and makes the end of the test wait for it where its protocol is made only later.
    fileprivate class func accept(_ request: URLRequest) -> Bool {
        guard request.isLoadedByHTTP else { return false }
        #if canImport(FoundationNetworking)
            owner(of: request)?.stubber?.pendingWork.announce()
        #endif
        return true
    }

    override func startLoading() {
        // Resuming a suspended task starts its protocol again.
        if let load { return load.resume() }
        let route = taskRoute
        guard !isGivenUp, route?.begin() ?? true else { return }
        let owner = owner
        let load = Load(taskClient, of: owner, pending: pending ?? owner?.stubber?.pendingWork.begin())
        pending = nil
        self.load = load
        load.start(RequestMark.removed(from: request))
        route?.arrive()
    }

    override func stopLoading() {
        if let load { return load.stop() }
        // A load that was cancelled before it was started.
        guard task?.state != .suspended else { return }
        isGivenUp = true
        pending = nil
    }

    /// Whose request the protocol loads.
    var owner: RequestOwner? { Self.owner(of: request) }

    /// Whose request it is: the mark in the request says so where there is one, and the class everywhere else.
    class func owner(of request: URLRequest) -> RequestOwner? {
        if let number = RequestMark.number(in: request) { return StubberRegistry.shared.owner(ofMark: number) }
        return StubberRegistry.shared.owner(of: self)
    }
}

/// Accepts the requests that are routed to its stubber.
final class RoutedProtocol<Digits>: CassetteURLProtocol {
    override class func canInit(with request: URLRequest) -> Bool {
        guard case .stubber(let route) = Route.destination else { return false }
        return route.protocolClass == self && accept(request)
    }
}

/// Accepts every request of the sessions it is put into.
final class SessionProtocol<Digits>: CassetteURLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { accept(request) }
}

/// Accepts the requests that have a mark.
final class MarkedProtocol: CassetteURLProtocol {
    override class func canInit(with request: URLRequest) -> Bool {
        RequestMark.number(in: request) != nil && accept(request)
    }
}

/// Refuses the requests that may be of several tests, for a guess could give one test's answer to another.
final class UnroutableProtocol: CassetteURLProtocol {
    override class func canInit(with request: URLRequest) -> Bool {
        guard case .nowhere = Route.destination, RequestMark.number(in: request) == nil else { return false }
        return request.isLoadedByHTTP
    }

    override class func owner(of request: URLRequest) -> RequestOwner? {
        var tests: [String] = []
        if case .nowhere(let names) = ActiveRoutes.shared.destination { tests = names }
        return RequestOwner(refusing: .notRouted(tests: tests))
    }
}

extension URLRequest {
    /// Whether it is for `http` or `https`, the only schemes that are ever intercepted.
    var isLoadedByHTTP: Bool {
        guard let scheme = url?.scheme else { return false }
        return scheme == "http" || scheme == "https" || ["http", "https"].contains(scheme.lowercased())
    }
}

/// The mark in a request that names its stubber, so that the request is found on whatever thread it is made.
///
/// It is never sent: on Linux it is a document URL with a scheme of our own, which nothing but cookie policies of the app
/// reads and Foundation always passes over; on Apple's platforms it is a property for protocols.
enum RequestMark {
    #if canImport(FoundationNetworking)
        private static let scheme = "rewind-stubber"

        /// Marks a request, and keeps the document URL that it has.
        static func set(_ number: Int, in request: inout URLRequest) {
            let document = removed(from: request).mainDocumentURL?.absoluteString ?? ""
            request.mainDocumentURL = URL(string: "\(scheme):\(number)?\(PercentEncoding.encoded(document))")
        }

        /// The number in a request's mark, where it has one.
        static func number(in request: URLRequest) -> Int? {
            // Hardly any request has a document URL, and those without one have to be told at once.
            guard let url = request.mainDocumentURL, url.scheme == scheme else { return nil }
            return Int(url.absoluteString.dropFirst(scheme.count + 1).prefix { $0 != "?" })
        }

        /// The request as it was before it was marked.
        static func removed(from request: URLRequest) -> URLRequest {
            guard let mark = request.mainDocumentURL, mark.scheme == scheme else { return request }
            var request = request
            let document = mark.absoluteString.drop { $0 != "?" }.dropFirst()
            request.mainDocumentURL = PercentDecoding.decoded(String(document)).flatMap { URL(string: $0) }
            return request
        }
    #else
        private static let key = "rewind-stubber"

        /// Marks a request.
        static func set(_ number: Int, in request: inout URLRequest) {
            guard let copy = (request as NSURLRequest).mutableCopy() as? NSMutableURLRequest else { return }
            URLProtocol.setProperty(number, forKey: key, in: copy)
            request = copy as URLRequest
        }

        /// The number in a request's mark, where it has one.
        static func number(in request: URLRequest) -> Int? {
            URLProtocol.property(forKey: key, in: request) as? Int
        }

        /// The request as it is, for a redirect is a load of its own here and has to be found by the mark as well.
        static func removed(from request: URLRequest) -> URLRequest { request }
    #endif
}
