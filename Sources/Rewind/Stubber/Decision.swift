import Foundation

/// The decision about a request, whichever way it came in.
package enum Answer: Sendable {
    /// Replay the interaction, its times multiplied by the scale; 0 replays at once.
    case play(RecordedInteraction, timeScale: Double)
    /// The closure of a stub decides. It is cancelled with the request.
    case compute(@Sendable () async -> Answer)
    case forward(Recording?, transform: ResponseTransform?)
    case refuse(Miss)

    /// Changes an interaction that is replayed with a time scale.
    package typealias ResponseTransform = StubAnswer.ResponseTransform
}

/// The parts of the configuration that every request needs, computed once.
struct RequestRules: Sendable {
    let comparesHeaders: Bool
    let comparesBodies: Bool
    let passthroughHosts: PassthroughHosts?
    let timeScale: Double
    /// Whether replay needs the recorded request and date, not only the response.
    let playsWhole: Bool
    /// Whether a decision calls code of the test, apart from stubs.
    let hasCallbacks: Bool

    init(_ configuration: Stubber.Configuration, hasCassette: Bool) {
        let compared = hasCassette ? configuration.matching.parts : []
        comparesHeaders = compared.contains(.headers)
        comparesBodies = compared.contains(.body)
        let hosts = PassthroughHosts(configuration.passthroughHosts)
        passthroughHosts = hosts.isEmpty ? nil : hosts
        timeScale = configuration.timing.factor
        playsWhole = configuration.playsWholeInteractions
        hasCallbacks = configuration.hasCallbacks
    }
}

extension Stubber {
    /// Decides how to answer a request, on a thread that may run code of the test. The caller delivers the answer, and then
    /// calls ``announce(_:)``.
    package func answer(to request: IncomingRequest) -> Answer {
        let arrival = receive(request)
        return arrival.hasCallbacks ? run { answer(to: arrival) } : answer(to: arrival)
    }

    /// A request that is in the log, and what decides about it.
    struct Arrival: Sendable {
        fileprivate let request: IncomingRequest
        fileprivate let circumstances: Circumstances
        /// Whether the decision may call code of the test.
        let hasCallbacks: Bool
    }

    func receive(_ request: IncomingRequest) -> Arrival {
        let now = state.withLock { Circumstances(&$0) }
        if !now.isEjected {
            printFilter.add(request, isKept: configuration.keepsRequests)
            if configuration.keepsRequests { requestLog.add(request) }
        }
        return Arrival(
            request: request,
            circumstances: now,
            hasCallbacks: rules.hasCallbacks || now.stubs?.hasCallbacks ?? false || now.around.hasCallbacks
        )
    }

    func answer(to arrival: Arrival) -> Answer {
        if arrival.circumstances.isEjected {
            let request = arrival.circumstances.redactor.redact(arrival.request.light)
            return reporting(refuse(.testEnded, request))
        }
        return reporting(decision(on: arrival.request, arrival.circumstances))
    }

    /// Discards an answer that the app no longer waits for.
    func discard(_ answer: Answer) {
        guard case .forward(let recording?, _) = answer else { return }
        recording.finish(.failure(.cancellation, after: nil), timing: Interaction.Timing())
    }

    /// Notifies those that wait for a request, after its answer was delivered.
    ///
    /// They may cancel its task at once. Foundation 6.3 hangs if a task is cancelled while it receives its response
    /// (swift-corelibs-foundation 5412).
    package func announce(_ request: IncomingRequest) { requestLog.announce(request) }

    /// Records a request that was cancelled before its response, or counts its interaction as played.
    ///
    /// A replay in which the cancellation comes a moment later then finds an answer. A miss is not reported, as the app no
    /// longer waits.
    package func noteCancelled(_ request: IncomingRequest) {
        let arrival = receive(request)
        let now = arrival.circumstances
        guard !now.isEjected else { return }
        requestLog.announce(request)
        guard arrival.hasCallbacks else { return discard(decision(on: request, now)) }
        callBack { [self] in discard(decision(on: request, now)) }
    }

    /// Decides about a request that can neither be recorded nor replayed: the network answers, or it is refused.
    func answerToUnsupported(_ request: Interaction.Request, _ kind: String) -> Answer {
        let now = state.withLock { Circumstances(&$0) }
        let redacted = now.redactor.redact(request)
        let goesToNetwork =
            now.isRecording || now.mode == .live || now.mode == .verify || passage(of: request) != nil
            || now.isPaused && now.mode != .never
        if now.isEjected { return reporting(refuse(.testEnded, redacted)) }
        if let refusal { return reporting(refuse(refusal, redacted)) }
        if goesToNetwork { return reporting(passThrough(redacted, now, .task(kind: kind))) }
        return reporting(refuse(.unsupportedTask(kind: kind), redacted))
    }

