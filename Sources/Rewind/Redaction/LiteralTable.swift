import Foundation

/// Finds many literals in one pass over the bytes of a text.
///
/// Bitmaps of the first bytes of the literals reject most places with one or two lookups. At the other places, a binary
/// search in the sorted literals finds the longest one. So the time hardly depends on the number of literals, even if they
/// have long common prefixes or are prefixes of each other.
struct LiteralTable: Sendable {
    private var starts = LiteralStarts()
    /// The literals, in parts of which each one is less than half as large as the one before, so that appending literals
    /// one by one does not sort all of them each time.
    private var parts: [SortedLiterals] = []
    private var count = 0

    /// Creates a table. Repeated literals and literals shorter than two bytes are ignored.
    init(_ literals: [[UInt8]]) { append(literals) }

    /// Adds literals, whose indexes follow those of the literals before.
    mutating func append(_ literals: [[UInt8]]) {
        var part = SortedLiterals(literals.enumerated().map { (index: count + $0, text: $1) })
        count += literals.count
        while let last = parts.last, last.count < part.count * 2 {
            part = SortedLiterals(last.all + part.all)
            parts.removeLast()
        }
        parts.append(part)
        starts.insert(literals)
        if starts.isFull { starts = LiteralStarts(parts.flatMap { $0.all.map(\.text) }) }
    }

    /// The first index, at or after `start`, at which a literal may begin.
    func candidate(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        starts.first(in: bytes, from: start, to: bytes.count)
    }

    /// The first index from `start` to before `end` at which a literal may begin. It may end after that.
    func candidate(in bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) -> Int? {
        starts.first(in: bytes, from: start, to: end)
    }

    /// Calls a closure with the index of each literal at a place, longest first, until it returns a value.
    func first<Value>(in bytes: UnsafeRawBufferPointer, at place: Int, _ body: (Int) -> Value?) -> Value? {
        guard parts.count != 1 else { return parts[0].first(in: bytes, at: place) { index, _ in body(index) } }
        var found: [(count: Int, index: Int)] = []
        for part in parts {
            let _: Bool? = part.first(in: bytes, at: place) { index, count in
                found.append((count, index))
                return nil
            }
        }
        // Of equal literals, the first one counts.
        var last = 0
        for (count, index) in found.sorted(by: { ($1.count, $0.index) < ($0.count, $1.index) })
        where count != last {
            last = count
            if let value = body(index) { return value }
        }
        return nil
    }
}

/// Bitmaps of the first two, three and four bytes of literals.
private struct LiteralStarts: Sendable {
    private var pairs = [UInt64](repeating: 0, count: 1024)
    /// The literals of two bytes.
    private var wholePairs = [UInt64](repeating: 0, count: 1024)
    /// The hashes of the first three bytes of literals of three bytes, and of the first four bytes of longer ones.
    private var hashes: [UInt64]
    private var shift: UInt32
    private var hasTriples = false

    private var count = 0

    init(_ literals: [[UInt8]] = []) {
        // Sixteen bits per literal leave few false positives; 2 MB stay in the cache.
        let bits = min(max(12, Int.bitWidth - (literals.count * 16).leadingZeroBitCount), 24)
        hashes = [UInt64](repeating: 0, count: 1 << (bits - 6))
        shift = UInt32(32 - bits)
        insert(literals)
    }

    /// Whether another size would leave fewer false positives.
    var isFull: Bool { count > hashes.count * 8 && shift > 8 }

    mutating func insert(_ literals: [[UInt8]]) {
        count += literals.count
        for text in literals where text.count >= 2 {
            let pair = Int(text[0]) | Int(text[1]) << 8
            pairs[pair >> 6] |= 1 << UInt64(pair & 63)
            let head = text.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
            switch text.count {
            case 2: wholePairs[pair >> 6] |= 1 << UInt64(pair & 63)
            case 3:
                hasTriples = true
                insert(Self.hash(triple: head, shift))
            default: insert(Self.hash(head, shift))
            }
        }
    }

