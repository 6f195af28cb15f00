import Foundation

/// Bytes that take the place of others.
struct ByteEdit {
    let range: Range<Int>
    let replacement: [UInt8]

    init(range: Range<Int>, replacement: [UInt8]) {
        self.range = range
        self.replacement = replacement
    }

    init(_ range: Range<Int>, _ text: String) {
        self.init(range: range, replacement: Array(text.utf8))
    }
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

    /// The first index of a byte, from an index on.
    func firstIndex(ofByte byte: UInt8, from start: Int) -> Int? {
        withMemoryRebound(to: UInt8.self) { $0.firstIndex(ofByte: byte, from: start) }
    }
}

extension String {
    /// The text after edits of its bytes; `nil` where there are none.
    func edited(_ find: (UnsafeRawBufferPointer) -> [ByteEdit]) -> String? {
        withBytes { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            let edits = find(bytes)
            return edits.isEmpty ? nil : String(decoding: bytes.applying(edits), as: UTF8.self)
        }
    }
}

extension Data {
    /// Applies edits of the bytes, and returns whether there are any.
    @discardableResult mutating func edit(_ find: (UnsafeRawBufferPointer) -> [ByteEdit]) -> Bool {
        let edited: Data? = withUnsafeBytes { bytes in
            let edits = find(bytes)
            return edits.isEmpty ? nil : Data(bytes.applying(edits))
        }
        if let edited { self = edited }
        return edited != nil
    }
}

/// A set of bytes that is quick to ask.
struct ByteSet: Sendable {
    private var low: (UInt64, UInt64) = (0, 0)

    /// Creates a set of ASCII characters.
    init(_ characters: String) {
        for byte in characters.utf8 where byte < 128 {
            if byte < 64 { low.0 |= 1 << UInt64(byte) } else { low.1 |= 1 << UInt64(byte - 64) }
        }
    }

    func contains(_ byte: UInt8) -> Bool {
        byte < 64 ? low.0 &>> UInt64(byte) & 1 != 0 : byte < 128 && low.1 &>> UInt64(byte & 63) & 1 != 0
    }

    /// The end of the run of these bytes that begins at an index, at most so many bytes further.
    func end(in bytes: UnsafeRawBufferPointer, from start: Int, atMost count: Int = 65_536) -> Int {
        var end = start
        while end < bytes.count, end - start < count, contains(bytes[end]) { end += 1 }
        return end
    }

    static let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    static let digits = ByteSet("0123456789")
    static let alphanumerics = ByteSet(letters + "0123456789")
    static let uppercase = ByteSet("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    static let hexadecimal = ByteSet("0123456789abcdef")
    static let word = ByteSet(letters + "0123456789_")
    static let wordOrHyphen = ByteSet(letters + "0123456789_-")
    static let dotted = ByteSet(letters + "0123456789_-.")
    static let base64 = ByteSet(letters + "0123456789+/=")
    /// The characters of tokens in header fields (RFC 6750 section 2.1).
    static let token = ByteSet(letters + "0123456789_-.~+/=")
}
