/// Base64 without line breaks (RFC 4648 section 4), told without decoding it.
enum PlainBase64 {
    /// Whether every reader takes a text for base64: whole groups of four digits, the last one filled up.
    static func isValid(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard text.count % 4 == 0 else { return false }
        let padding = text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        return digits.withUnsafeBufferPointer { digits in
            text.dropLast(padding).allSatisfy { digits[Int($0)] }
        }
    }

    private static let digits: [Bool] = (0...255).map { (byte: UInt8) in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
            true
        default: false
        }
    }
}
