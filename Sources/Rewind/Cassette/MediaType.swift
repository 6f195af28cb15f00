/// A media type as it stands in a `Content-Type` field (RFC 9110 section 8.3.1).
package struct MediaType: Hashable, Sendable {
    /// The type and subtype in lower case, such as `application/json`.
    package var essence: String
    /// The parameters, their names in lower case.
    package var parameters: [String: String]

    /// Reads the value of a `Content-Type` field; `nil` where it names no type.
    package init?(_ value: String?) {
        guard let value else { return nil }
        var parts = value.split(separator: ";", omittingEmptySubsequences: true)
            .map { $0.trimmingSpaces() }
        guard let first = parts.first, first.contains("/") else { return nil }
        essence = first.lowercased()
        parts.removeFirst()
        parameters = [:]
        for part in parts {
            let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingSpaces() }
            guard pair.count == 2 else { continue }
            parameters[pair[0].lowercased()] = pair[1].trimmingQuotes()
        }
    }
}

extension StringProtocol {
    /// The text without spaces and tabs at either end.
    package func trimmingSpaces() -> String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        guard let start = firstIndex(where: { !isSpace($0) }), let end = lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(self[start...end])
    }

    /// The text without one pair of double quotes around it.
    package func trimmingQuotes() -> String {
        guard count >= 2, first == "\"", last == "\"" else { return String(self) }
        return String(dropFirst().dropLast())
    }
}
