extension Matcher {
    /// Compares the method, letter case included (RFC 9110 section 9.1).
    public static let method = Matcher("method", of: .method) { .text($0.method) }

    /// Compares scheme, user, host, port, path and query.
    ///
    /// Scheme and host are compared without case, the default port equals none, percent-encoding is normalised (RFC
    /// 3986 section 6.2.2), an empty path equals `/`, and the fragment is left out, for it is never sent. The query is
    /// compared as ``query`` does.
    public static let url = Matcher("url", of: .url, telling: URLDifferences.between) { request in
        if URLParts.isNormal(request.url) { return .text(request.url) }
        let parts = URLParts(request.url)
        let user = parts.userInformation.map { $0 + "@" } ?? ""
        return .text(user + parts.origin + parts.path + parts.sortedQuery)
    }

    /// Compares the scheme, without case.
    public static let scheme = component(.scheme)

    /// Compares the host, without case.
    public static let host = component(.host)

    /// Compares the port; the scheme's own equals none.
    public static let port = component(.port)

    /// Compares the path, percent-encoding normalised.
    public static let path = component(.path)

    /// Compares the fragment, which no server ever sees.
    public static let fragment = component(.fragment)

    /// Compares the query as a multiset of items: their order is free, `?a`, `?a=` and no query at all differ.
    ///
    /// Percent-encoding is normalised; a plus sign is not a space, as RFC 3986 has it.
    public static let query = Matcher("query", of: .url, telling: URLDifferences.betweenQueries) { request in
        let parts = URLParts(request.url)
        return parts.query == nil ? .absent : .text(parts.sortedQuery)
    }

    /// Compares the query as ``query`` does, blind to some items.
    /// - Parameter names: The names of the items to leave out, in which `*` stands for any characters.
    /// - Returns: The matcher.
    public static func query(ignoring names: String...) -> Matcher {
        query.ignoring([Ignored(.queryItems, names)])
    }

    /// Compares the URL as ``url`` does, blind to some items of its query.
    /// - Parameter names: The names of the items to leave out, in which `*` stands for any characters.
    /// - Returns: The matcher.
    public static func url(ignoring names: String...) -> Matcher {
        url.ignoring([Ignored(.queryItems, names)])
    }

    /// Compares the path, with some segments left free.
    /// - Parameter pattern: The path, in which `*` stands for a segment and `**` for any number of them:
    ///   `/users/*/posts`. Paths that it does not fit are compared whole.
    /// - Returns: The matcher.
    public static func path(ignoring pattern: String) -> Matcher {
        path.ignoring(.segments(pattern))
    }

    /// Compares the query as a set: an item counts once, however often it is there, and no query equals an empty one.
    static let querySet = Matcher("query", of: .url, telling: URLDifferences.betweenQueries) { request in
        .text(Set(URLParts(request.url).queryItems).sorted().joined(separator: "&"))
    }

    private static func component(_ component: URLComponent) -> Matcher {
        Matcher(component.rawValue, of: .url) { request in
            component.value(of: request.url).map(Projection.text) ?? .absent
        }
    }
}

extension URLParts {
    /// The query with its items sorted, its question mark included; empty where there is none.
    fileprivate var sortedQuery: String {
        guard let query else { return "" }
        return query.utf8.contains(UInt8(ascii: "&"))
            ? "?" + queryItems.sorted().joined(separator: "&") : "?" + query
    }
}
