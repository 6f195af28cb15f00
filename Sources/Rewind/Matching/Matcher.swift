/// Names the part of a request that must be equal for an interaction to answer it.
///
/// ## Overview
/// A matcher is a named projection of a request. An interaction answers a request when every matcher projects both
/// to the same value. Projections serve as an index key, so that finding an interaction costs the same in a cassette
/// of ten and of a hundred thousand.
///
/// ## Usage
/// ```swift
/// configuration.matching = [.method, .path]
/// configuration.matching = .default + [.custom("tenant") { $0.headers["X-Tenant"] ?? "" }]
/// ```
public struct Matcher: Sendable {
    /// The name, which the story of a miss uses.
    public let name: String
    /// Takes the part that must be equal out of a request.
    package let projection: @Sendable (Request) -> Projection
    /// Whether the projection reads header fields, which cost more to find out than the rest of a request.
    package let readsHeaders: Bool

    package init(
        _ name: String,
        readsHeaders: Bool = false,
        projection: @escaping @Sendable (Request) -> Projection
    ) {
        self.name = name
        self.readsHeaders = readsHeaders
        self.projection = projection
    }
}

extension Matcher {
    /// Compares the method, letter case included (RFC 9110 section 9.1).
    public static let method = Matcher("method") { .text($0.method) }

    /// Compares scheme, user, host, port, path and query.
    ///
    /// Scheme and host are compared without case, the default port equals none, percent-encoding is normalised and
    /// the fragment is left out, for it is never sent. The query is compared as ``query`` does.
    public static let url = Matcher("url") { request in
        let parts = URLParts(request.url)
        let user = parts.userInformation.map { $0 + "@" } ?? ""
        return .text(user + parts.origin + parts.path + parts.sortedQuery)
    }

    /// Compares the host, without case.
    public static let host = Matcher("host") { .text(URLParts($0.url).host) }

    /// Compares the path, percent-encoding normalised.
    public static let path = Matcher("path") { .text(URLParts($0.url).path) }

    /// Compares the query as a multiset of items: their order is free, `?a` and `?a=` differ.
    public static let query = Matcher("query") { request in
        let parts = URLParts(request.url)
        return parts.query == nil ? .absent : .text(parts.sortedQuery)
    }

    /// Compares the body, byte for byte; no body and an empty one are equal, as they are on the wire.
    public static let body = Matcher("body") { request in
        guard let body = request.body, !body.isEmpty else { return .absent }
        return .bytes(body.data)
    }

    /// Compares a text of your own making.
    /// - Parameters:
    ///   - name: The name, which the story of a miss uses.
    ///   - projection: Takes the text that must be equal out of a request.
    /// - Returns: The matcher.
    public static func custom(
        _ name: String,
        projection: @escaping @Sendable (Request) -> String
    ) -> Matcher {
        Matcher(name, readsHeaders: true) { .text(projection($0)) }
    }
}

extension [Matcher] {
    /// Method, URL and body: what a server can tell apart without reading headers.
    public static var `default`: [Matcher] { [.method, .url, .body] }
}

extension URLParts {
    /// The query with its items sorted, its question mark included; empty where there is none.
    fileprivate var sortedQuery: String {
        guard let query else { return "" }
        return query.utf8.contains(UInt8(ascii: "&"))
            ? "?" + queryItems.sorted().joined(separator: "&") : "?" + query
    }
}
