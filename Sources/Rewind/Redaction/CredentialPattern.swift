/// A text that begins a credential, and how to recognize the rest.
struct CredentialPattern: Sendable {
    /// Returns the range of the credential whose prefix begins at an index; `nil` if there is none.
    typealias Matcher = @Sendable (UnsafeRawBufferPointer, Int, inout RunMemory) -> Range<Int>?

    let rule: String
    /// The text that triggers the rule.
    let prefix: [UInt8]
    /// Whether other rules are more precise for the same place.
    let isVague: Bool
    /// The least count of bytes of its whole credentials, if it has a format; otherwise zero.
    let leastCount: Int
    let match: Matcher

    init(
        _ rule: String,
        _ prefix: String,
        isVague: Bool = false,
        leastCount: Int = 0,
        _ match: @escaping Matcher
    ) {
        self.rule = rule
        self.prefix = Array(prefix.utf8)
        self.isVague = isVague
        self.leastCount = leastCount
        self.match = match
    }
}

/// What the search for one pattern knows about the run of characters that it reached last.
///
/// A text may repeat a prefix very often without the end of a word. With this, such a run is read once and examined only a
/// few times, so that the time of a search is linear.
struct RunMemory: Sendable {
    private var set: ByteSet?
    private var known = 0..<0
    private var examinedEnd = -1
    private var examinations = 0

    /// The end of the run of some bytes that begins at an index, limited in length. Indexes must not decrease. Only the
    /// set of the first call is remembered.
    mutating func end(of set: ByteSet, in bytes: UnsafeRawBufferPointer, from start: Int, atMost count: Int)
        -> Int
    {
        if self.set == nil { self.set = set }
        guard self.set == set else { return set.end(in: bytes, from: start, atMost: count) }
        if !known.contains(start) { known = start..<start }
        let end = set.end(in: bytes, from: known.upperBound, atMost: max(0, count - (known.upperBound - start)))
        known = known.lowerBound..<end
        return min(end, start + count)
    }

    /// Whether a text that ends at an index may be examined. Longer texts with the same end may have been before.
    mutating func mayExamine(until end: Int) -> Bool {
        if end != examinedEnd { (examinedEnd, examinations) = (end, 0) }
        examinations += 1
        return examinations <= 8
    }
}

/// The parts of a token after its prefix.
struct TokenFormat: Sendable, ExpressibleByArrayLiteral {
    enum Part: Sendable, ExpressibleByStringLiteral {
        case text([UInt8])
        case run(ByteSet, ClosedRange<Int>)

        init(stringLiteral value: String) { self = .text(Array(value.utf8)) }

        static func digits(_ count: Int) -> Part { .run(.digits, count...count) }
        static func hex(_ count: Int) -> Part { .run(.hexadecimal, count...count) }
        static func anyHex(_ count: Int) -> Part { .run(.anyHexadecimal, count...count) }
        static func lower(_ count: Int) -> Part { .run(.lowercase, count...count) }
        static func upper(_ count: Int) -> Part { .run(.uppercase, count...count) }
        static func alnum(_ count: Int) -> Part { .run(.alphanumerics, count...count) }
        static func alnum(_ counts: ClosedRange<Int>) -> Part { .run(.alphanumerics, counts) }
        static func word(_ counts: ClosedRange<Int>) -> Part { .run(.word, counts) }
        static func dash(_ count: Int) -> Part { .run(.wordOrHyphen, count...count) }
        static func dash(_ counts: ClosedRange<Int>) -> Part { .run(.wordOrHyphen, counts) }
        static func padded(_ counts: ClosedRange<Int>) -> Part { .run(.padded, counts) }
        static func base64(_ counts: ClosedRange<Int>) -> Part { .run(.base64, counts) }
    }

    private let parts: [Part]

    init(arrayLiteral parts: Part...) { self.parts = parts }
    private init(_ parts: [Part]) { self.parts = parts }

