/// A media type as in a `Content-Type` field (RFC 9110 section 8.3.1).
package struct MediaType: Hashable, Sendable {
    /// The type and subtype in lower case.
    package var essence: String
    /// The parameters, with names in lower case. If a name occurs twice, the first one counts.
    package var parameters: [String: String]

    package init?(_ value: String?) {
        guard let value else { return nil }
        let parts = ParameterizedValue(value, unquoted: Self.unquoted)
        guard parts.value.contains("/") else { return nil }
        essence = parts.value.lowercased()
        parameters = parts.parameters
    }

    /// RFC 8259, and the suffix of RFC 6839 section 3.1.
    package var isJSON: Bool {
        essence == "application/json" || essence == "text/json" || essence.hasSuffix("+json")
    }

    /// A value without its quotes and the backslashes between them (RFC 9110 section 5.6.4).
    private static func unquoted(_ value: String) -> String {
        guard value.count >= 2, value.first == "\"", value.last == "\"" else { return value }
        var result = ""
        var rest = value.dropFirst().dropLast()
        while let character = rest.popFirst() {
            guard let literal = character == "\\" ? rest.popFirst() : character else { break }
            result.append(literal)
        }
        return result
    }
}

extension HeaderList {
    /// The codings of a body in the order in which they were applied, in lower case. `identity` and the names that servers
    /// send without encoding anything are left out.
    package var contentCodings: [String] {
        values(for: "Content-Encoding").flatMap { $0.split(separator: ",") }.map {
            $0.trimmingSpaces().lowercased()
        }.filter { !Self.plainCodings.contains($0) }
    }

    private static let plainCodings: Set = ["", "identity", "none", "utf-8", "utf8", "aws-chunked"]
}

extension StringProtocol {
    /// The text without spaces and tabs at either end.
    package func trimmingSpaces() -> String {
        // Most texts have none, which their bytes show quickly.
        let isTrimmed = utf8.withContiguousStorageIfAvailable { bytes in
            guard let first = bytes.first, let last = bytes.last else { return true }
            return ![0x20, 0x09].contains(first) && ![0x20, 0x09].contains(last)
                && bytes.allSatisfy { $0 < 0x80 }
        }
        if isTrimmed == true { return String(self) }
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        guard let start = firstIndex(where: { !isSpace($0) }), let end = lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(self[start...end])
    }
}

/// A field's value with parameters (RFC 9110 section 5.6.6), such as `text/plain; charset=utf-8`.
struct ParameterizedValue {
    /// The part before the first semicolon.
    let value: String
    /// The parameters, with names in lower case. If a name occurs twice, the first one counts.
    let parameters: [String: String]

    /// - Parameters:
    ///   - text: The text.
    ///   - unquoted: Removes the quotes from the value of a parameter. The rules depend on the field.
    init(_ text: String, unquoted: (String) -> String) {
        let parts = Self.split(text)
        value = parts.first?.trimmingSpaces() ?? ""
        var parameters: [String: String] = [:]
        for part in parts.dropFirst() {
            guard let equals = part.firstIndex(of: "=") else { continue }
            let name = part[..<equals].trimmingSpaces().lowercased()
            guard parameters[name] == nil else { continue }
            parameters[name] = unquoted(part[part.index(after: equals)...].trimmingSpaces())
        }
        self.parameters = parameters
    }

    /// Splits at semicolons outside quotes.
    private static func split(_ text: String) -> [Substring] {
        guard text.utf8.contains(UInt8(ascii: "\"")) else {
            return text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map {
                Substring($0)
            }
        }
        var isQuoted = false
        var isEscaped = false
        return text.unicodeScalars.split(omittingEmptySubsequences: false) { scalar in
            if scalar == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = scalar == "\\" && isQuoted && !isEscaped
            return scalar == ";" && !isQuoted
        }.map { Substring($0) }
    }
}

/// The rules of `Set-Cookie`, the only header field whose values must not be joined by commas (RFC 6265 section 3).
package enum SetCookie {
    /// Splits a value in which a platform joined several cookies with commas. A comma begins a new cookie only if a name
    /// and an equals sign follow, so the comma in `Thu, 01 Jan 1970` does not.
    package static func split(_ joined: String) -> [String] {
        var cookies: [String] = []
        var start = joined.startIndex
        var position = joined.startIndex
        while let comma = joined[position...].firstIndex(of: ",") {
            position = joined.index(after: comma)
            if beginsCookie(joined[position...]) {
                cookies.append(joined[start..<comma].trimmingSpaces())
                start = position
            }
        }
        cookies.append(joined[start...].trimmingSpaces())
        return cookies
    }

    /// Whether Foundation on Linux can parse a cookie. `HTTPCookie` of Swift 6.3.1 mistakes UTF-16 units before an
    /// equals sign for characters and crashes on `😀=`.
    package static func isReadable(_ cookie: String) -> Bool {
        guard let equals = cookie.utf8.lastIndex(of: UInt8(ascii: "=")) else { return true }
        let names = cookie[..<equals]
        return names.count == names.utf16.count
    }

    private static func beginsCookie(_ text: Substring) -> Bool {
        let text = text.drop { $0 == " " || $0 == "\t" }
        guard let end = text.firstIndex(where: { "=;, \t\"".contains($0) }) else { return false }
        return text[end] == "=" && end != text.startIndex
    }
}
