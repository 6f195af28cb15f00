/// The change of a configuration that makes some differences go.
struct MatchingChange {
    private let differences: [Difference]

    init(_ differences: [Difference]) {
        self.differences = differences
    }

    /// What is left out of the comparison, where leaving it out is enough.
    var ignored: [Ignored] {
        differences.compactMap(\.remedy).merged
    }

    /// The names of the matchers that would have to go, as nothing less makes their difference go.
    var matchers: [String] {
        unique(differences.filter { $0.remedy == nil }.map(\.matcher))
    }

    /// The Swift statements.
    var statements: [String] {
        let removals = matchers.map { name in "configuration.matching.removeAll { $0.name == \"\(name)\" }" }
        guard !ignored.isEmpty else { return removals }
        let list = ignored.map(\.description).joined(separator: ", ")
        return removals + ["configuration.matching = configuration.matching.ignoring(\(list))"]
    }

    private func unique<Element: Hashable>(_ elements: [Element]) -> [Element] {
        var seen: Set<Element> = []
        return elements.filter { seen.insert($0).inserted }
    }
}
