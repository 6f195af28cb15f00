extension YAMLParser {
    /// Reads text without quotes, with the lines that go on indented deeper than its owner (YAML 1.1 section 9.1.3).
    mutating func plain(in indent: Int) throws -> String {
        try checkStart()
        var result: [UInt8] = []
        while true {
            var length = 0
            while !text.endsLine(after: length), !isComment(after: length) {
                if isColon(after: length) {
                    text.skip(length)
                    throw text.error("text with a colon and a space needs quotes")
                }
                length += 1
            }
            result += Self.trimmed(text.take(length))
            text.skipComment()
            let end = text
            guard let fold = foldedBreaks(), text.column > indent, text.next != nil, !text.isAtMarker,
                text.next != UInt8(ascii: "#")
            else {
                text = end
                return String(decoding: result, as: UTF8.self)
            }
            result += fold
        }
    }

    /// Skips the ends of lines and the spaces around them: one becomes a space, more become one less.
    mutating func foldedBreaks() -> [UInt8]? {
        var count = 0
        repeat { text.skipSpaces() } while text.endsLine() && text.next != nil && skipBreak(&count)
        return count == 0
            ? nil : count == 1 ? [JSONByte.space] : [UInt8](repeating: JSONByte.lineFeed, count: count - 1)
    }

    private mutating func skipBreak(_ count: inout Int) -> Bool {
        count += 1
        return text.skipBreak()
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let end = line.lastIndex { $0 != JSONByte.space && $0 != JSONByte.tab }
        return end.map { line[...$0] } ?? []
    }

    /// Reads text in quotes, which may go over lines.
    mutating func quoted() throws -> String {
        let start = text
        let quote = text.next
        text.skip()
        var result: [UInt8] = []
        // Spaces before a line break do not count, unless they are escaped.
        var kept = 0
        while let byte = text.next {
            if text.endsLine() || byte == JSONByte.space || byte == JSONByte.tab {
                skipSpace(&result, &kept)
                if text.isAtMarker { break }
                continue
            }
            if byte == quote {
                text.skip()
                guard quote == UInt8(ascii: "'"), text.next == quote else {
                    return String(decoding: result, as: UTF8.self)
                }
            } else if byte == JSONByte.backslash, quote == JSONByte.quote {
                try escape(&result)
                kept = result.count
                continue
            }
            result.append(byte)
            text.skip()
            kept = result.count
        }
        throw start.error("text in quotes has no end")
    }

    /// Keeps spaces within a line, and folds those around the ends of lines.
    private mutating func skipSpace(_ result: inout [UInt8], _ kept: inout Int) {
        let spaces = spaces()
        guard let fold = foldedBreaks() else { return result += spaces }
        result.removeSubrange(kept...)
        result += fold
        kept = result.count
    }

    /// Takes the spaces and tabs up to what follows them on the line.
    mutating func spaces() -> ArraySlice<UInt8> {
        var length = 0
        while [JSONByte.space, JSONByte.tab].contains(text.byte(after: length)) { length += 1 }
        return text.take(length)
    }

    /// Reads an escape of text in double quotes (YAML 1.1 section 5.6).
    private mutating func escape(_ result: inout [UInt8]) throws {
        let start = text
        text.skip()
        if text.endsLine(), text.next != nil {
            text.skipBreak()
            text.skipSpaces()
            while text.next == JSONByte.tab { text.skip() }
            return
        }
        guard let letter = text.next else { return }
        text.skip()
        if let scalar = Self.escapes[letter] {
            result += Array(String(Character(scalar)).utf8)
            return
        }
        let lengths: [UInt8: Int] = [UInt8(ascii: "x"): 2, UInt8(ascii: "u"): 4, UInt8(ascii: "U"): 8]
        guard let length = lengths[letter], var code = hexadecimal(length) else {
            throw start.error("invalid escape")
        }
        // JSON's way to spell what lies beyond four digits.
        if 0xD800..<0xDC00 ~= code, text.next == JSONByte.backslash, text.byte(after: 1) == UInt8(ascii: "u") {
            let first = text
            text.skip(2)
            if let low = hexadecimal(4), 0xDC00..<0xE000 ~= low {
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            } else {
                text = first
            }
        }
        result += Array(String(Character(UnicodeScalar(code) ?? "\u{FFFD}")).utf8)
    }

    private mutating func hexadecimal(_ count: Int) -> UInt32? {
        let digits = text.take(count)
        guard digits.count == count, digits.allSatisfy(Hexadecimal.isDigitOfEitherCase) else {
            return nil
        }
        return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private static let escapes: [UInt8: UnicodeScalar] = [
        UInt8(ascii: "0"): "\0", UInt8(ascii: "a"): "\u{7}", UInt8(ascii: "b"): "\u{8}",
        UInt8(ascii: "t"): "\t",
        JSONByte.tab: "\t", UInt8(ascii: "n"): "\n", UInt8(ascii: "v"): "\u{B}", UInt8(ascii: "f"): "\u{C}",
        UInt8(ascii: "r"): "\r", UInt8(ascii: "e"): "\u{1B}", JSONByte.space: " ", JSONByte.quote: "\"",
        UInt8(ascii: "/"): "/", JSONByte.backslash: "\\", UInt8(ascii: "N"): "\u{85}",
        UInt8(ascii: "_"): "\u{A0}",
        UInt8(ascii: "L"): "\u{2028}", UInt8(ascii: "P"): "\u{2029}",
    ]
}
