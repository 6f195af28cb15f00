/// The playback position of a cassette: which interactions were played, and which is next.
package struct Playback: Sendable {
    package let recorded: any InteractionList
    private let index: InteractionIndex
    /// Whether replay needs the recorded request and date, not only the response.
    private let playsWhole: Bool
    private let repeats: Stubber.Configuration.Repeats
    private let order: Stubber.Configuration.PlaybackOrder
    /// Decides whether the secrets of a request are those of a recorded one.
    private let ledger: SecretLedger
    /// Created for the first request, because it reads header fields.
    private var credentials: RequestCredentials?
    /// The credentials of the request that is being played.
    private var liveCredentials = RequestCredentials.Secrets()
    /// For each group, the first index that may be unplayed.
    private var next: [Int]
    /// In sequential order, the first position that may be unplayed.
    private var nextOfAll = 0
    private var plays: [Plays]
    /// The decoded interactions, if they may be played again.
    private var kept: [Int: RecordedInteraction] = [:]
    private var requestCount = 0
    /// What the closures of matchers say about the request that is being played; `nil` if they are called during the search.
    private var verdicts: MatcherVerdicts?
    /// Whether interactions are decoded while the stubber is locked.
    private let decodesAtOnce: Bool

    private struct Plays: Sendable {
        var count: Int32 = 0
        /// The number of the request that it was last played for, counted from 1.
        var request: Int32 = 0
    }

    package init(
        _ recorded: any InteractionList,
        matchers: [RequestMatcher],
        repeats: Stubber.Configuration.Repeats,
        order: Stubber.Configuration.PlaybackOrder = .perRequest,
        playsWhole: Bool = true,
        decodesAtOnce: Bool = true,
        ledger: SecretLedger = SecretLedger()
    ) {
        self.recorded = recorded
        self.index = InteractionIndex(recorded, matchers: matchers)
        self.playsWhole = playsWhole
        self.decodesAtOnce = decodesAtOnce
        self.repeats = repeats
        self.order = order
        self.ledger = ledger
        self.next = Array(repeating: 0, count: index.groupCount)
        self.plays = Array(repeating: Plays(), count: recorded.count)
    }

    package enum Find: Sendable {
        case found(Found)
        case noMatch
        /// The interactions at these positions match, and all were played.
        case allPlayed(positions: [Int])
        /// The recorded request at this position must come first.
        case outOfOrder(next: Int)
    }

    /// Finds the interaction that answers a request, and counts it as played. Closures of matchers are called in between.
    package mutating func play(_ request: Interaction.Request) -> Find {
        play(request, at: index.place(of: request), explaining: false)
    }

    /// Does the same without calling closures, so that it can be called while the stubber is locked.
    /// - Returns: What was found; `nil` if the verdicts are incomplete, and ``MatcherVerdicts/callBack()`` is to be called.
    mutating func play(
        _ request: Interaction.Request,
        using verdicts: MatcherVerdicts?,
        explaining: Bool = false
    ) -> Find? {
        guard index.hasCallbacks else {
            return play(request, at: index.place(of: request), explaining: explaining)
        }
        guard let verdicts, verdicts.begin(in: index) else { return nil }
        self.verdicts = verdicts
        defer { self.verdicts = nil }
        // A search changes nothing that a second one would not change again.
        let place = verdicts.place(in: index)
        readCredentials(of: request)
        _ = order == .sequential ? findInOrder(request, place) : find(request, place)
        return verdicts.isIncomplete ? nil : play(request, at: place, explaining: explaining)
    }

    /// Forgets the number of a request that is going to be played again.
    mutating func uncountRequest() { requestCount -= 1 }

    private mutating func play(
        _ request: Interaction.Request,
        at place: InteractionIndex.Place?,
        explaining: Bool
    ) -> Find {
        requestCount += 1
        readCredentials(of: request)
        switch order == .sequential ? findInOrder(request, place) : find(request, place) {
        case .nothing(let find): return find
        case .candidate(let candidate):
            let position = candidate.position
            let pairs = pairs(candidate) ?? []
            if !pairs.isEmpty { ledger.bind(pairs) }
            let isRepeated = plays[position].count > 0
            plays[position].count &+= 1
            plays[position].request = Int32(clamping: requestCount)
            var found = found(at: position, for: request, pairs)
            guard explaining else { return .found(found) }
            found.isRepeated = isRepeated
            found.skipped = place.flatMap { skipped(before: position, at: $0) }
            return .found(found)
        }
    }

    package struct Found: Sendable {
        package let position: Int
        fileprivate let recorded: any InteractionList
        /// The request to answer, if the recorded request is not needed.
        fileprivate let request: Interaction.Request?
        fileprivate let kept: RecordedInteraction?
        /// For the log.
        fileprivate(set) var isRepeated = false
        fileprivate(set) var skipped: SkippedRecordings?
        /// The placeholders in the compared parts of the request and of the recorded one.
        fileprivate let pairs: SecretLedger.Pairs

        /// The placeholders of a live request and those in the same places of the recorded one.
        func pairs(with live: Interaction.Request) -> SecretLedger.Pairs {
            pairs
                + live.placeholderPairs(with: recorded.request(at: position, withHeaders: true), besides: pairs)
        }

        /// Decodes the interaction. This is expensive, so it is done once and outside the lock.
        package func made() -> RecordedInteraction {
            if let kept { return kept }
            let interaction = request.map { recorded.answer(at: position, to: $0) } ?? recorded[position]
            return RecordedInteraction(interaction, at: position)
        }
    }

    /// The result of a search, before it counts as played.
    private enum Due {
        case candidate(InteractionIndex.Candidate)
        case nothing(Find)
    }

    private mutating func found(
        at position: Int,
        for request: Interaction.Request,
        _ pairs: SecretLedger.Pairs
    ) -> Found {
        let found = Found(
            position: position,
            recorded: recorded,
            request: playsWhole ? nil : request,
            kept: kept[position],
            pairs: pairs
        )
        guard repeats != .never, found.kept == nil, decodesAtOnce else { return found }
        let made = found.made()
        kept[position] = made
        return Found(position: position, recorded: recorded, request: nil, kept: made, pairs: pairs)
    }

    package var unplayed: [Interaction] { unplayed(except: []) }

    func unplayed(except positions: Set<Int>) -> [Interaction] {
        recorded.indices.filter { plays[$0].count == 0 && !positions.contains($0) }.map { recorded[$0] }
    }

    package var playedPositions: [Int] { recorded.indices.filter { plays[$0].count > 0 } }

    /// The number of the request that an interaction was last played for, counted from 1.
    package func requestNumber(ofPlayAt position: Int) -> Int? {
        guard plays.indices.contains(position), plays[position].count > 0 else { return nil }
        return Int(plays[position].request)
    }

    // MARK: Per request

    private mutating func find(_ request: Interaction.Request, _ place: InteractionIndex.Place?) -> Due {
        guard let place else { return .nothing(.noMatch) }
        skipPlayed(place.group)
        if let other = place.other { skipPlayed(other) }
        for candidate in index.candidates(at: place, from: { next[$0.number] })
        where plays[candidate.position].count == 0 {
            if agrees(request, candidate) { return .candidate(candidate) }
        }
        if repeats == .last {
            // From the end, so that repeated requests cost the same with any number of recordings.
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

    /// The recordings of the same request that come before the one that answers it.
    private func skipped(before position: Int, at place: InteractionIndex.Place) -> SkippedRecordings? {
        let limit = SkippedRecordings.limit
        let earlier = index.candidates(at: place, before: position, limit: limit + 1)
        guard !earlier.isEmpty else { return nil }
        let last = earlier.suffix(limit).map { ($0.position + 1, reasonToSkip($0)) }
        return SkippedRecordings(last: last, areMore: earlier.count > limit)
    }

    private func reasonToSkip(_ candidate: InteractionIndex.Candidate) -> String {
        if let request = requestNumber(ofPlayAt: candidate.position) { return "played by request \(request)" }
        guard let pairs = pairs(candidate), pairs.isEmpty || ledger.agree(pairs) else {
            return SkippedRecordings.otherSecrets
        }
        return
            "not accepted by the matcher \(index.comparisonNames.map { "`\($0)`" }.joined(separator: " or "))"
    }

    private mutating func skipPlayed(_ group: InteractionIndex.Group) {
        let positions = index.positions(of: group)
        while next[group.number] < positions.count, plays[positions[next[group.number]]].count > 0 {
            next[group.number] += 1
        }
    }

    /// Whether comparisons and secrets, which are not part of the key, accept the request.
    private func agrees(_ request: Interaction.Request, _ candidate: InteractionIndex.Candidate) -> Bool {
        let isAccepted =
            verdicts?.accept(candidate.position, in: index) ?? index.agrees(request, at: candidate.position)
        guard isAccepted, let pairs = pairs(candidate) else { return false }
        return pairs.isEmpty || ledger.agree(pairs)
    }

    /// Pairs the placeholders of a request with the recorded ones; `nil` if their numbers differ.
    private func pairs(_ candidate: InteractionIndex.Candidate) -> SecretLedger.Pairs? {
        var credentials: SecretLedger.Pairs = []
        if !liveCredentials.isEmpty, let known = self.credentials {
            let (position, group) = (candidate.position, candidate.group.number)
            guard let pairs = known.pairs(liveCredentials, at: position, in: group) else { return nil }
            credentials = pairs
        }
        let (live, recorded) = (candidate.group.secrets, index.secrets(of: candidate))
        if live.isEmpty, recorded.isEmpty { return credentials }
        guard live.count == recorded.count else { return nil }
        return zip(live, recorded) + credentials
    }

    /// Whether recorded requests differ only in their credentials, so that requests need their header fields.
    package var comparesCredentials: Bool {
        mutating get {
            if let credentials { return credentials.areNeeded }
            let credentials = RequestCredentials(recorded, index.groupedPositions)
            self.credentials = credentials
            return credentials.areNeeded
        }
    }

    private mutating func readCredentials(of request: Interaction.Request) {
        liveCredentials =
            comparesCredentials ? RequestCredentials.secrets(of: request) : RequestCredentials.Secrets()
    }

    // MARK: Sequential order

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

    /// After the last interaction, it may answer again, or all may start again.
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

/// A class, because copying an interaction costs more than finding it.
package final class RecordedInteraction: Sendable {
    /// The position in the cassette, counted from 0.
    package let position: Int
    package let interaction: Interaction

    package init(_ interaction: Interaction, at position: Int) {
        self.interaction = interaction
        self.position = position
    }

    /// The part that a request with a `Range` asks for, if the recorded server announced that it accepts ranges.
    func part(for request: IncomingRequest) -> RecordedInteraction {
        // Header fields are expensive, so they are read only if needed.
        guard interaction.response?.announcesRanges == true, request.light.method == "GET" else { return self }
        var part = interaction
        return part.takePart(askedForBy: request.full) ? RecordedInteraction(part, at: position) : self
    }
}
