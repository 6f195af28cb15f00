extension Condition {
    /// Holds for a URL, in which `*` stands for any text and a segment `**` of the path for any number of segments.
    ///
    /// ```swift
    /// .url("https://api.example.com/users/*")   // scheme, host, port and path
    /// .url("//*.example.com/**")                // any scheme, at the port that is its own
    /// .url("http://localhost:*/users")          // any port
    /// .url("/users/*?page=2")                   // any scheme, host and port
    /// ```
    ///
    /// Without a path it holds for `/` alone, without a query for any. The items of its query have to be there, among
    /// others and in any order; its fragment does not count, as it is never sent. A text such as `api.example.com/users`
    /// could mean a host as well as a path, and cannot be read.
    /// - Parameter pattern: The URL, or its path.
    /// - Returns: The condition.
    public static func url(_ pattern: String) -> Condition {
        Condition(.all(URLPattern(pattern).conditions), title: "url(\(pattern))")
    }

    /// Holds for a scheme, whatever its letter case.
    /// - Parameter name: The name, such as `https`, in which `*` stands for any text.
    /// - Returns: The condition.
    public static func scheme(_ name: String) -> Condition {
        let glob = Glob(name.lowercased())
        let part = ConditionPart(
            "scheme(\(name))",
            of: .url,
            problem: isScheme(name)
                ? nil : "\(name.debugDescription) is no scheme. Write its name alone, such as `https`."
        ) {
            glob.captures(in: $0.url.scheme)
        } mismatch: {
            "scheme is \($0.url.scheme.shown()), not \(name)"
        }
        return Condition(part)
    }

    /// Holds for a host, whatever its letter case and the port.
    /// - Parameter name: The name, in which `*` stands for any text: `*.example.com` holds for all hosts below
    ///   `example.com` and not for that itself. An international name may be written as people read it.
    /// - Returns: The condition.
    public static func host(_ name: String) -> Condition {
        let host = URLParts("//" + name).host
        let glob = Glob(host)
        let part = ConditionPart(
            "host(\(name))",
            of: .url,
            problem: hostProblem(name),
            key: ConditionKey(host: host.utf8.contains(UInt8(ascii: "*")) ? nil : host)
        ) {
            glob.captures(in: $0.url.host)
        } mismatch: {
            "host is \($0.url.host.shown()), not \(name)"
        }
        return Condition(part)
    }

    /// Whether a text is a scheme (RFC 3986 section 3.1) or one with wildcards.
    private static func isScheme(_ name: String) -> Bool {
        name.isToken && !name.utf8.contains { "!#$%&'^_`|~".utf8.contains($0) }
    }

    private static func hostProblem(_ name: String) -> String? {
        let isAddress = name.hasPrefix("[") && name.hasSuffix("]")
        let forbidden = isAddress ? "/?#@ " : "/?#@:[] "
        guard !name.isEmpty, !name.utf8.contains(where: { forbidden.utf8.contains($0) || $0 < 0x20 }) else {
            return
                "\(name.debugDescription) is no host. Write its name alone, such as `api.example.com`, or an address"
                + " of IPv6 in brackets; url(_:) takes a port."
        }
        // What an international name is sent as can be told only of whole labels (RFC 5891).
        let isCut = name.split(separator: ".").contains { label in
            label.utf8.contains(UInt8(ascii: "*")) && label.utf8.contains { $0 >= 0x80 }
        }
        return isCut
            ? "\(name.debugDescription) has a wildcard within an international label. Let `*` stand for the whole label."
            : nil
    }
}
