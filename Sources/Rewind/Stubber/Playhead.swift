/// Which interactions of a cassette were already played, and which is due.
package struct Playhead: Sendable {
    /// The interactions, in recorded order.
    package let reel: any InteractionList
    private let index: InteractionIndex
    /// Whether what is played is wanted whole, with the request as it was recorded and its date.
    private let playsWhole: Bool
    private let repeats: Repeats
    private let order: PlayOrder
    /// What tells whether the secrets of a request are those of a recorded one.
    private let ledger: SecretLedger
    /// For each group the first of its positions that may be unplayed.
    private var next: [Int]
    /// The first position of all that may be unplayed.
    private var nextOfAll = 0
    private var plays: [Plays]
    /// The interactions that were made to be played, where they may be played again.
    private var made: [Int: Track] = [:]
    private var requestCount = 0

    /// How often an interaction was played.
    private struct Plays: Sendable {
        var count: Int32 = 0
        /// The number of the request that it was played for last, counted from one.
        var request: Int32 = 0
    }

    /// Puts the head at the start of a cassette.
    package init(
        _ reel: any InteractionList,
        matchers: [Matcher],
        repeats: Repeats,
        order: PlayOrder = .perRequest,
        playsWhole: Bool = true,
        ledger: SecretLedger = SecretLedger()
    ) {
        self.reel = reel
        self.index = InteractionIndex(reel, matchers: matchers)
        self.playsWhole = playsWhole
        self.repeats = repeats
        self.order = order
        self.ledger = ledger
        self.next = Array(repeating: 0, count: index.groupCount)
        self.plays = Array(repeating: Plays(), count: reel.count)
    }

    /// What the cassette has for a request.
    package enum Find: Sendable {
        /// This interaction is due.
        case track(Track)
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
        let place = index.place(of: request)
        switch order == .track ? findOnTrack(request, place) : find(request, place) {
        case .nothing(let find): return find
        case .candidate(let candidate):
            let position = candidate.position
            if !candidate.group.secrets.isEmpty { ledger.bind(pairs(candidate) ?? []) }
            plays[position].count &+= 1
            plays[position].request = Int32(clamping: requestCount)
            return .track(track(at: position, for: request))
        }
    }

    /// What is due for a request, before its interaction is made.
    private enum Due {
        case candidate(InteractionIndex.Candidate)
        case nothing(Find)
    }

    /// The interaction at a position, made once where it may be played again.
    private mutating func track(at position: Int, for request: Request) -> Track {
        if let track = made[position] { return track }
        let track = Track(of: reel, at: position, answering: playsWhole ? nil : request)
        guard repeats != .never else { return track }
        let kept = Track(track.interaction, at: position)
        made[position] = kept
        return kept
    }

    /// The interactions that were not played.
    package var unplayed: [Interaction] {
        reel.indices.filter { plays[$0].count == 0 }.map { reel[$0] }
    }

    /// The positions of the interactions that were played.
    package var playedPositions: [Int] { reel.indices.filter { plays[$0].count > 0 } }

    /// The number of the request that an interaction was played for last, counted from one.
    package func requestNumber(ofPlayAt position: Int) -> Int? {
        guard plays.indices.contains(position), plays[position].count > 0 else { return nil }
        return Int(plays[position].request)
    }

    // MARK: Each request on its own

    private mutating func find(_ request: Request, _ place: InteractionIndex.Place?) -> Due {
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
        return repeats == .all
            ? .candidate(least) : .nothing(.allPlayed(positions: agreeing.map(\.position)))
    }

    private mutating func skipPlayed(_ group: InteractionIndex.Group) {
        let positions = index.positions(of: group)
        while next[group.number] < positions.count, plays[positions[next[group.number]]].count > 0 {
            next[group.number] += 1
        }
    }

    /// Whether what has no key of its own agrees as well: comparisons and secrets.
    private func agrees(_ request: Request, _ candidate: InteractionIndex.Candidate) -> Bool {
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

    private mutating func findOnTrack(_ request: Request, _ place: InteractionIndex.Place?) -> Due {
        func isPast(_ position: Int) -> Bool {
            plays[position].count > 0 || !reel.isReplayable(at: position)
        }
        while nextOfAll < reel.count, isPast(nextOfAll) { nextOfAll += 1 }
        if nextOfAll < reel.count {
            return due(nextOfAll, request, place) ?? .nothing(.outOfTurn(due: nextOfAll))
        }
        guard let place else { return .nothing(.noMatch) }
        let matching = index.candidates(at: place).filter { agrees(request, $0) }.map(\.position)
        guard !matching.isEmpty else { return .nothing(.noMatch) }
        return repeatedOnTrack(request, place) ?? .nothing(.allPlayed(positions: matching))
    }

    private func due(_ position: Int, _ request: Request, _ place: InteractionIndex.Place?) -> Due? {
        guard let place, let candidate = index.candidate(position, at: place), agrees(request, candidate)
        else { return nil }
        return .candidate(candidate)
    }

    /// After the end of the track its last interaction may go on answering, or the track begins anew.
    private func repeatedOnTrack(_ request: Request, _ place: InteractionIndex.Place) -> Due? {
        let positions = reel.indices.filter { reel.isReplayable(at: $0) }
        switch repeats {
        case .never: return nil
        case .last: return positions.last.flatMap { due($0, request, place) }
        case .all:
            guard let first = positions.min(by: { plays[$0].count < plays[$1].count }) else { return nil }
            return due(first, request, place) ?? .nothing(.outOfTurn(due: first))
        }
    }
}
