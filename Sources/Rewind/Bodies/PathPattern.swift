/// A pattern for the path of a URL, such as `/users/*/posts` or `/api/**`.
///
/// `*` stands for a whole segment that is not empty, or for any part of one as in `/v*/x`. A segment `**`
/// stands for any number of segments, none included. All else stands for itself, however it is encoded.
package struct PathPattern: Hashable, Sendable {
    /// The pattern as it was written.
    package let pattern: String
    /// The segments between one `**` and the next.
    private let runs: [[Glob]]

    /// Creates a pattern; the first slash may be left out.
    package init(_ pattern: String) {
        self.pattern = pattern
        runs = Self.segments(of: pattern)
            .split(separator: "**", omittingEmptySubsequences: false)
            .map { run in run.map { Glob($0) } }
    }

    /// Whether the pattern describes the whole path, which has no query.
    package func matches(_ path: String) -> Bool {
        captures(in: path) != nil
    }

    /// What each wildcard stands for, percent-encoded as in a URL, or `nil` where the path differs.
    package func captures(in path: String) -> [String]? {
        let segments = Self.segments(of: path)
        guard let first = runs.first, let last = runs.last,
            var captures = Self.captures(of: first, in: segments, at: 0)
        else { return nil }
        guard runs.count > 1 else { return segments.count == first.count ? captures : nil }
        var position = first.count
        let end = segments.count - last.count
        for run in runs.dropFirst().dropLast() {
            // The first place a run can have leaves the most room for those after it.
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

    /// Patterns are often written with letters that no URL can hold as they are.
    private static func encodingNonASCII(_ path: String) -> String {
        guard path.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }) else { return path }
        return path.unicodeScalars.map { scalar in
            (0x21...0x7E).contains(scalar.value) ? String(scalar) : PercentEncoding.encoded(String(scalar))
        }.joined()
    }
}

extension PathPattern: ExpressibleByStringLiteral, CustomStringConvertible {
    /// Creates a pattern.
    package init(stringLiteral pattern: String) {
        self.init(pattern)
    }

    /// The pattern as it was written.
    package var description: String { pattern }
}
