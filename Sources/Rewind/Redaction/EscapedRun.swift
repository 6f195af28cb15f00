/// A stretch of escaped text with what it decodes to.
struct EscapedRun {
    private let bytes: UnsafeRawBufferPointer
    private let range: Range<Int>
    private let layer: EscapeLayer
    let decoded: [UInt8]

    init(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, layer: EscapeLayer) {
        (self.bytes, self.range, self.layer) = (bytes, range, layer)
        var decoded: [UInt8] = []
        decoded.reserveCapacity(range.count)
        var position = range.lowerBound
        while position < range.upperBound {
            if let unit = EscapedUnit(in: bytes, at: position, layer: layer) {
                unit.append(to: &decoded)
                position += unit.count
            } else {
                decoded.append(bytes[position])
                position += 1
            }
        }
        self.decoded = decoded
    }

    /// The edits of the decoded text, in order, as edits of the escaped one.
    func edits(_ edits: [ByteEdit]) -> [ByteEdit] {
        var result: [ByteEdit] = []
        var cursor = Cursor(source: range.lowerBound)
        for edit in edits {
            advance(&cursor, to: edit.range.lowerBound)
            let start = cursor.start
            advance(&cursor, to: edit.range.upperBound)
            result.append(ByteEdit(range: start..<cursor.source, replacement: layer.encoded(edit.replacement)))
        }
        return result
    }

    /// How far one has come in both texts.
    private struct Cursor {
        var source: Int
        var decoded = 0
        /// Where the escape begins that spells the byte before the next one, if that byte is not its last.
        var start: Int
        init(source: Int) {
            self.source = source
            start = source
        }
    }

    private func advance(_ cursor: inout Cursor, to target: Int) {
        while cursor.decoded < target, cursor.source < range.upperBound {
            cursor.start = cursor.source
            if let unit = EscapedUnit(in: bytes, at: cursor.source, layer: layer) {
                cursor.decoded += unit.decodedCount
                cursor.source += unit.count
            } else {
                cursor.decoded += 1
                cursor.source += 1
            }
        }
        if cursor.decoded == target { cursor.start = cursor.source }
    }
}
