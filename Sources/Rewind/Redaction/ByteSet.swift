/// A set of ASCII characters.
struct ByteSet: Hashable, Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// Creates a set. Characters that are not ASCII are ignored.
    init(_ characters: String) {
        for byte in characters.utf8 where byte < 128 {
            if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
        }
    }

    func contains(_ byte: UInt8) -> Bool {
        byte < 64 ? low &>> UInt64(byte) & 1 != 0 : byte < 128 && high &>> UInt64(byte & 63) & 1 != 0
    }

    /// The end of the run of these bytes that begins at an index, limited in length.
    func end(in bytes: UnsafeRawBufferPointer, from start: Int, atMost count: Int = 65_536) -> Int {
        var end = start
        while end < bytes.count, end - start < count, contains(bytes[end]) { end += 1 }
        return end
    }

    /// The start of the run of these bytes that ends before an index, limited in length.
    func start(in bytes: UnsafeRawBufferPointer, before end: Int, atMost count: Int) -> Int {
        var start = end
        while start > 0, end - start < count, contains(bytes[start - 1]) { start -= 1 }
        return start
    }

    static let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    static let anyLetter = ByteSet(letters)
    static let digits = ByteSet("0123456789")
    static let alphanumerics = ByteSet(letters + "0123456789")
    static let uppercase = ByteSet("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    static let lowercase = ByteSet("abcdefghijklmnopqrstuvwxyz0123456789")
    static let hexadecimal = ByteSet("0123456789abcdef")
    static let anyHexadecimal = ByteSet("0123456789abcdefABCDEF")
    static let word = ByteSet(letters + "0123456789_")
    static let wordOrHyphen = ByteSet(letters + "0123456789_-")
    static let dotted = ByteSet(letters + "0123456789_-.")
    static let base64 = ByteSet(letters + "0123456789+/=")
    /// The characters of base64url with padding (RFC 4648 section 5).
    static let padded = ByteSet(letters + "0123456789_-=")
    static let paddedDotted = ByteSet(letters + "0123456789_-=.")
    static let paddedBase64 = ByteSet(letters + "0123456789_-+/=")
    static let percentEncoded = ByteSet(letters + "0123456789_-%")
    /// The characters of tokens in header fields (RFC 6750 section 2.1).
    static let token = ByteSet(letters + "0123456789_-.~+/=")
    static let hyphen = ByteSet("-")
    static let equals = ByteSet("=")
    static let spaces = ByteSet(" \t\r\n")
    static let separators = ByteSet(":=>")
    static let backslash = ByteSet("\\")
    /// The characters of Bech32 in upper case (BIP 173).
    static let bech32 = ByteSet("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L")
    /// Base64 and an underscore before a second part.
    static let sentry = ByteSet(letters + "0123456789+/=_")
    static let hyphenated = ByteSet(letters + "0123456789-")
}
