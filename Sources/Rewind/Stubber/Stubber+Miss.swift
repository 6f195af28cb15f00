import Foundation

extension Stubber {
    /// Refuses a request; ``reporting(_:)`` tells the test.
    func refuse(_ reason: Miss.Reason, _ request: Request, _ find: Playhead.Find = .noMatch) -> Answer {
        let miss = miss(reason, request, find)
        log?.add("missed: \(reason.summary)", request, miss.nearest?.candidates ?? [], plays: miss.plays)
        return .refuse(miss)
    }

    /// Tells the test of an answer that is a refusal.
    func reporting(_ answer: Answer) -> Answer {
        if case .refuse(let miss) = answer { report(miss) }
        return answer
    }

    /// Why a request that the cassette has no answer to cannot be answered.
    func reason(of find: Playhead.Find) -> Miss.Reason {
        let (tape, forbidsNetwork) = state.withLock { ($0.tape, $0.forbidsNetwork) }
        guard tape.hasPlace else { return .noStub }
        if forbidsNetwork, tape.isRecording { return .networkForbidden }
        if tape.wantsToRecord, tape.location.isReadOnly {
            guard case .outOfTurn = find else { return .readOnly(path: tape.location.current.path) }
        }
        guard tape.cassetteExists else {
            let path = tape.location.current.path
            let isDefault =
                tape.mode == .none && environment[.mode] == nil && environment.isContinuousIntegration
            return isDefault
                ? .recordingForbidden(path: path, variable: Environment.Variable.continuousIntegration.rawValue)
                : .noCassette(path: path)
        }
        switch find {
        case .allPlayed(let positions): return .alreadyPlayed(count: positions.count)
        case .outOfTurn(let due):
            let reel = tape.playhead.reel
            return reel.indices.contains(due) ? .outOfTurn(due: reel[due].request) : .noMatch
        case .track, .noMatch: return .noMatch
        }
    }

    private func miss(_ reason: Miss.Reason, _ request: Request, _ find: Playhead.Find) -> Miss {
        let (tape, stubs) = state.withLock { ($0.tape, $0.stubs) }
        var miss = Miss(
            reason,
            request: request,
            testName: testName,
            cassettePath: tape.hasPlace ? tape.location.current.path : nil,
            mode: tape.mode.rawValue,
            matchers: configuration.matching
        )
        if reason.isLackOfAnswer { miss.passedOverStubs = stubs.passedOver(by: request) }
        switch (reason, find) {
        case (.noMatch, _):
            miss.nearest = NearestInteractions(
                to: request,
                among: tape.playhead.reel,
                matchers: miss.matchers
            )
            miss.plays = tape.playhead.plays(at: miss.nearest?.candidates.map { $0.number - 1 } ?? [])
        case (.alreadyPlayed, .allPlayed(let positions)):
            miss.plays = tape.playhead.plays(at: positions)
        case (.outOfTurn, .outOfTurn(let due)):
            miss.nearest = NearestInteractions(
                to: request,
                among: tape.playhead.reel,
                at: [due],
                matchers: miss.matchers
            )
        default: break
        }
        return miss
    }

    /// The interactions that come nearest to a request, with why each was passed over; only for a log.
    func candidates(for request: Request, answeredBy position: Int? = nil) -> [String] {
        guard log != nil else { return [] }
        let playhead = state.withLock { $0.tape.playhead }
        let nearest = NearestInteractions(
            to: request,
            among: playhead.reel,
            matchers: configuration.matching
        )
        let plays = playhead.plays(at: nearest.candidates.map { $0.number - 1 })
        return nearest.candidates.prefix { $0.number - 1 != position }
            .map { $0.passedOver(playedBy: plays[$0.number]) }
    }

    /// Tells the test of a miss, unless it is over: then the next one would be blamed.
    package func report(_ miss: Miss) {
        guard miss.reason != .testOver, !isOver else { return Note.print(miss.description) }
        if let callback = configuration.requestMatchingFailed { notify { callback(miss) } }
    }

    // Callbacks may use a session, which would stop the process on the queue from which requests come.
    private static let notices = DispatchQueue(label: "rewind.notices")

    /// Calls back on a queue of its own, in order; the end of the test waits for it.
    func notify(_ callback: @escaping @Sendable () -> Void) {
        state.withLock { $0.notices += 1 }
        Self.notices.async { [state] in
            callback()
            state.withLock { $0.notices -= 1 }
        }
    }
}

extension Miss.Reason {
    /// Whether a stub could have answered.
    fileprivate var isLackOfAnswer: Bool {
        switch self {
        case .noCassette, .recordingForbidden, .readOnly, .noMatch, .alreadyPlayed, .outOfTurn, .noStub,
            .networkForbidden:
            true
        case .testOver, .paused, .notRouted, .unreadableBody, .unsupported, .unsupportedTask, .stubExhausted,
            .brokenStub:
            false
        }
    }
}

extension Playhead {
    /// For those of some positions that were played, by number, the number of the request they were played for.
    fileprivate func plays(at positions: [Int]) -> [Int: Int] {
        positions.reduce(into: [:]) { plays, position in
            plays[position + 1] = requestNumber(ofPlayAt: position)
        }
    }
}