    func reporting(_ answer: Answer) -> Answer {
        if case .refuse(let miss) = answer { return reporting(miss) }
        configuration.decided?(nil)
        return answer
    }

    // MARK: The decision

    /// What a stubber takes from the stubbers of outer scopes.
    fileprivate struct Surroundings: Sendable {
        var stubs: [StubRegistry] = []
        var hasCallbacks = false
    }

    fileprivate struct Circumstances: Sendable {
        let mode: RecordingMode
        let isRecording: Bool
        let isPaused: Bool
        let isEjected: Bool
        let forbidsNetwork: Bool
        let containsSecrets: Bool
        let stubs: StubRegistry?
        let outer: Stubber?
        let around: Surroundings
        let redactor: Redactor
        /// Whether the credentials in header fields decide which interaction matches.
        let comparesCredentials: Bool

        // By reference, as each request would otherwise copy the whole state.
        init(_ state: inout State) {
            mode = state.session.mode
            isRecording = state.session.isRecording
            isPaused = state.isPaused
            isEjected = state.isEjected
            forbidsNetwork = state.isNetworkForbidden
            containsSecrets = state.session.containsSecrets
            stubs = state.stubs
            outer = state.outer
            around = state.outer?.surroundings ?? Surroundings()
            redactor = state.session.redactor
            comparesCredentials = state.session.isPlaying && state.session.playback.comparesCredentials
        }
    }

    /// Stubs answer first.
    private func decision(on request: IncomingRequest, _ now: Circumstances) -> Answer {
        if let refusal { return refuse(refusal, request.redacted(by: now.redactor, full: false)) }
        guard let (stub, wildcards) = stub(for: request, now) else {
            return decisionWithoutStubs(on: request, now, nil)
        }
        let call = stub.call(request.full, wildcards)
        log?.add(.stubbed(stub), request.redacted(by: now.redactor, full: true))
        switch stub.answer {
        case .fixed(let answer): return decision(on: request, now, by: answer, of: stub, call)
        case .computed(let respond):
            return .compute { [self] in
                do {
                    let answer = try await respond(call).readingFiles(at: stub.sourceLocation)
                    let decide = { @Sendable [self] in
                        reporting(decision(on: request, now, by: answer, of: stub, call))
                    }
                    guard rules.hasCallbacks || now.around.hasCallbacks || answer.hasCallbacks else {
                        return decide()
                    }
                    // The threads of tasks must not wait.
                    return await withCheckedContinuation { continuation in
                        callBack { continuation.resume(returning: decide()) }
                    }
                } catch {
                    let outcome = Interaction.Outcome.failure(
                        Interaction.Failure(delivering: error),
                        after: nil
                    )
                    let failed = Interaction(request: call.request, outcome: outcome)
                    return .play(RecordedInteraction(failed, at: 0), timeScale: 0)
                }
            }
        }
    }

    /// The stub that answers. Stubs of an outer scope come after those of this one.
    private func stub(
        for request: IncomingRequest,
        _ now: Circumstances
    ) -> (stub: Stub, wildcards: [String])? {
        func find(in stubs: StubRegistry) -> (stub: Stub, wildcards: [String])? {
            let needsHeaders = !stubs.parts.isDisjoint(with: [.headers, .body])
            return stubs.stub(for: needsHeaders ? request.full : request.light)
        }
        if let found = now.stubs.flatMap(find) { return found }
        return now.around.stubs.lazy.compactMap(find).first
    }

