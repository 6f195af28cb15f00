import Foundation

/// The closure of a sweep.
struct SweepBody: @unchecked Sendable {
    // Sound as @unchecked Sendable: the sweep runs it once at a time. Only a run that ignores its cancellation goes on
    // beside the next one, and it has failed its variation by then.
    let run: (Stubber.Variation) async throws -> Void
}

/// What happened in one run of the closure.
struct SweepOutcome: Sendable {
    fileprivate(set) var played: [Int] = []
    /// What the closure threw.
    fileprivate(set) var error: (any Error)?
    fileprivate(set) var failedExpectations: [String] = []
    /// The time limit, if the closure did not end within it.
    fileprivate(set) var exceededLimit: Duration?
    fileprivate(set) var duration = Duration.zero
    fileprivate(set) var misses: [Miss] = []

    /// The result for the report, which is the same in every run.
    var result: String {
        if exceededLimit != nil { return "time limit" }
        if !failedExpectations.isEmpty { return "expectation failed" }
        return error.map(Self.name) ?? SweepResults.held
    }

    /// The type of an error and its case, without associated values.
    private static func name(of error: any Error) -> String {
        if let error = error as? URLError { return "URLError \(error.errorCode)" }
        let type = "\(type(of: error))"
        if type == "NSError" { return "\((error as NSError).domain) \((error as NSError).code)" }
        let mirror = Mirror(reflecting: error)
        guard mirror.displayStyle == .enum else { return type }
        if let label = mirror.children.first?.label { return "\(type).\(label)" }
        // A case without values is described by its name, unless the type describes itself.
        let text = "\(error)"
        return text.allSatisfy { $0.isLetter || $0.isNumber } ? "\(type).\(text)" : type
    }

    /// What failed, for a person; `nil` if the test holds.
    var reason: String? {
        var parts = failedExpectations
        if let exceededLimit { parts.append("it did not end within \(exceededLimit)") }
        // A failed requirement throws an error that says less than its expectation.
        if parts.isEmpty, let error { parts.append("it threw \(Self.name(of: error)): \(error)") }
        guard !parts.isEmpty else { return nil }
        for miss in misses { parts.append("before, the cassette had no answer to \(miss.request)") }
        return parts.joined(separator: "\n")
    }

    /// The result of a changed field. If its value leads to another request, nobody knows whether the app accepts it.
    var resultOfField: String {
        misses.isEmpty || exceededLimit != nil || !failedExpectations.isEmpty ? result : "other request"
    }

    /// The first miss, which fails the unchanged conversation.
    var miss: String? { misses.first?.description }
}

/// One run of the closure on a conversation.
struct SweepTrial: Sendable {
    let variation: Stubber.Variation
    private let scope: CassetteScope
    private let tests: [Stubber]
    private let timeLimit: Duration
    private let arrivals: (clock: ArrivalClock, turns: Int)?
    private let failures = Locked<[String]>([])
    private let crashText: String

    /// - Parameters:
    ///   - planned: The change.
    ///   - stubber: The stubber of the test.
    ///   - timeLimit: The longest time of the run.
    ///   - command: The command that runs this variation again.
    init(of planned: PlannedVariation, _ stubber: Stubber, timeLimit: Duration, command: String) {
        variation = planned.variation
        crashText =
            "Rewind: the process crashed in \(variation.id), \(variation); run only this variation again:\n  \(command)\n"
        self.timeLimit = timeLimit
        var configuration = stubber.configuration
        configuration.requestMatchingFailed = nil
        (configuration.unplayed, configuration.unusedStubs) = (.ignore, .ignore)
        configuration.inFlightTimeout = min(configuration.inFlightTimeout, timeLimit / .seconds(1))
        if !planned.variation.isUnchanged {
            configuration.missesAreUnavailable = true
            // After a fault, the app may leave out requests and repeat one, and the server is still in the same state.
            configuration.order = .perRequest
            if configuration.repeats == .never { configuration.repeats = .last }
        }
        arrivals = planned.turns > 0 ? (ArrivalClock(), planned.turns) : nil
        let factor = configuration.timing.factor
        if planned.takesTime {
            configuration.timing = .recorded
            configuration.clock = arrivals?.clock ?? configuration.clock ?? PlaybackClock(advancesItself: true)
        }
        let list = VariedInteractions(recorded: stubber.state.withLock { $0.session }.interactions) {
            if let changed = planned.change($0, $1) { return changed }
            guard planned.takesTime else { return $1 }
            var scaled = $1
            scaled.scaleTimes(by: factor)
            return scaled
        }
        scope = CassetteScope(
            inPlaceOfRunning: Stubber(replaying: list, inPlaceOf: stubber, configuration)
        )
        tests = Array(sequence(first: stubber) { stubber in stubber.state.withLock { $0.outer } })
    }

