import Foundation

/// Checks that bytes are valid UTF-8. `String` would silently repair them.
package enum WellFormedUTF8 {
    package static func isAll(of data: Data) -> Bool { data.withUnsafeBytes { isAll(of: $0) } }

    static func isAll(of bytes: UnsafeRawBufferPointer) -> Bool {
        firstIllFormedByte(in: bytes, from: 0, to: bytes.count) == nil
    }

    /// Finds the first byte that does not begin a well-formed character by table 3-7 of the Unicode Standard.
    static func firstIllFormedByte(in bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) -> Int? {
        var index = start
        while index < end {
            if index &+ 8 <= end, EightBytes.load(from: bytes, at: index) & EightBytes.highBits == 0 {
                index &+= 8
            } else if bytes[index] < 0x80 {
                index &+= 1
            } else if let length = lengthOfCharacter(in: bytes, at: index, before: end) {
                index &+= length
            } else {
                return index
            }
        }
        return nil
    }

    /// Counts the bytes of a character; `nil` if they are ill-formed.
    static func lengthOfCharacter(in bytes: UnsafeRawBufferPointer, at index: Int, before end: Int) -> Int? {
        let lead = bytes[index]
        let length: Int
        // Overlong forms, surrogates and numbers above U+10FFFF all show in the second byte.
        let second: ClosedRange<UInt8>
        switch lead {
        case 0x00...0x7F: return 1
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return nil
        }
        guard index &+ length <= end, second.contains(bytes[index &+ 1]) else { return nil }
        for next in index &+ 2..<index &+ length where bytes[next] & 0xC0 != 0x80 { return nil }
        return length
    }
}

extension String {
    /// Creates a string from bytes, or `nil` if they are not valid UTF-8. A byte order mark stays part of the string.
    package init?(wellFormed bytes: some ContiguousBytes) {
        let text: String? = bytes.withUnsafeBytes { bytes in
            WellFormedUTF8.isAll(of: bytes) ? String(decoding: bytes, as: UTF8.self) : nil
        }
        guard let text else { return nil }
        self = text
    }
}

/// Tests eight bytes at once, because message bodies can be many megabytes long.
enum EightBytes {
    /// The eight bytes at an index, the first one in the lowest bits.
    @inline(__always)
    static func load(from bytes: UnsafeRawBufferPointer, at index: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// A byte repeated eight times.
    @inline(__always)
    static func repeating(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

    /// The highest bit of each of eight bytes, which only characters beyond ASCII have.
    static var highBits: UInt64 { repeating(0x80) }

    /// Sets the high bit of the first byte that is zero. Subtracting makes a byte that is too small borrow into its
    /// high bit. The borrow can spoil only the bytes after it, so the lowest bit that is set can be trusted.
    @inline(__always)
    static func zeros(in word: UInt64) -> UInt64 { (word &- repeating(1)) & ~word & highBits }

    /// Sets the high bit of the first byte that is a control character, except U+007F.
    @inline(__always)
    static func controls(in word: UInt64) -> UInt64 { (word &- repeating(0x20)) & ~word & highBits }
}
