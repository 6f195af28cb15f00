extension RequestCondition {
    /// Matches requests with a method. The method is case-sensitive (RFC 9110 section 9.1): `get` does not match `GET`.
    /// - Parameter name: The method, such as `POST`.
    /// - Returns: The condition.
    public static func method(_ name: String) -> RequestCondition {
        RequestCondition(
            "method(\(name))",
            of: .method,
            problem: name.isToken
                ? nil : "Invalid method \(name.debugDescription). Write only its name, such as `POST`."
        ) {
            $0.request.method.hasSameBytes(as: name)
        } mismatch: {
            "method is \($0.request.method.shown()), not \(name)"
        }
    }

    /// Matches `GET` requests to a URL.
    /// - Parameter url: The URL in the form that ``url(_:)`` describes, such as `https://api.example.com/users/*`.
    /// - Returns: The condition.
    public static func get(_ url: String) -> RequestCondition { method("GET", url) }

    /// Matches `POST` requests to a URL.
    /// - Parameter url: The URL in the form that ``url(_:)`` describes.
    /// - Returns: The condition.
    public static func post(_ url: String) -> RequestCondition { method("POST", url) }

    /// Matches `PUT` requests to a URL.
    /// - Parameter url: The URL in the form that ``url(_:)`` describes.
    /// - Returns: The condition.
    public static func put(_ url: String) -> RequestCondition { method("PUT", url) }

    /// Matches `PATCH` requests to a URL.
    /// - Parameter url: The URL in the form that ``url(_:)`` describes.
    /// - Returns: The condition.
    public static func patch(_ url: String) -> RequestCondition { method("PATCH", url) }

    /// Matches `DELETE` requests to a URL.
    /// - Parameter url: The URL in the form that ``url(_:)`` describes.
    /// - Returns: The condition.
    public static func delete(_ url: String) -> RequestCondition { method("DELETE", url) }

    private static func method(_ name: String, _ url: String) -> RequestCondition {
        RequestCondition(.all([.method(name)] + conditions(forURL: url)), title: "\(name) \(url)")
    }

    /// Matches requests to a URL, or to any URL that a pattern describes.
    ///
    /// ```swift
    /// .url("https://api.example.com/users/*")   // scheme, host, port and path
    /// .url("//*.example.com/**")                // any scheme, at its default port
    /// .url("http://localhost:*/users")          // any port
    /// .url("/users/*?page=2")                   // any scheme, host and port
    /// ```
    ///
    /// A `*` matches any text within a part of the URL, a path segment `**` any number of segments. A pattern without a
    /// path matches only the path `/`. A pattern without a query matches any query; one with a query matches requests that
    /// have at least its items, in any order. The fragment is ignored. A pattern such as `api.example.com/users` is
    /// ambiguous and therefore invalid.
    /// - Parameter pattern: The URL, or a path that begins with a slash.
    /// - Returns: The condition.
    public static func url(_ pattern: String) -> RequestCondition {
        RequestCondition(.all(conditions(forURL: pattern)), title: "url(\(pattern))")
    }

    /// Matches requests with a URL scheme, ignoring letter case.
    /// - Parameter name: The scheme, such as `https`, in which `*` matches any text.
    /// - Returns: The condition.
    public static func scheme(_ name: String) -> RequestCondition {
        let glob = Glob(name.lowercased())
        return RequestCondition(
            "scheme(\(name))",
            of: .url,
            problem: isScheme(name)
                ? nil : "Invalid scheme \(name.debugDescription). Write only its name, such as `https`."
        ) {
            glob.captures(in: $0.url.scheme)
        } mismatch: {
            "scheme is \($0.url.scheme.shown()), not \(name)"
        }
    }

    /// Matches requests to a host at any port, ignoring letter case.
    /// - Parameter name: The host, in which `*` matches any text: `*.example.com` matches every host below `example.com`,
    ///   but not `example.com`. You can write an international name in Unicode or in Punycode (`xn--…`).
    /// - Returns: The condition.
    public static func host(_ name: String) -> RequestCondition {
        let host = URLParts("//" + name).host
        let glob = Glob(host)
        return RequestCondition(
            "host(\(name))",
            of: .url,
            problem: hostProblem(name),
            key: ConditionKey(host: host.utf8.contains(UInt8(ascii: "*")) ? nil : host)
        ) {
            glob.captures(in: $0.url.host)
        } mismatch: {
            "host is \($0.url.host.shown()), not \(name)"
        }
    }

    /// Whether a text is a scheme (RFC 3986 section 3.1), possibly with wildcards.
    private static func isScheme(_ name: String) -> Bool {
        name.isToken && !name.utf8.contains { "!#$%&'^_`|~".utf8.contains($0) }
    }

    private static func hostProblem(_ name: String) -> String? {
        let forbidden = name.hasPrefix("[") && name.hasSuffix("]") ? "/?#@ " : "/?#@:[] "
        guard !name.isEmpty, !name.utf8.contains(where: { forbidden.utf8.contains($0) || $0 < 0x20 }) else {
            return
                "Invalid host \(name.debugDescription). Write only its name, such as `api.example.com`, or an IPv6 address in"
                + " brackets. To match a port, use `url(_:)`."
        }
        // Only whole labels of an international name can be encoded (RFC 5891).
        let isCut = name.split(separator: ".").contains { label in
            label.utf8.contains(UInt8(ascii: "*")) && label.utf8.contains { $0 >= 0x80 }
        }
        return isCut
            ? "Invalid host \(name.debugDescription). In an international name, a `*` must be a whole label."
            : nil
    }

    /// The conditions for the parts of a URL, or one invalid condition.
    private static func conditions(forURL text: String) -> [RequestCondition] {
        let url = SpelledURL(text)
        let query = url.query.flatMap { $0.isEmpty ? nil : RequestCondition.query(spelled: String($0)) }
        if let host = url.host {
            let scheme = url.scheme.map { RequestCondition.scheme(String($0)) }
            let user = url.user.map { RequestCondition.user(String($0)) }
            let path = RequestCondition.path(url.path.isEmpty ? "/" : String(url.path))
            let port = RequestCondition.port(String(url.port ?? ""))
            return [scheme, user, .host(String(host)), port, path, query].compactMap { $0 }
        }
        guard url.scheme == nil, url.path.utf8.first == UInt8(ascii: "/") else {
            let problem =
                "Invalid URL \(text.debugDescription): it could be a host or a path. Write `https://api.example.com/users`,"
                + " `//api.example.com/users` for any scheme, or `/users` for any host."
            return [RequestCondition(.all([]), title: text, problem: problem)]
        }
        return [.path(String(url.path)), query].compactMap { $0 }
    }

    private static func user(_ spelled: String) -> RequestCondition {
        RequestCondition("user", of: .url) {
            $0.url.userInformation?.hasSameBytes(as: spelled) ?? false
        } mismatch: {
            $0.url.userInformation == nil
                ? "URL has no user name" : "URL has another user name or password"
        }
    }

    /// `*` matches any port, and an empty text the default port of the scheme.
    private static func port(_ spelled: String) -> RequestCondition {
        let number = UInt16(spelled)
        let isReadable = spelled.isEmpty || spelled == "*" || number != nil
        return RequestCondition(
            "port(\(spelled))",
            of: .url,
            problem: isReadable
                ? nil
                : "Invalid port \(spelled.debugDescription). Write a number from 0 to 65535, or `*` for any port."
        ) { subject in
            let port = subject.url.port
            if spelled == "*" { return [port.map(String.init) ?? ""] }
            let isMatch = number.map { port == Int($0) } ?? (port == nil || subject.url.hasDefaultPort)
            return isMatch ? [] : nil
        } mismatch: {
            let expected = spelled.isEmpty ? "the default of \($0.url.scheme.shown())" : spelled
            return "port is \($0.url.port.map(String.init) ?? "(none)"), not \(expected)"
        }
    }

    /// Matches requests in whose method and URL a Mocktail file's regular expressions find a match, ignoring letter case.
    static func mocktail(method: String, url: String) -> RequestCondition {
        let methodSearch = SharedExpression(method, ignoringCase: true)
        let urlSearch = SharedExpression(url, ignoringCase: true)
        let unreadable = methodSearch == nil ? method : urlSearch == nil ? url : nil
        return RequestCondition(
            "\(method) \(url)",
            of: [.method, .url],
            problem: unreadable.map { "Invalid regular expression \($0.debugDescription). Fix it in the file." }
        ) {
            methodSearch?.groups(in: $0.request.method) == nil ? nil : urlSearch?.groups(in: $0.request.url)
        } mismatch: {
            methodSearch?.groups(in: $0.request.method) == nil
                ? "method is \($0.request.method.shown()), not \(method)" : "URL does not match \(url)"
        }
    }
}

extension String {
    var isToken: Bool {
        !isEmpty
            && utf8.allSatisfy {
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20
                    || "0123456789!#$%&'*+-.^_`|~".utf8.contains($0)
            }
    }
}
