import Foundation

/// Finds many literals in one pass over the bytes of a text.
///
/// One bit for each pair of bytes tells whether a literal begins with it, so most places take one lookup.
struct LiteralTable: Sendable {
    private struct Entry {
        let index: Int
        let text: [UInt8]
        let head: UInt64
        let mask: UInt64

        init(index: Int, text: [UInt8]) {
            self.index = index
            self.text = text
            head = text.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
            mask = text.count >= 8 ? .max : (1 << UInt64(8 * text.count)) - 1
        }
    }

    private var bits = [UInt64](repeating: 0, count: 1024)
    private var buckets = [UInt16](repeating: 0, count: 65_536)
    private var entries: [[Entry]] = [[]]

    /// Creates a table. Repeated literals and literals shorter than two bytes are ignored.
    init(_ literals: [[UInt8]]) {
        var seen: Set<[UInt8]> = []
        for (index, text) in literals.enumerated() where text.count >= 2 && seen.insert(text).inserted {
            let pair = Int(text[0]) | Int(text[1]) << 8
            bits[pair >> 6] |= 1 << UInt64(pair & 63)
            if buckets[pair] == 0 {
                buckets[pair] = UInt16(truncatingIfNeeded: entries.count)
                entries.append([])
            }
            entries[Int(buckets[pair])].append(Entry(index: index, text: text))
        }
        for bucket in entries.indices { entries[bucket].sort { $0.text.count > $1.text.count } }
    }

    /// The first index, at or after `start`, at which the first two bytes of a literal occur.
    func candidate(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        bits.withUnsafeBufferPointer { bits in
            var index = start
            let last = bytes.count &- 1
            guard index < last else { return nil }
            var pair = Int(bytes[index]) << 8
            while index < last {
                pair = pair &>> 8 | Int(bytes[index &+ 1]) &<< 8
                if bits[pair &>> 6] &>> UInt64(pair & 63) & 1 != 0 { return index }
                index &+= 1
            }
            return nil
        }
    }

    /// Calls a closure with the index of each literal at a place, longest first, until it returns a value.
    func first<Value>(in bytes: UnsafeRawBufferPointer, at place: Int, _ body: (Int) -> Value?) -> Value? {
        let pair = Int(bytes[place]) | Int(bytes[place + 1]) << 8
        let left = bytes.count - place
        let head =
            left >= 8 ? UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)) : nil
        let bucket = Int(buckets[pair])
        // Comparing heads first avoids copying nearly all entries.
        for number in entries[bucket].indices {
            if let head, head & entries[bucket][number].mask != entries[bucket][number].head { continue }
            let entry = entries[bucket][number]
            guard entry.text.count <= left else { continue }
            let isSame = entry.text.withUnsafeBytes { text in
                UnsafeRawBufferPointer(rebasing: bytes[place..<place + text.count]).elementsEqual(text)
            }
            if isSame, let value = body(entry.index) { return value }
        }
        return nil
    }
}

struct ByteEdit {
    let range: Range<Int>
    let replacement: [UInt8]

    init(range: Range<Int>, replacement: [UInt8]) {
        self.range = range
        self.replacement = replacement
    }

    init(_ range: Range<Int>, _ text: String) { self.init(range: range, replacement: Array(text.utf8)) }
}

extension UnsafeRawBufferPointer {
    /// Applies edits, which must be in order and must not overlap.
    func applying(_ edits: [ByteEdit]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(count)
        var end = 0
        for edit in edits {
            result += self[end..<edit.range.lowerBound]
            result += edit.replacement
            end = edit.range.upperBound
        }
        return result + self[end...]
    }

    func firstIndex(ofByte byte: UInt8, from start: Int) -> Int? {
        withMemoryRebound(to: UInt8.self) { $0.firstIndex(ofByte: byte, from: start) }
    }
}

extension String {
    /// The text after the edits; `nil` if there are none.
    func edited(_ find: (UnsafeRawBufferPointer) -> [ByteEdit]) -> String? {
        withBytes { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            let edits = find(bytes)
            return edits.isEmpty ? nil : String(decoding: bytes.applying(edits), as: UTF8.self)
        }
    }
}

extension Data {
    /// Applies edits, and returns whether there are any.
    @discardableResult mutating func edit(_ find: (UnsafeRawBufferPointer) -> [ByteEdit]) -> Bool {
        let edited: Data? = withUnsafeBytes { bytes in
            let edits = find(bytes)
            return edits.isEmpty ? nil : Data(bytes.applying(edits))
        }
        if let edited { self = edited }
        return edited != nil
    }
}

struct ByteSet: Sendable {
    private var low: (UInt64, UInt64) = (0, 0)

    /// Creates a set. Characters that are not ASCII are ignored.
    init(_ characters: String) {
        for byte in characters.utf8 where byte < 128 {
            if byte < 64 { low.0 |= 1 << UInt64(byte) } else { low.1 |= 1 << UInt64(byte - 64) }
        }
    }

    func contains(_ byte: UInt8) -> Bool {
        byte < 64 ? low.0 &>> UInt64(byte) & 1 != 0 : byte < 128 && low.1 &>> UInt64(byte & 63) & 1 != 0
    }

    /// The end of the run of these bytes that begins at an index, limited in length.
    func end(in bytes: UnsafeRawBufferPointer, from start: Int, atMost count: Int = 65_536) -> Int {
        var end = start
        while end < bytes.count, end - start < count, contains(bytes[end]) { end += 1 }
        return end
    }

    static let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    static let digits = ByteSet("0123456789")
    static let alphanumerics = ByteSet(letters + "0123456789")
    static let uppercase = ByteSet("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    static let hexadecimal = ByteSet("0123456789abcdef")
    static let word = ByteSet(letters + "0123456789_")
    static let wordOrHyphen = ByteSet(letters + "0123456789_-")
    static let dotted = ByteSet(letters + "0123456789_-.")
    static let base64 = ByteSet(letters + "0123456789+/=")
    /// The characters of tokens in header fields (RFC 6750 section 2.1).
    static let token = ByteSet(letters + "0123456789_-.~+/=")
}
