import Foundation

extension RequestMatcher {
    /// Compares the method. Letter case matters (RFC 9110 section 9.1).
    public static let method = RequestMatcher("method", of: .method) { .text($0.method) }

    /// Compares the scheme, user, host, port, path and query of the URL.
    ///
    /// Letter case in the scheme and host is ignored. The default port equals no port, and the path `/` equals no path.
    /// Percent-encoding is normalized (RFC 3986 section 6.2.2). The query is compared as by ``query``. The fragment is ignored.
    public static let url = RequestMatcher("url", of: .url, describing: Difference.betweenURLs) { request in
        if URLParts.isNormal(request.url) { return .text(request.url) }
        let parts = URLParts(request.url)
        let user = parts.userInformation.map { $0 + "@" } ?? ""
        return .text(user + parts.origin + parts.path + parts.sortedQuery)
    }

    /// Compares the scheme of the URL, ignoring letter case.
    public static let scheme = component(.scheme)
    /// Compares the host of the URL, ignoring letter case.
    public static let host = component(.host)
    /// Compares the port of the URL. The scheme's default port equals no port.
    public static let port = component(.port)
    /// Compares the path of the URL with normalized percent-encoding.
    public static let path = component(.path)
    /// Compares the fragment of the URL, which is not sent to the server.
    public static let fragment = component(.fragment)

    /// Compares the items of the query in any order; repeated items count.
    ///
    /// `?a`, `?a=` and a URL without a query differ. Percent-encoding is normalized. A `+` is a plus sign, as in RFC 3986, and
    /// not a space.
    public static let query = RequestMatcher("query", of: .url, describing: Difference.betweenQueries) {
        request in
        let parts = URLParts(request.url)
        return parts.query == nil ? .absent : .text(parts.sortedQuery)
    }

    /// Compares the query as a set: repeated items count once, and an empty query equals no query.
    static let querySet = RequestMatcher("query", of: .url, describing: Difference.betweenQueries) { request in
        .text(Set(URLParts(request.url).queryItems).sorted().joined(separator: "&"))
    }

    private static func component(_ component: RequestMatcher.URLComponent) -> RequestMatcher {
        RequestMatcher("\(component)", of: .url) { request in
            component.value(of: request.url).map(Projection.text) ?? .absent
        }
    }
}

extension URLParts {
    /// The query with its question mark and its items sorted.
    fileprivate var sortedQuery: String {
        guard let query else { return "" }
        return query.utf8.contains(UInt8(ascii: "&"))
            ? "?" + queryItems.sorted().joined(separator: "&") : "?" + query
    }
}

extension RequestMatcher {
    /// Compares all header fields. Letter case in names is ignored; values are compared exactly, repeated fields in order.
    ///
    /// Platforms and their versions send different values, such as `User-Agent`, so such a cassette often matches only where it
    /// was recorded. Pseudo-header fields such as `:authority`, which some HTTP/2 recordings contain, are ignored.
    public static let headers = headers { _ in true }

    /// Compares the named header fields. Letter case in names is ignored; values are compared exactly, repeated fields in order.
    /// - Parameter names: The names of the fields, in which `*` matches any characters.
    /// - Returns: The matcher.
    public static func headers(_ names: String...) -> RequestMatcher {
        let names = names.map { Glob($0, ignoringCase: true) }
        return headers { name in names.contains { $0.matches(name) } }
    }

