import Rewind

/// What a request asks for, in one of the four forms of RFC 9112 section 3.2.
struct RequestTarget: Hashable, Sendable {
    let text: String
    let authority: String?
    let path: String
    let query: String?

    /// Reads a target; the authority form belongs to `CONNECT` alone, the asterisk form to `OPTIONS`.
    init(_ text: String, method: String) throws(HTTPRefusal) {
        let isSpelledWell = text.withBytes { $0.allSatisfy { $0.isVisible && $0 != UInt8(ascii: "#") } }
        guard isSpelledWell else { throw .malformedTarget }
        self.text = text
        if method == "CONNECT" {
            guard text.isAuthority else { throw .malformedTarget }
            (authority, path, query) = (text, "", nil)
        } else if text == "*", method == "OPTIONS" {
            (authority, path, query) = (nil, "*", nil)
        } else if text.utf8.first == UInt8(ascii: "/") {
            authority = nil
            (path, query) = Self.splitQuery(text[...])
        } else {
            let hierarchy = try Self.dropScheme(text)
            let end = hierarchy.firstIndex { $0 == "/" || $0 == "?" } ?? hierarchy.endIndex
            guard hierarchy[..<end].isAuthority else { throw .malformedTarget }
            authority = String(hierarchy[..<end])
            let (path, query) = Self.splitQuery(hierarchy[end...])
            self.path = path.isEmpty ? "/" : path
            self.query = query
        }
    }

    private static func dropScheme(_ text: String) throws(HTTPRefusal) -> Substring {
        for prefix in ["http://", "https://"] where text.lowercased().hasPrefix(prefix) {
            return text.dropFirst(prefix.count)
        }
        throw .malformedTarget
    }

    private static func splitQuery(_ text: Substring) -> (path: String, query: String?) {
        guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "?")) else { return (String(text), nil) }
        return (String(text[..<mark]), String(text[text.utf8.index(after: mark)...]))
    }
}

extension StringProtocol {
    /// Whether the text is a host with an optional port; user information is refused (RFC 9110 section 4.2.4).
    var isAuthority: Bool { !isEmpty && utf8.allSatisfy(\.isAuthorityCharacter) }
}
