/// Copies the content of a string while replacing its escapes.
struct JSONEscapeDecoder {
    let content: UnsafeRawBufferPointer
    let output: UnsafeMutableBufferPointer<UInt8>
    var position = 0
    var count = 0

    mutating func decode() -> Int {
        while true {
            let run = JSONPlainRun(in: content, from: position)
            copy(position..<run.end)
            position = run.end
            guard position + 1 < content.count else { return count }
            let letter = content[position + 1]
            if let byte = JSONEscapes.byte(forLetter: letter) {
                position += 2
                write(byte)
            } else {
                let scalar = scalar()
                UTF8.encode(scalar)?.forEach { write($0) }
            }
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
            value << 4 | (JSONEscapes.hexadecimalValue(of: digit) ?? 0)
        }
    }

    private mutating func write(_ byte: UInt8) {
        output[count] = byte
        count += 1
    }

    private mutating func copy(_ run: Range<Int>) {
        let target = UnsafeMutableRawBufferPointer(output)[count...]
        UnsafeMutableRawBufferPointer(rebasing: target).copyMemory(
            from: UnsafeRawBufferPointer(rebasing: content[run])
        )
        count += run.count
    }
}
