import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLRequest {
    /// A request that was received from elsewhere, as the inner session sends it on; `nil` where its URL is none.
    /// - Parameters:
    ///   - request: The request, without the fields that belong to the connection it came by.
    ///   - timeout: The time without a sign of life after which it is given up; a minute by default.
    init?(forwarding request: Request, timeout: TimeInterval?) {
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

    /// The fields that the platform writes itself: it names the host, counts the body, and asks for no coding that it
    /// could not undo.
    private static let ownFields = ["Host", "Content-Length", "Accept-Encoding", "Expect"]
}
