import Foundation

/// A number that tells a text that was cut or spoiled from a whole one: FNV-1a of 64 bits, which guards against accidents
/// and not against forgery.
package struct Checksum: Sendable {
    private var value: UInt64 = 0xcbf2_9ce4_8422_2325

    /// Begins a checksum of no bytes.
    package init() {}

    /// Goes on over more bytes.
    package mutating func add(_ data: Data) {
        data.withUnsafeBytes { add($0) }
    }

    /// Goes on over more bytes.
    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var value = value
        // An iterator would be asked for each byte by a call of its own.
        for index in bytes.indices { value = (value ^ UInt64(bytes[index])) &* 0x100_0000_01b3 }
        self.value = value
    }

    /// The number in sixteen digits.
    package var text: String { Hexadecimal.text(value, digits: 16) }

    /// Half of the number in eight digits, where a short name matters more than chance.
    package var shortText: String {
        Hexadecimal.text(UInt64(UInt32(truncatingIfNeeded: value ^ value >> 32)), digits: 8)
    }
}
