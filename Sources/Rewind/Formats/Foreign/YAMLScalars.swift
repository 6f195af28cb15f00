extension YAMLParser {
    /// Reads text without quotes. Continuation lines are indented deeper than its key or list (YAML 1.1 section 9.1.3).
    mutating func plain(in indent: Int) throws -> String {
        try checkStart()
        var result: [UInt8] = []
        while true {
            var length = 0
            while !text.endsLine(after: length), !isComment(after: length) {
                if isColon(after: length) {
                    text.skip(length)
                    throw text.error("text that contains `: ` needs quotes")
                }
                length += 1
            }
            result += Self.trimmed(text.take(length))
            let end = text
            // A comment ends the text.
            guard !isComment(after: 0), let fold = foldedBreaks(), text.column > indent, text.next != nil,
                !text.isAtMarker, text.next != UInt8(ascii: "#")
            else {
                text = end
                text.skipComment()
                return String(decoding: result, as: UTF8.self)
            }
            result += fold
        }
    }

    /// Skips line breaks and the spaces around them. One line feed becomes a space; of several, one is removed.
    mutating func foldedBreaks(inQuotes: Bool = false) -> [UInt8]? {
        text.skipSpaces()
        let first = text.takeBreak()
        guard !first.isEmpty else { return nil }
        let others = skipBlankLines(inQuotes)
        guard first.elementsEqual([JSONByte.lineFeed]) else { return first + others }
        return others.isEmpty ? [JSONByte.space] : others
    }

    /// Skips empty lines and the white space of the next line, and returns the line breaks.
    private mutating func skipBlankLines(_ isInQuotes: Bool) -> [UInt8] {
        var breaks: [UInt8] = []
        while true {
            text.skipSpaces()
            while isInQuotes, text.isAtSpace { text.skip() }
            let line = text.takeBreak()
            guard !line.isEmpty else { return breaks }
            breaks += line
        }
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let end = line.lastIndex { $0 != JSONByte.space && $0 != JSONByte.tab }
        return end.map { line[...$0] } ?? []
    }

    /// Reads text in quotes, which may span lines.
    mutating func quoted() throws -> String {
        let start = text
        let quote = text.next
        text.skip()
        var result: [UInt8] = []
        // Spaces before a line break are removed, unless they are escaped.
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
        throw start.error("missing closing quote")
    }

    /// Preserves spaces inside a line, and folds spaces around line breaks.
    private mutating func skipSpace(_ result: inout [UInt8], _ kept: inout Int) {
        let spaces = spaces()
        guard let fold = foldedBreaks(inQuotes: true) else { return result += spaces }
        result.removeSubrange(kept...)
        result += fold
        kept = result.count
    }

    mutating func spaces() -> ArraySlice<UInt8> {
        var length = 0
        while [JSONByte.space, JSONByte.tab].contains(text.byte(after: length)) { length += 1 }
        return text.take(length)
    }

    /// Reads an escape of text in double quotes (YAML 1.1 section 5.6).
    private mutating func escape(_ result: inout [UInt8]) throws {
        let start = text
        text.skip()
        if text.skipBreak() {
            result += skipBlankLines(true)
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
            throw start.error("invalid escape sequence")
        }
        // JSON writes characters above U+FFFF as two escapes.
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
        guard digits.count == count, digits.allSatisfy(Hexadecimal.isDigitOfEitherCase) else { return nil }
        return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private static let escapes: [UInt8: UnicodeScalar] = [
        UInt8(ascii: "0"): "\0", UInt8(ascii: "a"): "\u{7}", UInt8(ascii: "b"): "\u{8}",
        UInt8(ascii: "t"): "\t", JSONByte.tab: "\t", UInt8(ascii: "n"): "\n", UInt8(ascii: "v"): "\u{B}",
        UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "r"): "\r", UInt8(ascii: "e"): "\u{1B}", JSONByte.space: " ",
        JSONByte.quote: "\"", UInt8(ascii: "/"): "/", JSONByte.backslash: "\\", UInt8(ascii: "N"): "\u{85}",
        UInt8(ascii: "_"): "\u{A0}", UInt8(ascii: "L"): "\u{2028}", UInt8(ascii: "P"): "\u{2029}",
    ]

    /// The treatment of line breaks at the end of a block (YAML 1.1 section 9.2.3).
    private enum Chomping { case strip, clip, keep }

    /// Reads a block: literal after `|`, folded after `>`.
    mutating func blockScalar(in indent: Int) throws -> String {
        let isFolded = text.next == UInt8(ascii: ">")
        text.skip()
        let (chomping, digit) = try header()
        var result: [UInt8] = []
        var breaks: [UInt8]
        var column = max(indent, 0)
        if let digit {
            column += digit
            breaks = blankLines(upTo: column)
        } else {
            (breaks, column) = firstIndentation(atLeast: column + 1)
        }
        var lineBreak: ArraySlice<UInt8> = []
        while text.column == column, text.next != nil, !text.isAtMarker {
            result += breaks
            let isIndented = text.isAtSpace
            var length = 0
            while !text.endsLine(after: length) { length += 1 }
            result += text.take(length)
            lineBreak = text.takeBreak()
            breaks = lineBreak.isEmpty ? [] : blankLines(upTo: column)
            guard !lineBreak.isEmpty, text.column == column, text.next != nil, !text.isAtMarker else { break }
            if isFolded, !isIndented, !text.isAtSpace, lineBreak.elementsEqual([JSONByte.lineFeed]) {
                if breaks.isEmpty { result.append(JSONByte.space) }
            } else {
                result += lineBreak
            }
            lineBreak = []
        }
        if chomping != .strip { result += lineBreak }
        if chomping == .keep { result += breaks }
        return String(decoding: result, as: UTF8.self)
    }

    /// Reads the header after `|` or `>`: the chomping and the indentation.
    private mutating func header() throws -> (Chomping, Int?) {
        var chomping: Chomping?
        var digit: Int?
        while let byte = text.next, !text.isBlank() {
            switch byte {
            case UInt8(ascii: "-") where chomping == nil: chomping = .strip
            case UInt8(ascii: "+") where chomping == nil: chomping = .keep
            case UInt8(ascii: "1")...UInt8(ascii: "9") where digit == nil: digit = Int(byte - UInt8(ascii: "0"))
            default:
                throw text.error(
                    "invalid block header: expected an indentation and `+` or `-`, such as `|2-`"
                )
            }
            text.skip()
        }
        text.skipSpaces()
        text.skipComment()
        guard text.endsLine() else { throw text.error("expected the end of the line") }
        text.skipBreak()
        return (chomping ?? .clip, digit)
    }

    /// Skips empty lines and the indentation of the next line, and returns the line breaks.
    private mutating func blankLines(upTo column: Int) -> [UInt8] {
        var breaks: [UInt8] = []
        while true {
            while text.column < column, text.next == JSONByte.space { text.skip() }
            let line = text.takeBreak()
            guard !line.isEmpty else { return breaks }
            breaks += line
        }
    }

    /// Skips empty lines; returns their line breaks and the indentation of the next line.
    private mutating func firstIndentation(atLeast minimum: Int) -> ([UInt8], Int) {
        var breaks: [UInt8] = []
        var deepest = 0
        while true {
            while text.next == JSONByte.space { text.skip() }
            deepest = max(deepest, text.column)
            let line = text.takeBreak()
            guard !line.isEmpty else { return (breaks, max(minimum, deepest)) }
            breaks += line
        }
    }
}
