import Foundation

extension RequestMatcher {
    /// Compares the method, letter case included (RFC 9110 section 9.1).
    public static let method = RequestMatcher("method", of: .method) { .text($0.method) }

    /// Compares scheme, user, host, port, path and query.
    ///
    /// Scheme and host are compared without case, the default port equals none, percent-encoding is normalised (RFC
    /// 3986 section 6.2.2), an empty path equals `/`, the query is compared as by ``query``, the fragment not at all.
    public static let url = RequestMatcher("url", of: .url, describing: Difference.betweenURLs) { request in
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
    public static let query = RequestMatcher("query", of: .url, describing: Difference.betweenQueries) {
        request in
        let parts = URLParts(request.url)
        return parts.query == nil ? .absent : .text(parts.sortedQuery)
    }

    /// Compares the query as a set: repeated items count once, and no query equals an empty one.
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
    /// Compares all header fields: their names without case, their values with it, duplicates in order.
    ///
    /// Platforms and their versions send different ones (`User-Agent`, `Accept-Language`), so such a cassette plays
    /// only where it was recorded. Fields such as `:authority`, which only recordings of HTTP/2 have, are never
    /// compared.
    public static let headers = headers { _ in true }

    /// Compares some header fields: their names without case, their values with it, duplicates in order.
    /// - Parameter names: The names, in which `*` matches any characters.
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
        // One text for each name, the values of duplicates on lines of their own.
        @Sendable func joined(_ request: Interaction.Request) -> [String: String] {
            Dictionary(values(request).map { ($0.name, $0.value) }, uniquingKeysWith: { $0 + "\n" + $1 })
        }
        return RequestMatcher(
            "headers",
            of: .headers,
            describing: { requested, recorded, _ in
                let (asked, had) = (joined(requested), joined(recorded))
                return Set(asked.keys).union(had.keys).sorted().compactMap { name in
                    let (asked, had) = (asked[name], had[name])
                    guard asked != had else { return nil }
                    let ignored = RequestMatcher.Ignored(.headers, [name])
                    return Difference("header \(name)", recorded: had, requested: asked, ignoring: ignored)
                }
            }
        ) { request in
            // Sorting by name alone keeps duplicates in order, as Swift's sort is stable.
            let sorted = values(request).sorted { $0.name < $1.name }
            return sorted.isEmpty
                ? .absent : .text(sorted.map { "\($0.name): \($0.value)" }.joined(separator: "\n"))
        }
    }

    /// Compares the body by its media type; no body equals an empty one, as on the wire.
    ///
    /// JSON is compared by structure, forms by fields, `multipart/form-data` by part without its boundary, and
    /// everything else byte for byte. Equal bytes are always equal, whatever the media types say.
    public static let body = body("body") { BodyContent(of: $0) }

    /// Compares the body byte for byte, whatever its media type.
    public static let bodyBytes = body("body bytes", removing: { BodyContent(of: $0) }) {
        BodyContent($0, as: .bytes)
    }

    /// Compares the body as JSON, whatever its media type: only the order of elements counts, not that of members.
    ///
    /// What is no JSON, or has two members of one name, is compared byte for byte.
    public static let json = json(unorderedArrays: false)

    /// Compares the body as JSON, with a choice for arrays.
    /// - Parameter unorderedArrays: Whether to ignore the order of array elements.
    /// - Returns: The matcher.
    public static func json(unorderedArrays: Bool) -> RequestMatcher {
        body("json", unorderedArrays: unorderedArrays) { BodyContent($0, as: .json) }
    }

    /// Compares the body as the fields of a form: their order is free, and `+` is a space.
    public static let form = body("form") { BodyContent($0, as: .form) }

    /// Compares a multipart body part by part, its boundary free: names, file names, media types and bytes, in order.
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

    /// Compares GraphQL operations: their names, variables and queries, white space and comments of these free.
    ///
    /// Operations are read from a JSON body, batches included, or from the query of a `GET`. A request without one is
    /// compared by its body as ``body`` does. Beside it, compare ``method`` and ``path`` rather than ``url``.
    public static let graphQL = RequestMatcher(
        "graphQL",
        of: [.url, .body],
        reading: { request in
            // Operations are read from JSON of any media type, and so are ignored parts.
            guard case .bytes(let data, let reason) = BodyContent(of: request)
            else { return BodyContent(of: request) }
            return .json(data, else: reason)
        },
        describing: { requested, recorded, sent in
            let (asked, had) = (GraphQLOperations(of: requested), GraphQLOperations(of: recorded))
            guard asked != nil || had != nil else {
                let (asked, had) = (BodyContent(of: requested), BodyContent(of: recorded))
                return Difference.betweenBodies(asked, had, sent: sent)
            }
            return Difference.betweenOperations(asked, had)
        }
    ) { request in
        guard let operations = GraphQLOperations(of: request)?.operations
        else { return BodyContent(of: request).projection() }
        return .text("graphql " + operations.map(\.canonicalText).joined(separator: "\n"))
    }
}
