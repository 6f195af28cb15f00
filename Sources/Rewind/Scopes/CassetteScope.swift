import Foundation

/// The time in which one stubber serves one test: the engine behind every door for people.
package struct CassetteScope: Sendable {
    /// The stubber that serves.
    package let stubber: Stubber
    private let route: Route

    /// Makes the stubber serve the code that ``run(_:)`` runs.
    ///
    /// Inside another scope, that one's cassette plays what this one's has no answer to.
    /// - Throws: ``CassetteInUse`` when the cassette is being recorded elsewhere in this process.
    package init(_ stubber: Stubber) throws {
        try stubber.claimCassette()
        self.stubber = stubber
        let outer = Route.current
        stubber.nest(in: outer?.stubber)
        route = Route(stubber)
        ActiveRoutes.shared.add(route, within: outer)
    }

    /// Runs code whose requests, and those of the tasks it starts, the stubber decides about.
    package func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Route.$current.withValue(route, operation: body)
    }

    /// Runs code whose requests, and those of the tasks it starts, the stubber decides about.
    package func run<Result>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await Route.$current.withValue(route, operation: body)
    }

    /// Makes a stubber serve code, waits for what is in flight, and ends the scope.
    ///
    /// Nothing that may throw stands between the scope and its end.
    /// - Throws: What the code throws, or the first problem that the end brings up.
    package static func serve<Result>(_ stubber: Stubber, _ body: () throws -> Result) throws -> Result {
        let scope = try CassetteScope(stubber)
        let result: Result
        do {
            result = try scope.run(body)
        } catch {
            scope.settleRunningLoop()
            scope.endFailed()
            throw error
        }
        scope.settleRunningLoop()
        if let problem = scope.endWell() { throw problem }
        return result
    }

    /// Makes a stubber serve code, waits for what is in flight, and ends the scope.
    /// - Throws: What the code throws, or the first problem that the end brings up.
    package static func serve<Result>(
        _ stubber: Stubber,
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async throws -> Result {
        let scope = try CassetteScope(stubber)
        let result: Result
        do {
            result = try await scope.run(body)
        } catch {
            await scope.settle()
            scope.endFailed()
            throw error
        }
        await scope.settle()
        if let problem = scope.endWell() { throw problem }
        return result
    }

    /// Waits until every request is decided about and every recording has its answer, but no longer than the configuration allows.
    package func settle() async {
        let deadline = Deadline(after: stubber.configuration.inFlightTimeout)
        while !stubber.isSettled, !deadline.isOver {
            // A task that was cancelled would not sleep, but what is in flight has to be waited for all the same.
            await withCheckedContinuation { continuation in
                DispatchQueue.global().asyncAfter(deadline: .now() + 0.002) { continuation.resume() }
            }
        }
    }

    /// Waits likewise on a thread that has a run loop, which goes on running.
    package func settleRunningLoop() {
        let deadline = Deadline(after: stubber.configuration.inFlightTimeout)
        while !stubber.isSettled, !deadline.isOver {
            let slice = 0.002
            if !RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: slice)) {
                Thread.sleep(forTimeInterval: slice)
            }
        }
    }

    /// Waits until everybody was told of what has happened so far, for a second at most.
    package func settleNotices() {
        let deadline = Deadline(after: 1)
        while !stubber.hasToldAll, !deadline.isOver { Thread.sleep(forTimeInterval: 0.001) }
    }

    /// Ends the scope: requests are refused from now on, and what was recorded is written.
    /// - Parameters:
    ///   - testFailed: Whether the test failed.
    ///   - warn: Tells of drift that is no failure; a note on standard error by default.
    /// - Returns: What the test has to be failed for; nothing when all is well.
    package func end(
        testFailed: Bool,
        warn: (CassetteScopeProblem) -> Void = { Note.print("\($0)") }
    ) -> [CassetteScopeProblem] {
        ActiveRoutes.shared.remove(route)
        do {
            let report = try stubber.end(testFailed: testFailed)
            return drift(of: report, warn) + problems(of: report, testFailed: testFailed)
        } catch {
            return [.unsaved("\(error)")]
        }
    }

    /// Ends the scope of code that went well.
    /// - Throws: The first problem that the end brings up; the others are printed.
    package func finish() throws {
        if let problem = endWell() { throw problem }
    }

    /// Ends the scope of code that went well, and prints all problems but the first, which is the caller's to throw.
    private func endWell() -> CassetteScopeProblem? {
        let problems = end(testFailed: false)
        for problem in problems.dropFirst() { Note.print("\(problem)") }
        return problems.first
    }

    /// Ends the scope of code that failed, whose own error is the one to be thrown.
    private func endFailed() {
        for problem in end(testFailed: true) { Note.print("\(problem)") }
    }

    private func problems(of report: EjectReport, testFailed: Bool) -> [CassetteScopeProblem] {
        if let url = report.failedRecording {
            Note.print("the recording of \(stubber.testName ?? "a test") that failed was kept as \(url.path)")
        }
        var problems = report.stubProblems.map(CassetteScopeProblem.brokenStub)
        if !report.inFlight.isEmpty { problems.append(.inFlight(report.inFlight)) }
        if let age = report.ageProblem, !testFailed { problems.append(.tooOld(age)) }
        if !report.unusedStubs.isEmpty, !testFailed {
            problems += followed(stubber.configuration.unusedStubs, .unusedStubs(report.unusedStubs))
        }
        // Who verifies a cassette wants to know what was not verified.
        let isVerifying = stubber.mode == .verify && stubber.configuration.unplayed == .ignore
        let unplayed = isVerifying ? .warn : stubber.configuration.unplayed
        // What was not played says nothing about a test that ended early or never meant to play.
        let plays = !stubber.isRecording && stubber.mode != .live
        let isAsked = unplayed != .ignore && !testFailed
        if plays || stubber.mode == .newEpisodes, isAsked, !report.unplayed.isEmpty {
            let problem = CassetteScopeProblem.unplayed(report.unplayed.map(\.request))
            problems += followed(unplayed, problem)
        }
        return problems
    }

    /// What is to be told of drift, which may be why a test failed.
    private func drift(
        of report: EjectReport,
        _ warn: (CassetteScopeProblem) -> Void
    ) -> [CassetteScopeProblem] {
        guard !report.drift.isEmpty else { return [] }
        let problem = CassetteScopeProblem.drifted(DriftFound(reports: report.drift))
        switch stubber.configuration.drift {
        case .ignore: return []
        case .warn:
            warn(problem)
            return []
        case .fail: return [problem]
        }
    }

    private func followed(
        _ policy: Configuration.Severity,
        _ problem: CassetteScopeProblem
    ) -> [CassetteScopeProblem] {
        switch policy {
        case .ignore: return []
        case .warn:
            Note.print("\(problem)")
            return []
        case .fail: return [problem]
        }
    }
}
