/// Tells most names that are in no set apart from those that may be, without making text of them.
///
/// It is a filter as Bloom described it (1970), of the names as ``SecretNames/normalized(_:)`` has them.
struct NameSieve: Sendable {
    private var bits: [UInt64] = Array(repeating: 0, count: 64)

    /// Takes the names, normalized.
    init(_ names: Set<String>) {
        for name in names {
            let place = Self.place(of: name.utf8)
            bits[place >> 6] |= 1 << UInt64(place & 63)
        }
    }

    /// Whether a name may be one of the set; `false` is certain.
    func mayHold(_ name: some Collection<UInt8>) -> Bool {
        let place = Self.place(of: name)
        return place < 0 || bits[place >> 6] >> UInt64(place & 63) & 1 == 1
    }

    /// Where the bit of a name is; less than zero for one that has to be looked at closely.
    private static func place(of name: some Collection<UInt8>) -> Int {
        // The hash of Fowler, Noll and Vo.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name {
            switch byte {
            case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: " "): continue
            case UInt8(ascii: "]"), UInt8(ascii: "\\"): return -1
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): hash ^= UInt64(byte | 0x20)
            default: hash ^= UInt64(byte)
            }
            hash = hash &* 0x0000_0100_0000_01B3
        }
        return Int(truncatingIfNeeded: (hash ^ hash >> 32) & 4095)
    }
}
