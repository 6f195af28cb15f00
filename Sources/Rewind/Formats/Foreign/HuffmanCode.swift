/// A code of RFC 1951 section 3.2.2, told by the lengths of its words.
struct HuffmanCode {
    /// The number of words of each length.
    private var counts = [Int](repeating: 0, count: 16)
    /// The symbols in the order of their words.
    private var symbols: [Int]

    /// Makes a code; `nil` where the lengths ask for more words than there are.
    init?(_ lengths: some Collection<UInt8>) {
        self.init(checked: lengths)
        var room = 1
        for count in counts.dropFirst() {
            room = room * 2 - count
            guard room >= 0 else { return nil }
        }
    }

    /// Makes a code of lengths that are known to fit.
    init(checked lengths: some Collection<UInt8>) {
        for length in lengths { counts[Int(length & 15)] += 1 }
        counts[0] = 0
        symbols = lengths.enumerated().filter { $0.element > 0 }.sorted { left, right in
            (left.element, left.offset) < (right.element, right.offset)
        }.map(\.offset)
    }

    /// Reads the next word bit by bit and returns its symbol; `nil` at the end or where there is no such word.
    func symbol(_ bits: inout BitReader) -> Int? {
        var (code, first, index) = (0, 0, 0)
        for length in 1...15 {
            guard let bit = bits.read(1) else { return nil }
            code |= bit
            let count = counts[length]
            if code - first < count { return symbols[index + code - first] }
            index += count
            first = (first + count) << 1
            code <<= 1
        }
        return nil
    }
}
