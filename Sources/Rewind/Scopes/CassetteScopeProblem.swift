import Foundation

/// What a test is failed for when it ends.
package enum CassetteScopeProblem: Error, CustomStringConvertible, LocalizedError {
    /// Requests had no answer when the time to wait for them was over.
    case inFlight([Request])
    case unsaved(String)
    case unplayed([Request])
    case brokenStub(StubProblem)
    case unusedStubs([Stub])
    case tooOld(String)
    case drifted(DriftFound)

    package var description: String {
        switch self {
        case .inFlight(let requests):
            "The test ended while requests to the network had no answer; the cassette was left as it was:"
                + Self.list(requests)
                + "\n  Wait for them in the test, or allow more time with `configuration.inFlightTimeout`."
        case .unsaved(let cause): cause
        case .unplayed(let requests):
            "The test ended and these recorded interactions were not played:" + Self.list(requests)
                + "\n  Re-record the test with REWIND_MODE=all if it no longer needs them."
        case .brokenStub(let problem): "\(problem)"
        case .unusedStubs(let stubs):
            "The test ended and no request was for these stubs:" + Self.list(stubs)
                + "\n  Remove those that the test no longer needs."
        case .tooOld(let problem):
            "Too old: \(problem), and `configuration.maxAge` allows less.\n  Record it anew with REWIND_MODE=all."
        case .drifted(let found): "\(found)"
        }
    }

    /// The line of the test to fix, where it is not the test's own.
    package var place: StubPlace? {
        switch self {
        case .brokenStub(let problem): problem.place
        case .unusedStubs(let stubs): stubs.first?.place
        case .inFlight, .unsaved, .unplayed, .tooOld, .drifted: nil
        }
    }

    package var errorDescription: String? { description }

    /// A line for each, of very many only for the first.
    private static func list(_ elements: [some CustomStringConvertible]) -> String {
        let shown = elements.prefix(20).map { "\n  \($0)" }.joined()
        return elements.count > 20 ? shown + "\n  and \(elements.count - 20) more" : shown
    }
}

extension CassetteScope {
    func problems(of report: EjectReport, testFailed: Bool) -> [CassetteScopeProblem] {
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

    func drift(of report: EjectReport, _ warn: (CassetteScopeProblem) -> Void) -> [CassetteScopeProblem] {
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
