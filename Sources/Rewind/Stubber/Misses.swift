import Foundation

extension Stubber {
    /// Refuses a request; ``reporting(_:)`` tells the test.
    func refuse(_ reason: Miss.Reason, _ request: Interaction.Request, _ find: Playback.Find = .noMatch)
        -> Answer
    {
        let miss = miss(reason, request, find)
        log?.add("missed: \(reason.summary)", request, miss.nearest?.candidates ?? [], plays: miss.plays)
        return .refuse(miss)
    }

    func reason(of find: Playback.Find) -> Miss.Reason {
        let (session, forbidsNetwork) = state.withLock { ($0.session, $0.forbidsNetwork) }
        guard session.hasCassette else { return .noStub }
        if forbidsNetwork, session.isRecording { return .networkForbidden }
        if session.wantsToRecord, session.location.isReadOnly {
            guard case .outOfOrder = find else { return .readOnly(path: session.location.current.path) }
        }
        guard session.cassetteExists else {
            let path = session.location.current.path
            let isDefault =
                session.mode == .never && environment[.mode] == nil && environment.isContinuousIntegration
            return isDefault
                ? .recordingForbidden(path: path, variable: Environment.Variable.continuousIntegration.rawValue)
                : .noCassette(path: path)
        }
        switch find {
        case .allPlayed(let positions): return .alreadyPlayed(count: positions.count)
        case .outOfOrder(let due):
            let recorded = session.playback.recorded
            return recorded.indices.contains(due) ? .outOfOrder(next: recorded[due].request) : .noMatch
        case .found, .noMatch: return .noMatch
        }
    }

    private func miss(_ reason: Miss.Reason, _ request: Interaction.Request, _ find: Playback.Find) -> Miss {
        let (session, stubs) = state.withLock { ($0.session, $0.stubs) }
        var miss = Miss(
            reason,
            request: request,
            testName: testName,
            cassettePath: session.hasCassette ? session.location.current.path : nil,
            mode: session.mode.rawValue,
            matchers: configuration.matching
        )
        if reason.isLackOfAnswer { miss.passedOverStubs = stubs?.passedOver(by: request) ?? [] }
        switch (reason, find) {
        case (.noMatch, _):
            miss.nearest = NearestInteractions(
                to: request,
                among: session.playback.recorded,
                matchers: miss.matchers
            )
            miss.plays = session.playback.plays(at: miss.nearest?.candidates.map { $0.number - 1 } ?? [])
        case (.alreadyPlayed, .allPlayed(let positions)): miss.plays = session.playback.plays(at: positions)
        case (.outOfOrder, .outOfOrder(let due)):
            miss.nearest = NearestInteractions(
                to: request,
                among: session.playback.recorded,
                at: [due],
                matchers: miss.matchers
            )
        default: break
        }
        return miss
    }

    /// The interactions that come nearest to a request, with why each was passed over; only for a log.
    func candidates(for request: Interaction.Request, answeredBy position: Int? = nil) -> [String] {
        guard log != nil else { return [] }
        let playback = state.withLock { $0.session.playback }
        let nearest = NearestInteractions(
            to: request,
            among: playback.recorded,
            matchers: configuration.matching
        )
        let plays = playback.plays(at: nearest.candidates.map { $0.number - 1 })
        return nearest.candidates.prefix { $0.number - 1 != position }
            .map { $0.passedOver(playedBy: plays[$0.number]) }
    }

    /// Tells the test of a miss, unless it is over: then the next one would be blamed.
    package func report(_ miss: Miss) {
        guard miss.reason != .testEnded, !isEjected else { return Note.print(miss.description) }
        if let callback = configuration.requestMatchingFailed { notify { callback(miss) } }
    }

    /// Calls back on the stubber's own queue, in order; the end of the test waits for it.
    func notify(_ callback: @escaping @Sendable () -> Void) {
        let pending = pendingWork.begin(.callback)
        callbacks.async {
            callback()
            pending.end()
        }
    }
}

extension Miss.Reason {
    var summary: String {
        switch self {
        case .noCassette: "no cassette"
        case .readOnly: "no answer, and the cassette can only be read"
        case .recordingForbidden(_, let variable): "no cassette, and \(variable) is set"
        case .noMatch: "no match"
        case .alreadyPlayed(let count): "all \(count) that match were played"
        case .outOfOrder(let due): "\(due) was due"
        case .noStub: "no stub"
        case .networkForbidden: "the network is forbidden"
        case .stubExhausted(let stub, _): "the stub \(stub) has no more answers"
        case .invalidStub: "the stub cannot answer"
        case .testEnded: "the test is over"
        case .paused: "paused"
        case .unknownTest: "not routed"
        case .unreadableBody: "the body cannot be read"
        case .unsupported, .unsupportedTask: "not supported by the platform"
        }
    }

    fileprivate var isLackOfAnswer: Bool {
        switch self {
        case .noCassette, .recordingForbidden, .readOnly, .noMatch, .alreadyPlayed, .outOfOrder, .noStub,
            .networkForbidden:
            true
        case .testEnded, .paused, .unknownTest, .unreadableBody, .unsupported, .unsupportedTask, .stubExhausted,
            .invalidStub:
            false
        }
    }
}

extension Playback {
    /// For those of some positions that were played, by number, the number of the request they were played for.
    fileprivate func plays(at positions: [Int]) -> [Int: Int] {
        positions.reduce(into: [:]) { plays, position in
            plays[position + 1] = requestNumber(ofPlayAt: position)
        }
    }
}

/// Tells of each decision in a line: the request, its answer, and why each nearer recording was passed over.
struct DecisionLog: Sendable {
    private let handler: (@Sendable (String) -> Void)?
    private let prints: Bool
    private let prefix: String

    /// Creates the log that a configuration or `REWIND_LOG` asks for; `nil` where neither does.
    init?(_ configuration: Stubber.Configuration, _ environment: Environment, testName: String?) {
        guard configuration.log != nil || environment.logsDecisions else { return nil }
        handler = configuration.log
        prints = environment.logsDecisions
        prefix = testName.map { "\($0): " } ?? ""
    }

    func add(_ answer: String, _ request: Interaction.Request, _ candidates: [String] = []) {
        let passedOver = candidates.isEmpty ? "" : "; passed over " + candidates.joined(separator: "; ")
        let line = "\(prefix)\("\(request)".shortened()) → \(answer)\(passedOver)"
        handler?(line)
        if prints { Note.print(line) }
    }

    func add(
        _ answer: String,
        _ request: Interaction.Request,
        _ candidates: [NearestInteractions.Candidate],
        plays: [Int: Int]
    ) {
        add(answer, request, candidates.map { $0.passedOver(playedBy: plays[$0.number]) })
    }
}

extension NearestInteractions.Candidate {
    func passedOver(playedBy request: Int?) -> String {
        if let obstacle { return "#\(number) (\(obstacle))" }
        if let request, differences.isEmpty { return "#\(number) (played by request \(request))" }
        return "#\(number) (\(differences.prefix(2).map(\.line).joined(separator: ", ")))"
    }
}
