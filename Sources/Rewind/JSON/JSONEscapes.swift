import Foundation

package enum JSONEscapes {
    /// Decodes the content of a string whose escapes have been checked.
    static func decoded(_ content: UnsafeRawBufferPointer) -> String {
        // No escape is shorter than what it represents.
        String(unsafeUninitializedCapacity: content.count) { output in
            var decoder = JSONEscapeDecoder(content: content, output: output)
            return decoder.decode()
        }
    }

    /// Decodes the content of a string; if an escape is invalid, returns the text undecoded.
    package static func decodedIfValid(_ content: UnsafeRawBufferPointer) -> String {
        let plain = String(decoding: content, as: UTF8.self)
        guard content.contains(JSONByte.backslash) else { return plain }
        let quoted = Data([JSONByte.quote] + content + [JSONByte.quote])
        return (try? JSON(parsing: quoted))?.stringValue ?? plain
    }

    /// The content of a JSON string, without quotes.
    package static func encoded(_ text: String) -> Data { JSON.string(text).lineText.dropFirst().dropLast() }

    static func byte(forLetter letter: UInt8) -> UInt8? {
        switch letter {
        case JSONByte.quote, JSONByte.backslash, UInt8(ascii: "/"): letter
        case UInt8(ascii: "n"): JSONByte.lineFeed
        case UInt8(ascii: "r"): JSONByte.carriageReturn
        case UInt8(ascii: "t"): JSONByte.tab
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        default: nil
        }
    }

    /// The letter after a backslash for a byte that has one and must be escaped.
    static func letter(forByte byte: UInt8) -> UInt8? {
        switch byte {
        case JSONByte.quote, JSONByte.backslash: byte
        case JSONByte.lineFeed: UInt8(ascii: "n")
        case JSONByte.carriageReturn: UInt8(ascii: "r")
        case JSONByte.tab: UInt8(ascii: "t")
        case 0x08: UInt8(ascii: "b")
        case 0x0C: UInt8(ascii: "f")
        default: nil
        }
    }

    /// Sets the high bit of the first of eight bytes that must be escaped in a string.
    @inline(__always)
    fileprivate static func stops(in word: UInt64) -> UInt64 {
        EightBytes.controls(in: word)
            | EightBytes.zeros(in: word ^ 0x2222_2222_2222_2222)  // quotes
            | EightBytes.zeros(in: word ^ 0x5C5C_5C5C_5C5C_5C5C)  // backslashes
    }
}

/// A run of bytes that need no escape: no quote, no backslash and no control character.
struct JSONPlainRun {
    let end: Int
    let isASCII: Bool

    @inline(__always)
    init(in bytes: UnsafeRawBufferPointer, from start: Int) {
        var index = start
        var seen: UInt64 = 0
        guard let text = bytes.baseAddress else {
            (end, isASCII) = (start, true)
            return
        }
        while index &+ 8 <= bytes.count {
            let word = EightBytes.load(from: text, at: index)
            let stops = JSONEscapes.stops(in: word)
            if stops != 0 {
                let count = stops.trailingZeroBitCount >> 3
                seen |= word & ~(UInt64.max &<< UInt64(truncatingIfNeeded: 8 &* count))
                end = index &+ count
                isASCII = EightBytes.areASCII(seen)
                return
            }
            seen |= word
            index &+= 8
        }
        while index < bytes.count {
            let byte = text.load(fromByteOffset: index, as: UInt8.self)
            if byte < 0x20 || byte == 0x22 || byte == 0x5C { break }
            seen |= UInt64(truncatingIfNeeded: byte)
            index &+= 1
        }
        end = index
        isASCII = EightBytes.areASCII(seen)
    }
}

/// Copies the content of a string while replacing its escapes. The output must have room for as many bytes as the
/// content: no escape is shorter than what it represents.
struct JSONEscapeDecoder {
    let content: UnsafeRawBufferPointer
    let output: UnsafeMutableBufferPointer<UInt8>
    var position = 0
    var count = 0

    mutating func decode() -> Int {
        while position < content.count {
            copyRun()
            guard position &+ 1 < content.count else { return count }
            if let byte = JSONEscapes.byte(forLetter: content[position &+ 1]) {
                position &+= 2
                write(byte)
            } else {
                UTF8.encode(scalar())?.forEach { write($0) }
            }
        }
        return count
    }

