/// A word, a string literal or a character of a Swift file, without comments and white space.
struct SourceToken {
    enum Kind {
        case word
        /// A name in backticks, which is never a keyword. The text has them if the name has other characters than a word.
        case quotedWord
        /// The text of a string literal, empty if it has escapes, interpolations or several lines.
        case literal
        /// A word after a number sign, as in `#if`.
        case directive
        case punctuation
    }

    let kind: Kind
    let text: String
    let line: Int

    /// All tokens of a file.
    static func tokens(of text: String) -> [SourceToken] {
        var scanner = SourceScanner(text)
        var tokens: [SourceToken] = []
        while let token = scanner.next() { tokens.append(token) }
        return tokens
    }
}

private struct SourceScanner {
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func next() -> SourceToken? {
        while position < bytes.count {
            let (byte, line) = (bytes[position], line)
            switch byte {
            case UInt8(ascii: "/") where isNext("/"): skip { $0 == UInt8(ascii: "\n") }
            case UInt8(ascii: "/") where isNext("*"): skipComment()
            case UInt8(ascii: "\""): return SourceToken(kind: .literal, text: literal(hashes: 0), line: line)
            case UInt8(ascii: "#"):
                let start = position
                skip { $0 != byte }
                if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
                    return SourceToken(kind: .literal, text: literal(hashes: position - start), line: line)
                }
                return SourceToken(kind: .directive, text: "#" + word(), line: line)
            case UInt8(ascii: "`"):
                position += 1
                let start = position
                skip { $0 == byte || $0 == UInt8(ascii: "\n") }
                let name = text(start..<position)
                position += 1
                let isWord = name.utf8.allSatisfy(Self.isWord)
                return SourceToken(kind: .quotedWord, text: isWord ? name : "`\(name)`", line: line)
            case _ where Self.isWord(byte): return SourceToken(kind: .word, text: word(), line: line)
            default:
                position += 1
                if byte == UInt8(ascii: "\n") { self.line += 1 }
                guard byte > UInt8(ascii: " ") else { continue }
                return SourceToken(kind: .punctuation, text: String(UnicodeScalar(byte)), line: line)
            }
        }
        return nil
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }

    private mutating func word() -> String {
        let start = position
        skip { !Self.isWord($0) }
        return text(start..<position)
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    private func isNext(_ character: Unicode.Scalar) -> Bool {
        position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: character)
    }

    private mutating func skip(until isEnd: (UInt8) -> Bool) {
        while position < bytes.count, !isEnd(bytes[position]) { position += 1 }
    }

    private mutating func skipComment() {
        var depth = 0
        repeat {
            if bytes[position] == UInt8(ascii: "/"), isNext("*") {
                depth += 1
                position += 2
            } else if bytes[position] == UInt8(ascii: "*"), isNext("/") {
                depth -= 1
                position += 2
            } else {
                if bytes[position] == UInt8(ascii: "\n") { line += 1 }
                position += 1
            }
        } while depth > 0 && position < bytes.count
    }

    /// Reads a string from its first quotation mark, which follows the number signs of a raw string.
    private mutating func literal(hashes: Int) -> String {
        let quote = UInt8(ascii: "\"")
        let isLong = position + 2 < bytes.count && bytes[position + 1] == quote && bytes[position + 2] == quote
        let end =
            Array(repeating: quote, count: isLong ? 3 : 1) + Array(repeating: UInt8(ascii: "#"), count: hashes)
        let escape = [UInt8(ascii: "\\")] + Array(repeating: UInt8(ascii: "#"), count: hashes)
        position += isLong ? 3 : 1
        let start = position
        var isPlain = !isLong
        while position < bytes.count {
            if bytes[position...].starts(with: end) {
                position += end.count
                return isPlain ? text(start..<position - end.count) : ""
            }
            let byte = bytes[position]
            if byte == UInt8(ascii: "\n") {
                line += 1
                // The text is no valid string; what follows is read as code.
                guard isLong else {
                    position += 1
                    return ""
                }
            }
            guard bytes[position...].starts(with: escape) else {
                position += 1
                continue
            }
            isPlain = false
            position += escape.count
            if position < bytes.count, bytes[position] == UInt8(ascii: "(") {
                skipInterpolation()
            } else if position < bytes.count, bytes[position] != UInt8(ascii: "\n") {
                position += 1
            }
        }
        return ""
    }

    /// Skips an interpolated expression, which may contain strings.
    private mutating func skipInterpolation() {
        var depth = 0
        repeat {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                _ = literal(hashes: 0)
                continue
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            case UInt8(ascii: "\n"): line += 1
            default: break
            }
            position += 1
        } while depth > 0 && position < bytes.count
    }
}
