import Foundation

extension Stubber {
    /// Refuses a request. ``reporting(_:)`` reports the miss to the test.
    func refuse(_ reason: Miss.Reason, _ request: Interaction.Request, _ find: Playback.Find = .noMatch)
        -> Answer
    {
        let miss = miss(reason, request, find)
        log?.add(.missed(miss), request)
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
            identity: identity,
            cassettePath: session.hasCassette ? session.location.current.path : nil,
            mode: session.mode.rawValue,
            matchers: configuration.matching
        )
        miss.isInXcode = environment.isXcode
        miss.recorder = otherRecorder(of: session.location)
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

    /// The test that recorded the cassette, if it is known not to be this one.
    private func otherRecorder(of location: CassetteLocation) -> RecordingTest? {
        guard let own = location.recorder, let other = Cassette.recorder(of: location.current) else {
            return nil
        }
        return other.test == nil || other == own ? nil : other
    }

    /// Reports a miss, and returns what the app receives.
    func reporting(_ miss: Miss) -> Answer {
        report(miss)
        guard configuration.missesAreUnavailable, miss.reason != .testEnded else { return .refuse(miss) }
        let failure = Interaction.Failure(
            code: NSURLErrorResourceUnavailable,
            userInfo: Interaction.Failure.requestURLs
        )
        let failed = Interaction(request: miss.request, outcome: .failure(failure, after: nil))
        return .play(RecordedInteraction(failed, at: 0), timeScale: 0)
    }

    /// Reports a miss to the test. After the end of the test it is printed, as it would fail the next test.
    package func report(_ miss: Miss) {
        configuration.decided?(miss)
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
    fileprivate var isLackOfAnswer: Bool {
        switch self {
        case .noCassette, .recordingForbidden, .readOnly, .noMatch, .alreadyPlayed, .outOfOrder, .noStub,
            .networkForbidden:
            true
        case .testEnded, .paused, .unknownTest, .unreadableBody, .unsupported, .unsupportedTask, .stubExhausted,
            .invalidStub, .activationFailed:
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