    /// The least count of bytes of all parts.
    var leastCount: Int {
        parts.reduce(0) { count, part in
            switch part {
            case .text(let text): count + text.count
            case .run(_, let counts): count + counts.lowerBound
            }
        }
    }

    static func + (left: TokenFormat, right: TokenFormat) -> TokenFormat {
        TokenFormat(left.parts + right.parts)
    }

    static func * (format: TokenFormat, count: Int) -> TokenFormat {
        TokenFormat(Array(repeatElement(format.parts, count: count).joined()))
    }

    static let anyUUID: TokenFormat = [
        .anyHex(8), "-", .anyHex(4), "-", .anyHex(4), "-", .anyHex(4), "-", .anyHex(12),
    ]
    static let uuid: TokenFormat = [.hex(8), "-", .hex(4), "-", .hex(4), "-", .hex(4), "-", .hex(12)]

    /// The end of the token whose parts begin at an index; `nil` if it has another format.
    func end(in bytes: UnsafeRawBufferPointer, from start: Int, _ memory: inout RunMemory) -> Int? {
        var end = start
        for (number, part) in parts.enumerated() {
            switch part {
            case .text(let text):
                guard bytes.count - end >= text.count, bytes[end..<end + text.count].elementsEqual(text)
                else { return nil }
                end += text.count
            case .run(let set, let counts):
                let start = end
                // One more than allowed shows that the run is too long.
                let isLast = number == parts.count - 1
                let limit = counts.upperBound + (isLast ? 1 : 0)
                end =
                    number == 0
                    ? memory.end(of: set, in: bytes, from: start, atMost: limit)
                    : set.end(in: bytes, from: start, atMost: limit)
                guard counts.contains(end - start) else { return nil }
            }
        }
        return CredentialText.endsWord(in: bytes, at: end) ? end : nil
    }
}

extension CredentialPattern {
    typealias Check = @Sendable (UnsafeRawBufferPointer.SubSequence) -> Bool

    /// Creates a rule for a prefix followed by one of several formats, as a whole word.
    init(
        _ rule: String,
        _ prefix: String,
        _ formats: [TokenFormat],
        keepsPrefix: Bool = true,
        _ check: @escaping Check = CredentialText.looksGenerated
    ) {
        let length = prefix.utf8.count
        let least = length + (formats.map(\.leastCount).min() ?? 0)
        self.init(rule, prefix, leastCount: least) { bytes, place, memory in
            guard CredentialText.beginsWord(in: bytes, at: place) else { return nil }
            let start = place + length
            for format in formats {
                guard let end = format.end(in: bytes, from: start, &memory), memory.mayExamine(until: end)
                else { continue }
                let tail = bytes[start..<end]
                if !CredentialText.isDummy(tail), check(tail) { return (keepsPrefix ? place : start)..<end }
            }
            return nil
        }
    }

    /// Creates the rules for several prefixes of the same token.
    static func tokens(
        _ rule: String,
        _ prefixes: [String],
        _ formats: TokenFormat...,
        keepsPrefix: Bool = true,
        check: @escaping Check = CredentialText.looksGenerated
    ) -> [CredentialPattern] {
        prefixes.map { CredentialPattern(rule, $0, formats, keepsPrefix: keepsPrefix, check) }
    }

    /// Creates the rules for prefixes so short that they also occur inside base64.
    static func rareTokens(_ rule: String, _ prefixes: [String], _ formats: TokenFormat...)
        -> [CredentialPattern]
    {
        prefixes.map { prefix in
            let pattern = CredentialPattern(rule, prefix, formats, CredentialText.looksGenerated)
            return CredentialPattern(rule, prefix, leastCount: pattern.leastCount) { bytes, place, memory in
                func isBase64(_ index: Int) -> Bool {
                    bytes.indices.contains(index)
                        && (bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "/"))
                }
                guard let range = pattern.match(bytes, place, &memory),
                    !isBase64(range.lowerBound - 1), !isBase64(range.upperBound)
                else { return nil }
                return range
            }
        }
    }
}
