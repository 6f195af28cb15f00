import Foundation

/// What the stubber decided about a request. Whichever way a request came in, it is answered by such a decision.
package enum Answer: Sendable {
    /// The interaction is the answer, its times multiplied by the scale: none of them where that is zero.
    case play(RecordedInteraction, timeScale: Double)
    /// Code of the test is still to say what the answer is; it is cancelled with the request.
    case compute(@Sendable () async -> Answer)
    case forward(Recording?, transform: ResponseTransform?)
    case refuse(Miss)

    /// What a stub makes of an interaction that would have been played at a time scale.
    package typealias ResponseTransform = StubAnswer.ResponseTransform
}

/// What the configuration says about every request, found out once for all of them.
struct RequestRules: Sendable {
    let comparesHeaders: Bool
    let comparesBodies: Bool
    let passthroughHosts: PassthroughHosts?
    let timeScale: Double
    /// Whether what is played is wanted whole, with the request as it was recorded and its date.
    let playsWhole: Bool

    init(_ configuration: Stubber.Configuration, hasCassette: Bool) {
        let compared = hasCassette ? configuration.matching.parts : []
        comparesHeaders = compared.contains(.headers)
        comparesBodies = compared.contains(.body)
        let hosts = PassthroughHosts(configuration.passthroughHosts)
        passthroughHosts = hosts.isEmpty ? nil : hosts
        timeScale = configuration.timing.factor
        playsWhole = configuration.playsWholeInteractions
    }
}

extension Stubber {
    /// Decides about a request. The caller acts on the decision, and then calls ``announce(_:)``.
    package func answer(to request: IncomingRequest) -> Answer {
        let now = state.withLock { Circumstances(&$0) }
        if now.isEjected { return reporting(refuse(.testEnded, now.redactor.redact(request.light))) }
        if configuration.keepsRequests { requestLog.add(request) }
        return reporting(decision(on: request, now))
    }

    /// Notifies those that wait for a request, after its answer was acted on.
    ///
    /// They may cancel its task at once, and Foundation 6.3 hangs where a task is cancelled while it receives its
    /// answer (swift-corelibs-foundation 5412).
    package func announce(_ request: IncomingRequest) { requestLog.announce(request) }

    /// Records a request that was cancelled before its answer, or counts its interaction as played.
    ///
    /// So a replay in which the cancellation comes a moment later finds what it needs. A miss is not reported: the app no
    /// longer waits for an answer.
    package func noteCancelled(_ request: IncomingRequest) {
        let now = state.withLock { Circumstances(&$0) }
        guard !now.isEjected else { return }
        if configuration.keepsRequests {
            requestLog.add(request)
            requestLog.announce(request)
        }
        guard case .forward(let recording?, _) = decision(on: request, now) else { return }
        recording.finish(.failure(.cancellation, after: nil), timing: Interaction.Timing())
    }

    /// Decides about a request that can neither be recorded nor played: the network answers it, or nobody does.
    func answerToUnsupported(_ request: Interaction.Request, _ kind: String) -> Answer {
        let now = state.withLock { Circumstances(&$0) }
        let redacted = now.redactor.redact(request)
        let goesToNetwork =
            now.isRecording || now.mode == .live || now.mode == .verify || isPassedThrough(request)
            || now.isPaused && now.mode != .never
        if now.isEjected { return reporting(refuse(.testEnded, redacted)) }
        if goesToNetwork { return reporting(passThrough(redacted, now)) }
        return reporting(refuse(.unsupportedTask(kind: kind), redacted))
    }

    func reporting(_ answer: Answer) -> Answer {
        if case .refuse(let miss) = answer { report(miss) }
        return answer
    }

    // MARK: The decision

    private struct Circumstances: Sendable {
        let mode: RecordingMode
        let isRecording: Bool
        let isPaused: Bool
        let isEjected: Bool
        let forbidsNetwork: Bool
        let stubs: StubRegistry?
        let outer: Stubber?
        let redactor: Redactor

        // Taken by reference, as a copy of all the state would be made for every request.
        init(_ state: inout State) {
            mode = state.session.mode
            isRecording = state.session.isRecording
            isPaused = state.isPaused
            isEjected = state.isEjected
            forbidsNetwork = state.forbidsNetwork
            stubs = state.stubs
            outer = state.outer
            redactor = state.session.redactor
        }
    }

