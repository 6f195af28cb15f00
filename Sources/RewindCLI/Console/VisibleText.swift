import Rewind

/// Text from a cassette, made safe to show: control characters become escapes such as `\u001B`. These are the
/// control characters of ASCII and of ECMA-48, and the marks that turn the direction of text or end a line
/// (Unicode Technical Report 36). The escape is that of JSON, so that JSON text stays what it is.
enum VisibleText {
    static func line(_ text: String) -> String { visible(text) { _ in false } }

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
                result.append(contentsOf: "\\u\(String.hexadecimal(scalar))".unicodeScalars)
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

    /// Whether a character is a command to the terminal.
    private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }

    /// A text of one line, cut around a place if it is long.
    static func shortened(_ text: String, around place: Int = 0, to limit: Int = 100) -> String {
        // Texts of megabytes are not to be counted to their end.
        guard text.dropFirst(limit + limit / 4).first != nil else { return line(text) }
        let start = max(0, place - limit / 4)
        let rest = text.dropFirst(start)
        let part = rest.prefix(limit)
        return (start > 0 ? "…" : "") + line(String(part)) + (part.endIndex < text.endIndex ? "…" : "")
    }

    /// Two texts, each around the place where they begin to differ.
    static func shortened(_ left: String, _ right: String, to limit: Int = 100) -> (left: String, right: String)
    {
        let place = zip(left, right).prefix { $0 == $1 }.count
        return (shortened(left, around: place, to: limit), shortened(right, around: place, to: limit))
    }
}

extension String {
    /// The number of a character, in four digits at least.
    static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: Swift.max(0, 4 - digits.count)) + digits
    }
}

/// Words for a POSIX shell (IEEE Std 1003.1, section 2.2).
enum ShellWord {
    /// A word as it is, or between apostrophes if a character has a meaning for the shell.
    static func quoted(_ text: String) -> String {
        guard text.isEmpty || !text.utf8.allSatisfy(isPlain) else { return text }
        return "'" + text.replacing("'", with: "'\\''") + "'"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "@"), UInt8(ascii: "+"):
            true
        default: false
        }
    }
}
