extension YAMLParser {
    /// How the line breaks at the end of a block are read (YAML 1.1 section 9.2.3).
    private enum Chomping {
        case strip
        case clip
        case keep
    }

    /// Reads text that stands in lines of its own, after `|` as they are and after `>` folded.
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

    /// Reads what stands after `|` or `>`: how the end is read, and how deep the text is indented.
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
                    "a block begins with its indentation and what becomes of its end, such as `|2-`"
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

    /// Skips lines of nothing but the indentation, and the indentation of the next, and returns their number.
    private mutating func skipBlankLines(_ column: Int) -> Int {
        var count = 0
        repeat {
            while text.column < column, text.next == JSONByte.space { text.skip() }
            guard text.next != nil, text.skipBreak() else { return count }
            count += 1
        } while true
    }

    /// Skips empty lines, and returns their number and the indentation of the first that is not.
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
