/// How what was recorded gets into a cassette that is there.
enum SavePolicy: Sendable {
    /// It takes the place of all that is there.
    case replace
    /// It is added at the end.
    case append
    /// Only what is not there is added, for another process may have recorded the same meanwhile.
    case addMissing
    /// It takes the place of those interactions whose requests were recorded anew, and the others stay.
    case renew

    init(_ mode: RecordingMode) {
        self =
            switch mode {
            case .all: .replace
            case .once: .addMissing
            case .none, .newEpisodes, .verify, .live: .append
            }
    }

    /// The interactions that the file is to have.
    func interactions(
        of present: [Interaction],
        with recorded: [Interaction],
        matchers: [Matcher]
    ) -> [Interaction] {
        switch self {
        case .replace: recorded
        case .append: present + recorded
        case .addMissing: present + recorded.lacking(in: present, matchers: matchers)
        case .renew: present.lacking(in: recorded, matchers: matchers) + recorded
        }
    }
}

extension [Interaction] {
    /// Those whose requests others do not have as often.
    fileprivate func lacking(in others: [Interaction], matchers: [Matcher]) -> [Interaction] {
        // Under each key the positions of those that have it, the first at the end.
        var present: [InteractionIndex.Key: [Int]] = [:]
        var taken: Set<Int> = []
        let index = InteractionIndex([], matchers: matchers)
        for (position, other) in others.enumerated().reversed() {
            for key in index.keys(of: other.request) { present[key, default: []].append(position) }
        }
        return filter { interaction in
            for key in index.keys(of: interaction.request) {
                while let position = present[key]?.popLast() {
                    if taken.insert(position).inserted { return false }
                }
            }
            return true
        }
    }
}
