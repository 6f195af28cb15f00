import Foundation

/// A live request in flight, whose response is recorded, or compared with a recorded one.
package final class Recording: Sendable {
    package let startedAt: Date
    package let isKept: Bool
    private let request: Interaction.Request
    private let callBack: CallBack?
    private let end: @Sendable (Interaction) -> Void
    private let takesLong: @Sendable (Int) -> Bool
    private let unreachable: @Sendable () -> Interaction?
    private let isOver = Locked(false)

    /// Runs code of the test on a thread of its own.
    package typealias CallBack = @Sendable (_ work: @escaping @Sendable () -> Void) -> Void

    package init(
        of request: Interaction.Request,
        startedAt: Date = WallClock.current.now(),
        isKept: Bool = true,
        callingBack callBack: CallBack? = nil,
        takesLong: @escaping @Sendable (_ size: Int) -> Bool = { _ in true },
        end: @escaping @Sendable (Interaction) -> Void,
        unreachable: @escaping @Sendable () -> Interaction? = { nil }
    ) {
        self.request = request
        self.startedAt = startedAt
        self.isKept = isKept
        self.callBack = callBack
        self.end = end
        self.takesLong = takesLong
        self.unreachable = unreachable
    }

    /// The interaction to replay because the network could not be reached. Nothing is recorded then.
    package func replacement(for failure: Interaction.Failure) -> Interaction? {
        guard failure.meansUnreachable, let interaction = unreachable() else { return nil }
        isOver.withLock { $0 = true }
        return interaction
    }

    /// Whether recording the outcome calls code of the test.
    var hasCallbacks: Bool { callBack != nil }

    /// Whether it may take long to record an outcome with a body of this size.
    func takesLong(for size: Int) -> Bool { takesLong(size + (request.body?.count ?? 0)) }

    /// Records the outcome; only the first call counts. If that calls code of the test, it may happen a moment later.
    package func finish(_ outcome: Interaction.Outcome, timing: Interaction.Timing) {
        let isFirst = isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
        guard isFirst else { return }
        let interaction = Interaction(
            request: request,
            outcome: outcome,
            startedAt: startedAt,
            timing: timing
        )
        guard let callBack else { return end(interaction) }
        callBack { [end] in end(interaction) }
    }
}

/// The interactions recorded so far, in the order of their requests, so that two recordings of one test are equal.
struct RecordedSequence: Sendable {
    private enum Entry: Sendable {
        /// There is no response yet. The end of the test waits for the token.
        case inFlight(Interaction.Request, PendingWork.Token)
        case finished(Interaction)
        /// Not saved. An interaction that `beforeRecord` dropped tells whether its request got an answer.
        case dropped(Interaction?)
    }

    private var entries: [Entry] = []

    mutating func begin(_ request: Interaction.Request, _ pending: PendingWork.Token) -> Int {
        entries.append(.inFlight(request, pending))
        return entries.count - 1
    }

    /// Stores an interaction at the place of its request, or nothing if it is dropped.
    mutating func finish(_ interaction: Interaction?, insteadOf dropped: Interaction? = nil, at place: Int) {
        guard entries.indices.contains(place), case .inFlight = entries[place] else { return }
        entries[place] = interaction.map(Entry.finished) ?? .dropped(dropped)
    }

    /// The number of requests so far, with and without a response.
    var count: Int { entries.count }

    var finishedCount: Int { entries.count { if case .finished = $0 { true } else { false } } }

    var inFlight: [Interaction.Request] {
        entries.compactMap { if case .inFlight(let request, _) = $0 { request } else { nil } }
    }

    var finished: [Interaction] {
        entries.compactMap { if case .finished(let interaction) = $0 { interaction } else { nil } }
    }

    /// The interactions by which it is judged whether each request got an answer: also the dropped failures.
    var judged: [Interaction] {
        entries.compactMap { entry in
            switch entry {
            case .finished(let interaction), .dropped(let interaction?): interaction
            case .inFlight, .dropped(nil): nil
            }
        }
    }
}

/// A request that mode `verify` sends to the network, and the recorded interaction to compare with.
struct Verification: Sendable {
    let find: Playback.Find
    let place: Int
    let session: UUID
}