    func run(_ body: SweepBody) async -> SweepOutcome {
        collectFailures()
        let note = variation.isUnchanged ? nil : CrashNote(crashText)
        defer { note?.remove() }
        let arrivals = beginArrivals()
        var outcome = await scope.run { await ended(body) }
        arrivals?.cancel()
        await scope.settle()
        end(&outcome)
        return outcome
    }

    /// Runs a closure that cannot be interrupted.
    func run(_ body: (Stubber.Variation) throws -> Void) -> SweepOutcome {
        collectFailures()
        let note = variation.isUnchanged ? nil : CrashNote(crashText)
        defer { note?.remove() }
        let arrivals = beginArrivals()
        let start = ContinuousClock.now
        var outcome = SweepOutcome()
        do { try scope.run { try body(variation) } } catch { outcome.error = error }
        outcome.duration = start.duration(to: .now)
        if outcome.duration > timeLimit { outcome.exceededLimit = timeLimit }
        arrivals?.cancel()
        scope.settleRunningLoop()
        end(&outcome)
        return outcome
    }

    private func beginArrivals() -> Task<Void, Never>? {
        arrivals.map { arrivals in
            Task { [stubber = scope.stubber] in await arrivals.clock.run(turns: arrivals.turns, of: stubber) }
        }
    }

    /// How long a closure that was cancelled may take to end.
    private static let patience = Duration.seconds(1)

    private struct Run: Sendable {
        var continuation: CheckedContinuation<SweepOutcome, Never>?
        var outcome = SweepOutcome()
    }

    /// Runs the closure until it ends. After the time limit it is cancelled, and no longer awaited if it ignores that.
    private func ended(_ body: SweepBody) async -> SweepOutcome {
        let task = Task { [variation] in try await body.run(variation) }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let run = Locked(Run(continuation: continuation))
                let end: @Sendable ((any Error)?) -> Void = { error in
                    let ended = run.withLock { run in
                        defer { run.continuation = nil }
                        return run
                    }
                    var outcome = ended.outcome
                    outcome.error = error
                    ended.continuation?.resume(returning: outcome)
                }
                Task {
                    do {
                        try await task.value
                        end(nil)
                    } catch { end(error) }
                }
                Task {
                    guard await Self.isRunning(run, after: timeLimit) else { return }
                    run.withLock { $0.outcome.exceededLimit = timeLimit }
                    task.cancel()
                    if await Self.isRunning(run, after: Self.patience) { end(nil) }
                }
            }
        } onCancel: {
            task.cancel()
        }
    }

    /// Waits in short steps until a run ends or has had its time.
    ///
    /// If the closure's tasks wait for a thread, because a suite runs hundreds of tests at once, so do these steps.
    private static func isRunning(_ run: Locked<Run>, after limit: Duration) async -> Bool {
        let step = min(.milliseconds(10), max(.microseconds(100), limit / 100))
        var passed = Duration.zero
        while passed < limit, run.withLock({ $0.continuation != nil }) {
            try? await Task.sleep(for: step)
            passed += step
            run.withLock { $0.outcome.duration += step }
        }
        return run.withLock { $0.continuation != nil }
    }

    // MARK: Failures

    private func collectFailures() {
        let take: @Sendable (String) -> Void = { [failures] text in failures.withLock { $0.append(text) } }
        for stubber in tests { stubber.state.withLock { $0.takeFailure = take } }
    }

    private func end(_ outcome: inout SweepOutcome) {
        let stubber = scope.stubber
        outcome.played = stubber.state.withLock { $0.session.playback.playedPositions }
        outcome.misses = stubber.takeMisses()
        let problems = scope.end(testFailed: true)
        for stubber in tests { stubber.state.withLock { $0.takeFailure = nil } }
        outcome.failedExpectations = failures.withLock { $0 } + problems.map { "\($0)" }
    }
}
