import Foundation
import Rewind
import RewindServer

struct ServeCommand: Subcommand {
    private static let upstream = Option(
        "--upstream URL",
        "the URL of the recorded server; needed only if it has a path"
    )
    private static let timing = Option(
        "--timing TIMING",
        "immediate (default), recorded, or a factor of the recorded time"
    )

    static let synopsis = Synopsis(
        name: "serve",
        summary: "replay a cassette to any HTTP client, until you press Ctrl-C",
        operands: [.init("CASSETTE", "a cassette in any format that Rewind reads", .file)],
        options: ServerOptions.address + [upstream, timing, ServerOptions.quiet] + RedactionOptions.all,
        discussion: """
            The address is printed on standard output. A request matches a recording with the same method, path, query
            and body. The host does not matter, unless the request names a recorded one, in `Host` or as a proxy request:
            then only recordings of that host match. As a proxy, the server handles http only. Identical requests get their
            recordings in order, then the last one again. A request that nothing matches gets a 501 response that says why.
            """,
        examples: ["rewind serve Cassettes/api.har --port 8080"]
    )

    private let input: CassetteInput
    private let server: ServerOptions
    private let redaction: RedactionOptions
    private let upstream: URL?
    private let timing: Stubber.Configuration.Timing

    init(_ arguments: ParsedArguments) throws {
        input = CassetteInput(arguments.operands[0])
        server = try ServerOptions(arguments)
        redaction = try RedactionOptions(arguments)
        upstream = try arguments[Self.upstream].map { try URL(upstream: $0, of: Self.upstream.name) }
        timing = try arguments[Self.timing].map(Self.timing(named:)) ?? .immediate
    }

    func run(in console: Console) async throws -> ExitStatus {
        let cassette = input.file ?? URL(fileURLWithPath: "-")
        try input.rejectFolder()
        let end = EndSignal()
        let contents = try Cassette(contentsOf: cassette)
        var configuration = Stubber.Configuration()
        configuration.redaction = redaction.withoutFiles
        configuration.timing = timing
        configuration.repeats = .last
        configuration.keepsRequests = false
        // The log has a line for each miss.
        configuration.requestMatchingFailed = { _ in }
        if upstream == nil { configuration.matching = .served(contents) }
        let stubber = try Stubber(
            at: CassetteLocation(cassette),
            mode: .never,
            configuration: configuration,
            identity: TestIdentity(.command(addition(to: contents))),
            environment: Environment.process.only(.manifest)
        )
        let upstreams = upstream.map(CassetteServer.Upstreams.url) ?? .recorded(in: contents)
        let (server, log, url) = try self.server.start(stubber, upstreams)
        let count = Counted.text(contents.interactions.count, "interaction")
        log.note("serving \(count) from \(cassette.lastPathComponent)")
        console.print(url.absoluteString)
        log.note(ClientSettings(address: url, inPlaceOf: represented(by: contents)).text)
        await end.wait()
        try server.stop()
        log.summarize()
        return .success
    }

    /// The command that adds to the cassette, as the user wrote its name.
    private func addition(to contents: Cassette) -> RecordCommandLine {
        RecordCommandLine(
            cassette: input.path,
            upstream: upstream?.absoluteString,
            recorded: contents.interactions.map(\.request.url)
        )
    }

    /// The recorded servers, if there are few.
    private func represented(by contents: Cassette) -> String {
        if let upstream { return upstream.absoluteString }
        let origins = Set(contents.interactions.map { URLParts($0.request.url).origin }).sorted()
        return origins.count > 3 ? "\(origins.count) servers" : origins.joined(separator: ", ")
    }

    private static func timing(named text: String) throws -> Stubber.Configuration.Timing {
        switch text {
        case "immediate": return .immediate
        case "recorded": return .recorded
        default:
            guard let factor = Double(text), factor >= 0, factor.isFinite else {
                throw timing.invalidValue(text, expected: "immediate, recorded or a number")
            }
            return .scaled(factor)
        }
    }
}

struct ServerOptions: Sendable {
    private static let port = Synopsis.Option("--port N", "the port to listen on; default: a free port")
    private static let host = Synopsis.Option(
        "--host ADDRESS",
        "the IPv4 address to listen on; default: 127.0.0.1, which other machines cannot reach"
    )
    private static let allowHost = Synopsis.Option(
        "--allow-host NAME …",
        "also answer requests to this host and of its web pages; default: only this machine and the upstreams"
    )
    static let quiet = Synopsis.Option("--quiet", "print no line for each request and no summary")

    static let address = [port, host, allowHost]

    private let port: UInt16
    private let host: String
    private let allowedHosts: [String]
    private let isQuiet: Bool

    init(_ arguments: ParsedArguments) throws {
        allowedHosts = arguments.list(Self.allowHost)
        port = try arguments.number(Self.port, as: UInt16.self) ?? 0
        host = arguments[Self.host] ?? "127.0.0.1"
        isQuiet = arguments.has(Self.quiet)
    }

    func start(_ stubber: Stubber, _ upstreams: CassetteServer.Upstreams) throws -> (
        CassetteServer, RequestLog, URL
    ) {
        let server = try CassetteServer(stubber, upstreams: upstreams)
        server.allowedHosts = allowedHosts
        let log = RequestLog(of: stubber, isQuiet: isQuiet)
        server.didServe = { log.add($0) }
        return (server, log, try server.start(port: port, host: host))
    }
}

extension URL {
    /// Reads the address of a server that a named argument contains.
    init(upstream text: String, of name: String) throws {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()),
            url.host?.isEmpty == false
        else {
            throw UsageError.invalidValue(text, of: name, expected: "a URL such as https://api.example.com")
        }
        self = url
    }
}

/// Prints a line on standard error for each request that a server received, and the totals at the end.
final class RequestLog: Sendable {
    private let isQuiet: Bool
    private let stubber: Stubber
    private let counts = Locked<[Kind: Int]>([:])

    private enum Kind: String, CaseIterable { case replayed, recorded, forwarded, missed, refused }

    init(of stubber: Stubber, isQuiet: Bool) {
        self.isQuiet = isQuiet
        self.stubber = stubber
    }

    func add(_ served: ServedRequest) {
        let (kind, source) = served.isRefused ? (.refused, "refused") : Self.described(served.source)
        counts.withLock { $0[kind, default: 0] += 1 }
        guard !isQuiet else { return }
        let status = served.status.map(String.init) ?? "incomplete"
        note(stubber.printable("\(served.method) \(redacted(served)) → \(status), \(source)"))
    }

    func summarize() {
        let counts = counts.withLock { $0 }
        let parts = Kind.allCases.compactMap { kind in counts[kind].map { "\($0) \(kind.rawValue)" } }
        let requests = Counted.text(counts.values.reduce(0, +), "request")
        note(parts.isEmpty ? "no requests" : "\(requests): \(parts.joined(separator: ", "))")
    }

    func note(_ text: String) { if !isQuiet { Note.print(text) } }

    private func redacted(_ served: ServedRequest) -> String {
        let base = served.target.hasPrefix("/") ? "http://localhost" : ""
        let request = stubber.redactor.redact(
            Interaction.Request(method: served.method, url: base + served.target)
        )
        return String(request.readableURL.dropFirst(base.count))
    }

    private static func described(_ source: AnswerSource) -> (Kind, String) {
        switch source {
        case .cassette(let position): (.replayed, "replayed #\(position + 1)")
        case .recorded: (.recorded, "recorded")
        case .network: (.forwarded, "forwarded")
        case .nowhere: (.missed, "missed")
        }
    }
}
