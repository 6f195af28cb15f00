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

    /// Skips line breaks and the spaces around them. One line break becomes a space; of several, one is removed.
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
        guard let fold = foldedBreaks() else { return result += spaces }
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
        var (breaks, column) = (0, max(indent, 0))
        if let digit {
            column += digit
            breaks = skipBlankLines(column)
        } else {
            (breaks, column) = firstIndentation(atLeast: column + 1)
        }
        var hasBreak = false
        while text.column == column, text.next != nil, !text.isAtMarker {
            result += [UInt8](repeating: JSONByte.lineFeed, count: breaks)
            let isIndented = isSpace
            var length = 0
            while !text.endsLine(after: length) { length += 1 }
            result += text.take(length)
            hasBreak = text.skipBreak()
            breaks = hasBreak ? skipBlankLines(column) : 0
            guard hasBreak, text.column == column, text.next != nil, !text.isAtMarker else { break }
            hasBreak = false
            if isFolded, !isIndented, !isSpace {
                if breaks == 0 { result.append(JSONByte.space) }
            } else {
                result.append(JSONByte.lineFeed)
            }
        }
        if hasBreak, chomping != .strip { result.append(JSONByte.lineFeed) }
        if chomping == .keep { result += [UInt8](repeating: JSONByte.lineFeed, count: breaks) }
        return String(decoding: result, as: UTF8.self)
    }

    private var isSpace: Bool { text.next == JSONByte.space || text.next == JSONByte.tab }

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

    /// Skips empty lines and the indentation of the next line; returns the number of empty lines.
    private mutating func skipBlankLines(_ column: Int) -> Int {
        var count = 0
        repeat {
            while text.column < column, text.next == JSONByte.space { text.skip() }
            guard text.next != nil, text.skipBreak() else { return count }
            count += 1
        } while true
    }

    /// Skips empty lines; returns their number and the indentation of the next line.
    private mutating func firstIndentation(atLeast minimum: Int) -> (Int, Int) {
        var (count, deepest) = (0, 0)
        while true {
            while text.next == JSONByte.space { text.skip() }
            deepest = max(deepest, text.column)
            guard text.next != nil, text.skipBreak() else { return (count, max(minimum, deepest)) }
            count += 1
        }
    }
}

struct YAMLText {
    private let bytes: [UInt8]
    private(set) var position = 0
    private(set) var line = 1
    private var lineStart = 0

    /// - Throws: ``CassetteError/Problem`` if the bytes are not UTF-8.
    init(_ bytes: [UInt8]) throws {
        let start = bytes.starts(with: JSONLocation.byteOrderMark) ? JSONLocation.byteOrderMark.count : 0
        self.bytes = bytes
        (position, lineStart) = (start, start)
        try bytes.withUnsafeBytes { text in
            guard let offset = WellFormedUTF8.firstIllFormedByte(in: text, from: start, to: text.count) else {
                return
            }
            let place = JSONLocation(of: offset, in: text)
            throw CassetteError.Problem.syntax(
                line: place.line,
                column: place.column,
                cause: "the text is not valid UTF-8"
            )
        }
    }

    var next: UInt8? { byte(after: 0) }

    /// The number of bytes before the position on its line.
    var column: Int { position - lineStart }

    func byte(after distance: Int) -> UInt8? {
        let index = position + distance
        return index < bytes.count ? bytes[index] : nil
    }

    func endsLine(after distance: Int = 0) -> Bool {
        switch byte(after: distance) {
        case nil, JSONByte.lineFeed: true
        case JSONByte.carriageReturn: byte(after: distance + 1) == JSONByte.lineFeed
        default: false
        }
    }

    func isBlank(after distance: Int = 0) -> Bool {
        [JSONByte.space, JSONByte.tab].contains(byte(after: distance)) || endsLine(after: distance)
    }

    var isAtDash: Bool { next == UInt8(ascii: "-") && isBlank(after: 1) }

    /// Whether a document begins or ends here.
    var isAtMarker: Bool {
        guard column == 0, let mark = next, mark == UInt8(ascii: "-") || mark == UInt8(ascii: ".") else {
            return false
        }
        return byte(after: 1) == mark && byte(after: 2) == mark && isBlank(after: 3)
    }

    mutating func skip(_ count: Int = 1) { position = min(position + count, bytes.count) }

    mutating func take(_ count: Int) -> ArraySlice<UInt8> {
        let start = position
        skip(count)
        return bytes[start..<position]
    }

    @discardableResult mutating func skipBreak() -> Bool {
        guard endsLine(), let byte = next else { return false }
        skip(byte == JSONByte.carriageReturn ? 2 : 1)
        line += 1
        lineStart = position
        return true
    }

    /// Skips spaces, and tabs unless they indent.
    mutating func skipSpaces() { while next == JSONByte.space || next == JSONByte.tab && column > 0 { skip() } }

    mutating func skipComment() {
        guard next == UInt8(ascii: "#"), column == 0 || isSpace(before: position) else { return }
        while !endsLine() { skip() }
    }

    private func isSpace(before index: Int) -> Bool {
        index > 0 && [JSONByte.space, JSONByte.tab].contains(bytes[index - 1])
    }

    /// Moves to the next content, skipping comments; `false` if the document ends before it.
    mutating func skipToContent() -> Bool {
        repeat {
            skipSpaces()
            skipComment()
        } while skipBreak()
        return next != nil && !isAtMarker
    }

    func error(_ cause: String) -> CassetteError.Problem {
        .syntax(line: line, column: column + 1, cause: cause)
    }
}
