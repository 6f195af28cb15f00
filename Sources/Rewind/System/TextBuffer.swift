import Foundation

/// A growing buffer whose bytes become `Data` without a copy, for texts of many megabytes.
package struct TextBuffer: ~Copyable, @unchecked Sendable {
    // Sound as @unchecked Sendable: the memory belongs to this value alone, which cannot be copied.
    private var memory: UnsafeMutableRawPointer?
    private var capacity = 0
    package private(set) var count = 0

    package init(capacity: Int = 0) {
        if capacity > 0 { grow(to: capacity) }
    }

    deinit { free(memory) }

    /// The bytes as data that owns them; consumes the buffer.
    package consuming func data() -> Data {
        let data = memory.map { Data(bytesNoCopy: $0, count: count, deallocator: .free) } ?? Data()
        discard self
        return data
    }

    @inline(__always)
    package mutating func append(_ byte: UInt8) {
        if count == capacity { grow(to: count + 1) }
        memory?.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count &+= 1
    }

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

    /// Gives a closure room for some bytes at the end. It returns how many it wrote.
    @inline(__always)
    mutating func append(atMost room: Int, _ body: (UnsafeMutableRawBufferPointer) -> Int) {
        if capacity - count < room { grow(to: count + room) }
        guard let memory else { return }
        count += body(UnsafeMutableRawBufferPointer(start: memory + count, count: room))
    }

    private mutating func grow(to least: Int) {
        let size = max(least, 2 * capacity, 256)
        // Arrays trap here as well. No input requests more than a few times the memory that it already uses.
        guard let larger = realloc(memory, size) else { preconditionFailure("Out of memory") }
        memory = larger
        capacity = size
    }
}

extension String {
    /// Gives a closure the UTF-8 bytes of the text, which is faster than its views.
    @inlinable
    package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        // A bridged string has to be copied first.
        var copy = self
        return copy.withUTF8(body)
    }

    /// Whether two texts are the same byte by byte, which is faster than Unicode equivalence.
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

    /// The first index of an ASCII byte at or after another index.
    package func firstIndex(ofByte byte: UInt8, from start: Index) -> Index? {
        let offset = utf8.distance(from: utf8.startIndex, to: start)
        return withBytes { $0.firstIndex(ofByte: byte, from: offset) }
            .map { utf8.index(start, offsetBy: $0 - offset) }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The first index of a byte, found by `memchr`, which is much faster than the views of strings.
    package func firstIndex(ofByte byte: UInt8, from start: Int) -> Int? {
        guard let base = baseAddress, start < count,
            let place = memchr(base + start, Int32(byte), count - start)
        else { return nil }
        return UnsafeRawPointer(place) - UnsafeRawPointer(base)
    }
}
