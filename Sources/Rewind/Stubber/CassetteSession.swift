import Foundation

/// One cassette in a stubber: the interactions to replay, and those that were recorded.
struct CassetteSession: Sendable {
    let location: CassetteLocation
    /// `false` for a stubber with stubs only.
    let hasCassette: Bool
    /// The interactions as in the file. A file of another system still contains its secrets.
    let interactions: any InteractionList
    var use: ManifestUse?
    /// Whether there are interactions to play: in the file, or recorded before the test inserted the cassette again.
    let cassetteExists: Bool
    /// Whether the file existed when the test used the cassette first. Mode `once` records if it did not.
    private let existedBefore: Bool
    /// The uses of the cassette before the test inserted it again.
    private(set) var earlier: [CassetteSession]
    /// The positions that were played or recorded before the test inserted the cassette again.
    let playedBefore: Set<Int>
    /// The positions that sweeps of the test played.
    var playedInSweeps: Set<Int> = []
    /// The placeholders in the interactions that were recorded before.
    private let placeholders: [String: Placeholder]
    /// Whether the interactions contain what this test recorded, which is then replayed even in mode `all`.
    private var playsOwnRecording: Bool
    /// Whether the cassette is a file of another system, which contains its secrets.
    let containsSecrets: Bool
    private(set) var mode: RecordingMode { didSet { followMode() } }
    private(set) var isRecording = false
    private(set) var isPlaying = false
    /// Why the folder of the cassette cannot be written, if the mode records.
    private(set) var obstacle: FolderObstacle?
    var playback: Playback
    let redactor: Redactor
    /// The rules, with those of the files for the cassette's folder.
    let redaction: Redaction
    /// The recorded interactions, with their secrets.
    var recorded = RecordedSequence()
    var drifted: [DriftReport.Entry] = []
    /// The redacted recording, in case the process crashes.
    private(set) var journal: Journal?
    private(set) var ageProblem: String?
    /// Distinguishes recordings of this session from those of an ejected one.
    private(set) var id = UUID()
    private(set) var policy: SavePolicy
    /// The mode to return to if the cassette is re-recorded for its age and the network cannot be reached.
    private var modeWhenOffline: RecordingMode?

    /// Opens a cassette. It continues the last use of the cassette by the same test, if there was one.
    init(
        at location: CassetteLocation,
        mode: RecordingMode,
        configuration: Stubber.Configuration,
        after before: CassetteSession? = nil
    ) throws {
        self.location = location
        hasCassette = true
        var redaction = try configuration.redaction.withRules(
            for: location.destination.deletingLastPathComponent()
        )
        redaction.plainBodies = PlainBodies()
        self.redaction = redaction
        earlier = before.map { $0.earlier + [$0.withoutEarlier] } ?? []
        // In mode `live` the cassette was not opened.
        let before = before.flatMap { $0.mode == .live && $0.recorded.count == 0 ? nil : $0 }
        if before == nil, mode != .live, !location.isReadOnly {
            JournalRecovery(location: location, redaction: redaction).run()
            RefusedRecording.settle(at: location, redaction, matchers: configuration.matching)
        }
        let isRenewed = before?.modeWhenOffline != nil && (mode == .once || mode == .newEpisodes)
        self.mode = isRenewed ? .all : mode
        let continued = try before?.continued(in: isRenewed ? .all : mode, configuration)
        modeWhenOffline = isRenewed && continued == nil ? mode : nil
        policy = continued?.policy ?? SavePolicy(isRenewed ? .all : mode)
        let cassette = mode == .live || continued != nil ? nil : try CassetteFile(location).open()
        existedBefore = before?.existedBefore ?? (cassette != nil)
        cassetteExists = continued != nil || cassette != nil
        playsOwnRecording = continued != nil
        let recorded = continued?.interactions ?? cassette?.interactions ?? [Interaction]()
        interactions = recorded
        playedBefore = continued?.played ?? before?.played ?? []
        placeholders = continued?.placeholders ?? [:]
        let redactor = Redactor(redaction, limit: Self.secretLimit) {
            Placeholder.placeholders(in: recorded)
        }
        self.redactor = redactor
        // A file of another system still contains secrets, and live requests are compared in redacted form.
        containsSecrets = cassette?.isWrittenByOthers == true
        playback = Playback(recorded, isRedactedHere: containsSecrets, by: redactor, redaction, configuration)
        if let before {
            self.recorded = before.recorded
            drifted = before.drifted
            ageProblem = before.ageProblem
        }
        journal =
            before?.journal
            ?? Journal(of: location, mode: mode, redaction: redaction) {
                Placeholder.placeholders(in: recorded)
            }
        followMode()
        if before == nil, let cassette, let maxAge = configuration.maxAge { judge(cassette, maxAge) }
    }

