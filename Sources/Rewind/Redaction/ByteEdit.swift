/// Bytes that take the place of others.
struct ByteEdit {
    let range: Range<Int>
    let replacement: [UInt8]
}

extension UnsafeRawBufferPointer {
    /// The bytes after edits that stand in order and do not overlap.
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
}
