extension Condition {
    /// Holds for a method, letter case included (RFC 9110 section 9.1): `get` is not `GET`.
    /// - Parameter name: The name, such as `POST`.
    /// - Returns: The condition.
    public static func method(_ name: String) -> Condition {
        let part = ConditionPart(
            "method(\(name))",
            of: .method,
            problem: name.isToken
                ? nil : "\(name.debugDescription) is no method. Write its name alone, such as `POST`."
        ) {
            $0.request.method.hasSameBytes(as: name)
        } mismatch: {
            "method is \($0.request.method.shown()), not \(name)"
        }
        return Condition(part)
    }

    /// Holds for `GET` and a URL.
    /// - Parameter url: The URL, as ``url(_:)`` takes it: `https://api.example.com/users/*`.
    /// - Returns: The condition.
    public static func get(_ url: String) -> Condition { method("GET", url) }

    /// Holds for `HEAD` and a URL.
    /// - Parameter url: The URL, as ``url(_:)`` takes it.
    /// - Returns: The condition.
    public static func head(_ url: String) -> Condition { method("HEAD", url) }

    /// Holds for `POST` and a URL.
    /// - Parameter url: The URL, as ``url(_:)`` takes it.
    /// - Returns: The condition.
    public static func post(_ url: String) -> Condition { method("POST", url) }

    /// Holds for `PUT` and a URL.
    /// - Parameter url: The URL, as ``url(_:)`` takes it.
    /// - Returns: The condition.
    public static func put(_ url: String) -> Condition { method("PUT", url) }

    /// Holds for `PATCH` and a URL.
    /// - Parameter url: The URL, as ``url(_:)`` takes it.
    /// - Returns: The condition.
    public static func patch(_ url: String) -> Condition { method("PATCH", url) }

    /// Holds for `DELETE` and a URL.
    /// - Parameter url: The URL, as ``url(_:)`` takes it.
    /// - Returns: The condition.
    public static func delete(_ url: String) -> Condition { method("DELETE", url) }

    /// Holds for `OPTIONS` and a URL.
    /// - Parameter url: The URL, as ``url(_:)`` takes it.
    /// - Returns: The condition.
    public static func options(_ url: String) -> Condition { method("OPTIONS", url) }

    private static func method(_ name: String, _ url: String) -> Condition {
        Condition(.all([.method(name)] + URLPattern(url).conditions), title: "\(name) \(url)")
    }
}

extension String {
    /// Whether it may be a method or the name of a header field (RFC 9110 section 5.6.2).
    var isToken: Bool {
        !isEmpty
            && utf8.allSatisfy {
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20
                    || "0123456789!#$%&'*+-.^_`|~".utf8.contains($0)
            }
    }
}
