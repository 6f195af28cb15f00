import Foundation

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

    /// The first place of a byte of ASCII.
    package func firstIndex(ofByte byte: UInt8) -> Index? {
        firstIndex(ofByte: byte, from: startIndex)
    }

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