    private mutating func insert(_ hash: Int) { hashes[hash >> 6] |= 1 << UInt64(hash & 63) }

    @inline(__always)
    private static func hash(_ head: UInt32, _ shift: UInt32) -> Int {
        Int(truncatingIfNeeded: (head &* 0x9E37_79B1) &>> shift)
    }

    @inline(__always)
    private static func hash(triple head: UInt32, _ shift: UInt32) -> Int {
        Int(truncatingIfNeeded: ((head & 0xFF_FFFF) &* 0x85EB_CA77) &>> shift)
    }

    func first(in bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) -> Int? {
        let last = min(end, bytes.count &- 1)
        guard start < last, let text = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
            return nil
        }
        return pairs.withUnsafeBufferPointer { pairs in
            guard let pairs = pairs.baseAddress else { return nil }
            var index = start
            var pair = Int(truncatingIfNeeded: text[index]) &<< 8
            while index < last {
                pair = pair &>> 8 | Int(truncatingIfNeeded: text[index &+ 1]) &<< 8
                // A shift by a number of this type is not a call in debug builds.
                if pairs[pair &>> 6] &>> UInt64(truncatingIfNeeded: pair & 63) & 1 != 0,
                    mayBegin(in: bytes, at: index, pair)
                {
                    return index
                }
                index &+= 1
            }
            return nil
        }
    }

    private func mayBegin(in bytes: UnsafeRawBufferPointer, at index: Int, _ pair: Int) -> Bool {
        if index &+ 4 > bytes.count { return true }
        let head = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self))
        if contains(Self.hash(head, shift)) { return true }
        if hasTriples, contains(Self.hash(triple: head, shift)) { return true }
        return wholePairs[pair &>> 6] &>> UInt64(truncatingIfNeeded: pair & 63) & 1 != 0
    }

    @inline(__always)
    private func contains(_ hash: Int) -> Bool {
        hashes[hash &>> 6] &>> UInt64(truncatingIfNeeded: hash & 63) & 1 != 0
    }
}

/// Distinct literals in the order of their bytes.
private struct SortedLiterals: Sendable {
    private struct Entry {
        let index: Int
        let start: Int
        let count: Int
        /// The longest literal that is a prefix of this one; the number of all literals if there is none.
        var parent = 0
        /// A prefix further up, so that a long chain of prefixes is passed in few steps.
        var jump = 0
        /// The number of prefixes.
        var depth = 0
    }

    /// The texts of all literals.
    private var text: [UInt8] = []
    /// The first eight bytes of each literal as a number, so that most comparisons take one step.
    private var heads: [UInt64] = []
    /// The literals, and an empty one at the end, which is a prefix of all.
    private var entries: [Entry] = [Entry(index: -1, start: 0, count: 0)]

    init(_ literals: [(index: Int, text: [UInt8])]) {
        let order = literals.indices.lazy.filter { literals[$0].text.count >= 2 }
            .map { (head: Self.head(of: literals[$0].text), index: $0) }
            .sorted { left, right in
                if left.head != right.head { return left.head < right.head }
                let (first, second) = (literals[left.index].text, literals[right.index].text)
                // Of equal literals, the first one counts.
                if first == second { return left.index < right.index }
                return first.lexicographicallyPrecedes(second)
            }
        guard !order.isEmpty else { return }
        entries = []
        entries.reserveCapacity(order.count + 1)
        var previous: Int?
        for (head, index) in order {
            let literal = literals[index]
            if let previous, literals[previous].text == literal.text { continue }
            previous = index
            heads.append(head)
            entries.append(Entry(index: literal.index, start: text.count, count: literal.text.count))
            text += literal.text
        }
        entries.append(Entry(index: -1, start: text.count, count: 0))
        linkPrefixes()
    }

    private static func head(of text: [UInt8]) -> UInt64 {
        let head = text.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        return head << UInt64(8 * max(0, 8 - text.count))
    }

