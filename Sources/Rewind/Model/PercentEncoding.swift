/// Percent-encoding as RFC 3986 section 6.2.2 makes it comparable.
package enum PercentEncoding {
    /// The text with unreserved characters decoded, the digits of all other triplets in upper case, and what no path
    /// or query may contain encoded, as URL parsers do that accept it.
    package static func normalized(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || isForbidden($0) }) else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var position = 0
        // Where a percent sign stands that begins no triplet, so that nothing is decoded to be one with it.
        var stray = -3
        while position < bytes.count {
            guard bytes[position] == UInt8(ascii: "%"), position + 2 < bytes.count,
                let high = Hexadecimal.value(of: bytes[position + 1]),
                let low = Hexadecimal.value(of: bytes[position + 2])
            else {
                let byte = bytes[position]
                if byte == UInt8(ascii: "%") { stray = result.count }
                if isForbidden(byte) {
                    result += triplet(byte)
                } else {
                    result.append(byte)
                }
                position += 1
                continue
            }
            let decoded = high << 4 | low
            let next = position + 3 < bytes.count ? bytes[position + 3] : 0
            let neighbor = result.count - stray == 1 ? next : result.count - stray == 2 ? result.last : nil
            let completesTriplet =
                Hexadecimal.isDigitOfEitherCase(decoded)
                && neighbor.map(Hexadecimal.isDigitOfEitherCase) == true
            if isUnreserved(decoded), !completesTriplet {
                result.append(decoded)
            } else {
                result += triplet(decoded)
            }
            position += 3
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The text with every byte that is not unreserved encoded.
    package static func encoded(_ text: String) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) {
                result.append(byte)
            } else {
                result += triplet(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The triplet of a byte.
    private static func triplet(_ byte: UInt8) -> [UInt8] {
        let digits = Hexadecimal.uppercaseDigits
        return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    /// Whether RFC 3986 has no place for a byte in a path or a query, where brackets stand for no address.
    private static func isForbidden(_ byte: UInt8) -> Bool {
        switch byte {
        case ...0x20, 0x7F..., UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "["),
            UInt8(ascii: "\\"), UInt8(ascii: "]"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"),
            UInt8(ascii: "|"), UInt8(ascii: "}"):
            true
        default: false
        }
    }

    /// Whether a byte stays as it is in a path or a query, and divides neither into items.
    static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "#"): false
        default: !isForbidden(byte)
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
