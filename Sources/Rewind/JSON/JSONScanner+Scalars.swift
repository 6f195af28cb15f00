import Foundation

extension JSONScanner {
    /// Skips white space, of which laid out text has much: eight spaces at once.
    @inline(__always)
    mutating func skipWhiteSpace() {
        if next <= JSONByte.space { skipSomeWhiteSpace() }
    }

    private mutating func skipSomeWhiteSpace() {
        var index = position
        while index < bytes.count {
            if index &+ 8 <= bytes.count {
                let others = word(at: index) ^ JSONPlainRun.eight(JSONByte.space)
                index &+= others.trailingZeroBitCount >> 3
                if others == 0 { continue }
            }
            switch bytes[index] {
            case JSONByte.space, JSONByte.lineFeed, JSONByte.carriageReturn, JSONByte.tab: index &+= 1
            default: return position = index
            }
        }
        position = index
    }

    @inline(__always)
    private func word(at index: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// Skips one of the three words that JSON knows.
    mutating func skip(_ word: StaticString) throws(Refusal) {
        guard starts(with: word, at: position) else { throw Refusal() }
        position &+= word.utf8CodeUnitCount
    }

    /// Whether a word stands at an offset.
    @inline(__always)
    func starts(with word: StaticString, at offset: Int) -> Bool {
        let count = word.utf8CodeUnitCount
        guard offset &+ count <= bytes.count, let base = bytes.baseAddress else { return false }
        return memcmp(base + offset, word.utf8Start, count) == 0
    }

    /// Skips a number, and tells where it stands.
    mutating func number() throws(Refusal) -> JSONSpan {
        let start = position
        if next == JSONByte.minus { position &+= 1 }
        if next == JSONByte.zero { position &+= 1 } else { try digits() }
        if next == UInt8(ascii: ".") {
            position &+= 1
            try digits()
        }
        if next | 0x20 == UInt8(ascii: "e") {
            position &+= 1
            if next == UInt8(ascii: "+") || next == JSONByte.minus { position &+= 1 }
            try digits()
        }
        return JSONSpan(start..<position, hasEscapes: false)
    }

    /// Whether a number begins here.
    var isNumber: Bool {
        let byte = next
        return byte == JSONByte.minus || JSONByte.zero...JSONByte.nine ~= byte
    }

    /// Whether a number has no exponent and few digits, so that it cannot be out of range.
    func isPlain(_ number: JSONSpan) -> Bool {
        number.count <= 17 && !bytes[number.range].contains { $0 | 0x20 == UInt8(ascii: "e") }
    }

    /// The value of a number that is spelled as a whole one of few digits.
    func wholeNumber(_ number: JSONSpan) -> Int? {
        guard number.count <= 17 else { return nil }
        let isNegative = bytes[number.range.lowerBound] == JSONByte.minus
        var value = 0
        for byte in bytes[number.range].dropFirst(isNegative ? 1 : 0) {
            guard JSONByte.zero...JSONByte.nine ~= byte else { return nil }
            value = value * 10 + Int(byte - JSONByte.zero)
        }
        return isNegative ? -value : value
    }

    private mutating func digits() throws(Refusal) {
        guard JSONByte.zero...JSONByte.nine ~= next else { throw Refusal() }
        while JSONByte.zero...JSONByte.nine ~= next { position &+= 1 }
    }

    /// Skips a string, and tells where its content stands.
    ///
    /// Eight bytes are looked at in one go; the characters of those beyond ASCII are checked once the end is known.
    mutating func string() throws(Refusal) -> JSONSpan {
        try skip(JSONByte.quote)
        let start = position
        var index = start
        var seen: UInt64 = 0
        var hasEscapes = false
        while true {
            if index &+ 8 <= bytes.count {
                let word = word(at: index)
                let stops = JSONPlainRun.stops(in: word)
                guard stops != 0 else {
                    seen |= word
                    index &+= 8
                    continue
                }
                let count = stops.trailingZeroBitCount >> 3
                seen |= word & ~(UInt64.max << UInt64(truncatingIfNeeded: 8 &* count))
                index &+= count
            }
            guard index < bytes.count else { throw Refusal() }
            let byte = bytes[index]
            switch byte {
            case JSONByte.quote:
                let isASCII = seen & JSONPlainRun.highBits == 0
                guard isASCII || WellFormedUTF8.firstIllFormedByte(in: bytes, from: start, to: index) == nil
                else {
                    throw Refusal()
                }
                position = index &+ 1
                return JSONSpan(start..<index, hasEscapes: hasEscapes)
            case JSONByte.backslash:
                hasEscapes = true
                index = try endOfEscape(at: index)
            case 0..<JSONByte.space: throw Refusal()
            default:
                seen |= UInt64(byte)
                index &+= 1
            }
        }
    }

    /// The offset after a backslash and what belongs to it.
    @inline(__always)
    private func endOfEscape(at index: Int) throws(Refusal) -> Int {
        guard index &+ 1 < bytes.count else { throw Refusal() }
        let letter = bytes[index &+ 1]
        if JSONEscapes.byte(forLetter: letter) != nil { return index &+ 2 }
        guard letter == UInt8(ascii: "u"), index &+ 6 <= bytes.count else { throw Refusal() }
        for digit in index &+ 2..<index &+ 6 where !Hexadecimal.isDigitOfEitherCase(bytes[digit]) {
            throw Refusal()
        }
        return index &+ 6
    }
}
