import Foundation

/// The result of ejecting a cassette.
public struct EjectReport: Sendable {
    /// The cassette, if it was written.
    public var cassetteURL: URL?
    /// The recording of a failed test, if one was written beside the cassette.
    public var failedRecording: URL?
    /// The number of interactions that were recorded.
    public var recordedCount = 0
    /// The recorded interactions that were not played. They are decoded at each access.
    public var unplayed: [Interaction] { playback?.unplayed ?? [] }
    /// The playback, if the cassette was replayed.
    var playback: Playback?
    /// The requests that had no response yet.
    public var requestsInFlight: [Interaction.Request] = []
    /// The drift of each verified cassette.
    public var drift: [DriftReport] = []
    /// The stubs that received no request.
    public var unusedStubs: [Stub] = []
    /// The errors of invalid stubs.
    public var stubErrors: [StubError] = []
    /// A sentence about the age of the cassette, if it is too old and ``Stubber/Configuration/maxAge`` makes that a failure.
    public var ageProblem: String?
}

extension Stubber {
    /// Ejects the current cassette, as ``eject(testFailed:)`` does, and continues with another one.
    /// - Parameters:
    ///   - name: The name of the other cassette, without an extension.
    ///   - directory: Its folder; by default the folder of the current cassette.
    ///   - mode: The recording mode; by default the current one. `REWIND_MODE` overrides it.
    /// - Returns: What was written for the current cassette, and what remained.
    /// - Throws: ``Stubber/ConfigurationError`` if the name is invalid, ``CassetteError`` if a file cannot be read or written
    ///   or another test records the other cassette. The current cassette then stays.
    @discardableResult
    public func insert(_ name: String, in directory: URL? = nil, mode: RecordingMode? = nil) throws
        -> EjectReport
    {
        let mode = mode ?? self.mode
        let (session, use) = state.withLock { ($0.session, $0.use) }
        let present = CassetteSearch.Found(
            directory: session.location.destination.deletingLastPathComponent(),
            isReadOnly: session.location.isReadOnly
        )
        let requested = try RecordingMode.inEffect(requested: mode, environment: environment)
        let location = try CassetteLocation(
            name: name,
            in: directory.map { CassetteSearch().reached($0) } ?? present
        )
        let listing = try Self.open(location, by: testName, in: environment)
        var next = try CassetteSession(at: location, mode: requested, configuration: configuration)
        let isSame = location.destination == session.location.destination
        let claim = use == nil || isSame ? nil : try CassetteUse(of: next, by: testName)
        let report: EjectReport
        do {
            report = try write(session, testFailed: false)
            // A test may insert the same cassette that it ejects.
            if isSame {
                next = try CassetteSession(at: location, mode: requested, configuration: configuration)
            }
        } catch {
            claim?.end()
            throw error
        }
        session.journal?.remove()
        next.use = listing
        state.withLock { [next] state in
            state.session = next
            state.formerDrift += report.drift
            if let claim { state.use = claim }
        }
        if claim != nil { use?.end() }
        return report
    }

    /// Ends the stubber: refuses later requests, and writes the recording.
    ///
    /// The recording of a failed test, or one with a request without a response, is written beside the cassette as
    /// `<name>.failed.har`. The cassette is then not changed.
    /// - Parameter testFailed: Whether the test failed; `false` by default.
    /// - Returns: What was written and what remained. A second call does nothing and returns an empty report.
    /// - Throws: ``CassetteError`` if the file cannot be written. ``ScopeError/drift(_:)`` in mode `verify` if live responses differ
    ///   and ``Configuration/drift`` is `fail`.
    @discardableResult
    public func eject(testFailed: Bool = false) throws -> EjectReport {
        let report = try end(testFailed: testFailed)
        guard !report.drift.isEmpty else { return report }
        let error = ScopeError.drift(report.drift)
        switch configuration.drift {
        case .ignore: break
        case .warn: Note.print("\(error)")
        case .fail: throw error
        }
        return report
    }