    private mutating func linkPrefixes() {
        let root = heads.count
        (entries[root].parent, entries[root].jump) = (root, root)
        var open = [root]
        for number in heads.indices {
            while let top = open.last, top != root, !isPrefix(top, of: number) { open.removeLast() }
            let parent = open.last ?? root
            let far = entries[parent].jump
            let isEven =
                entries[parent].depth - entries[far].depth
                == entries[far].depth - entries[entries[far].jump].depth
            entries[number].parent = parent
            entries[number].jump = isEven ? entries[far].jump : parent
            entries[number].depth = entries[parent].depth + 1
            open.append(number)
        }
    }

    private func isPrefix(_ number: Int, of other: Int) -> Bool {
        let (short, long) = (entries[number], entries[other])
        return short.count < long.count
            && text[short.start..<short.start + short.count] == text[long.start..<long.start + short.count]
    }

    var count: Int { heads.count }

    var all: [(index: Int, text: [UInt8])] {
        entries.dropLast().map { ($0.index, Array(text[$0.start..<$0.start + $0.count])) }
    }

    /// Calls a closure with the index and the length of each literal at a place, longest first, until it returns a value.
    func first<Value>(
        in bytes: UnsafeRawBufferPointer,
        at place: Int,
        _ body: (_ index: Int, _ count: Int) -> Value?
    ) -> Value? {
        guard var number = longest(in: bytes, at: place) else { return nil }
        while number < heads.count {
            if let value = body(entries[number].index, entries[number].count) { return value }
            number = entries[number].parent
        }
        return nil
    }

    /// The longest literal at a place.
    private func longest(in bytes: UnsafeRawBufferPointer, at place: Int) -> Int? {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[place...])
        guard let (last, common) = last(before: rest) else { return nil }
        // The last literal before the text in alphabetical order begins with every literal that the text begins with.
        var number = last
        while entries[number].count > common {
            let jump = entries[number].jump
            number = entries[jump].count > common ? jump : entries[number].parent
        }
        return number < heads.count ? number : nil
    }

    /// The last literal that is not after a text in alphabetical order, and how many bytes they have in common.
    private func last(before rest: UnsafeRawBufferPointer) -> (number: Int, common: Int)? {
        let head = Self.head(of: rest)
        return text.withUnsafeBytes { text in
            var (low, high) = (0, heads.count)
            var (lowCommon, highCommon) = (0, 0)
            while low < high {
                let middle = (low + high) / 2
                let entry = entries[middle]
                let limit = min(entry.count, rest.count)
                var common = min(lowCommon, highCommon)
                let difference = heads[middle] ^ head
                let isBefore: Bool
                if difference != 0 {
                    common = min(difference.leadingZeroBitCount >> 3, limit)
                    isBefore = heads[middle] < head
                } else {
                    let literal = UnsafeRawBufferPointer(
                        rebasing: text[entry.start..<entry.start + entry.count]
                    )
                    common = Self.common(literal, rest, from: common, to: limit)
                    isBefore =
                        common == entry.count || common < rest.count && literal[common] < rest[common]
                }
                if isBefore {
                    (low, lowCommon) = (middle + 1, common)
                } else {
                    (high, highCommon) = (middle, common)
                }
            }
            return low > 0 ? (low - 1, lowCommon) : nil
        }
    }

    private static func head(of rest: UnsafeRawBufferPointer) -> UInt64 {
        if rest.count >= 8 { return UInt64(bigEndian: rest.loadUnaligned(as: UInt64.self)) }
        return head(of: Array(rest))
    }

    /// The number of common first bytes, of which some are known.
    private static func common(
        _ left: UnsafeRawBufferPointer,
        _ right: UnsafeRawBufferPointer,
        from known: Int,
        to limit: Int
    ) -> Int {
        var common = known
        while common &+ 8 <= limit {
            let difference =
                UInt64(littleEndian: left.loadUnaligned(fromByteOffset: common, as: UInt64.self))
                ^ UInt64(littleEndian: right.loadUnaligned(fromByteOffset: common, as: UInt64.self))
            if difference != 0 { return common &+ difference.trailingZeroBitCount >> 3 }
            common &+= 8
        }
        while common < limit, left[common] == right[common] { common &+= 1 }
        return common
    }
}