extension Stubber {
    /// `nil` if recording an outcome calls no code of the test.
    private var callBackOfRecordings: Recording.CallBack? {
        guard rules.hasCallbacks || configuration.beforeRecord != nil else { return nil }
        return { [weak self] work in
            if let self { callBack(work) } else { CallbackThreads.shared.perform(work) }
        }
    }

    func recording(
        of full: Interaction.Request,
        _ redacted: Interaction.Request,
        at place: Int,
        in session: UUID
    ) -> Recording {
        Recording(
            of: full,
            startedAt: clock.now(),
            callingBack: callBackOfRecordings,
            takesLong: { [state, isReported = configuration.didEndRecording != nil] size in
                isReported || state.withLock { $0.session.journal }?.isBehind(adding: size) ?? false
            }
        ) {
            [weak self, state, configuration, pendingWork, printFilter] interaction in
            // The end of the test also waits for the callback below.
            let pending = pendingWork.begin()
            defer { pending.end() }
            printFilter.add(interaction, isKept: true)
            let kept = configuration.beforeRecord.map { $0(interaction) } ?? interaction
            let journal = state.withLock {
                $0.session.id == session && !$0.isEjected ? $0.session.journal : nil
            }
            if let kept { journal?.add(kept, at: place) }
            let redactor = state.withLock { state -> Redactor? in
                guard !state.isEjected, state.session.id == session else { return nil }
                let dropped = kept == nil && interaction.failure != nil ? interaction : nil
                state.session.recorded.finish(kept, insteadOf: dropped, at: place)
                return state.session.redactor
            }
            guard let redactor, let kept, let callback = configuration.didEndRecording else { return }
            let redacted = redactor.redact(kept)
            self?.notify { callback(redacted) }
        } unreachable: { [weak self] in
            self?.answerWithoutNetwork(to: redacted)
        }
    }

    func recording(
        of full: Interaction.Request,
        _ redacted: Interaction.Request,
        for verification: Verification
    ) -> Recording {
        Recording(of: full, startedAt: clock.now(), isKept: false, callingBack: callBackOfRecordings) {
            [state, configuration, printFilter] live in
            printFilter.add(live, isKept: false)
            let redactor = state.withLock { $0.session.redactor }
            let entry = verification.entry(for: redacted, answered: live, configuration, redactor)
            state.withLock { state in
                guard !state.isEjected, state.session.id == verification.session else { return }
                state.session.recorded.finish(nil, at: verification.place)
                if let entry { state.session.drifted.append(entry) }
            }
        }
    }
}

extension Verification {
    /// `nil` if the live response does not differ from the recorded one.
    fileprivate func entry(
        for request: Interaction.Request,
        answered live: Interaction,
        _ configuration: Stubber.Configuration,
        _ redactor: Redactor
    ) -> DriftReport.Entry? {
        // A cancelled request says nothing about the API, and a dropped interaction cannot be missing.
        guard live.failure?.isCancellation != true,
            let kept = configuration.beforeRecord.map({ $0(live) }) ?? live
        else { return nil }
        // Needed even if nobody reads the result: later requests may contain a secret that this response issues.
        let outcome = redactor.redact(kept).outcome
        switch find {
        case .found(let found):
            let drifts = Drift.between(found.made().interaction.outcome, outcome)
            guard !drifts.isEmpty else { return nil }
            return DriftReport.Entry(number: found.position + 1, request: request, drifts: drifts)
        case .noMatch, .allPlayed, .outOfOrder:
            let drift = Drift(.unrecorded, "request", recorded: reason)
            return DriftReport.Entry(number: nil, request: request, drifts: [drift])
        }
    }

    /// Why the cassette does not answer, unless it has no recording at all.
    private var reason: String? {
        switch find {
        case .found, .noMatch: nil
        case .allPlayed(let positions):
            "recorded \(positions.count == 1 ? "once" : "\(positions.count) times"), but requested again"
        case .outOfOrder(let due): "out of order: #\(due + 1) is next"
        }
    }
}

extension Interaction.Failure {
    fileprivate var meansUnreachable: Bool {
        let codes = [
            NSURLErrorNotConnectedToInternet, NSURLErrorCannotFindHost, NSURLErrorDNSLookupFailed,
            NSURLErrorCannotConnectToHost,
        ]
        return domain == NSURLErrorDomain && codes.contains(code)
    }
}
