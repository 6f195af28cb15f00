/// A stretch of a string that needs no escape: no quote, no backslash and no control character.
struct JSONPlainRun {
    /// The index of the first byte that does not belong to the run.
    let end: Int
    /// Whether every byte of the run is known to be ASCII.
    let isASCII: Bool

    /// Finds how far the run reaches that begins at an index.
    ///
    /// Eight bytes are looked at in one go, as bodies of messages make strings of megabytes.
    init(in bytes: UnsafeRawBufferPointer, from start: Int) {
        var index = start
        var seen: UInt64 = 0
        while index &+ 8 <= bytes.count {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let stops = Self.stops(in: word)
            if stops != 0 {
                let count = stops.trailingZeroBitCount / 8
                seen |= word & ~(UInt64.max << UInt64(8 * count))
                self.init(end: index &+ count, seen: seen)
                return
            }
            seen |= word
            index &+= 8
        }
        while index < bytes.count {
            let byte = bytes[index]
            if byte < JSONByte.space || byte == JSONByte.quote || byte == JSONByte.backslash { break }
            seen |= UInt64(byte)
            index &+= 1
        }
        self.init(end: index, seen: seen)
    }

    private init(end: Int, seen: UInt64) {
        self.end = end
        isASCII = seen & Self.highBits == 0
    }

    /// The highest bit of each of eight bytes, which only characters beyond ASCII have.
    static var highBits: UInt64 { eight(0x80) }
    private static var lowBits: UInt64 { eight(1) }

    /// A byte eight times.
    @inline(__always)
    static func eight(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

    /// Whether the eight bytes at an index are ASCII.
    static func isASCII(in bytes: UnsafeRawBufferPointer, at index: Int) -> Bool {
        bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & highBits == 0
    }

    /// Whether none of the eight bytes at an index is a control character, U+007F included.
    static func isReadable(in bytes: UnsafeRawBufferPointer, at index: Int) -> Bool {
        let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        let control = (word &- eight(JSONByte.space)) & ~word
        let delete = word ^ eight(0x7F)
        return (control | (delete &- lowBits) & ~delete) & highBits == 0
    }

    /// Sets the high bit of the first byte that ends a run.
    ///
    /// Subtracting makes a byte that is too small borrow into its high bit. The borrow can spoil only the bytes
    /// after it, so the lowest bit that is set can be trusted.
    @inline(__always)
    static func stops(in word: UInt64) -> UInt64 {
        let quote = word ^ eight(JSONByte.quote)
        let backslash = word ^ eight(JSONByte.backslash)
        let control = (word &- eight(JSONByte.space)) & ~word
        return (control | (quote &- lowBits) & ~quote | (backslash &- lowBits) & ~backslash) & highBits
    }
}
