import Foundation

extension Stubber {
    /// Decides about a request.
    /// - Parameters:
    ///   - request: The request as far as it costs nothing to know.
    ///   - completed: The request with its header fields, asked for only where they matter.
    /// - Returns: The decision, on which a door acts.
    package func answer(to request: Request, completed: @escaping @Sendable () -> Request) -> Answer {
        let course = state.withLock { Course($0) }
        let redactor = course.redactor
        if course.isOver { return refuse(.testOver, redactor.redact(request)) }
        if course.isPaused, course.mode == .none { return refuse(.paused, redactor.redact(request)) }
        if course.mode == .live || course.isPaused { return passThrough(request, redactor) }
        let full = needsHeaders(course, request) ? completed() : request
        if isPassedThrough(full) { return passThrough(full, redactor) }
        let redacted = redactor.redact(full)
        return act(on: decide(redacted), full, redacted)
    }

    private func passThrough(_ request: Request, _ redactor: Redactor) -> Answer {
        log?.add("passed through to the network", redactor.redact(request))
        return .forward(nil, shape: nil)
    }

    /// What has to be known of the state before a request is looked at.
    private struct Course {
        let mode: RecordingMode
        let isRecording: Bool
        let isPaused: Bool
        let isOver: Bool
        let redactor: Redactor

        init(_ state: State) {
            mode = state.tape.mode
            isRecording = state.tape.isRecording
            isPaused = state.isPaused
            isOver = state.isOver
            redactor = state.tape.redactor
        }
    }

    private enum Decision {
        case replay(Track, of: Stubber)
        case record(place: Int, tape: UUID)
        case miss(Playhead.Find)
        case over
    }

    /// Header fields cost more to find out than the rest of a request.
    private func needsHeaders(_ course: Course, _ request: Request) -> Bool {
        course.isRecording || comparedParts.contains(.headers) || configuration.passthrough != nil
            || request.body != nil && comparedParts.contains(.body)
    }

    private func decide(_ request: Request) -> Decision {
        state.withLock { state in
            if state.isOver { return .over }
            let find = state.tape.isPlaying ? state.tape.playhead.play(request) : .noMatch
            if case .track(let track) = find { return .replay(track, of: self) }
            if let played = state.outer?.played(request) { return played }
            // A request that comes out of turn is not one that the cassette lacks.
            if case .outOfTurn = find { return .miss(find) }
            guard state.tape.isRecording else { return .miss(find) }
            return .record(place: state.tape.recorded.begin(request), tape: state.tape.id)
        }
    }

    private func act(on decision: Decision, _ full: Request, _ redacted: Request) -> Answer {
        switch decision {
        case .replay(let track, let stubber):
            let position = track.position
            log?.add(
                "played #\(position + 1)",
                redacted,
                stubber.candidates(for: redacted, answeredBy: position)
            )
            return .play(stubber.prepared(track), tempo: configuration.timing.factor)
        case .record(let place, let tape):
            log?.add("recorded from the network", redacted, candidates(for: redacted))
            if let callback = configuration.didBeginRecording { notify { callback(redacted) } }
            return .forward(recording(of: full, redacted, at: place, on: tape), shape: nil)
        case .miss(let find): return refuse(reason(of: find), redacted, find)
        case .over: return refuse(.testOver, redacted)
        }
    }

    /// What this stubber's cassette has for a request that an inner one has no answer to.
    private func played(_ request: Request) -> Decision? {
        state.withLock { state in
            if !state.isOver, state.tape.isPlaying,
                case .track(let track) = state.tape.playhead.play(request)
            {
                return .replay(track, of: self)
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
        if !passthroughHosts.isEmpty, passthroughHosts.contains(URLParts(request.url).host) { return true }
        return configuration.passthrough?(request) ?? false
    }

    // MARK: Recording

    private func recording(of full: Request, _ redacted: Request, at place: Int, on tape: UUID) -> Recording {
        Recording(of: full) { [weak self, state, configuration] interaction in
            let kept = configuration.beforeRecord.map { $0(interaction) } ?? interaction
            let redactor = state.withLock { state -> Redactor? in
                guard !state.isOver, state.tape.id == tape else { return nil }
                state.tape.recorded.finish(kept, at: place)
                return state.tape.redactor
            }
            guard let redactor, let kept, let callback = configuration.didEndRecording else { return }
            let redacted = redactor.redact(kept)
            self?.notify { callback(redacted) }
        } unreachable: { [weak self] in
            self?.answerWithoutNetwork(to: redacted)
        }
    }

    /// An interaction as the app is to see it.
    private func prepared(_ track: Track) -> Track {
        guard restorer != nil || configuration.beforePlayback != nil else { return track }
        let restored = restorer?.restored(track.interaction) ?? track.interaction
        return Track(configuration.beforePlayback?(restored) ?? restored, at: track.position)
    }

    /// What an old cassette, which was to be recorded anew, has for a request that cannot reach the network.
    private func answerWithoutNetwork(to request: Request) -> Interaction? {
        let played = state.withLock { state -> Track? in
            guard !state.isOver, state.tape.giveUpRenewal() || state.tape.isPlaying,
                case .track(let track) = state.tape.playhead.play(request)
            else { return nil }
            return track
        }
        return played.map(prepared)?.interaction
    }
}
