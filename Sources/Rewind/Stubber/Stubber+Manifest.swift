import Foundation

extension Stubber {
    /// Notes in the manifest that its test is about to use a cassette, where there is one.
    /// - Throws: ``ConfigurationError`` when the manifest cannot be written.
    static func open(
        _ location: CassetteLocation,
        by test: String?,
        in environment: Environment
    ) throws -> ManifestUse? {
        guard let path = environment[.manifest] else { return nil }
        return try ManifestRun.of(path).open(location, by: test)
    }

    /// Notes in the manifest what came of the cassette.
    func close(_ tape: Tape, recorded: [Request], failed: Bool) {
        guard let use = tape.use, let path = environment[.manifest] else { return }
        var play = ManifestPlay(tape)
        play.recorded = recorded.map { RequestFingerprint($0) }
        play.failed = failed
        ManifestRun.of(path).close(use, play)
    }
}

extension ManifestPlay {
    /// What was played of a cassette, as it stands now.
    fileprivate init(_ tape: Tape) {
        let reel = tape.reel
        // What the network answers in mode `verify` may lead the test another way than the cassette does.
        let plays = tape.isPlaying && tape.mode != .verify && tape.cassetteExists
        self.init(
            mode: tape.mode.rawValue,
            failed: false,
            plays: plays,
            checksum: ContentChecksum(contentsOf: tape.location.current),
            played: tape.playhead.playedPositions.map {
                Position(
                    position: $0,
                    request: RequestFingerprint(reel.request(at: $0, withHeaders: false))
                )
            },
            recorded: []
        )
    }
}
