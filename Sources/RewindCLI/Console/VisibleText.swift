import Foundation
import Rewind

/// Makes text from a cassette safe for a terminal: control characters become escapes such as `\u001B`.
///
/// This covers the control characters of ASCII and ECMA-48, and the marks that change the direction of text or end a
/// line (Unicode Technical Report 36). The escapes are those of JSON, so JSON text remains valid.
enum VisibleText {
    static func line(_ text: String) -> String { visible(text) { _ in false } }

    /// Text of several lines: tabs stay, and line ends become line feeds.
    static func lines(_ text: String) -> String {
        visible(text.contains("\r\n") ? withoutCarriageReturns(text) : text) { $0 == "\n" || $0 == "\t" }
    }

    /// A value as JSON text, without a final line feed.
    static func json(_ json: JSON) -> String {
        lines(String(decoding: json.serialized().dropLast(), as: UTF8.self))
    }

    /// JSON text in UTF-8, which is mostly visible already and then not copied.
    static func json(_ text: Data) -> Data {
        let hasControls = text.withUnsafeBytes { bytes in bytes.indices.contains { isControl(bytes, at: $0) } }
        return hasControls ? Data(lines(String(decoding: text, as: UTF8.self)).utf8) : text
    }

    /// Whether a character of `isControl(_:)` in UTF-8 begins at a byte, except for a line feed.
    private static func isControl(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Bool {
        let byte = bytes[place]
        guard byte < 0x20 || byte >= 0x7F else { return false }
        func following(_ distance: Int) -> UInt8 {
            place + distance < bytes.count ? bytes[place + distance] : 0
        }
        switch byte {
        case 0..<0x20: return byte != 0x0A
        case 0x7F: return true
        case 0xC2: return following(1) < 0xA0
        case 0xD8: return following(1) == 0x9C
        case 0xE2 where following(1) == 0x80: return [0x8E...0x8F, 0xA8...0xAE].contains { $0 ~= following(2) }
        case 0xE2 where following(1) == 0x81: return 0xA6...0xA9 ~= following(2)
        case 0xEF: return following(1) == 0xBB && following(2) == 0xBF
        default: return false
        }
    }

    private static func visible(_ text: String, except isAllowed: (Unicode.Scalar) -> Bool) -> String {
        guard text.unicodeScalars.contains(where: { isControl($0) && !isAllowed($0) }) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isControl(scalar), !isAllowed(scalar) {
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

    /// Whether a terminal could interpret the character instead of showing it.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }

    /// One line of text; a long one is cut to the part around a position.
    static func shortened(_ text: String, around place: Int = 0, to limit: Int = 100) -> String {
        // `count` would walk through megabytes.
        guard text.dropFirst(limit + limit / 4).first != nil else { return line(text) }
        let start = max(0, place - limit / 4)
        let rest = text.dropFirst(start)
        let part = rest.prefix(limit)
        return (start > 0 ? "…" : "") + line(String(part)) + (part.endIndex < text.endIndex ? "…" : "")
    }

    /// Two texts, each cut to the part around their first difference.
    static func shortened(_ left: String, _ right: String, to limit: Int = 100) -> (left: String, right: String)
    {
        let place = zip(left, right).prefix { $0 == $1 }.count
        return (shortened(left, around: place, to: limit), shortened(right, around: place, to: limit))
    }
}

extension String {
    /// The code point of a character in hexadecimal, with at least four digits.
    static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: Swift.max(0, 4 - digits.count)) + digits
    }
}

/// Words for a POSIX shell (IEEE Std 1003.1, section 2.2).
enum ShellWord {
    /// The word, in single quotes if the shell would interpret a character.
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