    /// Copies everything before the next escape, eight bytes at a time.
    private mutating func copyRun() {
        // Local copies, because in debug builds each access of a property is a call.
        guard let text = content.baseAddress, let target = UnsafeMutableRawPointer(output.baseAddress) else {
            return
        }
        var (position, count) = (position, count)
        defer { (self.position, self.count) = (position, count) }
        while position &+ 8 <= content.count {
            // Bytes copied beyond a stop are overwritten; the output is never ahead of the content.
            let word = EightBytes.load(from: text, at: position)
            target.storeBytes(of: word.littleEndian, toByteOffset: count, as: UInt64.self)
            let stops = JSONEscapes.stops(in: word)
            let length = stops == 0 ? 8 : stops.trailingZeroBitCount &>> 3
            position &+= length
            count &+= length
            if stops != 0 { return }
        }
        while position < content.count {
            let byte = text.load(fromByteOffset: position, as: UInt8.self)
            if byte == 0x5C { return }
            target.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
            position &+= 1
            count &+= 1
        }
    }

    /// Reads `\uHHHH`, or two of them that make a surrogate pair; half a pair gives U+FFFD.
    private mutating func scalar() -> UnicodeScalar {
        let unit = codeUnit(at: position) ?? 0xFFFD
        position += 6
        if let scalar = UnicodeScalar(unit) { return scalar }
        guard UTF16.isLeadSurrogate(UInt16(unit)), let trail = codeUnit(at: position),
            UTF16.isTrailSurrogate(UInt16(trail)),
            let scalar = UnicodeScalar(0x10000 + (unit - 0xD800) << 10 + (trail - 0xDC00))
        else { return "\u{FFFD}" }
        position += 6
        return scalar
    }

    private func codeUnit(at index: Int) -> UInt32? {
        guard index + 6 <= content.count, content[index] == JSONByte.backslash,
            content[index + 1] == UInt8(ascii: "u")
        else { return nil }
        return content[index + 2..<index + 6].reduce(0) { value, digit in
            value << 4 | UInt32(Hexadecimal.value(of: digit) ?? 0)
        }
    }

    @inline(__always)
    private mutating func write(_ byte: UInt8) {
        output[count] = byte
        count &+= 1
    }
}

struct JSONEscapeEncoder {
    private let output: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    static var longest: Int { 1024 }
    /// The room in bytes that they need if each becomes `\u0000`; eight bytes more, because eight are written at once.
    static var room: Int { 6 * longest + 8 }

    init(_ output: UnsafeMutableRawBufferPointer) { self.output = output }

    /// Appends at most ``longest`` bytes.
    mutating func encode(_ content: UnsafeRawBufferPointer) {
        guard let text = content.baseAddress, let target = output.baseAddress else { return }
        var index = 0
        while index < content.count {
            // A local copy, because in debug builds each access of a property is a call.
            var end = count
            while index &+ 8 <= content.count {
                // Bytes copied beyond a stop are overwritten.
                let word = EightBytes.load(from: text, at: index)
                target.storeBytes(of: word.littleEndian, toByteOffset: end, as: UInt64.self)
                let stops = JSONEscapes.stops(in: word)
                let length = stops == 0 ? 8 : stops.trailingZeroBitCount &>> 3
                index &+= length
                end &+= length
                if stops != 0 { break }
            }
            count = end
            guard index < content.count else { return }
            add(text.load(fromByteOffset: index, as: UInt8.self))
            index &+= 1
        }
    }

    @inline(__always)
    private mutating func add(_ byte: UInt8) {
        if let letter = JSONEscapes.letter(forByte: byte) {
            put(JSONByte.backslash)
            put(letter)
        } else if byte < JSONByte.space {
            for byte in "\\u00".utf8 { put(byte) }
            put(byte < 0x10 ? JSONByte.zero : JSONByte.zero + 1)
            put(Hexadecimal.lowercaseDigits[Int(byte & 15)])
        } else {
            put(byte)
        }
    }

    @inline(__always)
    private mutating func put(_ byte: UInt8) {
        output[count] = byte
        count &+= 1
    }
}
