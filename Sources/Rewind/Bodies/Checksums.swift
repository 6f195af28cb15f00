/// The checksum of gzip (RFC 1952 section 8).
enum CRC32 {
    // Pointers keep this fast enough for large bodies without optimization, as in most tests.
    static func checksum(of bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.withUnsafeBytes { bytes in
            tables.withUnsafeBufferPointer { tables in
                guard let text = bytes.baseAddress, let table = tables.baseAddress else { return 0 }
                var (value, index): (UInt32, Int) = (~0, 0)
                // Eight bytes at a time, each with the table for its distance from the end of the eight.
                while index &+ 8 <= bytes.count {
                    let word =
                        UInt64(littleEndian: text.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                        ^ UInt64(truncatingIfNeeded: value)
                    value =
                        table[1792 &+ Int(truncatingIfNeeded: word & 255)]
                        ^ table[1536 &+ Int(truncatingIfNeeded: word &>> 8 & 255)]
                        ^ table[1280 &+ Int(truncatingIfNeeded: word &>> 16 & 255)]
                        ^ table[1024 &+ Int(truncatingIfNeeded: word &>> 24 & 255)]
                        ^ table[768 &+ Int(truncatingIfNeeded: word &>> 32 & 255)]
                        ^ table[512 &+ Int(truncatingIfNeeded: word &>> 40 & 255)]
                        ^ table[256 &+ Int(truncatingIfNeeded: word &>> 48 & 255)]
                        ^ table[Int(truncatingIfNeeded: word &>> 56)]
                    index &+= 8
                }
                while index < bytes.count {
                    let byte = UInt32(truncatingIfNeeded: text.load(fromByteOffset: index, as: UInt8.self))
                    value = value &>> 8 ^ table[Int(truncatingIfNeeded: (value ^ byte) & 255)]
                    index &+= 1
                }
                return ~value
            }
        }
    }

    /// The table of the algorithm, and seven more, each for bytes that one more byte follows.
    private static let tables: [UInt32] = {
        var tables: [UInt32] = (0..<256).map { byte in
            (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
        }
        for index in 256..<2048 {
            let before = tables[index - 256]
            tables.append(before >> 8 ^ tables[Int(before & 255)])
        }
        return tables
    }()
}

/// The checksum of zlib (RFC 1950 section 9).
enum Adler32 {
    static func checksum(of bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.withUnsafeBufferPointer { bytes in
            guard var byte = bytes.baseAddress else { return 1 }
            var (low, high, rest): (UInt32, UInt32, Int) = (1, 0, bytes.count)
            while rest != 0 {
                // The sums of this many bytes fit into 32 bits.
                var piece = rest < 5_552 ? rest : 5_552
                rest &-= piece
                while piece != 0 {
                    low = low &+ UInt32(truncatingIfNeeded: byte.pointee)
                    high = high &+ low
                    byte += 1
                    piece &-= 1
                }
                low %= 65_521
                high %= 65_521
            }
            return high << 16 | low
        }
    }
}