    /// A stub answers before everything else.
    private func decision(on request: IncomingRequest, _ now: Circumstances) -> Answer {
        guard let (stub, wildcards) = stub(for: request, now) else {
            return decisionWithoutStubs(on: request, now, nil)
        }
        let call = stub.call(request.full, wildcards)
        log?.add("stubbed by \(stub)", request.redacted(by: now.redactor, full: true))
        switch stub.answer {
        case .fixed(let answer): return decision(on: request, now, by: answer, of: stub, call)
        case .computed(let respond):
            return .compute { [self] in
                do {
                    let answer = try await respond(call).readingFiles(at: stub.sourceLocation)
                    return reporting(decision(on: request, now, by: answer, of: stub, call))
                } catch {
                    let outcome = Interaction.Outcome.failure(Interaction.Failure(error), after: nil)
                    let failed = Interaction(request: call.request, outcome: outcome)
                    return .play(RecordedInteraction(failed, at: 0), timeScale: 0)
                }
            }
        }
    }

    /// The stub that answers; one of a scope around this one only where this one has none.
    private func stub(
        for request: IncomingRequest,
        _ now: Circumstances
    ) -> (stub: Stub, wildcards: [String])? {
        if let stubs = now.stubs {
            let needsHeaders = !stubs.parts.isDisjoint(with: [.headers, .body])
            if let found = stubs.stub(for: needsHeaders ? request.full : request.light) { return found }
        }
        guard let outer = now.outer else { return nil }
        let around = outer.state.withLock { Circumstances(&$0) }
        return around.isEjected ? nil : outer.stub(for: request, around)
    }

    private func decision(
        on request: IncomingRequest,
        _ now: Circumstances,
        by answer: StubAnswer,
        of stub: Stub,
        _ call: StubbedRequest
    ) -> Answer {
        func redacted() -> Interaction.Request { request.redacted(by: now.redactor, full: false) }
        switch answer.resolved(for: call.request, call: call.callNumber) {
        case .play(let interaction, let timeScale):
            return .play(RecordedInteraction(interaction, at: 0), timeScale: timeScale)
        case .recorded(let transform): return decisionWithoutStubs(on: request, now, transform)
        case .passthrough: return passThrough(redacted(), now)
        case .exhausted: return refuse(.stubExhausted("\(stub)", calls: call.callNumber), redacted())
        case .invalid(let problem):
            return refuse(.invalidStub("\(stub): \(problem.cause). \(problem.recoverySuggestion)"), redacted())
        }
    }

    /// A paused stubber leaves the request to the network, as does one that passes it through; otherwise the cassette answers,
    /// or one of a scope around this one, or the network for a recording, or nobody.
    private func decisionWithoutStubs(
        on request: IncomingRequest,
        _ now: Circumstances,
        _ transform: Answer.ResponseTransform?
    ) -> Answer {
        if now.isPaused || now.mode == .live {
            let redacted = request.redacted(by: now.redactor, full: false)
            return now.isPaused && now.mode == .never
                ? refuse(.paused, redacted) : passThrough(redacted, now, transform)
        }
        let needsHeaders = needsHeaders(now, request.light)
        let asked = needsHeaders ? request.full : request.light
        let redacted = request.redacted(by: now.redactor, full: needsHeaders)
        if isPassedThrough(asked) { return passThrough(redacted, now, transform) }
        switch lookUp(redacted) {
        case .play(let found, let stubber):
            log?.add(
                "played #\(found.position + 1)",
                redacted,
                stubber.candidates(for: redacted, answeredBy: found.position)
            )
            return play(stubber.prepared(found.made()), transform)
        case .record(let place, let session):
            log?.add("recorded from the network", redacted, candidates(for: redacted))
            if let callback = configuration.didBeginRecording { notify { callback(redacted) } }
            return .forward(recording(of: asked, redacted, at: place, in: session), transform: transform)
        case .verify(let verification, let stubber):
            log?.add("asked the network, to compare it with \(verification.subject)", redacted)
            return .forward(stubber.recording(of: asked, redacted, for: verification), transform: transform)
        case .miss(let find):
            // An observer of the miss may read the whole request.
            return refuse(reason(of: find), request.redacted(by: redactor, full: true), find)
        case .over: return refuse(.testEnded, redacted)
        }
    }

    /// Header fields cost more to find out than the rest of a request.
    private func needsHeaders(_ now: Circumstances, _ request: Interaction.Request) -> Bool {
        now.isRecording || rules.comparesHeaders || configuration.passthrough != nil
            || request.body != nil && rules.comparesBodies
    }