    /// Ends the stubber as ``eject(testFailed:)`` does, without reporting drift.
    package func end(testFailed: Bool) throws -> EjectReport {
        let final = state.withLock { state -> State? in
            guard !state.isEjected else { return nil }
            state.isEjected = true
            state.outer = nil
            defer { state.whenEnded = [:] }
            return state
        }
        guard let final else { return EjectReport() }
        for act in final.whenEnded.values { act() }
        defer { final.use?.end() }
        var report: EjectReport
        do {
            report = try write(final.session, testFailed: testFailed)
            // Only now is the recording safe elsewhere.
            final.session.journal?.remove()
        } catch {
            throw errorAfterSaving(final.session, testFailed: testFailed, error)
        }
        report.drift = final.formerDrift + report.drift
        report.unusedStubs = final.stubs?.unused ?? []
        report.stubErrors = final.stubs?.problems ?? []
        return report
    }

    /// Keeps a recording that was not saved, and adds its place to the error.
    private func errorAfterSaving(_ session: CassetteSession, testFailed: Bool, _ error: any Error)
        -> any Error
    {
        var refused = error as? CassetteError
        if case .unredactedCredentials = refused?.problem {
            let isFailed = testFailed || !session.inFlight.isEmpty
            refused?.refusedPath = session.keepRefused(configuration, besideTheCassette: isFailed)?.path
        }
        if let refused, refused.refusedPath != nil {
            session.journal?.remove()
            return refused
        }
        let journal = session.journal?.keep()
        guard var error = error as? CassetteError else { return error }
        error.journal = journal
        error.isRecordingLost = journal == nil
        return error
    }

    /// Claims the cassette for the stubber's scope or server; a second call does nothing.
    package func claimCassette() throws {
        let (session, present) = state.withLock { ($0.session, $0.use) }
        guard present == nil else { return }
        let use = try CassetteUse(of: session, by: testName)
        state.withLock { $0.use = use }
    }

    private func write(_ session: CassetteSession, testFailed: Bool) throws -> EjectReport {
        do {
            let (report, requests) = try save(session, testFailed: testFailed)
            let isComplete = !testFailed && report.requestsInFlight.isEmpty
            close(session, recorded: requests, failed: !isComplete)
            return report
        } catch {
            close(session, recorded: [], failed: true)
            throw error
        }
    }

    private func save(_ session: CassetteSession, testFailed: Bool) throws -> (
        EjectReport, recorded: [Interaction.Request]
    ) {
        var report = EjectReport(
            playback: session.isPlaying ? session.playback : nil,
            requestsInFlight: session.inFlight.map(printable),
            ageProblem: session.ageProblem
        )
        report.recordedCount = session.recorded.finished.count
        if var drift = session.driftReport {
            for index in drift.entries.indices {
                drift.entries[index].request = printable(drift.entries[index].request)
            }
            report.drift = [drift]
        }
        let savesNothing =
            session.isRecording && configuration.savesEmptyCassettes && report.requestsInFlight.isEmpty
        guard report.recordedCount > 0 || savesNothing else { return (report, []) }
        let isGood = !testFailed && report.requestsInFlight.isEmpty
        let recording = try session.save(configuration, besideTheCassette: !isGood)
        if isGood { report.cassetteURL = recording.url } else { report.failedRecording = recording.url }
        return (report, recording.requests)
    }

    // MARK: The manifest

    /// Adds to the manifest, if there is one, that the test is about to use a cassette.
    /// - Throws: ``Stubber/ConfigurationError`` if the manifest cannot be written.
    static func open(
        _ location: CassetteLocation,
        by test: String?,
        in environment: Environment
    ) throws -> ManifestUse? {
        guard let path = environment[.manifest] else { return nil }
        return try ManifestRun.of(path).open(location, by: test)
    }

    func close(_ session: CassetteSession, recorded: [Interaction.Request], failed: Bool) {
        guard let use = session.use, let path = environment[.manifest] else { return }
        var play = ManifestPlay(session)
        play.recorded = recorded.map { RequestFingerprint($0) }
        play.failed = failed
        ManifestRun.of(path).close(use, play)
    }
}

extension ManifestPlay {
    fileprivate init(_ session: CassetteSession) {
        let recorded = session.interactions
        // In mode `verify` a live response may lead the test to other requests than the cassette would.
        let plays = session.isPlaying && session.mode != .verify && session.cassetteExists
        self.init(
            mode: session.mode.rawValue,
            failed: false,
            plays: plays,
            checksum: ContentChecksum(contentsOf: session.location.current),
            played: session.playback.playedPositions.map {
                Position(
                    position: $0,
                    request: RequestFingerprint(recorded.request(at: $0, withHeaders: false))
                )
            },
            recorded: []
        )
    }
}
