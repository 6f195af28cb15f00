import Rewind

/// Text from a cassette, made safe to show: what a terminal would obey is written as an escape such as `\u001B`.
///
/// These are the control characters of ASCII and of ECMA-48, and the marks that turn the direction of text or end a
/// line (Unicode Technical Report 36). The escape is that of JSON, so that JSON text stays what it is.
enum VisibleText {
    /// A text that stands in one line.
    static func line(_ text: String) -> String {
        visible(text) { _ in false }
    }

    /// A text of several lines, whose line ends are line feeds and whose tabs stay.
    static func lines(_ text: String) -> String {
        visible(text.contains("\r\n") ? withoutCarriageReturns(text) : text) { $0 == "\n" || $0 == "\t" }
    }

    /// A value as JSON text, without a line feed at its end.
    static func json(_ json: JSON) -> String {
        lines(String(decoding: json.serialized().dropLast(), as: UTF8.self))
    }

    private static func visible(_ text: String, keeping isKept: (Unicode.Scalar) -> Bool) -> String {
        guard text.unicodeScalars.contains(where: { isObeyed($0) && !isKept($0) }) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isObeyed(scalar), !isKept(scalar) {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                let padding = String(repeating: "0", count: max(0, 4 - digits.count))
                result.append(contentsOf: "\\u\(padding)\(digits)".unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    private static func withoutCarriageReturns(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "\n", result.last == "\r" { result.removeLast() }
            result.append(scalar)
        }
        return String(result)
    }

    /// Whether a character is none to be seen but an order to who shows it.
    private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }
}
