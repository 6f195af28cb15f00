/// What a URL with wildcards asks of a request, part by part.
struct URLPattern {
    /// The conditions for its parts from left to right, or the one that tells why it cannot be read.
    let conditions: [Condition]

    init(_ text: String) {
        var rest = Substring(Request(url: text).urlWithoutFragment)
        let query = rest.cut(at: UInt8(ascii: "?")) ?? ""
        let queryConditions = query.isEmpty ? [] : [Condition.query(spelled: String(query))]
        if rest.utf8.first == UInt8(ascii: "/"), !rest.utf8.starts(with: "//".utf8) {
            conditions = [.path(String(rest))] + queryConditions
            return
        }
        guard let (scheme, authority, path) = Self.divided(rest) else {
            conditions = [
                Condition(
                    unreadable: text,
                    "\(text.debugDescription) may mean a host or a path. Write `https://api.example.com/users`,"
                        + " `//api.example.com/users` for any scheme, or `/users` for any host."
                )
            ]
            return
        }
        conditions =
            (scheme.map { [.scheme(String($0))] } ?? []) + Self.conditions(for: authority)
            + [.path(path.isEmpty ? "/" : String(path))] + queryConditions
    }

    /// The scheme where there is one, what stands between it and the path, and the path; `nil` where there are not two
    /// slashes.
    private static func divided(_ text: Substring) -> (Substring?, Substring, Substring)? {
        let slash = UInt8(ascii: "/")
        guard let first = text.utf8.firstIndex(of: slash), text.utf8[first...].starts(with: "//".utf8) else {
            return nil
        }
        let scheme = text[..<first]
        guard scheme.isEmpty || scheme.utf8.last == UInt8(ascii: ":") else { return nil }
        let start = text.utf8.index(first, offsetBy: 2)
        let end = text.utf8[start...].firstIndex(of: slash) ?? text.endIndex
        return (scheme.isEmpty ? nil : Substring(scheme.utf8.dropLast()), text[start..<end], text[end...])
    }

    private static func conditions(for authority: Substring) -> [Condition] {
        var host = authority
        var conditions: [Condition] = []
        if let at = host.utf8.lastIndex(of: UInt8(ascii: "@")) {
            conditions.append(.user(String(host[..<at])))
            host = host[host.utf8.index(after: at)...]
        }
        var port: Substring = ""
        if let colon = host.utf8.lastIndex(of: UInt8(ascii: ":")),
            !host.utf8[colon...].contains(UInt8(ascii: "]"))
        {
            port = host[host.utf8.index(after: colon)...]
            host = host[..<colon]
        }
        return conditions + [.host(String(host)), .port(String(port))]
    }
}

extension Condition {
    /// Holds for a user and password as they are spelled before the host.
    fileprivate static func user(_ spelled: String) -> Condition {
        let part = ConditionPart("user", of: .url) {
            $0.url.userInformation?.hasSameBytes(as: spelled) ?? false
        } mismatch: {
            $0.url.userInformation == nil
                ? "there is no user before the host" : "another user is before the host"
        }
        return Condition(part)
    }

    /// Holds for a port: `*` for any, and nothing for the one that the scheme has of itself.
    fileprivate static func port(_ spelled: String) -> Condition {
        let number = UInt16(spelled)
        let isReadable = spelled.isEmpty || spelled == "*" || number != nil
        let part = ConditionPart(
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
        return Condition(part)
    }
}
