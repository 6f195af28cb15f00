import Foundation

/// A pattern in which `*` matches any run of characters, even an empty one.
package struct Glob: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    package let pattern: String
    package let ignoringCase: Bool
    /// The text between the stars, as bytes, so that canonically equivalent letters differ.
    private let pieces: [[UInt8]]

    package init(_ pattern: String, ignoringCase: Bool = false) {
        self.pattern = pattern
        self.ignoringCase = ignoringCase
        pieces = Self.bytes(pattern, ignoringCase)
            .split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
            .map(Array.init)
    }

    package func matches(_ text: String) -> Bool { starRanges(in: Self.bytes(text, ignoringCase)) != nil }

    /// What each star matches, as short as possible from left to right; `nil` if the text does not match.
    package func captures(in text: String) -> [String]? {
        let spelled = Array(text.utf8)
        let compared = Self.bytes(text, ignoringCase)
        // If lowercasing changes the length, the ranges fit only the lowercased text.
        let source = spelled.count == compared.count ? spelled : compared
        return starRanges(in: compared)?.map { String(decoding: source[$0], as: UTF8.self) }
    }

    /// Finds each piece at the first possible place. This never needs backtracking.
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

    package init(stringLiteral pattern: String) { self.init(pattern) }

    package var description: String { pattern }
}

/// A pattern for the path of a URL, such as `/users/*/posts` or `/api/**`. `*` matches a whole segment that is not
/// empty, or any part of one as in `/v*/x`; a segment `**` matches any number of segments, including none.
/// Percent-encoding does not matter.
package struct PathPattern: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    package let pattern: String
    /// The segments between one `**` and the next.
    private let runs: [[Glob]]

    /// Creates a pattern; the first slash is optional.
    package init(_ pattern: String) {
        self.pattern = pattern
        runs = Self.segments(of: pattern)
            .split(separator: "**", omittingEmptySubsequences: false)
            .map { run in run.map { Glob($0) } }
    }

    /// Whether the pattern matches the whole path, without a query.
    package func matches(_ path: String) -> Bool { captures(in: path) != nil }

    /// What each wildcard matches, percent-encoded as in a URL; `nil` if the path does not match.
    package func captures(in path: String) -> [String]? {
        let segments = Self.segments(of: path)
        guard let first = runs.first, let last = runs.last,
            var captures = Self.captures(of: first, in: segments, at: 0)
        else { return nil }
        guard runs.count > 1 else { return segments.count == first.count ? captures : nil }
        var position = first.count
        let end = segments.count - last.count
        for run in runs.dropFirst().dropLast() {
            // The first possible place leaves the most room for the runs after it.
            guard position <= end,
                let place = (position...end).first(where: { place in
                    place + run.count <= end && Self.captures(of: run, in: segments, at: place) != nil
                }),
                let found = Self.captures(of: run, in: segments, at: place)
            else { return nil }
            captures.append(segments[position..<place].joined(separator: "/"))
            captures += found
            position = place + run.count
        }
        guard position <= end, let found = Self.captures(of: last, in: segments, at: end) else { return nil }
        return captures + [segments[position..<end].joined(separator: "/")] + found
    }

    private static func captures(of run: [Glob], in segments: [String], at place: Int) -> [String]? {
        guard place >= 0, place + run.count <= segments.count else { return nil }
        var captures: [String] = []
        for (glob, segment) in zip(run, segments[place...]) {
            guard !(glob.pattern == "*" && segment.isEmpty), let found = glob.captures(in: segment) else {
                return nil
            }
            captures += found
        }
        return captures
    }

    private static func segments(of path: String) -> [String] {
        let rooted = path.utf8.first == UInt8(ascii: "/") ? path : "/" + path
        return PercentEncoding.normalized(encodingNonASCII(rooted))
            .split(separator: "/", omittingEmptySubsequences: false)
            .map(String.init)
    }

    /// Encodes characters that are invalid in a URL but common in patterns.
    private static func encodingNonASCII(_ path: String) -> String {
        guard path.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }) else { return path }
        return path.unicodeScalars.map { scalar in
            (0x21...0x7E).contains(scalar.value) ? String(scalar) : PercentEncoding.encoded(String(scalar))
        }.joined()
    }

    package init(stringLiteral pattern: String) { self.init(pattern) }

    package var description: String { pattern }
}

struct SharedExpression: @unchecked Sendable {
    // Sound as @unchecked Sendable: the documentation calls NSRegularExpression immutable and thread-safe.
    private let expression: NSRegularExpression

    init?(_ pattern: String, ignoringCase: Bool = false) {
        guard
            let expression = try? NSRegularExpression(
                pattern: pattern,
                options: ignoringCase ? .caseInsensitive : []
            )
        else { return nil }
        self.expression = expression
    }

    /// The first group of each match, or the whole match if there is no group.
    func values(in text: String) -> [String] {
        let all = NSRange(text.startIndex..., in: text)
        return expression.matches(in: text, range: all).compactMap { match in
            let range = match.numberOfRanges > 1 ? match.range(at: 1) : match.range
            return Range(range, in: text).map { String(text[$0]) }
        }
    }

    /// The groups of the first match, empty for those that took no part; `nil` without a match.
    func groups(in text: String) -> [String]? {
        let all = NSRange(text.startIndex..., in: text)
        guard let match = expression.firstMatch(in: text, range: all) else { return nil }
        return (1..<max(1, match.numberOfRanges)).map { group in
            Range(match.range(at: group), in: text).map { String(text[$0]) } ?? ""
        }
    }
}
