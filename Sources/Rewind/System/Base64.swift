import Foundation

/// One of the two alphabets of base64 (RFC 4648 sections 4 and 5).
package enum Base64Alphabet: Hashable, Sendable {
    /// With `+` and `/`.
    case standard
    /// With `-` and `_`, for URLs and file names.
    case url

    package func encoded(_ bytes: some Collection<UInt8>, padded: Bool) -> [UInt8] {
        let digits = self == .standard ? Self.standardDigits : Self.urlDigits
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count + 2) / 3 * 4)
        var bits: UInt32 = 0
        var count = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                result.append(digits[Int(bits >> UInt32(count) & 63)])
            }
        }
        if count > 0 { result.append(digits[Int(bits << UInt32(6 - count) & 63)]) }
        while padded, result.count % 4 != 0 { result.append(UInt8(ascii: "=")) }
        return result
    }

    /// Encodes bytes in the alphabet of other digits, with padding if those have it or would not need it. Text in URLs has no
    /// padding.
    package static func encoded(
        _ bytes: some Collection<UInt8>,
        like digits: some Collection<UInt8>,
        hasPadding: Bool
    ) -> [UInt8] {
        let isURL = digits.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        let alphabet: Base64Alphabet = isURL ? .url : .standard
        return alphabet.encoded(bytes, padded: hasPadding || digits.count % 4 == 0 && !isURL)
    }

    /// Decodes text of either alphabet without padding; `nil` if it contains another character. Leftover bits are ignored.
    package static func decoded(_ text: some Collection<UInt8>) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(text.count / 4 * 3 + 3)
        var bits: UInt32 = 0
        var count = 0
        for character in text {
            let value = values[Int(character)]
            guard value < 64 else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return result
    }

    static func isDigit(_ byte: UInt8) -> Bool { values[Int(byte)] < 64 }

    /// The end of a run of base64 digits of either alphabet. Tests four bytes at a time, because encoded files can be
    /// many megabytes long.
    static func endOfDigits(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        values.withUnsafeBufferPointer { values in
            func value(_ index: Int) -> UInt8 { values[Int(bytes[index])] }
            var end = start
            while end &+ 4 <= bytes.count,
                value(end) | value(end &+ 1) | value(end &+ 2) | value(end &+ 3) < 64
            {
                end &+= 4
            }
            while end < bytes.count, value(end) < 64 { end &+= 1 }
            return end
        }
    }

    private static let common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    private static let standardDigits = Array((common + "+/").utf8)
    private static let urlDigits = Array((common + "-_").utf8)
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for digits in [standardDigits, urlDigits] {
            for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
        }
        return values
    }()
}

/// Base64 without line breaks (RFC 4648 section 4), recognized without decoding it.
enum PlainBase64 {
    /// Whether every decoder accepts the text: complete groups of four digits, the last one padded.
    static func isValid(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard text.count % 4 == 0 else { return false }
        let padding = text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        return digits.withUnsafeBufferPointer { digits in
            text.dropLast(padding).allSatisfy { digits[Int($0)] }
        }
    }

    private static let digits: [Bool] = (0...255).map { (byte: UInt8) in
        Base64Alphabet.isDigit(byte) && byte != UInt8(ascii: "-") && byte != UInt8(ascii: "_")
    }
}

/// Base64 as found in files: often broken into lines (RFC 2045 section 6.8), which `Data` does not decode.
enum WrappedBase64 {
    static func data(_ text: String) -> Data? {
        if let data = Data(base64Encoded: text) { return data }
        let plain = text.utf8.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard plain.count < text.utf8.count else { return nil }
        return Data(base64Encoded: Data(plain))
    }
}
