/// The line and column of a place in a text, counted only once something is wrong there.
struct JSONLocation {
    let line: Int
    let column: Int

    /// The bytes with which some editors begin a text in UTF-8.
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    init(of offset: Int, in bytes: UnsafeRawBufferPointer) {
        var line = 1
        var column = 1
        let start = bytes.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0
        for byte in bytes[min(start, offset)..<offset] {
            if byte == JSONByte.lineFeed {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                // Every scalar has one byte that is not a continuation of it.
                column += 1
            }
        }
        self.line = line
        self.column = column
    }
}
