import Foundation

/// What was recorded and played on a cassette, and what remained.
public struct EjectReport: Sendable {
    /// The cassette, if it was written.
    public var cassetteURL: URL?
    /// Whether the cassette was recorded for the first time.
    package internal(set) var isFirstRecording = false
    /// The recording of a failed test, if one was written beside the cassette.
    public var failedRecording: URL?
    /// The number of interactions that were recorded.
    public var recordedCount = 0
    /// The recorded interactions that were not played. They are decoded at each access.
    public var unplayed: [Interaction] { playback?.unplayed(except: playedBefore) ?? [] }
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
    /// The reports of the cassettes that ``Stubber/insert(_:in:mode:)`` replaced, in the order in which they were replaced.
    public var replacedCassettes: [EjectReport] = []

    /// The number of interactions that were played.
    package var playedCount: Int { playback?.playedPositions.count ?? 0 }

    /// The interactions that were not played, each as its number and its request, for a message.
    func unplayedRequests(_ stubber: Stubber) -> [String] {
        guard let playback else { return [] }
        let played = playedBefore.union(playback.playedPositions)
        return playback.recorded.indices.filter { !played.contains($0) }.map { position in
            let request = playback.recorded.request(at: position, withHeaders: false)
            return stubber.printable("#\(position + 1) \(request)")
        }
    }

    /// The playback, if the cassette was replayed.
    private var playback: Playback?
    /// The positions that were played or recorded before the test inserted the cassette again.
    private var playedBefore: Set<Int> = []
    /// What happens if interactions were not played.
    private(set) var unplayedPolicy = Stubber.Configuration.Severity.ignore

    init() {}

    /// Describes a cassette that is not written yet.
    init(_ session: CassetteSession, _ stubber: Stubber) {
        requestsInFlight = session.inFlight.map { stubber.printable($0) }
        recordedCount = session.recorded.finished.count
        ageProblem = session.ageProblem
        if session.isPlaying {
            playback = session.playback
            playedBefore = session.playedElsewhere
        }
        if var report = session.driftReport {
            for index in report.entries.indices {
                report.entries[index].request = stubber.printable(report.entries[index].request)
            }
            drift = [report]
        }
        unplayedPolicy = session.unplayedPolicy(stubber.configuration)
    }
}

extension CassetteSession {
    fileprivate func unplayedPolicy(_ configuration: Stubber.Configuration) -> Stubber.Configuration.Severity {
        // Verifying should say what it did not verify.
        if mode == .verify, configuration.unplayed == .ignore { return .warn }
        // A test that records leaves interactions unplayed for another reason.
        let plays = !isRecording && mode != .live
        return plays || mode == .newEpisodes ? configuration.unplayed : .ignore
    }
}
