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
}
