extension JSONParser {
    /// Reads a value that has no values inside.
    mutating func scalar(inside construct: JSONError.Construct) throws(JSONError) -> JSON {
        switch next {
        case JSONByte.quote: return .string(try string())
        case JSONByte.minus, JSONByte.zero...JSONByte.nine: return .number(try number())
        case UInt8(ascii: "t") where skip("true"): return true
        case UInt8(ascii: "f") where skip("false"): return false
        case UInt8(ascii: "n") where skip("null"): return .null
        default: throw error(.expectedValue, inside: construct)
        }
    }

    private mutating func skip(_ word: StaticString) -> Bool {
        let end = position + word.utf8CodeUnitCount
        let expected = UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard end <= bytes.count, bytes[position..<end].elementsEqual(expected) else { return false }
        position = end
        return true
    }

    /// Reads a number and keeps its spelling.
    private mutating func number() throws(JSONError) -> JSONNumber {
        let start = position
        if next == JSONByte.minus { position += 1 }
        if next == JSONByte.zero {
            position += 1
            if nextIsDigit { throw error(.leadingZero, at: position - 1) }
        } else {
            try digits()
        }
        if next == UInt8(ascii: ".") {
            position += 1
            try digits()
        }
        if next | 0x20 == UInt8(ascii: "e") {
            position += 1
            if next == UInt8(ascii: "+") || next == JSONByte.minus { position += 1 }
            try digits()
        }
        return JSONNumber(checkedLiteral: text(start..<position))
    }

    private var nextIsDigit: Bool {
        JSONByte.zero...JSONByte.nine ~= next
    }

    private mutating func digits() throws(JSONError) {
        guard nextIsDigit else { throw error(.expectedDigit, inside: .number) }
        while nextIsDigit { position &+= 1 }
    }

    /// Reads a string from its opening to its closing quote.
    ///
    /// The text is checked first and decoded afterwards, so that decoding cannot fail and fills memory
    /// of known size.
    mutating func string() throws(JSONError) -> String {
        position += 1
        let start = position
        var isASCII = true
        var hasEscapes = false
        while true {
            let run = JSONPlainRun(in: bytes, from: position)
            position = run.end
            isASCII = isASCII && run.isASCII
            guard next == JSONByte.backslash else { break }
            hasEscapes = true
            try skipEscape()
        }
        if !isASCII, let place = WellFormedUTF8.firstIllFormedByte(in: bytes, from: start, to: position) {
            throw error(.notUTF8, at: place)
        }
        guard position < bytes.count else { throw error(.unexpectedEnd(inside: .string)) }
        guard next == JSONByte.quote else { throw error(.controlCharacter(next)) }
        let content = start..<position
        position += 1
        return hasEscapes
            ? JSONEscapes.decoded(UnsafeRawBufferPointer(rebasing: bytes[content])) : text(content)
    }

    /// Skips a backslash and what belongs to it.
    private mutating func skipEscape() throws(JSONError) {
        let start = position
        position += 1
        switch next {
        case UInt8(ascii: "u"):
            position += 1
            for _ in 0..<4 {
                guard position < bytes.count else { throw error(.unexpectedEnd(inside: .string)) }
                guard Hexadecimal.isDigitOfEitherCase(next) else {
                    throw error(.invalidUnicodeEscape, at: start)
                }
                position += 1
            }
        case let byte where JSONEscapes.byte(forLetter: byte) != nil:
            position += 1
        case 0..<JSONByte.space:
            // The string ends here or holds a control character, which is the better thing to report.
            break
        default:
            guard let length = WellFormedUTF8.lengthOfCharacter(in: bytes, at: position, before: bytes.count)
            else {
                throw error(.notUTF8)
            }
            throw error(.invalidEscape(text(position..<position + length)), at: start)
        }
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: UnsafeRawBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    }
}
