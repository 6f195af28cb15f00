import Foundation

/// A number that tells a text that was cut or spoiled from a whole one: FNV-1a of 64 bits, which guards against accidents
/// and not against forgery.
struct Checksum {
    private var value: UInt64 = 0xcbf2_9ce4_8422_2325

    /// Goes on over more bytes.
    mutating func add(_ data: Data) {
        value = data.withUnsafeBytes { bytes in
            var value = value
            for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
            return value
        }
    }

    /// The number in sixteen digits.
    var text: String { Hexadecimal.text(value, digits: 16) }
}

/// Numbers in the digits 0 to 9 and a to f.
enum Hexadecimal {
    /// A number, with zeros before it up to a number of digits.
    static func text(_ number: UInt64, digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    /// Whether a byte is such a digit.
    static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
    }
}
