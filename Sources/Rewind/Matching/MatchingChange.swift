/// The change of the matchers after which a recorded request equals a live one.
struct MatchingChange {
    let ignored: [RequestMatcher.Ignored]
    /// The matchers to remove, if ignoring a part does not remove their difference.
    let matchers: [String]

    init(_ differences: [Difference]) {
        ignored = differences.compactMap(\.suggestion).merged
        var seen: Set<String> = []
        matchers = differences.filter { $0.suggestion == nil }.map(\.matcher).filter {
            seen.insert($0).inserted
        }
    }

    /// The parts to ignore as arguments.
    var list: String { ignored.map(\.description).joined(separator: ", ") }

    /// Statements that change a configuration.
    var statements: [String] {
        let removals = matchers.map { name in
            "configuration.matching.removeAll { $0.name == \(name.debugDescription) }"
        }
        guard !ignored.isEmpty else { return removals }
        return removals + ["configuration.matching = configuration.matching.ignoring(\(list))"]
    }

    /// The changed matchers as an expression; `nil` if the code of one of them is not known.
    func expression(for present: [RequestMatcher]) -> String? {
        let kept = present.filter { !matchers.contains($0.name) }
        let codes = kept.compactMap(\.code)
        guard codes.count == kept.count else { return nil }
        if codes == [RequestMatcher].default.compactMap(\.code) {
            let all = (kept.flatMap(\.ignored) + ignored).merged
            return ".default" + Self.ignoring(all)
        }
        let elements = zip(kept, codes).map { matcher, code in
            let own = ignored.filter { !matcher.parts.isDisjoint(with: $0.parts) }
            return code + Self.ignoring((matcher.ignored + own).merged)
        }
        return "[\(elements.joined(separator: ", "))]"
    }

    private static func ignoring(_ ignored: [RequestMatcher.Ignored]) -> String {
        ignored.isEmpty ? "" : ".ignoring(\(ignored.map(\.description).joined(separator: ", ")))"
    }
}

extension RequestMatcher {
    /// The matcher without its ignored parts as Swift code; `nil` for those that have arguments.
    fileprivate var code: String? {
        guard !hasCallbacks else { return nil }
        switch name {
        case "method", "url", "scheme", "host", "port", "path", "fragment", "body", "form", "multipart",
            "graphQL":
            return ".\(name)"
        case "body bytes": return ".bodyBytes"
        default: return nil
        }
    }
}
