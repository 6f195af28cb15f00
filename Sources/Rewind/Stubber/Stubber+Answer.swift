import Foundation

extension Stubber {
    /// Decides about a request, on which the caller acts later.
    package func answer(to request: Request, completed: @escaping @Sendable () -> Request) -> Answer {
        answer(to: request, completed: completed) { $0 }
    }

    /// Decides about a request.
    /// - Parameters:
    ///   - request: The request as far as it costs nothing to know.
    ///   - completed: The request with its header fields, asked for only where they matter; it may be called later.
    ///   - act: What a door makes of the decision.
    /// - Returns: What that returns.
    package func answer<Result>(
        to request: Request,
        completed: @escaping @Sendable () -> Request,
        _ act: (Answer) -> Result
    ) -> Result {
        let course = state.withLock { Course(&$0) }
        if course.isOver { return act(reporting(refuse(.testOver, course.redactor.redact(request)))) }
        let position = configuration.keepsRequests ? requestLog.add(request, completed: completed) : nil
        // Who waits for a request may cancel its task at once. Foundation 6.3 waits for ever where a task is cancelled
        // while it is given its answer (swift-corelibs-foundation 5412).
        defer { if let position { requestLog.announce(position) } }
        let asked = AskedRequest(request, completed: completed)
        return act(reporting(stubbed(asked, course) ?? answerWithoutStubs(to: asked, course, shape: nil)))
    }

    /// Gives a request that was cancelled before it could be answered its place on the cassette.
    ///
    /// It is recorded as cancelled, or the interaction that would answer it counts as played, so that a replay in which
    /// the cancellation comes a moment later finds what it needs. A miss is not reported: the app no longer
    /// waits for an answer.
    /// - Parameters:
    ///   - request: The request as far as it costs nothing to know.
    ///   - completed: The request with its header fields, asked for only where they matter.
    package func noteCancelled(_ request: Request, completed: @escaping @Sendable () -> Request) {
        let course = state.withLock { Course(&$0) }
        guard !course.isOver else { return }
        if configuration.keepsRequests {
            requestLog.announce(requestLog.add(request, completed: completed))
        }
        let asked = AskedRequest(request, completed: completed)
        let answer = stubbed(asked, course) ?? answerWithoutStubs(to: asked, course, shape: nil)
        guard case .forward(let recording, _) = answer else { return }
        recording?.finish(.failure(.cancellation, after: nil), timing: Interaction.Timing())
    }

    /// What has to be known of the state before a request is looked at.
    struct Course: Sendable {
        let mode: RecordingMode
        let isRecording: Bool
        let isPaused: Bool
        let isOver: Bool
        let forbidsNetwork: Bool
        let stubs: StubRegistry?
        let outer: Stubber?
        let redactor: Redactor

        // Taken by reference, as a copy of all the state would be made for every request.
        init(_ state: inout State) {
            mode = state.tape.mode
            isRecording = state.tape.isRecording
            isPaused = state.isPaused
            isOver = state.isOver
            forbidsNetwork = state.forbidsNetwork
            stubs = state.stubs.isEmpty ? nil : state.stubs
            outer = state.outer
            redactor = state.tape.redactor
        }
    }

    /// Decides as if there were no stub.
    /// - Parameters:
    ///   - asked: The request.
    ///   - course: The state when it came.
    ///   - shape: What a stub makes of the answer, where one does.
    /// - Returns: The decision.
    func answerWithoutStubs(to asked: AskedRequest, _ course: Course, shape: Answer.Shape?) -> Answer {
        if course.isPaused, course.mode == .none { return refuse(.paused, course.redactor.redact(asked.light)) }
        if course.mode == .live || course.isPaused { return passThrough(asked.light, course, shape: shape) }
        let full = needsHeaders(course, asked.light) ? asked.full : asked.light
        if isPassedThrough(full) { return passThrough(full, course, shape: shape) }
        let redacted = course.redactor.redact(full)
        return act(on: decide(redacted), asked, full, redacted, shape)
    }

    /// Decides about a request that can neither be recorded nor played: the network answers it, or nobody does.
    func answerToUnsupported(_ request: Request, _ kind: String) -> Answer {
        let course = state.withLock { Course(&$0) }
        let redacted = course.redactor.redact(request)
        let goesToNetwork =
            course.isRecording || course.mode == .live || course.mode == .verify || isPassedThrough(request)
            || course.isPaused && course.mode != .none
        if course.isOver { return reporting(refuse(.testOver, redacted)) }
        if goesToNetwork { return reporting(passThrough(request, course)) }
        return reporting(refuse(.unsupportedTask(kind: kind), redacted))
    }

