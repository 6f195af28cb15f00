/// Which interactions of a cassette were already played, and which is due.
package struct Playhead: Sendable {
    private let tracks: [Track]
    private let index: InteractionIndex
    private let repeats: Repeats
    private let order: PlayOrder
    /// What tells whether the secrets of a request are those of a recorded one.
    private let ledger: SecretLedger
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
        order: PlayOrder = .perRequest,
        ledger: SecretLedger = SecretLedger()
    ) {
        self.tracks = interactions.enumerated().map { Track($1, at: $0) }
        self.index = InteractionIndex(interactions, matchers: matchers)
        self.repeats = repeats
        self.order = order
        self.ledger = ledger
        self.next = Array(repeating: 0, count: index.groupCount)
        self.plays = Array(repeating: Plays(), count: interactions.count)
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
        let find = order == .track ? findOnTrack(request, place) : find(request, place)
        if case .track(let track) = find {
            let position = track.position
            if let secrets = place?.secrets, !secrets.isEmpty {
                ledger.bind(pairs(secrets, at: position) ?? [])
            }
            plays[position].count &+= 1
            plays[position].request = Int32(clamping: requestCount)
        }
        return find
    }

    /// The interactions, in recorded order.
    package var interactions: [Interaction] { tracks.map(\.interaction) }

    /// The interactions that were not played.
    package var unplayed: [Interaction] {
        zip(tracks, plays).compactMap { $1.count > 0 ? nil : $0.interaction }
    }

    /// The number of the request that an interaction was played for last, counted from one.
    package func requestNumber(ofPlayAt position: Int) -> Int? {
        guard plays.indices.contains(position), plays[position].count > 0 else { return nil }
        return Int(plays[position].request)
    }

    // MARK: Each request on its own

    private mutating func find(_ request: Request, _ place: InteractionIndex.Place?) -> Find {
        guard let place else { return .noMatch }
        let group = place.group
        let positions = index.positions(of: group)
        while next[group] < positions.count, plays[positions[next[group]]].count > 0 { next[group] += 1 }
        for position in positions[next[group]...] where plays[position].count == 0 {
            if agrees(request, place, at: position) {
                return .track(tracks[position])
            }
        }
        let agreeing = positions.filter { agrees(request, place, at: $0) }
        guard let last = agreeing.last else { return .noMatch }
        return repeated(agreeing, last: last) ?? .allPlayed(positions: agreeing)
    }

    /// What is played once more, if anything is.
    private func repeated(_ positions: [Int], last: Int) -> Find? {
        switch repeats {
        case .never: nil
        case .last: .track(tracks[last])
        case .all:
            positions.min { plays[$0].count < plays[$1].count }
                .map { .track(tracks[$0]) }
        }
    }

    /// Whether what has no key of its own agrees as well: comparisons and secrets.
    private func agrees(_ request: Request, _ place: InteractionIndex.Place, at position: Int) -> Bool {
        guard index.agrees(request, with: tracks[position].interaction),
            let pairs = pairs(place.secrets, at: position)
        else { return false }
        return pairs.isEmpty || ledger.agree(pairs)
    }

    /// The placeholders of a request beside those of a recorded one; `nil` where there are not as many.
    private func pairs(_ secrets: [Placeholder], at position: Int) -> SecretLedger.Pairs? {
        let recorded = index.secrets(at: position)
        guard secrets.count == recorded.count else { return nil }
        return Array(zip(secrets, recorded))
    }

    // MARK: One order for all

    private mutating func findOnTrack(_ request: Request, _ place: InteractionIndex.Place?) -> Find {
        func isPast(_ position: Int) -> Bool {
            plays[position].count > 0 || !tracks[position].interaction.isReplayable
        }
        while nextOfAll < tracks.count, isPast(nextOfAll) { nextOfAll += 1 }
        if nextOfAll < tracks.count {
            return due(nextOfAll, request, place) ?? .outOfTurn(due: nextOfAll)
        }
        guard let place else { return .noMatch }
        let matching = index.positions(of: place.group).filter { agrees(request, place, at: $0) }
        guard !matching.isEmpty else { return .noMatch }
        return repeatedOnTrack(request, place) ?? .allPlayed(positions: matching)
    }

    private func due(_ position: Int, _ request: Request, _ place: InteractionIndex.Place?) -> Find? {
        guard let place, index.place(of: tracks[position].interaction.request)?.group == place.group,
            agrees(request, place, at: position)
        else { return nil }
        return .track(tracks[position])
    }

    /// After the end of the track its last interaction may go on answering, or the track begins anew.
    private func repeatedOnTrack(_ request: Request, _ place: InteractionIndex.Place) -> Find? {
        let positions = tracks.indices.filter { tracks[$0].interaction.isReplayable }
        switch repeats {
        case .never: return nil
        case .last: return positions.last.flatMap { due($0, request, place) }
        case .all:
            guard let first = positions.min(by: { plays[$0].count < plays[$1].count }) else { return nil }
            return due(first, request, place) ?? .outOfTurn(due: first)
        }
    }
}
