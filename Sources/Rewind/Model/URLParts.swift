import Foundation

/// The parts of an absolute URL, split by RFC 3986 appendix B and normalized by section 6.2. `URLComponents`
/// rejects some URLs that servers and archives contain, and takes longer than the rest of a lookup.
package struct URLParts: Hashable, Sendable {
    /// The scheme, in lower case.
    package var scheme: String
    /// The user and the password; not normalized.
    package var userInformation: String?
    /// The host, in lower case; empty if there is none.
    package var host: String
    /// The port, or the default port of the scheme.
    package var port: Int?
    /// The path; `/` if it is empty and there is a host.
    package var path: String
    /// The query without its question mark. An empty query differs from `nil`.
    package var query: String?
    package var fragment: String?

    package init(_ url: String) {
        let spelled = SpelledURL(url)
        scheme = spelled.scheme?.lowercased() ?? ""
        userInformation = spelled.user.map(String.init)
        host = spelled.host.map(Self.asciiHost) ?? ""
        port = spelled.port.flatMap { Int($0) } ?? Self.defaultPort(of: scheme)
        path = spelled.path.isEmpty && !host.isEmpty ? "/" : PercentEncoding.normalized(String(spelled.path))
        query = spelled.query.map { PercentEncoding.normalized(String($0)) }
        fragment = spelled.fragment.map(String.init)
    }

    /// The items of the query in order, undecoded.
    package var queryItems: [String] {
        guard let query, !query.isEmpty else { return [] }
        return query.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
    }

    package var hasDefaultPort: Bool { port != nil && port == Self.defaultPort(of: scheme) }
    package var authority: String { hasDefaultPort ? host : host + (port.map { ":\($0)" } ?? "") }

    package var text: String {
        let authority = (userInformation.map { $0 + "@" } ?? "") + self.authority
        // Without an authority, a path that begins with two slashes would be read as one.
        let slashes = authority.isEmpty && !path.utf8.starts(with: "//".utf8) ? "" : "//"
        let suffixes = (query.map { "?" + $0 } ?? "") + (fragment.map { "#" + $0 } ?? "")
        return (scheme.isEmpty ? "" : scheme + ":") + slashes + authority + path + suffixes
    }

    /// The scheme, host and port, without the scheme's default port.
    package var origin: String { scheme + "://" + authority }

    /// Whether an HTTP URL is already normalized, and has a path and at most one query item, but no user, port or
    /// fragment.
    package static func isNormal(_ url: String) -> Bool {
        url.withBytes { bytes in
            let scheme = ["https://".utf8, "http://".utf8].first { bytes.starts(with: $0) }
            guard let start = scheme?.count, bytes.count > start, bytes[start] != UInt8(ascii: "/") else {
                return false
            }
            let path = bytes[start...].firstIndex { !isHostByte($0) } ?? bytes.endIndex
            return path < bytes.endIndex && bytes[path] == UInt8(ascii: "/")
                && bytes[path...].allSatisfy(PercentEncoding.isPlain)
        }
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || JSONByte.zero...JSONByte.nine ~= byte
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    /// The host in lower case; an internationalized host in its ASCII form (RFC 5891).
    private static func asciiHost(_ host: Substring) -> String {
        guard host.utf8.contains(where: { $0 >= 0x80 }) else { return host.lowercased() }
        // Foundation keeps the letter case of the ASCII letters in an internationalized label.
        return (URL(string: "http://\(host)/")?.host ?? String(host)).lowercased()
    }

    private static func defaultPort(of scheme: String) -> Int? {
        switch scheme {
        case "http": 80
        case "https": 443
        default: nil
        }
    }
}

/// The parts of a URL, split by RFC 3986 appendix B but not normalized.
struct SpelledURL {
    let scheme: Substring?
    private(set) var user: Substring?
    /// The host; `nil` without an authority.
    private(set) var host: Substring?
    private(set) var port: Substring?
    let path: Substring
    let query: Substring?
    let fragment: Substring?

    init(_ url: String) {
        var rest = url[...]
        fragment = rest.cut(at: UInt8(ascii: "#"))
        query = rest.cut(at: UInt8(ascii: "?"))
        let slash = UInt8(ascii: "/")
        if let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")), !rest.utf8[..<colon].contains(slash) {
            scheme = rest[..<colon]
            rest = rest[rest.utf8.index(after: colon)...]
        } else {
            scheme = nil
        }
        guard rest.utf8.starts(with: "//".utf8) else {
            path = rest
            return
        }
        rest = Substring(rest.utf8.dropFirst(2))
        let end = rest.utf8.firstIndex(of: slash) ?? rest.endIndex
        path = rest[end...]
        var authority = rest[..<end]
        if let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) {
            user = authority[..<at]
            authority = authority[authority.utf8.index(after: at)...]
        }
        if let colon = authority.utf8.lastIndex(of: UInt8(ascii: ":")),
            !authority.utf8[colon...].contains(UInt8(ascii: "]"))
        {
            port = authority[authority.utf8.index(after: colon)...]
            authority = authority[..<colon]
        }
        host = authority
    }
}