    /// Lets the network answer, and records nothing, unless it is forbidden.
    func passThrough(_ request: Request, _ course: Course, shape: Answer.Shape? = nil) -> Answer {
        let redacted = course.redactor.redact(request)
        if course.forbidsNetwork { return refuse(.networkForbidden, redacted) }
        log?.add("passed through to the network", redacted)
        return .forward(nil, shape: shape)
    }

    private enum Decision {
        case play(Track, of: Stubber)
        case record(place: Int, tape: UUID)
        case verify(Verification, by: Stubber)
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
            if case .track(let track) = find { return decision(on: track, request, &state) }
            if let played = state.outer?.played(request) { return played }
            if let verification = verification(of: request, find, &state) {
                return .verify(verification, by: self)
            }
            // A request that comes out of turn is not one that the cassette lacks.
            if case .outOfTurn = find { return .miss(find) }
            guard state.tape.isRecording, !state.forbidsNetwork else { return .miss(find) }
            return .record(place: state.tape.recorded.begin(request), tape: state.tape.id)
        }
    }

    /// What becomes of a request that the cassette has an answer to.
    private func decision(on track: Track, _ request: Request, _ state: inout State) -> Decision {
        let verification = verification(of: request, .track(track), &state)
        return verification.map { .verify($0, by: self) } ?? .play(track, of: self)
    }

    private func act(
        on decision: Decision,
        _ asked: AskedRequest,
        _ full: Request,
        _ redacted: Request,
        _ shape: Answer.Shape?
    ) -> Answer {
        switch decision {
        case .play(let track, let stubber):
            let position = track.position
            log?.add(
                "played #\(position + 1)",
                redacted,
                stubber.candidates(for: redacted, answeredBy: position)
            )
            return play(stubber.prepared(track), shape)
        case .record(let place, let tape):
            log?.add("recorded from the network", redacted, candidates(for: redacted))
            if let callback = configuration.didBeginRecording { notify { callback(redacted) } }
            return .forward(recording(of: full, redacted, at: place, on: tape), shape: shape)
        case .verify(let verification, let stubber):
            log?.add("asked the network, to compare it with \(verification.subject)", redacted)
            return .forward(stubber.recording(of: full, redacted, for: verification), shape: shape)
        case .miss(let find):
            // Who is told of a miss may want to know all of the request.
            return refuse(reason(of: find), redactor.redact(asked.full), find)
        case .over: return refuse(.testOver, redacted)
        }
    }

    private func play(_ track: Track, _ shape: Answer.Shape?) -> Answer {
        let tempo = configuration.timing.factor
        guard let shape else { return .play(track, tempo: tempo) }
        let (interaction, shapedTempo) = shape(track.interaction, tempo)
        return .play(Track(interaction, at: track.position), tempo: shapedTempo)
    }

    /// What this stubber's cassette has for a request that an inner one has no answer to.
    private func played(_ request: Request) -> Decision? {
        state.withLock { state in
            if !state.isOver, state.tape.isPlaying,
                case .track(let track) = state.tape.playhead.play(request)
            {
                return decision(on: track, request, &state)
            }
            return state.outer?.played(request)
        }
    }

    /// Makes the stubs and the cassette of a scope around this one answer what this one has no answer to; only this one
    /// records.
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

    /// An interaction as the app is to see it.
    private func prepared(_ track: Track) -> Track {
        guard restorer != nil || configuration.playsWholeInteractions else { return track }
        var interaction = restorer?.restored(track.interaction) ?? track.interaction
        if configuration.refreshesDates { interaction = interaction.refreshingDates(to: clock.now()) }
        return Track(configuration.beforePlayback?(interaction) ?? interaction, at: track.position)
    }

    /// What an old cassette, which was to be recorded anew, has for a request that cannot reach the network.
    func answerWithoutNetwork(to request: Request) -> Interaction? {
        let played = state.withLock { state -> Track? in
            guard !state.isOver, state.tape.giveUpRenewal() || state.tape.isPlaying,
                case .track(let track) = state.tape.playhead.play(request)
            else { return nil }
            return track
        }
        return played.map(prepared)?.interaction
    }
}
