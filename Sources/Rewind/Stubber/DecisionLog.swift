import Foundation

/// Tells of each decision in a line: the request, its answer, and why each nearer recording was passed over.
struct DecisionLog: Sendable {
    private let handler: (@Sendable (String) -> Void)?
    private let prints: Bool
    private let prefix: String

    /// Creates the log that a configuration or `REWIND_LOG` asks for; `nil` where neither does.
    init?(_ configuration: Configuration, _ environment: Environment, testName: String?) {
        guard configuration.log != nil || environment.logsDecisions else { return nil }
        handler = configuration.log
        prints = environment.logsDecisions
        prefix = testName.map { "\($0): " } ?? ""
    }

    /// Adds the line of a decision.
    func add(_ answer: String, _ request: Request, _ candidates: [String] = []) {
        let passedOver = candidates.isEmpty ? "" : "; passed over " + candidates.joined(separator: "; ")
        let line = "\(prefix)\("\(request)".shortened()) → \(answer)\(passedOver)"
        handler?(line)
        if prints { Note.print(line) }
    }

    /// Adds the line of a miss.
    func add(
        _ answer: String,
        _ request: Request,
        _ candidates: [NearestInteractions.Candidate],
        plays: [Int: Int]
    ) {
        add(answer, request, candidates.map { $0.passedOver(playedBy: plays[$0.number]) })
    }
}

extension NearestInteractions.Candidate {
    /// Why it did not answer, in a few words.
    func passedOver(playedBy request: Int?) -> String {
        if let obstacle { return "#\(number) (\(obstacle))" }
        if let request, differences.isEmpty { return "#\(number) (played by request \(request))" }
        return "#\(number) (\(differences.prefix(2).map(\.line).joined(separator: ", ")))"
    }
}

extension Miss.Reason {
    /// The case in a few words.
    var summary: String {
        switch self {
        case .noCassette: "no cassette"
        case .readOnly: "no answer, and the cassette can only be read"
        case .recordingForbidden(_, let variable): "no cassette, and \(variable) is set"
        case .noMatch: "no match"
        case .alreadyPlayed(let count): "all \(count) that match were played"
        case .outOfTurn(let due): "\(due) was due"
        case .noStub: "no stub"
        case .networkForbidden: "the network is forbidden"
        case .stubExhausted(let stub, _): "the stub \(stub) has no more answers"
        case .brokenStub: "the stub cannot answer"
        case .testOver: "the test is over"
        case .paused: "paused"
        case .notRouted: "not routed"
        case .unreadableBody: "the body cannot be read"
        case .unsupported, .unsupportedTask: "not supported by the platform"
        }
    }
}
