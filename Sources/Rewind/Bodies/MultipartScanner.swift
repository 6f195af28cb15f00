import Foundation

/// Finds the lines that divide a multipart body (RFC 2046 section 5.1.1), as fast as line feeds can be found.
struct MultipartScanner {
    /// A line that stands between two parts or after the last one.
    struct Delimiter {
        /// The offset of its first hyphen.
        var start: Int
        /// The offset after its line end.
        var end: Int
        /// Whether it ends the last part.
        var isClosing: Bool
    }

    private let bytes: UnsafeRawBufferPointer
    private let mark: [UInt8]

    init(_ bytes: UnsafeRawBufferPointer, boundary: String) {
        self.bytes = bytes
        mark = Array("--\(boundary)".utf8)
    }

    /// The first delimiter from the start of a line on.
    func delimiter(from start: Int) -> Delimiter? {
        var lineStart = start
        while lineStart < bytes.count {
            if let delimiter = delimiter(at: lineStart) { return delimiter }
            lineStart = endOfLine(from: lineStart)
        }
        return nil
    }

    private func delimiter(at start: Int) -> Delimiter? {
        guard start + mark.count <= bytes.count,
            UnsafeRawBufferPointer(rebasing: bytes[start..<start + mark.count]).elementsEqual(mark)
        else { return nil }
        var position = start + mark.count
        let isClosing = bytes[position...].starts(with: "--".utf8)
        if isClosing { position += 2 }
        while position < bytes.count, bytes[position] == JSONByte.space || bytes[position] == JSONByte.tab {
            position += 1
        }
        if bytes[position...].starts(with: "\r\n".utf8) { position += 1 }
        guard position == bytes.count || bytes[position] == JSONByte.lineFeed else { return nil }
        return Delimiter(start: start, end: min(position + 1, bytes.count), isClosing: isClosing)
    }

    /// The offset after the empty line that ends the headers of a part, or `nil` where there is none.
    func endOfHeaders(from start: Int, before end: Int) -> Int? {
        var lineStart = start
        while lineStart < end {
            let next = endOfLine(from: lineStart)
            guard next <= end else { return nil }
            if endWithoutLineEnd(of: lineStart..<next) == lineStart, bytes[next - 1] == JSONByte.lineFeed {
                return next
            }
            lineStart = next
        }
        return nil
    }

    /// The end of some bytes without the line feed at their end and a carriage return before it.
    func endWithoutLineEnd(of range: Range<Int>) -> Int {
        var end = range.upperBound
        guard end > range.lowerBound, bytes[end - 1] == JSONByte.lineFeed else { return end }
        end -= 1
        guard end > range.lowerBound, bytes[end - 1] == JSONByte.carriageReturn else { return end }
        return end - 1
    }

    private func endOfLine(from start: Int) -> Int {
        guard let base = bytes.baseAddress, start < bytes.count,
            let place = memchr(base + start, Int32(JSONByte.lineFeed), bytes.count - start)
        else { return bytes.count }
        return UnsafeRawPointer(place) - base + 1
    }
}
