/// The value of a `Content-Disposition` field (RFC 6266, RFC 7578 section 4.2).
package struct ContentDisposition: Hashable, Sendable {
    /// The disposition in lower case, such as `form-data`.
    package var kind: String
    /// The parameters, their names in lower case; of two with one name the first counts.
    package var parameters: [String: String]

    /// Reads the value of a field.
    package init(_ value: String) {
        let parts = ParameterizedValue(value, unquoted: Self.unquoted)
        kind = parts.value.lowercased()
        parameters = parts.parameters
    }

    /// The name of the form's field.
    package var name: String? { parameters["name"] }

    /// The name of the file, of the form in UTF-8 (RFC 8187) where there is one, else of the plain form.
    package var fileName: String? {
        parameters["filename*"].flatMap(Self.extendedValue) ?? parameters["filename"]
    }

    private static func extendedValue(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].lowercased() == "utf-8" else { return nil }
        return PercentDecoding.decoded(parts[2])
    }

    /// A value without its quotes and escapes.
    ///
    /// Only quotes and backslashes are taken as escaped, since old browsers send Windows paths as they are.
    private static func unquoted(_ value: String) -> String {
        let scalars = value.unicodeScalars
        guard scalars.count >= 2, scalars.first == "\"", scalars.last == "\"" else { return value }
        var result = String.UnicodeScalarView()
        var rest = scalars.dropFirst().dropLast()
        while let scalar = rest.popFirst() {
            if scalar == "\\", let next = rest.first, next == "\"" || next == "\\" {
                result.append(next)
                rest.removeFirst()
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }
}
