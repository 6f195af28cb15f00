/// A pattern for names, in which `*` stands for any run of characters and all else for itself.
package struct Glob: Hashable, Sendable {
    /// The pattern as it was written.
    package let pattern: String
    /// Whether `a` and `A` are the same.
    package let ignoringCase: Bool
    /// What stands between the stars, as bytes, so that letters that only Unicode holds equivalent differ.
    private let pieces: [[UInt8]]

    /// Creates a pattern; every text is one.
    package init(_ pattern: String, ignoringCase: Bool = false) {
        self.pattern = pattern
        self.ignoringCase = ignoringCase
        pieces = Self.bytes(pattern, ignoringCase)
            .split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
            .map(Array.init)
    }

    /// Whether the pattern describes the whole text.
    package func matches(_ text: String) -> Bool {
        starRanges(in: Self.bytes(text, ignoringCase)) != nil
    }

    /// What each star stands for, as short as can be from left to right; `nil` where the text differs.
    package func captures(in text: String) -> [String]? {
        let spelled = Array(text.utf8)
        let compared = Self.bytes(text, ignoringCase)
        // Where lower case has another length, only the lower case can be cut.
        let source = spelled.count == compared.count ? spelled : compared
        return starRanges(in: compared)?.map { String(decoding: source[$0], as: UTF8.self) }
    }

    /// Finds every piece at the first place it can have, which never has to be taken back.
    private func starRanges(in text: [UInt8]) -> [Range<Int>]? {
        guard let first = pieces.first, let last = pieces.last, text.starts(with: first) else { return nil }
        guard pieces.count > 1 else { return text.count == first.count ? [] : nil }
        var position = first.count
        let end = text.count - last.count
        var ranges: [Range<Int>] = []
        for piece in pieces.dropFirst().dropLast() {
            guard let start = Self.firstPlace(of: piece, in: text, from: position, to: end) else { return nil }
            ranges.append(position..<start)
            position = start + piece.count
        }
        guard position <= end, text[end...].elementsEqual(last) else { return nil }
        return ranges + [position..<end]
    }

    private static func firstPlace(of piece: [UInt8], in text: [UInt8], from start: Int, to end: Int) -> Int? {
        var place = start
        while place + piece.count <= end {
            if text[place..<place + piece.count].elementsEqual(piece) { return place }
            place += 1
        }
        return nil
    }

    private static func bytes(_ text: String, _ ignoringCase: Bool) -> [UInt8] {
        Array((ignoringCase ? text.lowercased() : text).utf8)
    }
}

extension Glob: ExpressibleByStringLiteral, CustomStringConvertible {
    /// Creates a pattern that tells `a` from `A`.
    package init(stringLiteral pattern: String) {
        self.init(pattern)
    }

    /// The pattern as it was written.
    package var description: String { pattern }
}
