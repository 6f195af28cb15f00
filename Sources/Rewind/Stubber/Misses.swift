import Foundation

extension Stubber {
    /// Refuses a request. ``reporting(_:)`` reports the miss to the test.
    func refuse(_ reason: Miss.Reason, _ request: Interaction.Request, _ find: Playback.Find = .noMatch)
        -> Answer
    {
        let miss = miss(reason, request, find)
        log?.add("miss: \(reason.summary)", request, miss.nearest?.candidates ?? [], plays: miss.plays)
        return .refuse(miss)
    }

    func reason(of find: Playback.Find) -> Miss.Reason {
        let (session, forbidsNetwork) = state.withLock { ($0.session, $0.isNetworkForbidden) }
        guard session.hasCassette else { return .noStub }
        if forbidsNetwork, session.isRecording { return .networkForbidden }
        if session.wantsToRecord, session.isReadOnly {
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
        let request = printable(request)
        var miss = Miss(
            reason,
            request: request,
            testName: testName,
            cassettePath: session.hasCassette ? session.location.current.path : nil,
            mode: session.mode.rawValue,
            matchers: configuration.matching
        )
        if case .readOnly = reason { miss.obstacle = session.obstacle }
        miss.isHeldBack =
            session.mode == .verify && session.cassetteExists && !request.isSafe
            && !configuration.verifiesUnsafeMethods
        miss.filter = { [printFilter] in printFilter.printable($0) }
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

    /// The nearest interactions, each with the reason it was skipped; computed only for a log.
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
            .map { $0.skipText(playedBy: plays[$0.number]) }
    }

    /// Reports a miss to the test. After the end of the test it is printed, as it would fail the next test.
    package func report(_ miss: Miss) {
        let isReceived = configuration.requestMatchingFailed != nil
        let isLate = state.withLock { state in
            if miss.reason == .testEnded || state.isEjected { return true }
            if !isReceived, state.misses.count < Self.missLimit { state.misses.append(miss) }
            return false
        }
        if isLate { return Note.print(miss.description) }
        if let callback = configuration.requestMatchingFailed { notify { callback(miss) } }
    }

    /// The number of misses that are kept for the end of the test. An app may repeat a request without end.
    private static let missLimit = 1000

    /// The misses since the last call, which then do not fail the test.
    ///
    /// A miss fails the test or scope when it ends, even if the app ignores the error of its request. Call this in a test
    /// that expects a miss:
    ///
    /// ```swift
    /// try await withStubs { stubber in
    ///     await viewModel.refresh()
    ///     #expect(stubber.takeMisses().count == 1)
    /// }
    /// ```
    ///
    /// Misses that ``Configuration/requestMatchingFailed`` receives are not included, and in a `CassetteTestCase` there are
    /// none, because its `requestMatchingFailed(_:)` receives them.
    /// - Returns: The misses in the order of their requests.
    public func takeMisses() -> [Miss] {
        state.withLock { state in
            defer { state.misses = [] }
            return state.misses
        }
    }

    /// Removes a miss that code outside of the stubber received.
    package func removeMiss(_ miss: Miss) {
        state.withLock { state in
            let position = state.misses.firstIndex { $0.reason == miss.reason && $0.request == miss.request }
            if let position { state.misses.remove(at: position) }
        }
    }

    /// Removes the misses that an error describes, because the error of the test reports them.
    func removeMisses(describedBy error: any Error) {
        let misses = state.withLock { $0.misses }
        guard !misses.isEmpty else { return }
        let texts = [error.localizedDescription, "\(error)"]
        for miss in misses {
            let description = miss.description
            if texts.contains(where: { $0.contains(description) }) { removeMiss(miss) }
        }
    }
}

extension Miss.Reason {
    var summary: String {
        switch self {
        case .noCassette: "no cassette"
        case .readOnly: "no match, and the cassette cannot be written"
        case .recordingForbidden(_, let variable): "no cassette, and \(variable) is set"
        case .noMatch: "no match"
        case .alreadyPlayed(let count):
            count == 1 ? "the only match was already played" : "all \(count) matches were already played"
        case .outOfOrder(let next): "out of order, next is \(next)"
        case .noStub: "no stub matches"
        case .networkForbidden: "the network is forbidden"
        case .stubExhausted(let stub, _): "the stub \(stub) has no more answers"
        case .invalidStub: "the stub is invalid"
        case .testEnded: "the test has ended"
        case .paused: "the stubber is paused"
        case .unknownTest: "several tests are running"
        case .unreadableBody: "the body cannot be read"
        case .unsupported, .unsupportedTask: "unsupported task"
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
    /// The number of the request that each interaction was played for, by the number of the interaction.
    fileprivate func plays(at positions: [Int]) -> [Int: Int] {
        positions.reduce(into: [:]) { plays, position in
            plays[position + 1] = requestNumber(ofPlayAt: position)
        }
    }
}

/// Logs one line for each decision: the request, how it was answered, and why nearer recordings were skipped.
struct DecisionLog: Sendable {
    private let handler: (@Sendable (String) -> Void)?
    private let prints: Bool
    private let prefix: String
    private let filter: PrintFilter

    /// Creates a log if the configuration or `REWIND_LOG` requests one.
    init?(
        _ configuration: Stubber.Configuration,
        _ environment: Environment,
        testName: String?,
        _ filter: PrintFilter
    ) {
        guard configuration.log != nil || environment.logsDecisions else { return nil }
        handler = configuration.log
        prints = environment.logsDecisions
        prefix = testName.map { "\($0): " } ?? ""
        self.filter = filter
    }

    func add(_ answer: String, _ request: Interaction.Request, _ candidates: [String] = []) {
        let skipped = candidates.isEmpty ? "" : "; skipped " + candidates.joined(separator: "; ")
        // Before the text is shortened, because a part of a secret is not recognized.
        let subject = filter.printable("\(request)").shortened()
        let line = filter.printable("\(prefix)\(subject) → \(answer)\(skipped)")
        handler?(line)
        if prints { Note.print(line) }
    }

    func add(
        _ answer: String,
        _ request: Interaction.Request,
        _ candidates: [NearestInteractions.Candidate],
        plays: [Int: Int]
    ) {
        add(answer, request, candidates.map { $0.skipText(playedBy: plays[$0.number]) })
    }
}

extension NearestInteractions.Candidate {
    func skipText(playedBy request: Int?) -> String {
        if let obstacle { return "#\(number) (\(obstacle))" }
        if let request, differences.isEmpty { return "#\(number) (played by request \(request))" }
        return "#\(number) (\(differences.prefix(2).map(\.line).joined(separator: ", ")))"
    }
}
