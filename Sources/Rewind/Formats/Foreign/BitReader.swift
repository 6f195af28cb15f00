/// Reads bytes bit by bit, the lowest first (RFC 1951 section 3.1.1).
struct BitReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int
    private var buffer = 0
    private var count = 0

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// Reads at most 16 bits as a number; `nil` where there are not as many.
    mutating func read(_ wanted: Int) -> Int? {
        while count < wanted {
            guard position < bytes.endIndex else { return nil }
            buffer |= Int(bytes[position]) << count
            position += 1
            count += 8
        }
        defer {
            buffer >>= wanted
            count -= wanted
        }
        return buffer & (1 << wanted - 1)
    }

    /// Skips what is left of a byte that was begun.
    mutating func skipToByte() {
        _ = read(count % 8)
    }
}
