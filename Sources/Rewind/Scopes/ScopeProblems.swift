import Foundation

extension CassetteScope {
    /// The errors for which a test that ended fails. Warnings are printed.
    func problems(of report: EjectReport, testFailed: Bool) -> [any Error] {
        if let url = report.failedRecording {
            Note.print("kept the recording of \(stubber.testName ?? "a test"), which failed, as \(url.path)")
        }
        var problems: [any Error] = report.stubErrors
        if !report.requestsInFlight.isEmpty {
            problems.append(Stubber.ScopeError.requestsInFlight(report.requestsInFlight))
        }
        if let age = report.ageProblem, !testFailed { problems.append(Stubber.ScopeError.cassetteTooOld(age)) }
        if !report.unusedStubs.isEmpty, !testFailed {
            problems += followed(stubber.configuration.unusedStubs, .unusedStubs(report.unusedStubs))
        }
        // Verifying should say what it did not verify.
        let isVerifying = stubber.mode == .verify && stubber.configuration.unplayed == .ignore
        let unplayed = isVerifying ? .warn : stubber.configuration.unplayed
        // A test that ended early, or that records, leaves interactions unplayed for another reason.
        let plays = !stubber.isRecording && stubber.mode != .live
        if plays || stubber.mode == .newEpisodes, unplayed != .ignore, !testFailed, !report.unplayed.isEmpty {
            problems += followed(
                unplayed,
                .unplayedInteractions(report.unplayed.map { stubber.printable($0.request) })
            )
        }
        return problems
    }

    /// The line to report a problem at: that of the stub to fix; `nil` for the line of the test.
    package static func sourceLocation(of problem: any Error) -> Stub.SourceLocation? {
        (problem as? StubError)?.sourceLocation ?? (problem as? Stubber.ScopeError)?.sourceLocation
    }

    func drift(of report: EjectReport, _ warn: (Stubber.ScopeError) -> Void) -> [any Error] {
        guard !report.drift.isEmpty else { return [] }
        let error = Stubber.ScopeError.drift(report.drift)
        switch stubber.configuration.drift {
        case .ignore: return []
        case .warn:
            warn(error)
            return []
        case .fail: return [error]
        }
    }

    private func followed(_ policy: Stubber.Configuration.Severity, _ error: Stubber.ScopeError) -> [any Error]
    {
        switch policy {
        case .ignore: return []
        case .warn:
            Note.print("\(error)")
            return []
        case .fail: return [error]
        }
    }
}
