/// Copies the content of a string while replacing its escapes.
///
/// The output has to have room for as many bytes as the content has: no escape is shorter than what it stands for.
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
                let scalar = scalar()
                UTF8.encode(scalar)?.forEach { write($0) }
            }
        }
        return count
    }

    /// Copies what stands before the next escape, eight bytes at once as long as there are as many.
    private mutating func copyRun() {
        let target = UnsafeMutableRawBufferPointer(output)
        while position &+ 8 <= content.count {
            // What is copied beyond a stop is written over; the output never is ahead of the content.
            let word = UInt64(littleEndian: content.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            target.storeBytes(of: word.littleEndian, toByteOffset: count, as: UInt64.self)
            let stops = JSONPlainRun.stops(in: word)
            let length = stops == 0 ? 8 : stops.trailingZeroBitCount >> 3
            position &+= length
            count &+= length
            if stops != 0 { return }
        }
        while position < content.count, content[position] != JSONByte.backslash {
            write(content[position])
            position &+= 1
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
