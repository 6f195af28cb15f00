/// Decodes runs of base64 in which a secret seems to stand, and encodes them again without it.
struct Base64Runs {
    private let bytes: UnsafeRawBufferPointer
    private let avoidsEscapes: Bool
    /// Whether a run was left alone, as it goes on behind an escape and is whole only once that is decoded.
    private(set) var hasAvoided = false
    private var span = Span()
    private var run = 0..<0
    private var triedPlaces: Set<Int> = []

    init(_ bytes: UnsafeRawBufferPointer, avoidsEscapes: Bool) {
        self.bytes = bytes
        self.avoidsEscapes = avoidsEscapes
    }

    /// The edit of the run around a core, if a closure finds a secret in what the run decodes to.
    mutating func edit(
        of core: Base64Core,
        at place: Int,
        after end: Int,
        _ replacing: (UnsafeRawBufferPointer) -> [UInt8]?
    ) -> ByteEdit? {
        let range = place..<place + core.text.count
        if run.lowerBound < end || run.lowerBound > range.lowerBound || run.upperBound < range.upperBound {
            run = widestRun(around: range, after: end)
            triedPlaces = []
        }
        guard !isAvoided() else { return nil }
        let first = place - core.place
        guard first >= run.lowerBound else { return nil }
        let start = run.lowerBound + (first - run.lowerBound) % 4
        // A run is decoded once for each of the four places at which its first group can begin.
        guard triedPlaces.insert(start).inserted,
            let decoded = Base64Alphabet.decoded(bytes[start..<run.upperBound]),
            let replaced = decoded.withUnsafeBytes(replacing)
        else { return nil }
        return edit(from: start, decoded: decoded, replaced: replaced)
    }

    /// Leaves the groups alone that stand before the first change.
    private func edit(from start: Int, decoded: [UInt8], replaced: [UInt8]) -> ByteEdit {
        let same = zip(decoded, replaced).prefix { $0 == $1 }.count / 3
        let padding = bytes[run.upperBound...].prefix(2).prefix { $0 == UInt8(ascii: "=") }.count
        let isURL = bytes[run].contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        // Text of whole groups is padded text that happens to need no padding, except in URLs.
        let isWhole = (run.upperBound - start) % 4 == 0
        let alphabet: Base64Alphabet = isURL ? .url : .standard
        return ByteEdit(
            range: start + same * 4..<run.upperBound + padding,
            replacement: alphabet.encoded(replaced[(same * 3)...], padded: padding > 0 || isWhole && !isURL)
        )
    }

    private mutating func isAvoided() -> Bool {
        guard avoidsEscapes else { return false }
        let before = run.lowerBound > 0 ? bytes[run.lowerBound - 1] : 0
        let after = run.upperBound < bytes.count ? bytes[run.upperBound] : 0
        let avoided = Self.introducers.contains(before) || Self.introducers.contains(after)
        hasAvoided = hasAvoided || avoided
        return avoided
    }

    private static let introducers: [UInt8] = [UInt8(ascii: "%"), UInt8(ascii: "\\"), UInt8(ascii: "&")]

    /// The longest run of one alphabet around a range, or of letters and digits where it has signs of both.
    private mutating func widestRun(around core: Range<Int>, after end: Int) -> Range<Int> {
        if span.range.lowerBound < end || !span.range.contains(core.lowerBound) {
            let range = Self.extend(core, in: bytes, after: end, Base64Alphabet.isDigit)
            let isMixed =
                bytes[range].contains(where: Self.isStandardSign)
                && bytes[range].contains(where: Self.isURLSign)
            span = Span(range: range, isMixed: isMixed)
        }
        guard span.isMixed else { return span.range }
        let isURL = bytes[core].contains(where: Self.isURLSign)
        return Self.extend(core, in: bytes, after: end) {
            Base64Alphabet.isDigit($0) && !(isURL ? Self.isStandardSign($0) : Self.isURLSign($0))
        }
    }

    /// A run of both alphabets.
    private struct Span {
        var range = 0..<0
        var isMixed = false
    }

    private static func extend(
        _ range: Range<Int>,
        in bytes: UnsafeRawBufferPointer,
        after end: Int,
        _ isDigit: (UInt8) -> Bool
    ) -> Range<Int> {
        var (lower, upper) = (range.lowerBound, range.upperBound)
        while lower > end, isDigit(bytes[lower - 1]) { lower -= 1 }
        while upper < bytes.count, isDigit(bytes[upper]) { upper += 1 }
        return lower..<upper
    }

    private static func isStandardSign(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
    }
    private static func isURLSign(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}
