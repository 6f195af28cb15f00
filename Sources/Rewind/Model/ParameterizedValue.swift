/// A field's value with parameters behind it (RFC 9110 section 5.6.6), such as `text/plain; charset=utf-8`.
struct ParameterizedValue {
    /// What stands before the first semicolon.
    let value: String
    /// The parameters, their names in lower case; of two with one name the first counts.
    let parameters: [String: String]

    /// Reads a value.
    /// - Parameters:
    ///   - text: The text.
    ///   - unquoted: Takes the quotes from a parameter's value, in which fields differ.
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

    /// Splits at semicolons, but not at those between quotes.
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
