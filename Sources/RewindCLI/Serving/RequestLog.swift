import Foundation
import Rewind
import RewindServer

/// Tells on standard error of each request that a server answered, and of all of them in the end.
final class RequestLog: Sendable {
    private let isQuiet: Bool
    private let redactor: @Sendable () -> Redactor
    private let counts = Locked<[Kind: Int]>([:])

    private enum Kind: String, CaseIterable {
        case played, recorded, forwarded, missed
    }

    /// Creates a log whose lines have none of the secrets that a stubber knows.
    init(of stubber: Stubber, isQuiet: Bool) {
        self.isQuiet = isQuiet
        redactor = { stubber.redactor }
    }

    /// Adds the line of a request.
    func add(_ served: ServedRequest) {
        let (kind, story) = Self.told(served.source)
        counts.withLock { $0[kind, default: 0] += 1 }
        guard !isQuiet else { return }
        let status = served.status.map(String.init) ?? "broken off"
        note("\(served.method) \(redacted(served)) → \(status), \(story)")
    }

    /// Tells how many requests there were, of each kind.
    func summarize() {
        let counts = counts.withLock { $0 }
        let parts = Kind.allCases.compactMap { kind in counts[kind].map { "\($0) \(kind.rawValue)" } }
        let total = counts.values.reduce(0, +)
        let requests = Counted.text(total, "request")
        note(parts.isEmpty ? "no request" : "\(requests): \(parts.joined(separator: ", "))")
    }

    /// Prints a line on standard error, unless it is to be quiet.
    func note(_ text: String) {
        if !isQuiet { Note.print(text) }
    }

    private func redacted(_ served: ServedRequest) -> String {
        let base = served.target.hasPrefix("/") ? "http://localhost" : ""
        let request = redactor().redact(Request(method: served.method, url: base + served.target))
        return String(request.url.dropFirst(base.count))
    }

    private static func told(_ source: AnswerSource) -> (Kind, String) {
        switch source {
        case .cassette(let position): (.played, "played #\(position + 1)")
        case .recorded: (.recorded, "recorded")
        case .network: (.forwarded, "forwarded")
        case .nowhere: (.missed, "missed")
        }
    }
}
