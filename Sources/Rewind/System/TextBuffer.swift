import Foundation

/// Bytes that are added at the end, and are handed on in the end without being copied.
///
/// An array would do the same, but copies what it has whenever it grows and once more for `Data`, which a text of many
/// megabytes feels.
package struct TextBuffer: ~Copyable, @unchecked Sendable {
    // Sound as @unchecked Sendable: the memory belongs to this value alone, which cannot be copied.
    private var memory: UnsafeMutableRawPointer?
    private var capacity = 0
    package private(set) var count = 0

    package init(capacity: Int = 0) {
        if capacity > 0 { grow(to: capacity) }
    }

    deinit { free(memory) }

    /// The bytes as data that owns them; the buffer is used up.
    package consuming func data() -> Data {
        let data = memory.map { Data(bytesNoCopy: $0, count: count, deallocator: .free) } ?? Data()
        discard self
        return data
    }

    /// Adds a byte.
    @inline(__always)
    package mutating func append(_ byte: UInt8) {
        if count == capacity { grow(to: count + 1) }
        memory?.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count &+= 1
    }

    /// Adds bytes.
    @inline(__always)
    package mutating func append(contentsOf bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        if capacity - count < bytes.count { grow(to: count + bytes.count) }
        memory.map { ($0 + count).copyMemory(from: source, byteCount: bytes.count) }
        count &+= bytes.count
    }

    package mutating func append(_ text: String) {
        text.withBytes { append(contentsOf: UnsafeRawBufferPointer($0)) }
    }

    /// Gives a closure room for some bytes at the end; it returns how many it wrote.
    @inline(__always)
    mutating func append(atMost room: Int, _ body: (UnsafeMutableRawBufferPointer) -> Int) {
        if capacity - count < room { grow(to: count + room) }
        guard let memory else { return }
        count += body(UnsafeMutableRawBufferPointer(start: memory + count, count: room))
    }

    private mutating func grow(to least: Int) {
        let size = max(least, 2 * capacity, 256)
        // Swift ends the process there as well, for any array; nothing that is read makes this ask for more than a few
        // times what is in memory already.
        guard let larger = realloc(memory, size) else { preconditionFailure("There is no memory left.") }
        memory = larger
        capacity = size
    }
}

extension String {
    /// Gives a closure the bytes of the text where they stand, which costs less than to go through its views.
    @inlinable
    package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        // A text that another language holds has to be copied first.
        var copy = self
        return copy.withUTF8(body)
    }

    /// Whether two texts are the same byte by byte, which costs less than to ask whether Unicode holds them equivalent.
    package func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return withBytes { left in
            other.withBytes { right in
                guard let left = left.baseAddress, let right = right.baseAddress else { return true }
                return memcmp(left, right, utf8.count) == 0
            }
        }
    }

    package func firstIndex(ofByte byte: UInt8) -> Index? { firstIndex(ofByte: byte, from: startIndex) }

    /// The first place of a byte of ASCII, from a place on.
    package func firstIndex(ofByte byte: UInt8, from start: Index) -> Index? {
        let offset = utf8.distance(from: utf8.startIndex, to: start)
        return withBytes { $0.firstIndex(ofByte: byte, from: offset) }
            .map { utf8.index(start, offsetBy: $0 - offset) }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The first index of a byte, from an index on.
    ///
    /// The library of C looks at many bytes at once, and the views of strings at one after the other.
    package func firstIndex(ofByte byte: UInt8, from start: Int) -> Int? {
        guard let base = baseAddress, start < count,
            let place = memchr(base + start, Int32(byte), count - start)
        else { return nil }
        return UnsafeRawPointer(place) - UnsafeRawPointer(base)
    }
}
