import Foundation

extension Stubber {
    /// The reason why a test or a scope that ran without an error of its own still fails at its end.
    ///
    /// ``withCassette(_:in:mode:configuration:filePath:_:)``, ``withStubs(configuration:testName:_:)`` and
    /// ``Stubber/eject(testFailed:)`` throw it. The test case and the traits report it at the test.
    public enum ScopeError: Error, Sendable {
        /// Nothing answered these requests, and no code received their misses.
        ///
        /// ``Configuration/requestMatchingFailed`` and ``Stubber/takeMisses()`` receive misses.
        case misses([Miss])
        /// Requests had no response when ``Configuration/inFlightTimeout`` was over.
        case requestsInFlight([Interaction.Request])
        /// These requests failed, and the cassette with this path has answers to them. It was not changed.
        case lostAnswers([Interaction], cassettePath: String)
        /// These requests failed, and no other request got an answer, so the cassette with this path was not written.
        case noAnswers([Interaction], cassettePath: String)
        /// Recorded interactions were not played, and ``Configuration/unplayed`` is `fail`.
        case unplayedInteractions([Interaction.Request])
        /// No request matched these stubs, and ``Configuration/unusedStubs`` is `fail`.
        case unusedStubs([Stub])
        /// The cassette is older than ``Configuration/maxAge``.
        case cassetteTooOld(String)
        /// Live responses differ from the recorded ones, and ``Configuration/drift`` is `fail`.
        case drift([DriftReport])
    }
}

extension Stubber.ScopeError: LocalizedError, CustomStringConvertible {
    /// What happened, to which requests or stubs, and the fix.
    public var description: String { message }

    /// What happened, and to which requests or stubs.
    public var errorDescription: String? {
        switch self {
        case .misses(let misses): Self.diagnoses(of: misses)
        case .requestsInFlight(let requests):
            "These requests had no response in time, so the cassette was not changed:"
                + Self.list(requests)
        case .lostAnswers(let interactions, let path):
            "These requests got no answer, but the cassette \(path) has one, so it was not changed:"
                + Self.list(interactions.map { "\($0.request): \($0.causeOfNoAnswer)" })
        case .noAnswers(let interactions, let path):
            "No request got an answer, so nothing was recorded to \(path):"
                + Self.list(interactions.map { "\($0.request): \($0.causeOfNoAnswer)" })
        case .unplayedInteractions(let requests):
            "The test ended without playing these recorded interactions:" + Self.list(requests)
        case .unusedStubs(let stubs):
            "The test ended and no request matched these stubs:" + Self.list(stubs)
        case .cassetteTooOld(let problem): "\(problem), which is older than `configuration.maxAge` allows."
        case .drift(let reports): reports.map(\.description).joined(separator: "\n")
        }
    }

    /// How to fix it.
    public var recoverySuggestion: String? {
        switch self {
        case .misses:
            "If the test expects this, receive it with `stubber.takeMisses()` or `configuration.requestMatchingFailed`."
        case .requestsInFlight:
            "Wait for them in the test, or increase `configuration.inFlightTimeout`."
        case .lostAnswers:
            "Make sure that the server is reachable, and record again. If these errors are expected now, delete the"
                + " cassette first."
        case .noAnswers(_, let path):
            // The command that records again follows the last sentence.
            "To keep the errors as the recording, rename \(Self.failedRecording(of: path)) to"
                + " \((path as NSString).lastPathComponent). Otherwise, make sure that the server is reachable, and"
                + " record again."
        case .unplayedInteractions: "If the test no longer needs them, re-record it with REWIND_MODE=all."
        case .unusedStubs: "Remove the stubs that the test no longer needs."
        case .cassetteTooOld: "Re-record the test with REWIND_MODE=all."
        case .drift(let reports):
            "If the app supports these changes, re-record the cassette with REWIND_MODE=all."
                + (reports.contains(where: \.lacksRequests)
                    ? " REWIND_MODE=newEpisodes adds only the requests that it lacks." : "")
        }
    }

    /// Whether a new recording removes the problem.
    fileprivate var endsWithRecording: Bool {
        switch self {
        case .lostAnswers, .noAnswers, .unplayedInteractions, .cassetteTooOld, .drift: true
        case .misses, .requestsInFlight, .unusedStubs: false
        }
    }

    var isMiss: Bool { if case .misses = self { true } else { false } }

    /// Whether requests got no answer, so that the recording did not become the cassette.
    package var isUnanswered: Bool {
        switch self {
        case .lostAnswers, .noAnswers: true
        default: false
        }
    }

    private static func failedRecording(of path: String) -> String {
        CassetteLocation(URL(fileURLWithPath: path)).failedRecording.lastPathComponent
    }

    /// The texts that a test case reports. Of several misses with the same text, one is shown.
    private static func diagnoses(of misses: [Miss]) -> String {
        var texts: [String] = []
        for miss in misses {
            let text = miss.description
            if !texts.contains(text) { texts.append(text) }
            if texts.count == 5 { break }
        }
        let others = misses.count - texts.count
        return texts.joined(separator: "\n") + (others > 0 ? "\n\(misses.count) requests had no answer." : "")
    }

    /// The line of the stub to fix; `nil` for the test itself.
    package var sourceLocation: Stub.SourceLocation? {
        guard case .unusedStubs(let stubs) = self else { return nil }
        return stubs.first?.sourceLocation
    }

    /// One line for each; a long list is cut.
    private static func list(_ elements: [some CustomStringConvertible]) -> String {
        let shown = elements.prefix(20).map { "\n  \($0)" }.joined()
        return elements.count > 20 ? shown + "\n  and \(elements.count - 20) more" : shown
    }
}

extension Stubber {
    /// The text of a problem at the end of the test, with the command that re-records only this test if that helps.
    package func text(of problem: any Error) -> String {
        guard let error = problem as? ScopeError, error.endsWithRecording, let test = identity.test else {
            return "\(problem)"
        }
        let command = test.command(
            setting: "\(Environment.Variable.mode.rawValue)=all",
            inXcode: environment.isXcode
        )
        return "\(error)\n    \(command)"
    }
}
