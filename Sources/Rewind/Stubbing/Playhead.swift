/// Which interactions of a cassette were already played, and which is due.
package struct Playhead: Sendable {
    /// The interactions, in recorded order.
    package let reel: any Reel
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
        _ reel: any Reel,
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
        case .position(let position):
            if let secrets = place?.secrets, !secrets.isEmpty {
                ledger.bind(pairs(secrets, at: position) ?? [])
            }
            plays[position].count &+= 1
            plays[position].request = Int32(clamping: requestCount)
            return .track(track(at: position, for: request))
        }
    }

    /// What is due for a request, before its interaction is made.
    private enum Due {
        case position(Int)
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
        let group = place.group
        let positions = index.positions(of: group)
        while next[group] < positions.count, plays[positions[next[group]]].count > 0 { next[group] += 1 }
        for position in positions[next[group]...] where plays[position].count == 0 {
            if agrees(request, place, at: position) { return .position(position) }
        }
        if repeats == .last {
            // From the end, so that asking on and on costs the same however often it was recorded.
            let last = positions.last { agrees(request, place, at: $0) }
            return last.map { .position($0) } ?? .nothing(.noMatch)
        }
        let agreeing = positions.filter { agrees(request, place, at: $0) }
        guard let least = agreeing.min(by: { plays[$0].count < plays[$1].count }) else {
            return .nothing(.noMatch)
        }
        return repeats == .all ? .position(least) : .nothing(.allPlayed(positions: agreeing))
    }

    /// Whether what has no key of its own agrees as well: comparisons and secrets.
    private func agrees(_ request: Request, _ place: InteractionIndex.Place, at position: Int) -> Bool {
        guard index.agrees(request, at: position),
            let pairs = pairs(place.secrets, at: position)
        else { return false }
        return pairs.isEmpty || ledger.agree(pairs)
    }

    /// The placeholders of a request beside those of a recorded one; `nil` where there are not as many.
    private func pairs(_ secrets: [Placeholder], at position: Int) -> SecretLedger.Pairs? {
        let recorded = index.secrets(at: position)
        if secrets.isEmpty, recorded.isEmpty { return [] }
        guard secrets.count == recorded.count else { return nil }
        return Array(zip(secrets, recorded))
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
        let matching = index.positions(of: place.group).filter { agrees(request, place, at: $0) }
        guard !matching.isEmpty else { return .nothing(.noMatch) }
        return repeatedOnTrack(request, place) ?? .nothing(.allPlayed(positions: matching))
    }

    private func due(_ position: Int, _ request: Request, _ place: InteractionIndex.Place?) -> Due? {
        guard let place, index.place(of: reel.request(at: position, withHeaders: true))?.group == place.group,
            agrees(request, place, at: position)
        else { return nil }
        return .position(position)
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
