import Foundation

/// A checksum (FNV-1a, 64 bits) that guards against truncation and accidents, not against forgery.
package struct Checksum: Sendable {
    package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    package init() {}

    package mutating func add(_ data: Data) { data.withUnsafeBytes { add($0) } }

    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        guard var byte = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        // An iterator would cost a call for each byte in debug builds.
        var (value, rest) = (value, bytes.count)
        while rest != 0 {
            value = (value ^ UInt64(truncatingIfNeeded: byte.pointee)) &* 0x100_0000_01b3
            byte += 1
            rest &-= 1
        }
        self.value = value
    }

    package var text: String { Hexadecimal.text(value, digits: 16) }

    /// The checksum folded into 32 bits, in eight digits, for names that should be short.
    package var shortText: String {
        Hexadecimal.text(UInt64(UInt32(truncatingIfNeeded: value ^ value >> 32)), digits: 8)
    }
}

/// Detects whether a file has changed, with a checksum that is fast even in debug builds.
package struct ContentChecksum: Hashable, Sendable {
    package let text: String

    package init(_ data: Data) {
        var checksum = Checksum()
        checksum.add(data)
        text = checksum.text
    }

    package init?(contentsOf url: URL) {
        // Not mapped, because the process would crash if an editor truncated the file while it is read.
        guard let data = try? Data(contentsOf: url) else { return nil }
        self.init(data)
    }

    package init(text: String) { self.text = text }
}

enum Hexadecimal {
    static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// The bytes of a text that consists of pairs of digits and white space; `nil` for any other text.
    static func data(_ text: String) -> Data? {
        var data = Data(capacity: text.utf8.count / 2)
        var high: UInt8?
        for byte in text.utf8 where ![0x20, 0x09, 0x0A, 0x0D].contains(byte) {
            guard let digit = value(of: byte) else { return nil }
            if let first = high { data.append(first << 4 | digit) }
            high = high == nil ? digit : nil
        }
        return high == nil ? data : nil
    }

    static func isDigitOfEitherCase(_ byte: UInt8) -> Bool { value(of: byte) != nil }

    /// Whether a byte is a lowercase digit.
    static func isDigit(_ byte: UInt8) -> Bool { lowercaseDigits.contains(byte) }

    static let lowercaseDigits = Array("0123456789abcdef".utf8)
    static let uppercaseDigits = Array("0123456789ABCDEF".utf8)

    static func text(_ number: some BinaryInteger, digits: Int, uppercase: Bool = false) -> String {
        let text = String(number, radix: 16, uppercase: uppercase)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}
