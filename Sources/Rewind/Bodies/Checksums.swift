/// The checksum of gzip (RFC 1952 section 8).
enum CRC32 {
    // Pointers keep this fast enough for large bodies without optimization, as in most tests.
    static func checksum(of bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.withUnsafeBufferPointer { bytes in
            table.withUnsafeBufferPointer { table in
                guard var byte = bytes.baseAddress, let table = table.baseAddress else { return 0 }
                var (value, rest): (UInt32, Int) = (~0, bytes.count)
                while rest != 0 {
                    let index = UInt8(truncatingIfNeeded: value) ^ byte.pointee
                    value = value &>> 8 ^ table[Int(truncatingIfNeeded: index)]
                    byte += 1
                    rest &-= 1
                }
                return ~value
            }
        }
    }

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
    }
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