    private static func headers(where isCompared: @escaping @Sendable (String) -> Bool) -> RequestMatcher {
        @Sendable func values(_ request: Interaction.Request) -> [(name: String, value: String)] {
            request.headers.filter { !$0.isPseudo && isCompared($0.name) }.map {
                ($0.name.lowercased(), $0.value)
            }
        }
        // One text for each name, with each value on its own line.
        @Sendable func joined(_ request: Interaction.Request) -> [String: String] {
            Dictionary(values(request).map { ($0.name, $0.value) }, uniquingKeysWith: { $0 + "\n" + $1 })
        }
        return RequestMatcher(
            "headers",
            of: .headers,
            describing: { requested, recorded, _ in
                let (requested, recorded) = (joined(requested), joined(recorded))
                return Set(requested.keys).union(recorded.keys).sorted().compactMap { name in
                    let (requested, recorded) = (requested[name], recorded[name])
                    guard requested != recorded else { return nil }
                    let ignored = RequestMatcher.Ignored(.headers, [name])
                    return Difference(
                        "header \(name)",
                        recorded: recorded,
                        requested: requested,
                        ignoring: ignored
                    )
                }
            }
        ) { request in
            // Sorting by name alone keeps duplicates in order, as Swift's sort is stable.
            let sorted = values(request).sorted { $0.name < $1.name }
            return sorted.isEmpty
                ? .absent : .text(sorted.map { "\($0.name): \($0.value)" }.joined(separator: "\n"))
        }
    }

    /// Compares the body by its media type.
    ///
    /// JSON is compared by structure, forms by their fields, `multipart/form-data` by its parts without the boundary, and any
    /// other body byte for byte. Equal bytes always match, even with different media types. No body equals an empty body.
    public static let body = body("body") { BodyContent(of: $0) }

    /// Compares the body byte for byte and ignores its media type.
    public static let bodyBytes = body("body bytes", removing: { BodyContent(of: $0) }) {
        BodyContent($0, as: .bytes)
    }

    /// Compares the body as JSON with any media type: the order of members is ignored, the order of array elements is not.
    ///
    /// A body that is not valid JSON, or has duplicate keys, is compared byte for byte.
    public static let json = json(unorderedArrays: false)

    /// Compares the body as JSON, optionally ignoring the order of array elements.
    /// - Parameter unorderedArrays: Whether to ignore the order of array elements.
    /// - Returns: The matcher.
    public static func json(unorderedArrays: Bool) -> RequestMatcher {
        body("json", unorderedArrays: unorderedArrays) { BodyContent($0, as: .json) }
    }

    /// Compares the body as the fields of a form, in any order. A `+` is a space.
    public static let form = body("form") { BodyContent($0, as: .form) }

    /// Compares the parts of a multipart body in order: names, file names, media types and bytes. The boundary is ignored.
    public static let multipart = body("multipart") { BodyContent($0, as: .multipart) }

    private static func body(
        _ name: String,
        unorderedArrays: Bool = false,
        removing readForRemoval: (@Sendable (Interaction.Request) -> BodyContent)? = nil,
        reading read: @escaping @Sendable (Interaction.Request) -> BodyContent
    ) -> RequestMatcher {
        RequestMatcher(
            name,
            of: .body,
            reading: readForRemoval ?? read,
            describing: { requested, recorded, sent in
                Difference.betweenBodies(read(requested), read(recorded), sent: sent)
            }
        ) { request in
            read(request).projection(unorderedArrays: unorderedArrays)
        }
    }

    /// Compares GraphQL operations: names, variables and queries. White space and comments in queries are ignored.
    ///
    /// Operations are read from a JSON body, which may be a batch, or from the query of a `GET`. The body of any other request is
    /// compared as by ``body``. Combine it with ``method`` and ``path`` instead of ``url``.
    public static let graphQL = RequestMatcher(
        "graphQL",
        of: [.url, .body],
        reading: { request in
            // Operations are read from JSON with any media type, and so are ignored parts.
            guard case .bytes(let data, let reason) = BodyContent(of: request)
            else { return BodyContent(of: request) }
            return .json(data, else: reason)
        },
        describing: { requested, recorded, sent in
            let operations = [requested, recorded].map(GraphQLOperations.init(of:))
            guard operations.contains(where: { $0 != nil }) else {
                return Difference.betweenBodies(
                    BodyContent(of: requested),
                    BodyContent(of: recorded),
                    sent: sent
                )
            }
            return Difference.betweenOperations(operations[0], operations[1])
        }
    ) { request in
        guard let operations = GraphQLOperations(of: request)?.operations
        else { return BodyContent(of: request).projection() }
        return .text("graphql " + operations.map(\.canonicalText).joined(separator: "\n"))
    }
}
