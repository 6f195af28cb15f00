/// The cookies of a message as an archive lists them, beside the header fields they come from.
enum HARCookies {
    static func sent(_ headers: HeaderList) -> JSON {
        .array(
            headers.values(for: "Cookie").flatMap { $0.split(separator: ";") }.map { pair in
                let (name, value) = parts(pair)
                return ["name": .string(name), "value": .string(value)]
            }
        )
    }

    static func received(_ headers: HeaderList) -> JSON {
        .array(
            headers.values(for: "Set-Cookie").map { cookie in
                let fields = cookie.split(separator: ";")
                let (name, value) = parts(fields.first ?? "")
                var members: JSONObject = ["name": .string(name), "value": .string(value)]
                for field in fields.dropFirst() {
                    let (attribute, value) = parts(field)
                    switch attribute.lowercased() {
                    case "path": members["path"] = .string(value)
                    case "domain": members["domain"] = .string(value)
                    case "httponly": members["httpOnly"] = true
                    case "secure": members["secure"] = true
                    default: break
                    }
                }
                return .object(members)
            }
        )
    }

    private static func parts(_ pair: Substring) -> (name: String, value: String) {
        let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (parts.first?.trimmingSpaces() ?? "", parts.count > 1 ? parts[1].trimmingSpaces() : "")
    }
}
