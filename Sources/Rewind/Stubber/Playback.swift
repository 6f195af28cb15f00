/// Which interactions of a cassette were already played, and which is due.
package struct Playback: Sendable {
    package let recorded: any InteractionList
    private let index: InteractionIndex
    /// Whether what is played is wanted whole, with the request as it was recorded and its date.
    private let playsWhole: Bool
    private let repeats: Stubber.Configuration.Repeats
    private let order: Stubber.Configuration.PlaybackOrder
    /// What tells whether the secrets of a request are those of a recorded one.
    private let ledger: SecretLedger
    /// For each group the first of its positions that may be unplayed.
    private var next: [Int]
    /// The first position of all that may be unplayed.
    private var nextOfAll = 0
    private var plays: [Plays]
    /// The interactions that were made to be played, where they may be played again.
    private var kept: [Int: RecordedInteraction] = [:]
    private var requestCount = 0

    private struct Plays: Sendable {
        var count: Int32 = 0
        /// The number of the request that it was played for last, counted from one.
        var request: Int32 = 0
    }

    package init(
        _ recorded: any InteractionList,
        matchers: [RequestMatcher],
        repeats: Stubber.Configuration.Repeats,
        order: Stubber.Configuration.PlaybackOrder = .perRequest,
        playsWhole: Bool = true,
        ledger: SecretLedger = SecretLedger()
    ) {
        self.recorded = recorded
        self.index = InteractionIndex(recorded, matchers: matchers)
        self.playsWhole = playsWhole
        self.repeats = repeats
        self.order = order
        self.ledger = ledger
        self.next = Array(repeating: 0, count: index.groupCount)
        self.plays = Array(repeating: Plays(), count: recorded.count)
    }

    package enum Find: Sendable {
        case found(Found)
        case noMatch
        /// Those at these positions match, and all were played.
        case allPlayed(positions: [Int])
        /// Another request is due: the one at this position.
        case outOfOrder(next: Int)
    }

    package mutating func play(_ request: Interaction.Request) -> Find {
        requestCount += 1
        let place = index.place(of: request)
        switch order == .sequential ? findInOrder(request, place) : find(request, place) {
        case .nothing(let find): return find
        case .candidate(let candidate):
            let position = candidate.position
            if !candidate.group.secrets.isEmpty { ledger.bind(pairs(candidate) ?? []) }
            plays[position].count &+= 1
            plays[position].request = Int32(clamping: requestCount)
            return .found(found(at: position, for: request))
        }
    }

    package struct Found: Sendable {
        package let position: Int
        fileprivate let recorded: any InteractionList
        /// The request that it answers, where no more of it than its answer is wanted.
        fileprivate let request: Interaction.Request?
        fileprivate let kept: RecordedInteraction?

        /// Makes the interaction, which costs so much that it is done once, and not while others wait to be played.
        package func made() -> RecordedInteraction {
            if let kept { return kept }
            let interaction = request.map { recorded.answer(at: position, to: $0) } ?? recorded[position]
            return RecordedInteraction(interaction, at: position)
        }
    }

    /// What is due for a request, before it counts as played.
    private enum Due {
        case candidate(InteractionIndex.Candidate)
        case nothing(Find)
    }

    private mutating func found(at position: Int, for request: Interaction.Request) -> Found {
        let found = Found(
            position: position,
            recorded: recorded,
            request: playsWhole ? nil : request,
            kept: kept[position]
        )
        guard repeats != .never, found.kept == nil else { return found }
        let made = found.made()
        kept[position] = made
        return Found(position: position, recorded: recorded, request: nil, kept: made)
    }

    package var unplayed: [Interaction] {
        recorded.indices.filter { plays[$0].count == 0 }.map { recorded[$0] }
    }

    package var playedPositions: [Int] { recorded.indices.filter { plays[$0].count > 0 } }

    /// The number of the request that an interaction was played for last, counted from one.
    package func requestNumber(ofPlayAt position: Int) -> Int? {
        guard plays.indices.contains(position), plays[position].count > 0 else { return nil }
        return Int(plays[position].request)
    }

    // MARK: Each request on its own

    private mutating func find(_ request: Interaction.Request, _ place: InteractionIndex.Place?) -> Due {
        guard let place else { return .nothing(.noMatch) }
        skipPlayed(place.group)
        if let other = place.other { skipPlayed(other) }
        for candidate in index.candidates(at: place, from: { next[$0.number] })
        where plays[candidate.position].count == 0 {
            if agrees(request, candidate) { return .candidate(candidate) }
        }
        if repeats == .last {
            // From the end, so that asking on and on costs the same however often it was recorded.
            let last = place.groups.compactMap { group in
                index.positions(of: group).reversed().lazy
                    .map { InteractionIndex.Candidate(position: $0, group: group) }
                    .first { agrees(request, $0) }
            }.max { $0.position < $1.position }
            return last.map { .candidate($0) } ?? .nothing(.noMatch)
        }
        let agreeing = index.candidates(at: place).filter { agrees(request, $0) }
        guard let least = agreeing.min(by: { plays[$0.position].count < plays[$1.position].count }) else {
            return .nothing(.noMatch)
        }
        return repeats == .all ? .candidate(least) : .nothing(.allPlayed(positions: agreeing.map(\.position)))
    }

    private mutating func skipPlayed(_ group: InteractionIndex.Group) {
        let positions = index.positions(of: group)
        while next[group.number] < positions.count, plays[positions[next[group.number]]].count > 0 {
            next[group.number] += 1
        }
    }

    /// Whether what has no key of its own agrees as well: comparisons and secrets.
    private func agrees(_ request: Interaction.Request, _ candidate: InteractionIndex.Candidate) -> Bool {
        guard index.agrees(request, at: candidate.position), let pairs = pairs(candidate) else { return false }
        return pairs.isEmpty || ledger.agree(pairs)
    }

    /// The placeholders of a request beside those of a recorded one; `nil` where there are not as many.
    private func pairs(_ candidate: InteractionIndex.Candidate) -> SecretLedger.Pairs? {
        let (asked, recorded) = (candidate.group.secrets, index.secrets(of: candidate))
        if asked.isEmpty, recorded.isEmpty { return [] }
        guard asked.count == recorded.count else { return nil }
        return Array(zip(asked, recorded))
    }

    // MARK: One order for all

    private mutating func findInOrder(_ request: Interaction.Request, _ place: InteractionIndex.Place?) -> Due {
        func isPast(_ position: Int) -> Bool {
            plays[position].count > 0 || !recorded.isReplayable(at: position)
        }
        while nextOfAll < recorded.count, isPast(nextOfAll) { nextOfAll += 1 }
        if nextOfAll < recorded.count {
            return due(nextOfAll, request, place) ?? .nothing(.outOfOrder(next: nextOfAll))
        }
        guard let place else { return .nothing(.noMatch) }
        let matching = index.candidates(at: place).filter { agrees(request, $0) }.map(\.position)
        guard !matching.isEmpty else { return .nothing(.noMatch) }
        return repeatedInOrder(request, place) ?? .nothing(.allPlayed(positions: matching))
    }

    private func due(_ position: Int, _ request: Interaction.Request, _ place: InteractionIndex.Place?) -> Due?
    {
        guard let place, let candidate = index.candidate(position, at: place), agrees(request, candidate)
        else { return nil }
        return .candidate(candidate)
    }

    /// After the end its last interaction may go on answering, or all begin again.
    private func repeatedInOrder(_ request: Interaction.Request, _ place: InteractionIndex.Place) -> Due? {
        let positions = recorded.indices.filter { recorded.isReplayable(at: $0) }
        switch repeats {
        case .never: return nil
        case .last: return positions.last.flatMap { due($0, request, place) }
        case .all:
            guard let first = positions.min(by: { plays[$0].count < plays[$1].count }) else { return nil }
            return due(first, request, place) ?? .nothing(.outOfOrder(next: first))
        }
    }
}

/// A class, because each copy of an interaction on the way to the app would cost more than finding it.
package final class RecordedInteraction: Sendable {
    /// Counted from zero.
    package let position: Int
    package let interaction: Interaction

    package init(_ interaction: Interaction, at position: Int) {
        self.interaction = interaction
        self.position = position
    }
}
