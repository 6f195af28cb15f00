import Foundation

/// The time in which one stubber serves one test: the engine behind every door for people.
package struct CassetteScope: Sendable {
    /// The stubber that serves.
    package let stubber: Stubber
    private let route: Route

    /// Makes the stubber serve the code that ``run(_:)`` runs.
    package init(_ stubber: Stubber) {
        self.stubber = stubber
        route = Route(stubber)
        ActiveRoutes.shared.add(route)
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

    /// Waits until every request is decided about and every recording has its answer, but no longer than the configuration allows.
    package func settle() async {
        let deadline = Date(timeIntervalSinceNow: stubber.configuration.inFlightTimeout)
        while !stubber.isSettled, Date() < deadline {
            try? await Task.sleep(nanoseconds: 2_000_000)
        }
    }

    /// Waits likewise on a thread that has a run loop, which goes on running.
    package func settleRunningLoop() {
        let deadline = Date(timeIntervalSinceNow: stubber.configuration.inFlightTimeout)
        while !stubber.isSettled, Date() < deadline {
            let slice = Date(timeIntervalSinceNow: 0.002)
            if !RunLoop.current.run(mode: .default, before: slice) { Thread.sleep(until: slice) }
        }
    }

    /// Ends the scope: requests are refused from now on, and what was recorded is written.
    /// - Parameter testFailed: Whether the test failed.
    /// - Returns: What the test has to be failed for; nothing when all is well.
    package func end(testFailed: Bool) -> [CassetteScopeProblem] {
        ActiveRoutes.shared.remove(route)
        do {
            return problems(of: try stubber.eject(testFailed: testFailed), testFailed: testFailed)
        } catch {
            return [.unsaved("\(error)")]
        }
    }

    private func problems(of report: EjectReport, testFailed: Bool) -> [CassetteScopeProblem] {
        if let url = report.failedRecording {
            Note.print("the recording of \(stubber.testName ?? "a test") that failed was kept as \(url.path)")
        }
        if let url = report.cassette, url != stubber.location.source {
            Note.print("recorded \(url.path); copy it to the Cassettes folder of the package")
        }
        var problems: [CassetteScopeProblem] = []
        if !report.inFlight.isEmpty { problems.append(.inFlight(report.inFlight)) }
        // What was not played says nothing about a test that ended early or never meant to play.
        let plays = !stubber.isRecording && stubber.mode != .live
        if plays || stubber.mode == .newEpisodes, !testFailed, !report.unplayed.isEmpty {
            let problem = CassetteScopeProblem.unplayed(report.unplayed.map(\.request))
            switch stubber.configuration.unplayed {
            case .ignore: break
            case .warn: Note.print("\(problem)")
            case .fail: problems.append(problem)
            }
        }
        return problems
    }
}

/// What a test is failed for when it ends.
package enum CassetteScopeProblem: Error, CustomStringConvertible, LocalizedError {
    /// Requests had no answer when the time to wait for them was over.
    case inFlight([Request])
    /// The recording could not be written.
    case unsaved(String)
    /// Interactions were not played.
    case unplayed([Request])

    package var description: String {
        switch self {
        case .inFlight(let requests):
            "The test ended while requests were being recorded and had no answer; the cassette was left as it was:"
                + Self.list(requests)
                + "\n  Wait for them in the test, or allow more time with `configuration.inFlightTimeout`."
        case .unsaved(let cause): cause
        case .unplayed(let requests):
            "The test ended and these recorded interactions were not played:" + Self.list(requests)
                + "\n  Re-record the test with REWIND_MODE=all if it no longer needs them."
        }
    }

    package var errorDescription: String? { description }

    private static func list(_ requests: [Request]) -> String {
        requests.map { "\n  \($0)" }.joined()
    }
}
