import Foundation

/// A request of the mode `verify` that goes to the network, and what its answer is compared with.
struct Verification: Sendable {
    /// What the cassette has for the request.
    let find: Playhead.Find
    /// Its place among those that are waited for.
    let place: Int
    /// The tape whose drift it tells of.
    let tape: UUID

    /// What the answer is compared with, in a few words.
    var subject: String {
        if case .track(let track) = find { "#\(track.position + 1)" } else { "nothing" }
    }
}

extension Stubber {
    /// How a request is to be verified; `nil` where it is not to go to the network.
    func verification(of request: Request, _ find: Playhead.Find, _ state: inout State) -> Verification? {
        guard state.tape.mode == .verify, state.tape.cassetteExists, !state.forbidsNetwork,
            request.isSafe || configuration.verifiesUnsafeMethods
        else { return nil }
        let place = state.tape.recorded.begin(request)
        return Verification(find: find, place: place, tape: state.tape.id)
    }

    /// Begins to verify a request.
    /// - Parameters:
    ///   - full: The request as it is sent.
    ///   - redacted: The request as it is compared and told.
    ///   - verification: What its answer is compared with.
    /// - Returns: What takes the answer, of which nothing is kept but its drift.
    func recording(of full: Request, _ redacted: Request, for verification: Verification) -> Recording {
        Recording(of: full, startedAt: clock.now(), isKept: false) { [state, configuration] live in
            let redactor = state.withLock { $0.tape.redactor }
            let entry = verification.entry(for: redacted, answered: live, configuration, redactor)
            state.withLock { state in
                guard !state.isOver, state.tape.id == verification.tape else { return }
                state.tape.recorded.finish(nil, at: verification.place)
                if let entry { state.tape.drifted.append(entry) }
            }
        }
    }
}

extension Verification {
    /// What is to be told of a live answer; `nil` where it is as it was recorded.
    fileprivate func entry(
        for request: Request,
        answered live: Interaction,
        _ configuration: Configuration,
        _ redactor: Redactor
    ) -> DriftReport.Entry? {
        // What the app gave up says nothing about the API, and what is never recorded cannot be missing.
        guard live.failure?.isCancellation != true,
            let kept = configuration.beforeRecord.map({ $0(live) }) ?? live
        else { return nil }
        // Also where nothing is told, for a secret that is issued here stands in the requests that follow.
        let outcome = redactor.redact(kept).outcome
        switch find {
        case .track(let track):
            let drifts = Drift.between(track.interaction.outcome, outcome)
            guard !drifts.isEmpty else { return nil }
            return DriftReport.Entry(number: track.position + 1, request: request, drifts: drifts)
        case .noMatch, .allPlayed, .outOfTurn:
            let drift = Drift(.unrecorded, "request", recorded: reason)
            return DriftReport.Entry(number: nil, request: request, drifts: [drift])
        }
    }

    /// Why the cassette has no answer, where that is more than that it has none.
    private var reason: String? {
        switch find {
        case .track, .noMatch: nil
        case .allPlayed(let positions):
            "recorded \(positions.count == 1 ? "once" : "\(positions.count) times"), and asked for once more"
        case .outOfTurn(let due): "out of turn, as #\(due + 1) was due"
        }
    }
}

extension Failure {
    fileprivate var isCancellation: Bool { domain == NSURLErrorDomain && code == NSURLErrorCancelled }
}
