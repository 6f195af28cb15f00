import Foundation

/// A regular expression that can be shared between threads.
struct SharedExpression: @unchecked Sendable {
    // Sound as @unchecked Sendable: the documentation calls NSRegularExpression immutable and safe for many threads.
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

    /// What it finds in a text: of each match the first group, or all of it where it has none.
    func values(in text: String) -> [String] {
        let all = NSRange(text.startIndex..., in: text)
        return expression.matches(in: text, range: all).compactMap { match in
            let range = match.numberOfRanges > 1 ? match.range(at: 1) : match.range
            return Range(range, in: text).map { String(text[$0]) }
        }
    }

    /// What the groups of its first match hold, nothing for those that took no part; `nil` where it finds nothing.
    func groups(in text: String) -> [String]? {
        let all = NSRange(text.startIndex..., in: text)
        guard let match = expression.firstMatch(in: text, range: all) else { return nil }
        return (1..<max(1, match.numberOfRanges)).map { group in
            Range(match.range(at: group), in: text).map { String(text[$0]) } ?? ""
        }
    }
}
