/// The two spellings of a name in a path: bare after a dot, or quoted in brackets (RFC 9535 section 2.3.1).
enum JSONPathName {
    /// Whether a name may stand after a dot; beyond RFC 9535, a digit may come first and a hyphen anywhere.
    static func isBare(_ name: String) -> Bool {
        !name.isEmpty && name.unicodeScalars.allSatisfy(isBare)
    }

    /// Whether a character may be part of a bare name.
    static func isBare(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
        default: scalar.value >= 0x80
        }
    }

    /// The name in single quotes.
    static func quoted(_ name: String) -> String {
        var result = String.UnicodeScalarView("'".unicodeScalars)
        for scalar in name.unicodeScalars {
            switch scalar {
            case "'", "\\": result += ["\\", scalar]
            case "\u{00}"..."\u{1F}":
                result += "\\u\(Hexadecimal.text(scalar.value, digits: 4))".unicodeScalars
            default: result.append(scalar)
            }
        }
        result.append("'")
        return String(result)
    }
}
