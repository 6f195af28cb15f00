import Foundation

/// Logs one line for each decision: the request, how it was answered, and why.
///
/// A line contains only what the decision knows. To look for more would cost each request a pass over the cassette.
struct DecisionLog: Sendable {
    private let handler: (@Sendable (String) -> Void)?
    private let prints: Bool
    private let prefix: String
    private let filter: PrintFilter

    /// Creates a log if the configuration or `REWIND_LOG` requests one.
    init?(
        _ configuration: Stubber.Configuration,
        _ environment: Environment,
        testName: String?,
        _ filter: PrintFilter
    ) {
        guard configuration.log != nil || environment.logsDecisions else { return nil }
        handler = configuration.log
        prints = environment.logsDecisions
        prefix = Self.prefix(testName)
        self.filter = filter
    }

    /// What a line says about a request.
    enum Decision: Sendable {
        case stubbed(Stub)
        /// `cassette` is the name of the file if an outer scope has it.
        case replayed(Playback.Found, cassette: String?)
        /// `nil` if there was no recording to compare with.
        case recorded(Playback.Find?)
        case compared(Playback.Find)
        case passedThrough(Passage)
        case unsupportedScheme
        case missed(Miss)
    }

    /// Why a request goes to the network without being recorded.
    enum Passage: Sendable {
        case mode(RecordingMode)
        case pause
        case host, closure, stub
        case task(kind: String)
    }

    func add(_ decision: Decision, _ request: Interaction.Request) {
        // Before the text is shortened, because a part of a secret is not recognized.
        let subject = filter.printable("\(request)").shortened()
        let line = filter.printable("\(prefix)\(subject) → \(decision)")
        handler?(line)
        if prints { Note.print(line) }
    }

    /// Prints the line of a request that no stubber answers, if `REWIND_LOG` requests it.
    static func note(_ miss: Miss) {
        guard Environment.process.logsDecisions else { return }
        Note.print("\(prefix(miss.testName))\("\(miss.request)".shortened()) → \(Decision.missed(miss))")
    }

    private static func prefix(_ testName: String?) -> String { testName.map { "\($0): " } ?? "" }
}

extension DecisionLog.Decision: CustomStringConvertible {
    var description: String {
        switch self {
        case .stubbed(let stub): "stubbed by \(stub)"
        case .replayed(let found, let cassette):
            "replayed #\(found.position + 1)" + (cassette.map { " of \($0)" } ?? "")
                + (found.isRepeated ? " again" : "") + (found.skipped.map { "; \($0)" } ?? "")
        case .recorded(let find): "recorded from the network" + (find?.reason.map { ": \($0)" } ?? "")
        case .compared(.found(let found)): "sent to the network to compare with #\(found.position + 1)"
        case .compared(let find):
            "sent to the network with no recording to compare" + (find.reason.map { ": \($0)" } ?? "")
        case .passedThrough(let passage): "passed through to the network: \(passage)"
        case .unsupportedScheme: "failed: no stub answers the scheme of this URL"
        case .missed(let miss): "miss: \(miss.summary)\(Self.skipped(by: miss))"
        }
    }

    private static func skipped(by miss: Miss) -> String {
        guard let candidates = miss.nearest?.candidates else { return "" }
        guard !candidates.isEmpty else { return "; the cassette is empty" }
        let texts = candidates.map { "#\($0.number) (\($0.reason(playedBy: miss.plays[$0.number])))" }
        return "; skipped " + texts.joined(separator: "; ")
    }
}

extension DecisionLog.Passage: CustomStringConvertible {
    var description: String {
        switch self {
        case .mode(let mode): "the mode is `\(mode.rawValue)`"
        case .pause: "the stubber is paused"
        case .host: "its host is in `configuration.passthroughHosts`"
        case .closure: "`configuration.passthrough` returned true"
        case .stub: "the stub answers with `.passthrough`"
        case .task(let kind): "a \(kind) can be neither recorded nor replayed"
        }
    }
}

/// Recordings of the same request that come before the one that answers.
struct SkippedRecordings: Sendable, CustomStringConvertible {
    /// The last ones, each with the reason.
    var last: [(number: Int, reason: String)]
    var areMore: Bool

    static let limit = 3

    var description: String {
        let shown = last.map { "#\($0.number) (\($0.reason))" } + (areMore ? ["and earlier ones"] : [])
        return "skipped " + shown.joined(separator: "; ")
    }
}

extension NearestInteractions.Candidate {
    /// Why the interaction does not answer; never empty.
    fileprivate func reason(playedBy request: Int?) -> String {
        if let obstacle { return obstacle.isEmpty ? "it cannot be replayed" : obstacle }
        guard differences.isEmpty else { return differences.prefix(2).map(\.line).joined(separator: ", ") }
        if let request { return "played by request \(request)" }
        guard !otherSecrets.isEmpty else { return SkippedRecordings.otherSecrets }
        return "the values differ from those recorded as \(otherSecrets.map(\.text).joined(separator: ", "))"
    }
}

extension SkippedRecordings {
    static let otherSecrets = "its secrets have other values"
}

extension Playback.Find {
    /// Why no recording answers, as far as the search knows.
    fileprivate var reason: String? {
        switch self {
        case .found: nil
        case .noMatch: Miss.Reason.noMatch.summary
        case .allPlayed(let positions): Miss.Reason.alreadyPlayed(count: positions.count).summary
        case .outOfOrder(let due): "out of order, next is #\(due + 1)"
        }
    }
}

extension Miss {
    fileprivate var summary: String {
        guard case .noMatch = reason, isHeldBack else { return reason.summary }
        return "\(reason.summary), and mode `verify` does not send \(request.method) requests"
    }
}

extension Miss.Reason {
    fileprivate var summary: String {
        switch self {
        case .noCassette: "no cassette"
        case .readOnly: "no match, and the cassette cannot be written"
        case .recordingForbidden(_, let variable): "no cassette, and \(variable) is set"
        case .noMatch: "no match"
        case .alreadyPlayed(let count):
            count == 1 ? "the only match was already played" : "all \(count) matches were already played"
        case .outOfOrder(let next): "out of order, next is \(next)"
        case .noStub: "no stub matches"
        case .networkForbidden: "the network is forbidden"
        case .stubExhausted(let stub, _): "the stub \(stub) has no more answers"
        case .invalidStub(let cause): "invalid stub: \(cause)"
        case .testEnded: "the test has ended"
        case .paused: "the stubber is paused, and its mode forbids the network"
        case .unknownTest(let tests): "it could belong to any running test: \(tests.shortList)"
        case .unreadableBody(let cause): "the body cannot be read: \(cause)"
        case .unsupported(let cause): "this task cannot be answered: \(cause)"
        case .unsupportedTask(let kind): "a \(kind) cannot be replayed, and the mode forbids the network"
        case .activationFailed(let cause):
            "Rewind could not be activated: \(cause.prefix { $0 != "\n" })".withoutFullStop
        }
    }
}
