import Foundation

extension Stubber {
    /// Claims the cassette for the stubber's scope or server; a second call does nothing.
    package func claimCassette() throws {
        let (session, present) = state.withLock { ($0.session, $0.use) }
        guard present == nil else { return }
        let use = try CassetteUse(of: session, by: testName)
        state.withLock { $0.use = use }
    }

    // MARK: Writing

    /// Writes the recording of a cassette: to its file, or beside it.
    func write(_ session: CassetteSession, isGood: Bool, _ report: inout EjectReport) throws {
        var requests: [Interaction.Request] = []
        do {
            let savesNothing = session.isRecording && configuration.savesEmptyCassettes && isGood
            if report.recordedCount > 0 || savesNothing {
                let recording = try session.save(configuration, besideTheCassette: !isGood)
                if isGood { report.cassetteURL = recording.url } else { report.failedRecording = recording.url }
                report.isFirstRecording = recording.isFirst
                requests = recording.requests
            }
            close(session, recorded: requests, failed: !isGood)
            // Only now is the recording safe elsewhere.
            session.journal?.remove()
        } catch {
            close(session, recorded: [], failed: true)
            throw errorAfterSaving(session, isGood: isGood, error)
        }
    }

    /// Keeps a recording that was not saved, and adds its place to the error.
    private func errorAfterSaving(_ session: CassetteSession, isGood: Bool, _ error: any Error) -> any Error {
        var refused = error as? CassetteError
        if case .unredactedCredentials = refused?.problem {
            refused?.refusedPath = session.keepRefused(configuration, besideTheCassette: !isGood)?.path
        }
        if let refused, refused.refusedPath != nil {
            session.journal?.remove()
            return refused
        }
        let journal = session.journal?.keep(session.recorded.finished, because: error)
        guard var error = error as? CassetteError else { return error }
        error.journal = journal
        error.isRecordingLost = journal == nil
        return error
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

    /// Adds to the manifest that the test was skipped, so that what it did not play does not look unused.
    package func noteSkip() { state.withLock { $0.isSkipped = true } }

    private func close(_ session: CassetteSession, recorded: [Interaction.Request], failed: Bool) {
        guard let path = environment[.manifest] else { return }
        for part in session.earlier + [session] {
            guard let use = part.use else { continue }
            var play = ManifestPlay(part)
            play.recorded = recorded.map { RequestFingerprint($0) }
            play.failed = failed
            play.skipped = state.withLock { $0.isSkipped }
            ManifestRun.of(path).close(use, play)
        }
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
            played: session.playedInSweeps.union(session.playback.playedPositions).sorted().map {
                Position(
                    position: $0,
                    request: RequestFingerprint(recorded.request(at: $0, withHeaders: false))
                )
            },
            recorded: []
        )
    }
}
