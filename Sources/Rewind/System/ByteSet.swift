/// A set of bytes, most often of ASCII characters, and its loops over bytes.
///
/// Most tests are built without optimization, where each call for a byte takes as long as a loop over ten. So the loops
/// read a table through pointers. This is also the fastest way with optimization.
struct ByteSet: Hashable, Sendable {
    private let low: UInt64
    private let high: UInt64
    /// Whether all bytes of characters beyond ASCII are in the set.
    private let hasOthers: Bool
    /// For each byte, one if it is in the set. Sound as nonisolated(unsafe): never written after the initializer. Sets are
    /// static, so their tables are never freed.
    nonisolated(unsafe) private let table: UnsafePointer<UInt8>

    /// Creates a set. Characters that are not ASCII are ignored.
    init(_ characters: String) {
        var (low, high): (UInt64, UInt64) = (0, 0)
        for byte in characters.utf8 where byte < 128 {
            if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
        }
        self.init(low, high, hasOthers: false)
    }

    private init(_ low: UInt64, _ high: UInt64, hasOthers: Bool) {
        (self.low, self.high, self.hasOthers) = (low, high, hasOthers)
        let table = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
        for byte in 0..<64 {
            table[byte] = UInt8(low >> UInt64(byte) & 1)
            table[byte + 64] = UInt8(high >> UInt64(byte) & 1)
            table[byte + 128] = hasOthers ? 1 : 0
            table[byte + 192] = hasOthers ? 1 : 0
        }
        self.table = UnsafePointer(table)
    }

    /// The set with all bytes of characters beyond ASCII.
    var withOthers: ByteSet { ByteSet(low, high, hasOthers: true) }

    func union(_ other: ByteSet) -> ByteSet {
        ByteSet(low | other.low, high | other.high, hasOthers: hasOthers || other.hasOthers)
    }

    static func == (left: ByteSet, right: ByteSet) -> Bool {
        left.low == right.low && left.high == right.high && left.hasOthers == right.hasOthers
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(low)
        hasher.combine(high)
    }

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool { table[Int(truncatingIfNeeded: byte)] != 0 }

    /// The end of the run of these bytes that begins at an index, limited in length.
    func end(in bytes: UnsafeRawBufferPointer, from start: Int, atMost count: Int = 65_536) -> Int {
        let limit = count < bytes.count &- start ? start &+ count : bytes.count
        guard start < limit, let text = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
            return start
        }
        let table = table
        var end = start
        while end < limit, table[Int(truncatingIfNeeded: text[end])] != 0 { end &+= 1 }
        return end
    }

    /// The start of the run of these bytes that ends before an index, limited in length.
    func start(in bytes: UnsafeRawBufferPointer, before end: Int, atMost count: Int) -> Int {
        guard let text = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return end }
        let table = table
        let limit = end > count ? end &- count : 0
        var start = end
        while start > limit, table[Int(truncatingIfNeeded: text[start &- 1])] != 0 { start &-= 1 }
        return start
    }

    /// The first index of one of these bytes.
    func first(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        first(in: bytes, from: start, to: bytes.count)
    }

    /// The first index of one of these bytes before an end.
    func first(in bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) -> Int? {
        let end = end < bytes.count ? end : bytes.count
        guard start < end, let text = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
        let table = table
        var index = start
        while index &+ 4 <= end,
            table[Int(truncatingIfNeeded: text[index])] | table[Int(truncatingIfNeeded: text[index &+ 1])]
                | table[Int(truncatingIfNeeded: text[index &+ 2])]
                | table[Int(truncatingIfNeeded: text[index &+ 3])] == 0
        {
            index &+= 4
        }
        while index < end {
            if table[Int(truncatingIfNeeded: text[index])] != 0 { return index }
            index &+= 1
        }
        return nil
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
    static let lineEnds = ByteSet("\r\n")
    static let separators = ByteSet(":=>")
    static let backslash = ByteSet("\\")
    /// The characters of Bech32 in upper case (BIP 173).
    static let bech32 = ByteSet("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L")
    /// Base64 and an underscore before a second part.
    static let sentry = ByteSet(letters + "0123456789+/=_")
    static let hyphenated = ByteSet(letters + "0123456789-")
}
