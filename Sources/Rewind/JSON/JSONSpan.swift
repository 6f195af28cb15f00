/// Where a number, or the content of a string without its quotes, stands in a text.
struct JSONSpan: Sendable, Equatable {
    private let start: UInt32
    /// Twice the number of bytes, and one more where there are escapes among them.
    private let size: UInt32

    /// The number of bytes beyond which a text has no spans.
    static let limit = Int(Int32.max)

    init(_ range: Range<Int>, hasEscapes: Bool) {
        start = UInt32(truncatingIfNeeded: range.lowerBound)
        size = UInt32(truncatingIfNeeded: range.count) << 1 | (hasEscapes ? 1 : 0)
    }

    /// The offsets of the content.
    var range: Range<Int> { Int(start)..<Int(start) + count }
    /// The number of its bytes, as they are spelled.
    var count: Int { Int(size >> 1) }
    /// Whether there are no bytes.
    var isEmpty: Bool { count == 0 }
    /// Whether some of the characters are escaped.
    var hasEscapes: Bool { size & 1 == 1 }
}
