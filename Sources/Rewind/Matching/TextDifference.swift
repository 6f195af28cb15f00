package struct TextDifference: Hashable, Sendable {
    /// Counted from 1.
    package let line: Int
    /// `nil` where that text has fewer lines; a carriage return is shown as `␍`.
    package let left: String?
    package let right: String?

    /// Compares bytes; `nil` where both are equal. What follows the last line feed is a line even if empty.
    package init?(_ left: String, _ right: String) {
        let leftBytes = Array(left.utf8)
        let rightBytes = Array(right.utf8)
        let shared = zip(leftBytes, rightBytes).prefix { $0 == $1 }.count
        guard shared < max(leftBytes.count, rightBytes.count) else { return nil }
        let isEndOfLine = { (bytes: [UInt8]) in shared == bytes.count || bytes[shared] == JSONByte.lineFeed }
        // Where both lines end here, they are equal and only one of the texts goes on.
        let isLaterLine = isEndOfLine(leftBytes) && isEndOfLine(rightBytes)
        let end = isLaterLine ? shared + 1 : shared
        let longer = leftBytes.count > rightBytes.count ? leftBytes : rightBytes
        let before = longer[..<end]
        let start = before.lastIndex(of: JSONByte.lineFeed).map { $0 + 1 } ?? 0
        line = before.count { $0 == JSONByte.lineFeed } + 1
        self.left = Self.line(of: leftBytes, from: start)
        self.right = Self.line(of: rightBytes, from: start)
    }

    private static func line(of bytes: [UInt8], from start: Int) -> String? {
        guard start <= bytes.count else { return nil }
        let line = bytes[start...].prefix { $0 != JSONByte.lineFeed }
        let shown = line.split(separator: JSONByte.carriageReturn, omittingEmptySubsequences: false)
        return shown.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "␍")
    }
}
