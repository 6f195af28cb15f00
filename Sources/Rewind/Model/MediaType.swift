/// A media type as it stands in a `Content-Type` field (RFC 9110 section 8.3.1).
package struct MediaType: Hashable, Sendable {
    /// The type and subtype in lower case, such as `application/json`.
    package var essence: String
    /// The parameters, their names in lower case; of two with one name the first counts.
    package var parameters: [String: String]

    /// Reads the value of a `Content-Type` field; `nil` where it names no type.
    package init?(_ value: String?) {
        guard let value else { return nil }
        let parts = ParameterizedValue(value, unquoted: Self.unquoted)
        guard parts.value.contains("/") else { return nil }
        essence = parts.value.lowercased()
        parameters = parts.parameters
    }

    /// Whether bodies of the type are JSON (RFC 8259, and the suffix of RFC 6839 section 3.1).
    package var isJSON: Bool {
        essence == "application/json" || essence == "text/json" || essence.hasSuffix("+json")
    }

    /// A value without its quotes and the backslashes between them (RFC 9110 section 5.6.4).
    private static func unquoted(_ value: String) -> String {
        guard value.count >= 2, value.first == "\"", value.last == "\"" else { return value }
        var result = ""
        var isEscaped = false
        for character in value.dropFirst().dropLast() {
            if character == "\\", !isEscaped {
                isEscaped = true
            } else {
                result.append(character)
                isEscaped = false
            }
        }
        return result
    }
}

extension StringProtocol {
    /// The text without spaces and tabs at either end.
    package func trimmingSpaces() -> String {
        // Most texts have none, which their bytes tell.
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