    /// What this stubber contributes to an inner scope.
    private var surroundings: Surroundings {
        state.withLock { state in
            guard !state.isEjected else { return Surroundings() }
            var around = state.outer?.surroundings ?? Surroundings()
            if let stubs = state.stubs { around.stubs.insert(stubs, at: 0) }
            around.hasCallbacks =
                around.hasCallbacks || rules.hasCallbacks || state.stubs?.hasCallbacks ?? false
            return around
        }
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
        case .passthrough where request.hasUnsupportedScheme: return unsupportedScheme(redacted())
        case .passthrough: return passThrough(redacted(), now, .stub)
        case .exhausted: return refuse(.stubExhausted("\(stub)", calls: call.callNumber), redacted())
        case .invalid(let problem):
            return refuse(.invalidStub("\(stub): \(problem.cause). \(problem.recoverySuggestion)"), redacted())
        }
    }

    /// Decides without stubs: a passthrough uses the network, and so does a paused stubber, unless its mode is `never`;
    /// otherwise the cassette of this scope or an outer one answers, the network for a recording, or nothing.
    private func decisionWithoutStubs(
        on request: IncomingRequest,
        _ now: Circumstances,
        _ transform: Answer.ResponseTransform?
    ) -> Answer {
        if request.hasUnsupportedScheme {
            return unsupportedScheme(request.redacted(by: now.redactor, full: false))
        }
        if now.mode == .live || now.isPaused && now.mode != .never {
            let cause = now.mode == .live ? DecisionLog.Passage.mode(.live) : .pause
            return passThrough(request.redacted(by: now.redactor, full: false), now, cause, transform)
        }
        let needsHeaders = needsHeaders(now, request.light)
        let plain = needsHeaders ? request.full : request.light
        let redacted = request.redacted(by: now.redactor, full: needsHeaders)
        if let cause = passage(of: plain) { return passThrough(redacted, now, cause, transform) }
        if now.isPaused { return refuse(.paused, redacted) }
        switch lookUp(redacted) {
        case .play(let found, let stubber):
            log?.add(.replayed(found, cassette: stubber === self ? nil : stubber.cassetteName), redacted)
            let recorded = found.made()
            // Later requests may contain the secrets of this response.
            if now.containsSecrets || stubber !== self { printFilter.add(recorded.interaction, isKept: false) }
            let prepared = stubber.prepared(recorded, found, now.redactor) {
                request.redacted(by: now.redactor, full: true)
            }
            return play(prepared.part(for: request), transform)
        case .record(let place, let session, let find):
            log?.add(.recorded(find), redacted)
            if let callback = configuration.didBeginRecording { notify { callback(redacted) } }
            return .forward(recording(of: plain, redacted, at: place, in: session), transform: transform)
        case .verify(let verification, let stubber):
            log?.add(.compared(verification.find), redacted)
            return .forward(stubber.recording(of: plain, redacted, for: verification), transform: transform)
        case .miss(let find):
            // A handler of the miss may read the whole request.
            return refuse(reason(of: find), request.redacted(by: redactor, full: true), find)
        case .over, .undecided: return refuse(.testEnded, redacted)
        }
    }

    /// Header fields are expensive, so they are read only if needed.
    private func needsHeaders(_ now: Circumstances, _ request: Interaction.Request) -> Bool {
        now.isRecording || rules.comparesHeaders || configuration.passthrough != nil
            || request.body != nil && rules.comparesBodies || now.comparesCredentials
            || now.outer?.comparesCredentials ?? false
    }

    /// Whether the credentials in header fields decide in this cassette, or in an outer one.
    private var comparesCredentials: Bool {
        let now = state.withLock { Circumstances(&$0) }
        return now.comparesCredentials || now.outer?.comparesCredentials ?? false
    }

    /// Why the configuration lets a request pass through; `nil` if it does not.
    private func passage(of request: Interaction.Request) -> DecisionLog.Passage? {
        if let hosts = rules.passthroughHosts, hosts.contains(URLParts(request.url)) { return .host }
        return configuration.passthrough?(request) == true ? .closure : nil
    }

    private func passThrough(
        _ redacted: Interaction.Request,
        _ now: Circumstances,
        _ cause: DecisionLog.Passage,
        _ transform: Answer.ResponseTransform? = nil
    ) -> Answer {
        if now.forbidsNetwork { return refuse(.networkForbidden, redacted) }
        log?.add(.passedThrough(cause), redacted)
        return .forward(nil, transform: transform)
    }

    /// A request with a scheme of the app that no stub answers fails as without Rewind.
    private func unsupportedScheme(_ request: Interaction.Request) -> Answer {
        log?.add(.unsupportedScheme, request)
        let outcome = Interaction.Outcome.failure(AppScheme.unsupported, after: nil)
        return .play(RecordedInteraction(Interaction(request: request, outcome: outcome), at: 0), timeScale: 0)
    }

    private func play(_ recorded: RecordedInteraction, _ transform: Answer.ResponseTransform?) -> Answer {
        guard let transform else { return .play(recorded, timeScale: rules.timeScale) }
        let (interaction, ownScale) = transform(recorded.interaction, rules.timeScale)
        return .play(RecordedInteraction(interaction, at: recorded.position), timeScale: ownScale)
    }

    // MARK: The cassettes

    private enum Lookup {
        case play(Playback.Found, of: Stubber)
        case record(place: Int, session: UUID, Playback.Find?)
        case verify(Verification, by: Stubber)
        case miss(Playback.Find)
        case over
        /// The closures of matchers are to be called first.
        case undecided
    }

    /// Calls closures of matchers while nothing is locked, and searches again until all are called that the search needs.
    private func lookUp(_ request: Interaction.Request) -> Lookup {
        var verdicts: MatcherVerdicts?
        while true {
            let lookup = lookUp(request, verdicts)
            guard case .undecided = lookup else { return lookup }
            verdicts?.callBack()
            verdicts = verdicts ?? MatcherVerdicts(request)
        }
    }

    /// Finds and takes the interaction of this cassette or an outer one, or reserves a place for a recording.
    private func lookUp(_ request: Interaction.Request, _ verdicts: MatcherVerdicts?) -> Lookup {
        state.withLock { state in
            if state.isEjected { return .over }
            let isPlaying = state.session.isPlaying
            guard
                let find = isPlaying
                    ? state.session.playback.play(request, using: verdicts, explaining: log != nil) : .noMatch
            else { return .undecided }
            if case .found(let found) = find { return lookup(found, request, &state) }
            if let played = state.outer?.played(request, verdicts, explaining: log != nil) {
                if case .undecided = played, isPlaying { state.session.playback.uncountRequest() }
                return played
            }
            if let verification = verification(of: request, find, &state) {
                return .verify(verification, by: self)
            }
            // A request out of order is recorded elsewhere in the cassette, so it is not recorded again.
            if case .outOfOrder = find { return .miss(find) }
            guard state.session.isRecording, !state.isNetworkForbidden else { return .miss(find) }
            return .record(
                place: state.session.recorded.begin(request, pendingWork.begin()),
                session: state.session.id,
                isPlaying && state.session.playback.recorded.count > 0 ? find : nil
            )
        }
    }

    private func lookup(_ found: Playback.Found, _ request: Interaction.Request, _ state: inout State) -> Lookup
    {
        let verification = verification(of: request, .found(found), &state)
        return verification.map { .verify($0, by: self) } ?? .play(found, of: self)
    }

    /// `nil` if the request is not to be verified.
    private func verification(of request: Interaction.Request, _ find: Playback.Find, _ state: inout State)
        -> Verification?
    {
        guard state.session.mode == .verify, state.session.cassetteExists, !state.isNetworkForbidden,
            request.isSafe || configuration.verifiesUnsafeMethods
        else { return nil }
        let place = state.session.recorded.begin(request, pendingWork.begin())
        return Verification(find: find, place: place, session: state.session.id)
    }

    private func played(
        _ request: Interaction.Request,
        _ verdicts: MatcherVerdicts?,
        explaining: Bool
    ) -> Lookup? {
        state.withLock { state in
            let isPlaying = !state.isEjected && state.session.isPlaying
            guard
                let find = isPlaying
                    ? state.session.playback.play(request, using: verdicts, explaining: explaining) : .noMatch
            else { return .undecided }
            if case .found(let found) = find { return lookup(found, request, &state) }
            let played = state.outer?.played(request, verdicts, explaining: explaining)
            if case .undecided = played, isPlaying { state.session.playback.uncountRequest() }
            return played
        }
    }

    private var cassetteName: String { location.current.lastPathComponent }

    /// The answer of an old cassette that was being re-recorded, for a request that cannot reach the network.
    func answerWithoutNetwork(to request: Interaction.Request) -> Interaction? {
        giveUpRenewal()
        var verdicts: MatcherVerdicts?
        while true {
            let find = state.withLock { state -> Playback.Find? in
                guard !state.isEjected, state.session.isPlaying else { return .noMatch }
                return state.session.playback.play(request, using: verdicts)
            }
            if case .found(let found) = find {
                return prepared(found.made(), found, redactor) { request }.interaction
            }
            if find != nil { return nil }
            verdicts?.callBack()
            verdicts = verdicts ?? MatcherVerdicts(request)
        }
    }

    private func giveUpRenewal() {
        while true {
            let session = state.withLock { $0.session }
            guard session.isRenewal, !isEjected else { return }
            let playback = session.playbackOfRecorded
            let isDone = state.withLock { state in
                guard state.session.id == session.id, !state.isEjected else { return true }
                // Another request may have been recorded in between.
                guard state.session.recorded.finishedCount == session.recorded.finishedCount else {
                    return false
                }
                state.session.giveUpRenewal(playing: playback)
                return true
            }
            if isDone { return }
        }
    }
}
