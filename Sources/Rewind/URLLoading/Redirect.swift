import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// How a redirect turns one request into the next (RFC 9110 section 15.4, and the Fetch standard's HTTP-redirect fetch).
enum Redirect {
    /// The number of redirects after which a load fails with `NSURLErrorHTTPTooManyRedirects`, as URLSession has it.
    static let limit = 20

    /// The failure of a load with more redirects than that; it names the URL of the last one, as Foundation does.
    static let tooMany = Failure(code: NSURLErrorHTTPTooManyRedirects, naming: "too many HTTP redirects")

    /// The request that follows a redirect; `nil` where the response is none or points to nothing that can be loaded.
    static func request(after response: Response, to request: URLRequest) -> URLRequest? {
        guard let target = response.redirectTarget, let base = request.url,
            let url = URL(string: target, relativeTo: base)?.absoluteURL,
            let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https"
        else { return nil }
        var next = request
        next.url = inheritingFragment(url, from: base)
        if dropsBody(status: response.status, method: request.httpMethod ?? "GET") {
            next.httpMethod = "GET"
            next.httpBody = nil
            for name in ["Content-Length", "Content-Encoding", "Transfer-Encoding"] {
                next.setValue(nil, forHTTPHeaderField: name)
            }
        }
        next.setValue(nil, forHTTPHeaderField: "Host")
        if !isSameOrigin(base, url) {
            for name in ["Authorization", "Proxy-Authorization", "Cookie"] {
                next.setValue(nil, forHTTPHeaderField: name)
            }
        }
        return next
    }

    private static func dropsBody(status: Int, method: String) -> Bool {
        switch status {
        case 303: method != "GET" && method != "HEAD"
        case 301, 302: method == "POST"
        default: false
        }
    }

    private static func isSameOrigin(_ left: URL, _ right: URL) -> Bool {
        URLParts(left.absoluteString).origin == URLParts(right.absoluteString).origin
    }

    /// RFC 9110 section 10.2.2: a target without a fragment takes over the one of the request.
    private static func inheritingFragment(_ url: URL, from base: URL) -> URL {
        guard url.fragment == nil, let fragment = base.fragment else { return url }
        return URL(string: "\(url.absoluteString)#\(fragment)") ?? url
    }
}
