import Foundation
import Rewind
import RewindServer

/// `rewind serve`: plays a cassette to any HTTP client.
struct ServeCommand: Subcommand {
    private static let upstream = Synopsis.Option(
        name: "--upstream",
        value: "URL",
        meaning: "the server it was recorded from, where that has a path"
    )
    private static let timing = Synopsis.Option(
        name: "--timing",
        value: "TEMPO",
        meaning: "immediate, which is the default, recorded, or a factor of the recorded time"
    )

    static let synopsis = Synopsis(
        name: "serve",
        summary: "play a cassette to any HTTP client, until Ctrl-C",
        operands: [.init(name: "CASSETTE", meaning: "the file, in any format that Rewind reads", kind: .file)],
        options: [Synopsis.port, Synopsis.host, upstream, timing, Synopsis.quiet],
        discussion: """
            The address is printed on standard output. A recording answers when method, path, query and body match,
            whatever host it was recorded from; where a request names a recorded host, in `Host` or as through a proxy,
            only that one's do. Identical requests get their recordings in order, and then the last one again. What
            nothing answers is a 501 that tells why.
            """,
        examples: ["rewind serve Cassettes/api.har --port 8080"]
    )

    private let cassette: URL
    private let port: UInt16
    private let host: String
    private let upstream: URL?
    private let timing: Configuration.Timing
    private let isQuiet: Bool

    init(_ arguments: ParsedArguments) throws {
        cassette = URL(fileURLWithPath: arguments.operands[0])
        port = try arguments.number(Synopsis.port, as: UInt16.self) ?? 0
        host = arguments[Synopsis.host] ?? "127.0.0.1"
        upstream = try arguments[Self.upstream].map { text in
            guard let url = URL(string: text) else { throw CassetteServerError.invalidUpstream(text) }
            return url
        }
        timing = try arguments[Self.timing].map(Self.timing(named:)) ?? .immediate
        isQuiet = arguments.has(Synopsis.quiet)
    }

    func run(in console: Console) async throws -> ExitStatus {
        let end = EndSignal()
        let contents = try Cassette(contentsOf: cassette)
        var configuration = Configuration()
        configuration.timing = timing
        configuration.repeats = .last
        configuration.keepsRequests = false
        if upstream == nil { configuration.matching = .served(contents) }
        let stubber = try Stubber(
            at: CassetteLocation(cassette),
            mode: .none,
            configuration: configuration,
            environment: Environment.process.only(.manifest)
        )
        let upstreams = upstream.map(Upstreams.url) ?? .recorded(in: contents)
        let server = try CassetteServer(stubber, upstreams: upstreams)
        let log = RequestLog(of: stubber, isQuiet: isQuiet)
        server.didServe = { log.add($0) }
        let url = try server.start(port: port, host: host)
        let count = Counted.text(contents.interactions.count, "interaction")
        log.note("serving \(count) of \(cassette.lastPathComponent)")
        console.print(url.absoluteString)
        await end.wait()
        try server.stop()
        log.summarize()
        return .success
    }

    private static func timing(named text: String) throws -> Configuration.Timing {
        switch text {
        case "immediate": return .immediate
        case "recorded": return .recorded
        default:
            guard let factor = Double(text), factor >= 0, factor.isFinite else {
                throw UsageError.badValue(text, of: timing.name, wanted: "immediate, recorded or a number")
            }
            return .scaled(factor)
        }
    }
}

/// Tells on standard error of each request that a server answered, and of all of them in the end.
final class RequestLog: Sendable {
    private let isQuiet: Bool
    private let redactor: @Sendable () -> Redactor
    private let counts = Locked<[Kind: Int]>([:])

    private enum Kind: String, CaseIterable {
        case played, recorded, forwarded, missed
    }

    init(of stubber: Stubber, isQuiet: Bool) {
        self.isQuiet = isQuiet
        redactor = { stubber.redactor }
    }

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
