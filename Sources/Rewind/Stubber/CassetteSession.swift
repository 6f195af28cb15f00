import Foundation

/// One cassette in a stubber: the interactions to replay, and those that were recorded.
struct CassetteSession: Sendable {
    let location: CassetteLocation
    /// `false` for a stubber with stubs only.
    let hasCassette: Bool
    /// The interactions as in the file. A file of another system still contains its secrets.
    let interactions: any InteractionList
    var use: ManifestUse?
    let cassetteExists: Bool
    /// Whether the cassette is a file of another system, which contains its secrets.
    let containsSecrets: Bool
    private(set) var mode: RecordingMode { didSet { followMode() } }
    private(set) var isRecording = false
    private(set) var isPlaying = false
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
    private var policy: SavePolicy
    /// The mode to return to if the cassette is re-recorded for its age and the network cannot be reached.
    private var modeWhenOffline: RecordingMode?

    init(at location: CassetteLocation, mode: RecordingMode, configuration: Stubber.Configuration) throws {
        self.location = location
        hasCassette = true
        self.mode = mode
        policy = SavePolicy(mode)
        let redaction = try configuration.redaction.withRules(
            for: location.destination.deletingLastPathComponent()
        )
        self.redaction = redaction
        if mode != .live, !location.isReadOnly {
            JournalRecovery(location: location, redaction: redaction).run()
            RefusedRecording.settle(at: location, redaction, matchers: configuration.matching)
        }
        let cassette = mode == .live ? nil : try CassetteFile(location).open()
        cassetteExists = cassette != nil
        let recorded = cassette?.interactions ?? [Interaction]()
        interactions = recorded
        let redactor = Redactor(redaction, limit: Self.secretLimit) {
            Placeholder.placeholders(in: recorded)
        }
        self.redactor = redactor
        // A file of another system still contains secrets, and live requests are compared in redacted form.
        let isRedacted = cassette?.isWrittenByOthers != true
        containsSecrets = !isRedacted
        playback = Playback(
            isRedacted ? recorded : RedactedInteractions(recorded, redactor),
            matchers: configuration.matching,
            repeats: configuration.repeats,
            order: configuration.order,
            playsWhole: configuration.playsWholeInteractions,
            ledger: redactor.ledger
        )
        journal = Journal(of: location, mode: mode, redaction: redaction) {
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
        containsSecrets = false
        self.redaction = redaction
        redactor = Redactor(redaction)
        playback = Playback([Interaction](), matchers: [], repeats: .never)
        followMode()
    }

    private mutating func followMode() {
        isRecording = wantsToRecord && !location.isReadOnly
        isPlaying = mode != .all && mode != .live
    }

    /// Whether the mode records, even if the cassette is read-only.
    var wantsToRecord: Bool { mode.records(cassetteExists: cassetteExists) }

    /// A recording after a change of mode replaces only the interactions that were recorded again.
    mutating func change(to mode: RecordingMode) {
        guard mode != self.mode, hasCassette else { return }
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
        let redaction = SaveRedaction(redaction: redaction, known: redactor.ledger.knownSecrets)
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
            known: redactor.ledger.knownSecrets,
            matchers: configuration.matching
        )
    }

    /// The number of live secrets to search for in each request. More would slow down every request.
    private static let secretLimit = 64

    // MARK: Age

    private mutating func judge(_ cassette: RecordedCassette, _ maxAge: Stubber.Configuration.MaxAge) {
        guard mode != .all, let days = maxAge.excess(of: cassette.interactions) else { return }
        let text = "cassette \(location.current.path) is \(days) days old"
        switch maxAge.policy {
        case .warn: Note.print("the \(text); re-record it with REWIND_MODE=all")
        case .fail: ageProblem = "The \(text)"
        case .reRecord:
            guard mode == .once || mode == .newEpisodes, !location.isReadOnly else { return }
            Note.print("the \(text) and is recorded again")
            modeWhenOffline = mode
            mode = .all
            policy = .replace
        }
    }

    /// Returns to replay if the cassette is re-recorded only for its age and the network cannot be reached.
    ///
    /// Requests that were answered live until then count as played.
    mutating func giveUpRenewal() -> Bool {
        guard let mode = modeWhenOffline else { return false }
        Note.print("the network cannot be reached, so the old cassette \(location.current.path) is replayed")
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
