import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Interaction.Request {
    /// The request of a load, without header fields, which take time to find.
    init(_ request: URLRequest, body: Data?) {
        let url = request.url?.absoluteString ?? ""
        self.init(method: request.httpMethod ?? "GET", url: url, body: body.map { Interaction.Body($0) })
    }

    func adding(_ fields: [String: String]) -> Interaction.Request {
        var request = self
        request.headers = HeaderList(fields)
        return request
    }
}

extension Interaction.Response {
    /// A response of the loading system. The platform loses the order of header fields and joins duplicates, so they are
    /// sorted by name and cookies are split again.
    init(_ response: HTTPURLResponse, body: Interaction.Body = Interaction.Body()) {
        self.init(status: response.statusCode, headers: HeaderList(response.fields), body: body)
    }

    /// The URL that the app gets: the response's own, as after a redirect that the recorder followed, or the request's.
    func url(answering request: URLRequest) -> URL? {
        guard let url, let own = URL(string: url), own.scheme != nil, own.host?.isEmpty == false else {
            return request.url
        }
        return own
    }

    /// The header fields for a client that gets a decoded body: a wrong length is corrected, and fields with a line break
    /// are removed, as the rest of the line could be read as another field.
    package func headersForClient(of method: String, isWhole: Bool, keepsCoding: Bool = false) -> HeaderList {
        var headers = headers.withoutPseudoFields
        if headers.firstPosition(where: { $0.endsLine }) != nil { headers.fields.removeAll { $0.endsLine } }
        if !headers.contentCodings.isEmpty {
            if !keepsCoding {
                headers.removeAll(named: "Content-Encoding")
                headers.removeAll(named: "Content-Length")
            }
        } else if isWhole, method != "HEAD", status != 304 {
            let lengths = headers.values(for: "Content-Length")
            let isTrue = lengths.count == 1 && lengths.first == String(body.count)
            if !lengths.isEmpty, !isTrue { headers["Content-Length"] = String(body.count) }
        }
        return headers
    }
}

extension HTTPURLResponse {
    /// The header fields with texts as values, which are all that a response of the loading system has.
    var convertedFields: [String: String] {
        var fields: [String: String] = [:]
        for case (let name as String, let value as String) in allHeaderFields { fields[name] = value }
        return fields
    }
}

extension HeaderList {
    /// Sorts the fields by name, so that two recordings are the same.
    fileprivate init(_ fields: [String: String]) {
        self.init()
        let named = fields.map { (lowercased: $0.key.lowercased(), name: $0.key, value: $0.value) }
        for (lowercased, name, value) in named.sorted(by: {
            ($0.lowercased, $0.name) < ($1.lowercased, $1.name)
        }) {
            for value in lowercased == "set-cookie" ? SetCookie.split(value) : [value] {
                self.fields.append(MarkedBytes.field(name: name, value: value))
            }
        }
    }
}

extension URLRequest {
    /// A received request as the inner session forwards it; `nil` if its URL is not valid.
    init?(forwarding request: Interaction.Request, timeout: TimeInterval?) {
        guard let url = URL(string: request.url) else { return nil }
        self.init(url: url)
        httpMethod = request.method
        httpBody = request.body?.data
        httpShouldHandleCookies = false
        timeoutInterval = TimeoutLimit.bounded(timeout ?? 60)
        var headers = request.headers
        for name in Self.ownFields { headers.removeAll(named: name) }
        // RFC 9113 section 8.2.3: only cookies are joined by a semicolon.
        let cookies = headers.values(for: "Cookie")
        if cookies.count > 1 { headers["Cookie"] = cookies.joined(separator: "; ") }
        allHTTPHeaderFields = headers.joined
    }

    /// The fields that the platform writes itself. It accepts only content codings that it can decode.
    private static let ownFields = ["Host", "Content-Length", "Accept-Encoding", "Expect"]
}

/// How a redirect turns one request into the next (RFC 9110 section 15.4, and the Fetch standard's HTTP-redirect fetch).
enum Redirect {
    /// The number of redirects after which a load fails with `NSURLErrorHTTPTooManyRedirects`, as in URLSession.
    static let limit = 20

    /// The failure of a load with more redirects; like Foundation's, it names the URL of the last one.
    static let tooMany = Interaction.Failure(
        code: NSURLErrorHTTPTooManyRedirects,
        naming: "too many HTTP redirects"
    )

    /// The request that follows a redirect; `nil` if the response is not a redirect, or its target is not an HTTP URL.
    ///
    /// A stubbed request with a scheme of the app may also lead to another one.
    static func request(after response: Interaction.Response, to request: URLRequest) -> URLRequest? {
        guard let target = response.redirectTarget, let base = response.url(answering: request),
            let url = URL(string: target, relativeTo: base)?.absoluteURL,
            let scheme = url.scheme?.lowercased(),
            scheme == "http" || scheme == "https" || AppScheme.isUsed(by: base) && AppScheme.isUsed(by: url)
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

    /// RFC 9110 section 10.2.2: a target without a fragment inherits the fragment of the request.
    private static func inheritingFragment(_ url: URL, from base: URL) -> URL {
        guard url.fragment == nil, let fragment = base.fragment else { return url }
        return URL(string: "\(url.absoluteString)#\(fragment)") ?? url
    }
}
