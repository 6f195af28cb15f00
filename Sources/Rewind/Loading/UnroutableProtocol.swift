import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Refuses the requests that may be of several tests, for a guess could give one test's answer to another.
final class UnroutableProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool {
        guard case .nowhere = Route.destination, RequestMark.number(in: request) == nil else { return false }
        return request.isLoadedByHTTP
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest {
        request
    }

    override func startLoading() {
        var tests: [String] = []
        if case .nowhere(let names) = ActiveRoutes.shared.destination { tests = names }
        let request = Redactor(.default).redact(Request(request, body: nil))
        client?.urlProtocol(self, didFailWithError: Miss(.notRouted(tests: tests), request: request))
    }

    override func stopLoading() {}
}
