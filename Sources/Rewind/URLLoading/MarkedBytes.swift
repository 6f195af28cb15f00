/// Header values that are not UTF-8, on their way through Foundation.
///
/// On Linux, Foundation ends a load if a header line is not UTF-8. So Rewind passes it such a line with each byte from
/// 0x80 as a character of Unicode's private use area, and reads the bytes from the value that Foundation returns.
enum MarkedBytes {
    private static let first: UInt32 = 0xF780
    private static let last: UInt32 = 0xF7FF

    /// The line for Foundation; `nil` if it can have the line as it is.
    static func marking(_ line: UnsafeRawBufferPointer) -> [UInt8]? {
        guard line.contains(where: { $0 >= 0x80 }) else { return nil }
        // A character that looks like a mark is marked too, byte by byte, so that every line can be read again.
        if WellFormedUTF8.isAll(of: line), !hasMarks(String(decoding: line, as: UTF8.self)) { return nil }
        var marked: [UInt8] = []
        marked.reserveCapacity(line.count * 3)
        for byte in line {
            guard byte >= 0x80, let scalar = Unicode.Scalar(first + UInt32(byte) - 0x80) else {
                marked.append(byte)
                continue
            }
            marked += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        }
        return marked
    }

    /// A field with the bytes of a value that may have marks: as ISO 8859-1 if it has any.
    static func field(name: String, value: String) -> HeaderList.Field {
        guard hasMarks(value) else { return HeaderList.Field(name: name, value: value) }
        var text = ""
        for scalar in value.unicodeScalars {
            if isMark(scalar) {
                text.unicodeScalars.append(Unicode.Scalar(UInt8(scalar.value - first + 0x80)))
            } else {
                // Another field of this name, which Foundation joined with this one, may be UTF-8.
                for byte in String(scalar).utf8 { text.unicodeScalars.append(Unicode.Scalar(byte)) }
            }
        }
        var field = HeaderList.Field(name: name, value: text)
        field.isLatin1 = true
        return field
    }

    private static func hasMarks(_ text: String) -> Bool {
        !text.utf8.allSatisfy { $0 < 0x80 } && text.unicodeScalars.contains(where: isMark)
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool { first...last ~= scalar.value }
}