    private func isPassedThrough(_ request: Interaction.Request) -> Bool {
        if let hosts = rules.passthroughHosts, hosts.contains(URLParts(request.url).host) { return true }
        return configuration.passthrough?(request) ?? false
    }

    private func passThrough(
        _ redacted: Interaction.Request,
        _ now: Circumstances,
        _ transform: Answer.ResponseTransform? = nil
    ) -> Answer {
        if now.forbidsNetwork { return refuse(.networkForbidden, redacted) }
        log?.add("passed through to the network", redacted)
        return .forward(nil, transform: transform)
    }

    private func play(_ recorded: RecordedInteraction, _ transform: Answer.ResponseTransform?) -> Answer {
        guard let transform else { return .play(recorded, timeScale: rules.timeScale) }
        let (interaction, ownScale) = transform(recorded.interaction, rules.timeScale)
        return .play(RecordedInteraction(interaction, at: recorded.position), timeScale: ownScale)
    }

    // MARK: The cassettes

    private enum Lookup {
        case play(Playback.Found, of: Stubber)
        case record(place: Int, session: UUID)
        case verify(Verification, by: Stubber)
        case miss(Playback.Find)
        case over
    }

    /// Finds what this stubber's cassette or one around it has for a request, and takes it or a place for a recording.
    private func lookUp(_ request: Interaction.Request) -> Lookup {
        state.withLock { state in
            if state.isEjected { return .over }
            let find = state.session.isPlaying ? state.session.playback.play(request) : .noMatch
            if case .found(let found) = find { return lookup(found, request, &state) }
            if let played = state.outer?.played(request) { return played }
            if let verification = verification(of: request, find, &state) {
                return .verify(verification, by: self)
            }
            // A request that comes out of turn is not one that the cassette lacks.
            if case .outOfOrder = find { return .miss(find) }
            guard state.session.isRecording, !state.forbidsNetwork else { return .miss(find) }
            return .record(
                place: state.session.recorded.begin(request, pendingWork.begin()),
                session: state.session.id
            )
        }
    }

    private func lookup(_ found: Playback.Found, _ request: Interaction.Request, _ state: inout State) -> Lookup
    {
        let verification = verification(of: request, .found(found), &state)
        return verification.map { .verify($0, by: self) } ?? .play(found, of: self)
    }

    /// `nil` where the request is not to go to the network.
    private func verification(of request: Interaction.Request, _ find: Playback.Find, _ state: inout State)
        -> Verification?
    {
        guard state.session.mode == .verify, state.session.cassetteExists, !state.forbidsNetwork,
            request.isSafe || configuration.verifiesUnsafeMethods
        else { return nil }
        let place = state.session.recorded.begin(request, pendingWork.begin())
        return Verification(find: find, place: place, session: state.session.id)
    }

    private func played(_ request: Interaction.Request) -> Lookup? {
        state.withLock { state in
            if !state.isEjected, state.session.isPlaying,
                case .found(let found) = state.session.playback.play(request)
            {
                return lookup(found, request, &state)
            }
            return state.outer?.played(request)
        }
    }

    private func prepared(_ recorded: RecordedInteraction) -> RecordedInteraction {
        guard restorer != nil || rules.playsWhole else { return recorded }
        var interaction = restorer?.restored(recorded.interaction) ?? recorded.interaction
        if configuration.refreshesDates { interaction = interaction.refreshingDates(to: clock.now()) }
        return RecordedInteraction(
            configuration.beforePlayback?(interaction) ?? interaction,
            at: recorded.position
        )
    }

    /// What an old cassette, which was to be recorded again, has for a request that cannot reach the network.
    func answerWithoutNetwork(to request: Interaction.Request) -> Interaction? {
        let played = state.withLock { state -> Playback.Found? in
            guard !state.isEjected, state.session.giveUpRenewal() || state.session.isPlaying,
                case .found(let found) = state.session.playback.play(request)
            else { return nil }
            return found
        }
        return played.map { prepared($0.made()).interaction }
    }

    // MARK: Scopes inside one another

    /// Makes a scope around this one answer what this one has no answer to; only this one records.
    package func nest(in outer: Stubber?) {
        guard let outer, !outer.isNested(in: self) else { return }
        state.withLock { $0.outer = outer }
    }

    private func isNested(in other: Stubber) -> Bool {
        self === other || state.withLock { $0.outer }?.isNested(in: other) ?? false
    }
}
