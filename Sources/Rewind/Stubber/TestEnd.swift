import Foundation

/// What the end of a test found, whichever way it ended.
package struct TestEnd: Sendable {
    package fileprivate(set) var report = EjectReport()
    /// The errors for which the test fails, the most important one first.
    package fileprivate(set) var problems: [any Error] = []

    /// The recordings that were written beside their cassettes.
    fileprivate var failedRecordings: [URL] = []

    /// The cassettes that were recorded for the first time.
    fileprivate var newCassettes: [URL] = []

    /// The line to report a problem at: that of the stub to fix; `nil` for the line of the test.
    package static func sourceLocation(of problem: any Error) -> Stub.SourceLocation? {
        (problem as? StubError)?.sourceLocation ?? (problem as? Stubber.ScopeError)?.sourceLocation
    }
}

extension Stubber {
    /// Ends the stubber: refuses later requests, and writes the recording.
    ///
    /// The end waits for requests in flight, for at most ``Configuration/inFlightTimeout`` seconds. On the main thread, the
    /// run loop keeps running.
    ///
    /// A recording is written to its cassette only if nothing is wrong. If the test failed, a request has no response, a
    /// request got no answer although the cassette has one, or this function throws a ``ScopeError`` or a ``StubError``,
    /// the recording is written beside the cassette as `<name>.failed.har`, and the cassette is not changed. The same
    /// applies to the cassettes that ``insert(_:in:mode:)`` replaced.
    ///
    /// ```swift
    /// do {
    ///     try stubber.eject()
    /// } catch {
    ///     print(error, try stubber.eject().unplayed)   // a second call returns the report
    /// }
    /// ```
    /// - Parameter testFailed: Whether the test failed; `false` by default. Then other problems than those of files are
    ///   printed and not thrown.
    /// - Returns: What was written and what remained. A second call does nothing and returns the report of the first.
    /// - Throws: ``CassetteError`` if a file cannot be written. ``StubError`` if a stub is invalid. ``ScopeError`` for
    ///   requests without a response or an answer, for misses that no code received, and for what the configuration makes
    ///   a failure. Of several problems, the first is thrown and the others are printed.
    @discardableResult
    public func eject(testFailed: Bool = false) throws -> EjectReport {
        settleRunningLoop()
        let end = end(testFailed: testFailed)
        try fail(for: end, testFailed: testFailed)
        return end.report
    }

    /// Prints where the recordings are that the user does not know yet.
    package func noteRecordings(of end: TestEnd) {
        for url in end.newCassettes where configuration.notesNewCassettes {
            Note.print("recorded the new cassette \(url.displayPath); commit it")
        }
        for url in end.failedRecordings {
            Note.print("kept the recording of \(testName ?? "a test"), which failed, as \(url.path)")
        }
    }

    /// Throws the first problem and prints the others. After a failure, only problems of files are thrown.
    package func fail(for end: TestEnd, testFailed: Bool) throws {
        noteRecordings(of: end)
        var problems = end.problems
        let position = problems.firstIndex { !testFailed || $0 is CassetteError }
        let first = position.map { problems.remove(at: $0) }
        for problem in problems { Note.print("\(problem)") }
        if let first { throw first }
    }

