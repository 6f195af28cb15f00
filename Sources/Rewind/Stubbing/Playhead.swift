/// Which interactions of a cassette were already played.
package struct Playhead: Sendable {
    /// The interactions, in recorded order.
    package let interactions: [Interaction]
    private let index: InteractionIndex
    private let repeats: Repeats
    private var next: [Int]
    private var played: [Bool]

    /// Puts the head at the start of a cassette.
    package init(_ interactions: [Interaction], matchers: [Matcher], repeats: Repeats) {
        self.interactions = interactions
        self.index = InteractionIndex(interactions, matchers: matchers)
        self.repeats = repeats
        self.next = Array(repeating: 0, count: index.groupCount)
        self.played = Array(repeating: false, count: interactions.count)
    }

    /// What the cassette has for a request.
    package enum Find {
        /// The interaction that is due.
        case interaction(Interaction)
        /// No recorded request matches.
        case noMatch
        /// So many match, and all were played.
        case allPlayed(count: Int)
    }

    /// Finds the interaction that is due for a request, and moves past it.
    package mutating func play(_ request: Request) -> Find {
        guard let group = index.group(of: request) else { return .noMatch }
        let positions = index.positions(of: group)
        let turn = next[group]
        guard let position = position(at: turn, of: positions) else {
            return .allPlayed(count: positions.count)
        }
        next[group] = turn + 1
        played[position] = true
        return .interaction(interactions[position])
    }

    /// The interactions that were not played.
    package var unplayed: [Interaction] {
        zip(interactions, played).compactMap { $1 ? nil : $0 }
    }

    private func position(at turn: Int, of positions: [Int]) -> Int? {
        if turn < positions.count { return positions[turn] }
        return switch repeats {
        case .never: nil
        case .last: positions.last
        case .all: positions[turn % positions.count]
        }
    }
}
