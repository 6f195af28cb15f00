/// The escapes of JSON strings.
enum JSONEscapes {
    /// Decodes the content of a string whose escapes have been checked.
    static func decoded(_ content: UnsafeRawBufferPointer) -> String {
        // No escape is shorter than what it stands for.
        String(unsafeUninitializedCapacity: content.count) { output in
            var decoder = JSONEscapeDecoder(content: content, output: output)
            return decoder.decode()
        }
    }

    /// The byte that a letter after a backslash stands for.
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

    /// The letter that stands for a byte after a backslash, if the byte has one and must be escaped.
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
}
