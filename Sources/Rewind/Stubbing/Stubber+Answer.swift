import Foundation

extension Stubber {
    /// Decides about a request.
    /// - Parameters:
    ///   - request: The request as far as it costs nothing to know.
    ///   - completed: The request with its header fields, asked for only where they matter.
    /// - Returns: The decision, on which a door acts.
    package func answer(to request: Request, completed: () -> Request) -> Answer {
        if mode == .live || isPassedThrough(request) {
            return isOver
                ? .refuse(miss(.testOver, request: configuration.redaction.redact(request))) : .forward(nil)
        }
        let full = needsHeaders ? completed() : request
        let redacted = configuration.redaction.redact(full)
        let decision = state.withLock { state -> Decision in
            if state.isOver { return .miss(.testOver) }
            let find = state.playhead.play(redacted)
            switch find {
            case .interaction(let interaction): return .replay(interaction)
            case .noMatch, .allPlayed:
                if let interaction = state.outer?.played(redacted) { return .replay(interaction) }
                guard isRecording else { return .miss(reason(of: find)) }
                return .record(place: state.recorded.begin(redacted))
            }
        }
        switch decision {
        case .replay(let interaction): return .replay(interaction)
        case .record(let place):
            if let callback = configuration.didBeginRecording { notify { callback(redacted) } }
            return .forward(recording(of: full, at: place))
        case .miss(let reason): return .refuse(miss(reason, request: redacted))
        }
    }

    /// What this stubber's cassette has for a request that an inner one has no answer to.
    private func played(_ request: Request) -> Interaction? {
        state.withLock { state in
            if !state.isOver, case .interaction(let interaction) = state.playhead.play(request) {
                return interaction
            }
            return state.outer?.played(request)
        }
    }

    /// Makes the cassette of a scope around this one play what this one has no answer to; only this one records.
    package func nest(in outer: Stubber?) {
        guard let outer, !outer.isNested(in: self) else { return }
        state.withLock { $0.outer = outer }
    }

    private func isNested(in other: Stubber) -> Bool {
        self === other || state.withLock { $0.outer }?.isNested(in: other) ?? false
    }

    private func isPassedThrough(_ request: Request) -> Bool {
        let hosts = configuration.passthroughHosts
        return !hosts.isEmpty && hosts.contains(URLParts(request.url).host)
    }

    private enum Decision {
        case replay(Interaction)
        case record(place: Int)
        case miss(Miss.Reason)
    }

    private func recording(of request: Request, at place: Int) -> Recording {
        Recording(of: request) { [weak self, state, configuration] interaction in
            let interaction = configuration.redaction.redact(interaction)
            let isInTime = state.withLock { state in
                guard !state.isOver else { return false }
                state.recorded.finish(interaction, at: place)
                return true
            }
            if isInTime, let callback = configuration.didEndRecording { self?.notify { callback(interaction) } }
        }
    }

    private func reason(of find: Playhead.Find) -> Miss.Reason {
        guard cassetteExists else { return .noCassette(path: location.source.path) }
        if case .allPlayed(let count) = find { return .alreadyPlayed(count: count) }
        return .noMatch
    }

    private func miss(_ reason: Miss.Reason, request: Request) -> Miss {
        let interactions = state.withLock { $0.playhead.interactions }
        let nearest: NearestInteractions? =
            reason == .noMatch
            ? NearestInteractions(to: request, among: interactions, matchers: configuration.matching) : nil
        let miss = Miss(
            reason,
            request: request,
            testName: testName,
            cassettePath: location.source.path,
            mode: mode.rawValue,
            nearest: nearest
        )
        report(miss)
        return miss
    }

    /// Tells the test of a miss, unless it is over: then the next one would be blamed.
    package func report(_ miss: Miss) {
        guard miss.reason != .testOver, !isOver else { return Note.print(miss.description) }
        if let callback = configuration.requestMatchingFailed { notify { callback(miss) } }
    }

    // Callbacks may use a session, which would stop the process on the queue from which requests come.
    private static let notices = DispatchQueue(label: "rewind.notices")

    /// Calls back on a queue of its own, in order; the end of the test waits for it.
    private func notify(_ callback: @escaping @Sendable () -> Void) {
        state.withLock { $0.notices += 1 }
        Self.notices.async { [state] in
            callback()
            state.withLock { $0.notices -= 1 }
        }
    }
}
