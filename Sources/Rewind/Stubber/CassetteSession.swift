import Foundation

/// One cassette in a stubber: what is played from it and what was recorded for it.
struct CassetteSession: Sendable {
    let location: CassetteLocation
    /// Whether there is a place for a cassette at all.
    let hasCassette: Bool
    /// The interactions as they stand in the file, with the secrets of those that others recorded.
    let interactions: any InteractionList
    var use: ManifestUse?
    let cassetteExists: Bool
    private(set) var mode: RecordingMode { didSet { followMode() } }
    private(set) var isRecording = false
    private(set) var isPlaying = false
    var playback: Playback
    let redactor: Redactor
    /// What was recorded, with its secrets.
    var recorded = RecordedSequence()
    var drifted: [DriftReport.Entry] = []
    /// What was recorded, without its secrets, in case the process does not come to its end.
    private(set) var journal: Journal?
    private(set) var ageProblem: String?
    /// Tells recordings of this session from those of one that was ejected or given up.
    private(set) var id = UUID()
    private var policy: SavePolicy
    /// The mode to go back to where the cassette is recorded again for its age, and the network cannot be reached.
    private var modeWhenOffline: RecordingMode?

    init(at location: CassetteLocation, mode: RecordingMode, configuration: Stubber.Configuration) throws {
        self.location = location
        hasCassette = true
        self.mode = mode
        policy = SavePolicy(mode)
        if mode != .live, !location.isReadOnly {
            JournalRecovery(location: location, redaction: configuration.redaction).run()
        }
        let cassette = mode == .live ? nil : try CassetteFile(location).open()
        cassetteExists = cassette != nil
        let recorded = cassette?.interactions ?? [Interaction]()
        interactions = recorded
        let redactor = Redactor(configuration.redaction, limit: Self.secretLimit) {
            Placeholder.placeholders(in: recorded)
        }
        self.redactor = redactor
        // The secrets of others still stand in it, and live requests are compared without theirs.
        let isRedacted = cassette?.isWrittenByOthers != true
        playback = Playback(
            isRedacted ? recorded : RedactedInteractions(recorded, redactor),
            matchers: configuration.matching,
            repeats: configuration.repeats,
            order: configuration.order,
            playsWhole: configuration.playsWholeInteractions,
            ledger: redactor.ledger
        )
        journal = Journal(of: location, mode: mode, redaction: configuration.redaction) {
            Placeholder.placeholders(in: recorded)
        }
        followMode()
        if let cassette, let maxAge = configuration.maxAge { judge(cassette, maxAge) }
    }

    init(without redaction: Redaction) {
        location = CassetteLocation(CassetteDirectory.missing)
        hasCassette = false
        mode = .never
        policy = .replace
        interactions = [Interaction]()
        cassetteExists = false
        redactor = Redactor(redaction)
        playback = Playback([Interaction](), matchers: [], repeats: .never)
        followMode()
    }

    private mutating func followMode() {
        isRecording = wantsToRecord && !location.isReadOnly
        isPlaying = mode != .all && mode != .live
    }

    /// Whether the mode has them recorded, also where that is impossible.
    var wantsToRecord: Bool { mode.records(cassetteExists: cassetteExists) }

    /// A cassette that is then recorded loses nothing but what was recorded again.
    mutating func change(to mode: RecordingMode) {
        guard mode != self.mode, hasCassette else { return }
        self.mode = mode
        policy = .renew
        modeWhenOffline = nil
    }

    var inFlight: [Interaction.Request] { recorded.inFlight.map(redactor.redact) }

    var driftReport: DriftReport? {
        guard !drifted.isEmpty else { return nil }
        // Answers come in any order, and what the cassette does not have stands at the end.
        let entries = drifted.enumerated().sorted {
            ($0.element.number ?? .max, $0.offset) < ($1.element.number ?? .max, $1.offset)
        }
        return DriftReport(cassettePath: location.current.path, entries: entries.map(\.element))
    }

    func save(_ configuration: Stubber.Configuration, besideTheCassette: Bool) throws
        -> CassetteFile.SavedRecording
    {
        let file = CassetteFile(location)
        let redaction = SaveRedaction(redaction: configuration.redaction, known: redactor.ledger.knownSecrets)
        let (finished, matchers) = (recorded.finished, configuration.matching)
        return besideTheCassette
            ? try file.saveBeside(finished, policy, matchers: matchers, redaction: redaction)
            : try file.save(finished, policy, matchers: matchers, redaction: redaction)
    }

    /// How many secrets of live requests are looked for everywhere in them: more would slow every request.
    private static let secretLimit = 64

    // MARK: Age

    private mutating func judge(_ cassette: RecordedCassette, _ maxAge: Stubber.Configuration.MaxAge) {
        guard mode != .all, let days = maxAge.excess(of: cassette.interactions) else { return }
        let text = "the cassette \(location.current.path) is \(days) days old"
        switch maxAge.policy {
        case .warn: Note.print(text + "; record it anew with REWIND_MODE=all")
        case .fail: ageProblem = text
        case .reRecord:
            guard mode == .once || mode == .newEpisodes, !location.isReadOnly else { return }
            Note.print(text + " and is recorded anew")
            modeWhenOffline = mode
            mode = .all
            policy = .replace
        }
    }

    /// Goes back to playing, where the cassette is recorded again only for its age and the network cannot be reached.
    ///
    /// What was answered live until now counts as played.
    mutating func giveUpRenewal() -> Bool {
        guard let mode = modeWhenOffline else { return false }
        Note.print("the network cannot be reached; the cassette \(location.current.path) is played as it is")
        self.mode = mode
        policy = SavePolicy(mode)
        modeWhenOffline = nil
        id = UUID()
        for interaction in recorded.finished { _ = playback.play(redactor.redact(interaction.request)) }
        recorded = RecordedSequence()
        journal?.remove()
        journal = journal?.renewed(for: mode)
        return true
    }
}
