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

    private static let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
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
