/// Which interactions of a cassette were already played, and which is due.
package struct Playhead: Sendable {
    /// The interactions, in recorded order.
    package let interactions: [Interaction]
    private let index: InteractionIndex
    private let repeats: Repeats
    private let order: PlayOrder
    /// For each group the first of its positions that may be unplayed.
    private var next: [Int]
    /// The first position of all that may be unplayed.
    private var nextOfAll = 0
    private var plays: [Plays]
    private var requestCount = 0

    /// How often an interaction was played.
    private struct Plays: Sendable {
        var count: Int32 = 0
        /// The number of the request that it was played for last, counted from one.
        var request: Int32 = 0
    }

    /// Puts the head at the start of a cassette.
    package init(
        _ interactions: [Interaction],
        matchers: [Matcher],
        repeats: Repeats,
        order: PlayOrder = .perRequest
    ) {
        self.interactions = interactions
        self.index = InteractionIndex(interactions, matchers: matchers)
        self.repeats = repeats
        self.order = order
        self.next = Array(repeating: 0, count: index.groupCount)
        self.plays = Array(repeating: Plays(), count: interactions.count)
    }

    /// What the cassette has for a request.
    package enum Find: Sendable {
        /// The interaction at this position is due.
        case interaction(Interaction, position: Int)
        /// No recorded request matches.
        case noMatch
        /// Those at these positions match, and all were played.
        case allPlayed(positions: [Int])
        /// Another request is due: the one at this position.
        case outOfTurn(due: Int)
    }

    /// Finds the interaction that is due for a request, and moves past it.
    package mutating func play(_ request: Request) -> Find {
        requestCount += 1
        let find = order == .track ? findOnTrack(request) : find(request)
        if case .interaction(_, let position) = find {
            plays[position].count &+= 1
            plays[position].request = Int32(clamping: requestCount)
        }
        return find
    }

    /// The interactions that were not played.
    package var unplayed: [Interaction] {
        zip(interactions, plays).compactMap { $1.count > 0 ? nil : $0 }
    }

    /// The number of the request that an interaction was played for last, counted from one.
    package func requestNumber(ofPlayAt position: Int) -> Int? {
        guard plays.indices.contains(position), plays[position].count > 0 else { return nil }
        return Int(plays[position].request)
    }

    // MARK: Each request on its own

    private mutating func find(_ request: Request) -> Find {
        guard let group = index.group(of: request) else { return .noMatch }
        let positions = index.positions(of: group)
        while next[group] < positions.count, plays[positions[next[group]]].count > 0 { next[group] += 1 }
        for position in positions[next[group]...] where plays[position].count == 0 {
            if agrees(request, at: position) { return .interaction(interactions[position], position: position) }
        }
        let agreeing = positions.filter { agrees(request, at: $0) }
        guard let last = agreeing.last else { return .noMatch }
        return repeated(agreeing, last: last) ?? .allPlayed(positions: agreeing)
    }

    /// What is played once more, if anything is.
    private func repeated(_ positions: [Int], last: Int) -> Find? {
        switch repeats {
        case .never: nil
        case .last: .interaction(interactions[last], position: last)
        case .all:
            positions.min { plays[$0].count < plays[$1].count }
                .map { .interaction(interactions[$0], position: $0) }
        }
    }

    private func agrees(_ request: Request, at position: Int) -> Bool {
        index.agrees(request, with: interactions[position].request)
    }

    // MARK: One order for all

    private mutating func findOnTrack(_ request: Request) -> Find {
        func isPast(_ position: Int) -> Bool {
            plays[position].count > 0 || !interactions[position].isReplayable
        }
        while nextOfAll < interactions.count, isPast(nextOfAll) { nextOfAll += 1 }
        let group = index.group(of: request)
        if nextOfAll < interactions.count {
            return isDue(nextOfAll, request, group) ?? .outOfTurn(due: nextOfAll)
        }
        let matching = group.map { index.positions(of: $0).filter { agrees(request, at: $0) } } ?? []
        guard !matching.isEmpty else { return .noMatch }
        return repeatedOnTrack(request, group) ?? .allPlayed(positions: matching)
    }

    private func isDue(_ position: Int, _ request: Request, _ group: Int?) -> Find? {
        guard let group, index.group(of: interactions[position].request) == group,
            agrees(request, at: position)
        else { return nil }
        return .interaction(interactions[position], position: position)
    }

    /// After the end of the track its last interaction may go on answering, or the track begins anew.
    private func repeatedOnTrack(_ request: Request, _ group: Int?) -> Find? {
        let track = interactions.indices.filter { interactions[$0].isReplayable }
        switch repeats {
        case .never: return nil
        case .last: return track.last.flatMap { isDue($0, request, group) }
        case .all:
            guard let due = track.min(by: { plays[$0].count < plays[$1].count }) else { return nil }
            return isDue(due, request, group) ?? .outOfTurn(due: due)
        }
    }
}
