/// The part of a base64 text that depends only on one value, not on the bytes around it.
package struct Base64Core: Hashable, Sendable {
    package let text: [UInt8]
    /// The position of the first character in its group of four.
    package let place: Int

    /// The cores of a value: for each alphabet, one for each of the three positions at which the value can begin in a
    /// group of three bytes.
    ///
    /// A value shorter than four bytes has no core, because the core would occur everywhere.
    package static func cores(of value: [UInt8]) -> [Base64Core] {
        guard value.count >= 4 else { return [] }
        var cores: [Base64Core] = []
        for alphabet in [Base64Alphabet.standard, .url] {
            for before in 0..<3 {
                let bytes = Array(repeating: 0, count: before) + value
                let digits = alphabet.encoded(bytes, padded: false)
                let start = (before * 8 + 5) / 6
                let core = Base64Core(text: Array(digits[start..<bytes.count * 8 / 6]), place: start)
                if !cores.contains(core) { cores.append(core) }
            }
        }
        return cores
    }
}

/// Decodes runs of base64 that may contain a secret, and encodes them again without it.
struct Base64Runs {
    private let bytes: UnsafeRawBufferPointer
    private var span: (range: Range<Int>, isMixed: Bool) = (0..<0, false)
    /// The runs of the span that were decoded, each from one of its first four digits.
    private var tried: Set<Attempt> = []
    /// The last run without some signs.
    private var parts: [ByteSet: Range<Int>] = [:]

    private struct Attempt: Hashable {
        let run: Range<Int>
        let start: Int
    }

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The edit of the run around a core; `nil` if the closure finds no secret in the decoded run.
    mutating func edit(
        of core: Base64Core,
        at place: Int,
        after end: Int,
        _ replacing: (UnsafeRawBufferPointer) -> [UInt8]?
    ) -> ByteEdit? {
        let range = place..<place + core.text.count
        updateSpan(around: range, after: end)
        let runs = runs(around: range, after: end)
        // A run of text is more likely right than one that includes other parts of a path.
        for onlyText in runs.count > 1 ? [true, false] : [false] {
            for run in runs {
                if let edit = edit(of: core, at: place, in: run, onlyText: onlyText, replacing) { return edit }
            }
        }
        return nil
    }

    private mutating func edit(
        of core: Base64Core,
        at place: Int,
        in run: Range<Int>,
        onlyText: Bool,
        _ replacing: (UnsafeRawBufferPointer) -> [UInt8]?
    ) -> ByteEdit? {
        let first = place - core.place
        guard first >= run.lowerBound else { return nil }
        let start = run.lowerBound + (first - run.lowerBound) % 4
        // Text begins with the run.
        guard !onlyText || start == run.lowerBound, !tried.contains(Attempt(run: run, start: start)),
            let decoded = Base64Alphabet.decoded(bytes[start..<run.upperBound]),
            !onlyText || CredentialText.isPrintable(decoded)
        else { return nil }
        tried.insert(Attempt(run: run, start: start))
        guard let replaced = decoded.withUnsafeBytes(replacing) else { return nil }
        return edit(of: run, from: start, decoded: decoded, replaced: replaced)
    }

    /// Creates an edit that preserves the groups before the first change.
    private func edit(of run: Range<Int>, from start: Int, decoded: [UInt8], replaced: [UInt8]) -> ByteEdit {
        let same = zip(decoded, replaced).prefix { $0 == $1 }.count / 3
        let padding = bytes[run.upperBound...].prefix(2).prefix { $0 == UInt8(ascii: "=") }.count
        return ByteEdit(
            range: start + same * 4..<run.upperBound + padding,
            replacement: Base64Alphabet.encoded(
                replaced[(same * 3)...],
                like: bytes[start..<run.upperBound],
                hasPadding: padding > 0
            )
        )
    }

    private mutating func updateSpan(around core: Range<Int>, after end: Int) {
        let isInside = span.range.lowerBound >= end && span.range.contains(core.lowerBound)
        guard !isInside || span.range.upperBound < core.upperBound else { return }
        let range = Self.extend(core, in: bytes, after: end, Base64Alphabet.isDigit)
        let isMixed =
            bytes[range].contains(where: Self.standardSigns.contains)
            && bytes[range].contains(where: Self.urlSigns.contains)
        span = (range, isMixed)
        tried = []
        parts = [:]
    }

    /// The runs around a core: the whole span, and a part of it if a slash may separate parts of a path. If the span mixes
    /// both alphabets, the signs of one of them end a run.
    private mutating func runs(around core: Range<Int>, after end: Int) -> [Range<Int>] {
        if span.isMixed {
            if bytes[core].contains(where: Self.urlSigns.contains) {
                return [run(around: core, after: end, without: Self.standardSigns)]
            }
            let standard = run(around: core, after: end, without: Self.urlSigns)
            return bytes[core].contains(where: Self.standardSigns.contains)
                ? [standard] : [run(around: core, after: end, without: Self.standardSigns), standard]
        }
        let part = run(around: core, after: end, without: Self.slash)
        return part == span.range || bytes[core].contains(UInt8(ascii: "/"))
            ? [span.range] : [span.range, part]
    }

    /// Extends a run once for all cores in it.
    private mutating func run(around core: Range<Int>, after end: Int, without signs: ByteSet) -> Range<Int> {
        if let run = parts[signs], run.lowerBound >= end, run.lowerBound <= core.lowerBound,
            run.upperBound >= core.upperBound
        {
            return run
        }
        let run = Self.extend(core, in: bytes, after: end) { Base64Alphabet.isDigit($0) && !signs.contains($0) }
        parts[signs] = run
        return run
    }

    private static let slash = ByteSet("/")

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

    private static let standardSigns = ByteSet("+/")
    private static let urlSigns = ByteSet("-_")
}

struct Base64Text: Sequence, IteratorProtocol {
    struct Run {
        let range: Range<Int>
        let decoded: [UInt8]
    }

    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func next() -> Run? {
        while let range = nextRange() {
            // The first bytes are enough to reject images.
            guard let start = Base64Alphabet.decoded(bytes[range].prefix(32)), CredentialText.isASCII(start),
                let decoded = Base64Alphabet.decoded(bytes[range]), CredentialText.isPrintable(decoded)
            else { continue }
            return Run(range: range, decoded: decoded)
        }
        return nil
    }

    private static var shortest: Int { 40 }

    /// Tests the last byte that a run must reach first, which skips most of the text.
    private mutating func nextRange() -> Range<Int>? {
        while position + Self.shortest <= bytes.count {
            let end = position + Self.shortest
            var start = end
            while start > position, Base64Alphabet.isDigit(bytes[start - 1]) { start -= 1 }
            guard start == position else {
                position = start
                continue
            }
            position = Base64Alphabet.endOfDigits(in: bytes, from: end)
            return start..<position
        }
        return nil
    }
}
