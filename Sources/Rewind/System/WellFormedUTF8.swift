import Foundation

/// Checks that bytes are valid UTF-8. `String` would silently repair them.
package enum WellFormedUTF8 {
    package static func isAll(of data: Data) -> Bool { data.withUnsafeBytes { isAll(of: $0) } }

    static func isAll(of bytes: UnsafeRawBufferPointer) -> Bool {
        var start = 0
        // The standard library repairs text at full speed in debug builds too. What it repairs is not the same afterwards.
        while bytes.count - start > 2 * piece {
            var end = start + piece
            while end > start + piece - 4, bytes[end] & 0xC0 == 0x80 { end -= 1 }
            guard isSameAfterRepair(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) else { return false }
            start = end
        }
        return firstIllFormedByte(in: bytes, from: start, to: bytes.count) == nil
    }

    private static let piece = 8_192

    private static func isSameAfterRepair(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let text = bytes.baseAddress else { return true }
        return String(decoding: bytes, as: UTF8.self).withBytes { repaired in
            guard repaired.count == bytes.count, let copy = repaired.baseAddress else { return false }
            return memcmp(copy, text, bytes.count) == 0
        }
    }

    /// Finds the first byte that does not begin a well-formed character by table 3-7 of the Unicode Standard.
    static func firstIllFormedByte(in bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) -> Int? {
        guard start < end, let text = bytes.baseAddress else { return nil }
        var index = start
        while index < end {
            if index &+ 8 <= end, EightBytes.areASCII(EightBytes.load(from: text, at: index)) {
                index &+= 8
            } else if text.load(fromByteOffset: index, as: UInt8.self) < 0x80 {
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
        guard index < end, end <= bytes.count, let text = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return nil }
        let lead = text[index]
        if lead < 0x80 { return 1 }
        guard lead >= 0xC2, lead <= 0xF4 else { return nil }
        let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        guard index &+ length <= end else { return nil }
        // Overlong forms, surrogates and numbers above U+10FFFF all show in the second byte.
        let second = text[index &+ 1]
        let least: UInt8 = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80
        let greatest: UInt8 = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF
        guard second >= least, second <= greatest else { return nil }
        if length > 2, text[index &+ 2] & 0xC0 != 0x80 { return nil }
        if length > 3, text[index &+ 3] & 0xC0 != 0x80 { return nil }
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

/// Tests eight bytes at once, because message bodies can be many megabytes long. The constants are literals, because in
/// debug builds each computed one is a call.
enum EightBytes {
    /// The eight bytes at an index, the first one in the lowest bits.
    @inline(__always)
    static func load(from bytes: UnsafeRawPointer, at index: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// Whether all bytes are ASCII.
    @inline(__always)
    static func areASCII(_ word: UInt64) -> Bool { word & 0x8080_8080_8080_8080 == 0 }

    /// Sets the high bit of the first byte that is zero. Subtracting makes a byte that is too small borrow into its
    /// high bit. The borrow can spoil only the bytes after it, so the lowest bit that is set can be trusted.
    @inline(__always)
    static func zeros(in word: UInt64) -> UInt64 {
        (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
    }

    /// Sets the high bit of the first byte that is a control character, except U+007F.
    @inline(__always)
    static func controls(in word: UInt64) -> UInt64 {
        (word &- 0x2020_2020_2020_2020) & ~word & 0x8080_8080_8080_8080
    }
}