    /// Plays other interactions in place of those of a session, from the first one and without recording.
    init(
        replaying interactions: any InteractionList,
        inPlaceOf session: CassetteSession,
        _ configuration: Stubber.Configuration
    ) {
        location = session.location
        hasCassette = true
        mode = .never
        policy = .replace
        self.interactions = interactions
        cassetteExists = true
        existedBefore = true
        earlier = []
        playedBefore = []
        placeholders = [:]
        playsOwnRecording = false
        containsSecrets = session.containsSecrets
        redaction = session.redaction
        redactor = Redactor(redaction, limit: Self.secretLimit) { Placeholder.placeholders(in: interactions) }
        playback = Playback(
            interactions,
            isRedactedHere: containsSecrets,
            by: redactor,
            redaction,
            configuration
        )
        followMode()
    }

    init(without redaction: Redaction) {
        location = CassetteLocation(CassetteDirectory.missing)
        hasCassette = false
        mode = .never
        policy = .replace
        interactions = [Interaction]()
        cassetteExists = false
        existedBefore = false
        earlier = []
        playedBefore = []
        placeholders = [:]
        playsOwnRecording = false
        containsSecrets = false
        self.redaction = redaction
        redactor = Redactor(redaction)
        playback = Playback([Interaction](), matchers: [], repeats: .never)
        followMode()
    }

    private mutating func followMode() {
        // Before the first request is sent: what it changes on the server could not be recorded.
        obstacle = hasCassette && wantsToRecord && !location.isReadOnly ? location.obstacle : nil
        isRecording = wantsToRecord && !isReadOnly
        isPlaying = (mode != .all || playsOwnRecording) && mode != .live
    }

    /// Whether nothing can be recorded, whatever the mode is.
    var isReadOnly: Bool { location.isReadOnly || obstacle != nil }

    /// Whether the mode records, even if the cassette is read-only.
    var wantsToRecord: Bool { mode.records(cassetteExists: existedBefore) }

    /// The mode without a re-recording for the age of this cassette.
    var chosenMode: RecordingMode { modeWhenOffline ?? mode }

    /// A recording after a change of mode replaces only the interactions that were recorded again.
    mutating func change(to mode: RecordingMode) {
        guard mode != self.mode, hasCassette else { return }
        playsOwnRecording = false
        self.mode = mode
        policy = .renew
        modeWhenOffline = nil
    }

    var inFlight: [Interaction.Request] { recorded.inFlight.map(redactor.redact) }

    var driftReport: DriftReport? {
        guard !drifted.isEmpty else { return nil }
        // Responses arrive in any order; requests that the cassette lacks come last.
        let entries = drifted.enumerated().sorted {
            ($0.element.number ?? .max, $0.offset) < ($1.element.number ?? .max, $1.offset)
        }
        return DriftReport(cassettePath: location.current.path, entries: entries.map(\.element))
    }

    func save(_ configuration: Stubber.Configuration, besideTheCassette: Bool) throws
        -> CassetteFile.SavedRecording
    {
        let file = CassetteFile(location)
        let redaction = SaveRedaction(redaction: redaction, known: knownSecrets)
        let (finished, matchers) = (recorded.finished, configuration.matching)
        return besideTheCassette
            ? try file.saveBeside(finished, policy, matchers: matchers, redaction: redaction)
            : try file.save(finished, policy, matchers: matchers, redaction: redaction)
    }

    /// Keeps the recording, which was not saved, in an encrypted file; `nil` if that fails.
    func keepRefused(_ configuration: Stubber.Configuration, besideTheCassette: Bool) -> URL? {
        RefusedRecording.keep(
            recorded.finished,
            at: location,
            policy,
            isFailed: besideTheCassette,
            known: knownSecrets,
            matchers: configuration.matching
        )
    }

    private var knownSecrets: [String: Placeholder] {
        placeholders.merging(redactor.ledger.knownSecrets) { earlier, _ in earlier }
    }

    // MARK: The same cassette again

