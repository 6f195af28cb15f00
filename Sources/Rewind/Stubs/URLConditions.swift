extension RequestCondition {
    /// Holds for a method, letter case included (RFC 9110 section 9.1): `get` is not `GET`.
    /// - Parameter name: The name, such as `POST`.
    /// - Returns: The condition.
    public static func method(_ name: String) -> RequestCondition {
        RequestCondition(
            "method(\(name))",
            of: .method,
            problem: name.isToken
                ? nil : "\(name.debugDescription) is no method. Write its name alone, such as `POST`."
        ) {
            $0.request.method.hasSameBytes(as: name)
        } mismatch: {
            "method is \($0.request.method.shown()), not \(name)"
        }
    }

    /// Holds for `GET` and a URL.
    /// - Parameter url: The URL, as ``url(_:)`` takes it: `https://api.example.com/users/*`.
    /// - Returns: The condition.
    public static func get(_ url: String) -> RequestCondition { method("GET", url) }

    /// Holds for `POST` and a URL.
    /// - Parameter url: The URL, as ``url(_:)`` takes it.
    /// - Returns: The condition.
    public static func post(_ url: String) -> RequestCondition { method("POST", url) }

    /// Holds for `PUT` and a URL.
    /// - Parameter url: The URL, as ``url(_:)`` takes it.
    /// - Returns: The condition.
    public static func put(_ url: String) -> RequestCondition { method("PUT", url) }

    /// Holds for `PATCH` and a URL.
    /// - Parameter url: The URL, as ``url(_:)`` takes it.
    /// - Returns: The condition.
    public static func patch(_ url: String) -> RequestCondition { method("PATCH", url) }

    /// Holds for `DELETE` and a URL.
    /// - Parameter url: The URL, as ``url(_:)`` takes it.
    /// - Returns: The condition.
    public static func delete(_ url: String) -> RequestCondition { method("DELETE", url) }

    private static func method(_ name: String, _ url: String) -> RequestCondition {
        RequestCondition(.all([.method(name)] + conditions(forURL: url)), title: "\(name) \(url)")
    }

    /// Holds for a URL, in which `*` matches any text and a segment `**` of the path any number of segments.
    ///
    /// ```swift
    /// .url("https://api.example.com/users/*")   // scheme, host, port and path
    /// .url("//*.example.com/**")                // any scheme, at the port that is its own
    /// .url("http://localhost:*/users")          // any port
    /// .url("/users/*?page=2")                   // any scheme, host and port
    /// ```
    ///
    /// Without a path it holds for `/` alone, without a query for any. The query must have the items, in any order; the
    /// fragment does not count. A text such as `api.example.com/users` is ambiguous, and cannot be read.
    /// - Parameter pattern: The URL, or its path.
    /// - Returns: The condition.
    public static func url(_ pattern: String) -> RequestCondition {
        RequestCondition(.all(conditions(forURL: pattern)), title: "url(\(pattern))")
    }

    /// Holds for a scheme, whatever its letter case.
    /// - Parameter name: The name, such as `https`, in which `*` matches any text.
    /// - Returns: The condition.
    public static func scheme(_ name: String) -> RequestCondition {
        let glob = Glob(name.lowercased())
        return RequestCondition(
            "scheme(\(name))",
            of: .url,
            problem: isScheme(name)
                ? nil : "\(name.debugDescription) is no scheme. Write its name alone, such as `https`."
        ) {
            glob.captures(in: $0.url.scheme)
        } mismatch: {
            "scheme is \($0.url.scheme.shown()), not \(name)"
        }
    }

    /// Holds for a host, whatever its letter case and the port.
    /// - Parameter name: The name, in which `*` matches any text: `*.example.com` holds for all hosts below
    ///   `example.com`, not for it. An international name may be written as people read it.
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
                "\(name.debugDescription) is no host. Write its name alone, such as `api.example.com`, or an address"
                + " of IPv6 in brackets; url(_:) takes a port."
        }
        // Only whole labels of an international name can be encoded (RFC 5891).
        let isCut = name.split(separator: ".").contains { label in
            label.utf8.contains(UInt8(ascii: "*")) && label.utf8.contains { $0 >= 0x80 }
        }
        return isCut
            ? "\(name.debugDescription) has a wildcard within an international label. Let `*` stand for the whole label."
            : nil
    }

    /// The conditions for the parts of a URL, or one that says why it cannot be read.
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
                "\(text.debugDescription) may mean a host or a path. Write `https://api.example.com/users`,"
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
                ? "there is no user before the host" : "another user is before the host"
        }
    }

    /// `*` is any port; without a port the scheme's default holds.
    private static func port(_ spelled: String) -> RequestCondition {
        let number = UInt16(spelled)
        let isReadable = spelled.isEmpty || spelled == "*" || number != nil
        return RequestCondition(
            "port(\(spelled))",
            of: .url,
            problem: isReadable
                ? nil
                : "\(spelled.debugDescription) is no port. Write a number below 65536, or `*` for any port."
        ) { subject in
            let port = subject.url.port
            if spelled == "*" { return [port.map(String.init) ?? ""] }
            let holds = number.map { port == Int($0) } ?? (port == nil || subject.url.hasDefaultPort)
            return holds ? [] : nil
        } mismatch: {
            let expected = spelled.isEmpty ? "that of \($0.url.scheme.shown())" : spelled
            return "port is \($0.url.port.map(String.init) ?? "(none)"), not \(expected)"
        }
    }

    /// The method and the URL must contain matches of a Mocktail file's regular expressions, case ignored.
    static func mocktail(method: String, url: String) -> RequestCondition {
        let methodSearch = SharedExpression(method, ignoringCase: true)
        let urlSearch = SharedExpression(url, ignoringCase: true)
        let unreadable = methodSearch == nil ? method : urlSearch == nil ? url : nil
        return RequestCondition(
            "\(method) \(url)",
            of: [.method, .url],
            problem: unreadable.map { "\($0.debugDescription) is no regular expression. Mend it in the file." }
        ) {
            methodSearch?.groups(in: $0.request.method) == nil ? nil : urlSearch?.groups(in: $0.request.url)
        } mismatch: {
            methodSearch?.groups(in: $0.request.method) == nil
                ? "method is \($0.request.method.shown()), not \(method)" : "the URL does not match \(url)"
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