    /// Ends the stubber without waiting: every way to end a test calls this, so that all are judged by the same rules.
    ///
    /// Only the first call has an effect. Later ones return its report and no problems.
    /// - Parameters:
    ///   - testFailed: Whether the test failed.
    ///   - warn: Receives drift that is not a failure. Other warnings are printed.
    /// - Returns: What was written, and the problems for which the test fails.
    package func end(
        testFailed: Bool,
        warn: (ScopeError) -> Void = { Note.print("\($0)") }
    ) -> TestEnd {
        let final = state.withLock { state -> State? in
            guard !state.isEjected else { return nil }
            state.isEjected = true
            state.outer = nil
            defer { (state.whenEnded, state.misses) = ([:], []) }
            return state
        }
        guard let final else { return TestEnd(report: state.withLock { $0.report }) }
        for act in final.whenEnded.values { act() }
        let uses = final.replaced.map(\.use) + [final.use]
        defer { for use in uses { use?.end() } }
        var end = TestEnd(report: EjectReport(final.session, self))
        end.report.unusedStubs = final.stubs?.unused ?? []
        end.report.stubErrors = final.stubs?.problems ?? []
        end.report.replacedCassettes = final.replaced.map { EjectReport($0.session, self) }
        var errors = self.errors(of: end.report, final.misses, testFailed: testFailed, warn)
        // The errors of a failed test say what is wrong, and its recordings change no cassette anyway.
        if !testFailed {
            let sessions = final.replaced.map(\.session) + [final.session]
            errors += sessions.compactMap { $0.unansweredRequests(self) }
        }
        // Before the recording is written, because the recording of a failed test changes no cassette.
        let isGood = !testFailed && errors.isEmpty
        var fileErrors: [any Error] = []
        func write(_ session: CassetteSession, _ report: inout EjectReport) {
            do {
                try self.write(session, isGood: isGood, &report)
            } catch {
                fileErrors.append(error)
            }
        }
        // One cassette that cannot be written does not prevent the others from being written.
        for (index, replaced) in final.replaced.enumerated() {
            write(replaced.session, &end.report.replacedCassettes[index])
        }
        write(final.session, &end.report)
        let reports = end.report.replacedCassettes + [end.report]
        end.failedRecordings = reports.compactMap(\.failedRecording)
        end.newCassettes = reports.filter(\.isFirstRecording).compactMap(\.cassetteURL)
        end.report.drift = end.report.replacedCassettes.flatMap(\.drift) + end.report.drift
        let misses = errors.prefix { ($0 as? ScopeError)?.isMiss == true }
        end.problems = misses + fileErrors + errors.dropFirst(misses.count)
        state.withLock { [report = end.report] in $0.report = report }
        return end
    }

    // MARK: The rules

    /// The errors for which the test fails. Warnings are printed.
    private func errors(
        of report: EjectReport,
        _ misses: [Miss],
        testFailed: Bool,
        _ warn: (ScopeError) -> Void
    ) -> [any Error] {
        let reports = report.replacedCassettes + [report]
        var errors: [any Error] = []
        func judge(
            _ policy: Configuration.Severity,
            _ error: ScopeError,
            _ warn: (ScopeError) -> Void = { Note.print("\($0)") }
        ) {
            switch policy {
            case .ignore: break
            case .warn: warn(error)
            case .fail: errors.append(error)
            }
        }
        if !misses.isEmpty { errors.append(ScopeError.misses(misses)) }
        let drift = reports.flatMap(\.drift)
        if !drift.isEmpty { judge(configuration.drift, .drift(drift), warn) }
        errors += report.stubErrors
        let inFlight = reports.flatMap(\.requestsInFlight)
        if !inFlight.isEmpty { errors.append(ScopeError.requestsInFlight(inFlight)) }
        // A test that failed earlier may not have come as far as this.
        guard !testFailed else { return errors }
        for problem in reports.compactMap(\.ageProblem) { errors.append(ScopeError.cassetteTooOld(problem)) }
        if !report.unusedStubs.isEmpty { judge(configuration.unusedStubs, .unusedStubs(report.unusedStubs)) }
        for policy in [Configuration.Severity.warn, .fail] {
            let unplayed = reports.filter { $0.unplayedPolicy == policy }.flatMap(\.unplayed)
            guard !unplayed.isEmpty else { continue }
            judge(policy, .unplayedInteractions(unplayed.map { printable($0.request) }))
        }
        return errors
    }

    // MARK: Waiting

    /// Waits on the calling thread until each request has a decision and each recording a response, at most as long as the
    /// configuration allows. A run loop of the thread keeps running.
    package func settleRunningLoop() { settleRunningLoop(before: inFlightDeadline) }

    package var inFlightDeadline: Deadline { Deadline(after: configuration.inFlightTimeout) }

    func settleRunningLoop(before deadline: Deadline) {
        // A callback is itself something to wait for.
        guard Self.callingBack != ObjectIdentifier(self) else { return }
        // Only the main run loop can be woken from another thread, and not during a block of the main queue.
        let longest = 0.01
        pendingWork.wait(before: deadline) { rest in
            RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: min(rest, longest)))
        }
    }
}