    /// What the next use of the cassette replays and writes, because this test recorded on it.
    private struct Continuation {
        let interactions: [Interaction]
        let placeholders: [String: Placeholder]
        let policy: SavePolicy
        /// The positions that were played or recorded.
        let played: Set<Int>
    }

    /// What the next use continues with; `nil` if nothing was recorded.
    private func continued(in mode: RecordingMode, _ configuration: Stubber.Configuration) throws
        -> Continuation?
    {
        let finished = recorded.finished
        guard !finished.isEmpty, mode != .live else { return nil }
        let policy = mode == .all ? .replace : policy
        let (interactions, placeholders) = try CassetteFile(location).preview(
            finished,
            policy,
            matchers: configuration.matching,
            redaction: SaveRedaction(redaction: redaction, known: knownSecrets)
        )
        // Interactions of the file keep their positions if others are added at the end.
        let addsAtTheEnd = policy == .append || policy == .addMissing
        let count = addsAtTheEnd ? min(self.interactions.count, interactions.count) : 0
        let start = policy == .renew ? max(interactions.count - finished.count, 0) : count
        return Continuation(
            interactions: interactions,
            placeholders: placeholders,
            policy: policy,
            played: played.filter { $0 < count }.union(start..<interactions.count)
        )
    }

    private var played: Set<Int> { playedElsewhere.union(playback.playedPositions) }

    private var withoutEarlier: CassetteSession {
        var session = self
        session.earlier = []
        return session
    }

    /// The number of live secrets to search for in each request. More would slow down every request.
    private static let secretLimit = 64

    /// What else a test played: before it inserted the cassette again, or in sweeps.
    var playedElsewhere: Set<Int> { playedBefore.union(playedInSweeps) }

    // MARK: Age

    private mutating func judge(_ cassette: RecordedCassette, _ maxAge: Stubber.Configuration.MaxAge) {
        guard mode != .all, let days = maxAge.excess(of: cassette.interactions) else { return }
        let text = "cassette \(location.current.path) is \(days) days old"
        switch maxAge.policy {
        case .warn: Note.print("the \(text); re-record it with REWIND_MODE=all")
        case .fail: ageProblem = "The \(text)"
        case .reRecord:
            guard mode == .once || mode == .newEpisodes, !location.isReadOnly else { return }
            if let obstacle = location.obstacle {
                return Note.print("the \(text) and cannot be recorded again: \(obstacle)")
            }
            Note.print("the \(text) and is recorded again")
            modeWhenOffline = mode
            mode = .all
            policy = .replace
        }
    }

    /// Returns to replay if the cassette is re-recorded only for its age and the network cannot be reached.
    ///
    /// Requests that were answered live until then count as played.
    /// - Parameter playback: The playback in which they were played.
    mutating func giveUpRenewal(playing playback: Playback) {
        guard let mode = modeWhenOffline else { return }
        Note.print("the network cannot be reached, so the old cassette \(location.current.path) is replayed")
        self.mode = mode
        policy = SavePolicy(mode)
        modeWhenOffline = nil
        id = UUID()
        self.playback = playback
        recorded = RecordedSequence()
        journal?.remove()
        journal = journal?.renewed(for: mode)
    }

    /// Whether the cassette is re-recorded only for its age.
    var isRenewal: Bool { modeWhenOffline != nil }

    /// The playback in which the requests recorded so far are played; calls closures of matchers.
    var playbackOfRecorded: Playback {
        var playback = playback
        for interaction in recorded.finished { _ = playback.play(redactor.redact(interaction.request)) }
        return playback
    }
}

extension Playback {
    /// Redacts interactions that contain secrets, as live requests are compared in redacted form.
    fileprivate init(
        _ recorded: any InteractionList,
        isRedactedHere: Bool,
        by redactor: Redactor,
        _ redaction: Redaction,
        _ configuration: Stubber.Configuration
    ) {
        self.init(
            isRedactedHere ? RedactedInteractions(recorded, redactor) : recorded,
            matchers: configuration.matching,
            repeats: configuration.repeats,
            order: configuration.order,
            playsWhole: configuration.playsWholeInteractions,
            decodesAtOnce: !redaction.hasCallbacks,
            ledger: redactor.ledger
        )
        // This reads interactions, so it must not happen later, while the stubber is locked.
        if redaction.hasCallbacks { _ = comparesCredentials }
    }
}