extension Substring {
    /// Removes everything from the first mark on, and returns the text after the mark.
    mutating func cut(at mark: UInt8) -> Substring? {
        guard let position = utf8.firstIndex(of: mark) else { return nil }
        defer { self = self[..<position] }
        return self[utf8.index(after: position)...]
    }
}

extension RequestMatcher {
    /// A component of a URL (RFC 3986 section 3).
    public enum URLComponent: Hashable, Sendable, CaseIterable {
        /// The scheme, in lower case.
        case scheme
        /// The user and password before the host.
        case user
        /// The host, in lower case.
        case host
        /// The port, or the default port of the scheme.
        case port
        /// The path, with normalized percent-encoding (RFC 3986 section 6.2.2).
        case path
        /// The query, without the question mark.
        case query
        /// The fragment, without the number sign.
        case fragment

        package func value(of url: String) -> String? { value(of: URLParts(url)) }

        func value(of parts: URLParts) -> String? {
            switch self {
            case .scheme: parts.scheme.isEmpty ? nil : parts.scheme
            case .user: parts.userInformation
            case .host: parts.host.isEmpty ? nil : parts.host
            case .port: parts.port.map(String.init)
            case .path: parts.path
            case .query: parts.query
            case .fragment: parts.fragment
            }
        }

        package func removed(from url: String) -> String {
            var parts = URLParts(url)
            switch self {
            case .scheme:
                // The default port depends on the scheme, so it is removed as well.
                if parts.hasDefaultPort { parts.port = nil }
                parts.scheme = ""
            case .user: parts.userInformation = nil
            case .host: parts.host = ""
            case .port: parts.port = nil
            case .path: parts.path = ""
            case .query: parts.query = nil
            case .fragment: parts.fragment = nil
            }
            return parts.text
        }
    }
}

/// Percent-encoding, normalized by RFC 3986 section 6.2.2 for comparisons.
package enum PercentEncoding {
    /// Decodes unreserved characters, writes other triplets in upper case, and encodes characters that are invalid in a
    /// path or a query.
    package static func normalized(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || isForbidden($0) }) else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var position = 0
        // The position of a percent sign without two digits, so that decoding the next triplet cannot complete it.
        var stray = -3
        while position < bytes.count {
            guard bytes[position] == UInt8(ascii: "%"), position + 2 < bytes.count,
                let high = Hexadecimal.value(of: bytes[position + 1]),
                let low = Hexadecimal.value(of: bytes[position + 2])
            else {
                let byte = bytes[position]
                if byte == UInt8(ascii: "%") { stray = result.count }
                if isForbidden(byte) {
                    result += triplet(byte)
                } else {
                    result.append(byte)
                }
                position += 1
                continue
            }
            let decoded = high << 4 | low
            let next = position + 3 < bytes.count ? bytes[position + 3] : 0
            let neighbor = result.count - stray == 1 ? next : result.count - stray == 2 ? result.last : nil
            let completesTriplet =
                Hexadecimal.isDigitOfEitherCase(decoded)
                && neighbor.map(Hexadecimal.isDigitOfEitherCase) == true
            if isUnreserved(decoded), !completesTriplet {
                result.append(decoded)
            } else {
                result += triplet(decoded)
            }
            position += 3
        }
        return String(decoding: result, as: UTF8.self)
    }

    package static func encoded(_ text: String) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) {
                result.append(byte)
            } else {
                result += triplet(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func triplet(_ byte: UInt8) -> [UInt8] {
        let digits = Hexadecimal.uppercaseDigits
        return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    /// Whether RFC 3986 forbids a byte in a path or a query, brackets included.
    private static func isForbidden(_ byte: UInt8) -> Bool {
        switch byte {
        case ...0x20, 0x7F..., UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "["),
            UInt8(ascii: "\\"), UInt8(ascii: "]"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"),
            UInt8(ascii: "|"), UInt8(ascii: "}"):
            true
        default: false
        }
    }

    /// Whether a byte of a path or a query needs no change and does not separate items.
    static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "#"): false
        default: !isForbidden(byte)
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}

package enum PercentDecoding {
    /// Decodes every triplet; `nil` if a triplet is invalid or the result is not UTF-8.
    package static func decoded(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String? {
        let isPlain = !text.utf8.contains { $0 == UInt8(ascii: "%") || plusIsSpace && $0 == UInt8(ascii: "+") }
        if isPlain { return String(text) }
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.next().flatMap(Hexadecimal.value),
                    let low = rest.next().flatMap(Hexadecimal.value)
                else { return nil }
                result.append(high << 4 | low)
            } else {
                result.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(wellFormed: result)
    }
}
