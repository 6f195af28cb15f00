import Foundation
import Rewind
import RewindServer

struct RecordCommand: Subcommand {
    private static let cassette = Option("--cassette FILE", "the file to record to", .file, isRequired: true)
    private static let add = Option(
        "--add",
        "play what the file has, and add the rest; by default all is recorded anew"
    )

    static let synopsis = Synopsis(
        name: "record",
        summary: "record what any HTTP client says to a server, until its end or Ctrl-C",
        operands: [.init("UPSTREAM …", "the server, or /PREFIX=URL for one of several, or `proxy` for any")],
        options: [cassette, add] + ServerOptions.address + [ServerOptions.quiet],
        takesCommand: true,
        discussion: """
            A command finds the address in the variable REWIND_BASE_URL, and one that is recorded through a proxy in
            http_proxy too; its exit status is that of `rewind record`. Without one the address is printed on standard
            output. Secrets are taken out before anything is written. The recording of a command that fails is kept
            beside the cassette and replaces nothing.
            """,
        examples: [
            "rewind record https://api.example.com --cassette api.har -- npm test",
            "rewind record proxy --cassette all.har --port 8080",
        ]
    )

    private let upstreams: CassetteServer.Upstreams
    private let isProxy: Bool
    private let cassette: URL
    private let mode: RecordingMode
    private let server: ServerOptions
    private let command: [String]

    init(_ arguments: ParsedArguments) throws {
        isProxy = arguments.operands == ["proxy"]
        upstreams = isProxy ? .proxy : try CassetteServer.Upstreams(parsing: arguments.operands)
        cassette = URL(fileURLWithPath: arguments[Self.cassette] ?? "")
        mode = arguments.has(Self.add) ? .newEpisodes : .all
        server = try ServerOptions(arguments)
        command = arguments.command
    }

    func run(in console: Console) async throws -> ExitStatus {
        let end = EndSignal()
        // The mode is the point of the subcommand, so of the variables only that of the manifest is.
        let stubber = try Stubber(
            at: CassetteLocation(cassette),
            mode: mode,
            environment: Environment.process.only(.manifest)
        )
        let (server, log, url) = try self.server.start(stubber, upstreams)
        var status = ExitStatus.success
        if command.isEmpty {
            console.print(url.absoluteString)
            await end.wait()
        } else {
            let names = isProxy ? ["REWIND_BASE_URL", "http_proxy"] : ["REWIND_BASE_URL"]
            let variables = Dictionary(uniqueKeysWithValues: names.map { ($0, url.absoluteString) })
            do {
                status = try await ChildCommand(words: command, variables: variables).run(endedBy: end)
            } catch {
                try server.stop(testFailed: true)
                throw error
            }
        }
        // A command that was ended by hand has not failed.
        let report = try server.stop(testFailed: status != .success && end.number == nil)
        log.summarize()
        return tell(report, log) || status != .success ? status : .failure
    }

    /// Reports where the recording is; `false` if a request had no answer.
    private func tell(_ report: EjectReport, _ log: RequestLog) -> Bool {
        for request in report.requestsInFlight { Note.print("\(request) had no answer yet") }
        if let file = report.failedRecording {
            Note.print("the recording was kept as \(file.path), and replaces nothing")
        } else if let file = report.cassetteURL {
            log.note("recorded \(Counted.text(report.recordedCount, "interaction")) to \(file.path)")
        } else {
            log.note("nothing was recorded")
        }
        return report.requestsInFlight.isEmpty
    }
}

extension CassetteServer.Upstreams {
    fileprivate init(parsing words: [String]) throws {
        let pairs = try words.map { word in
            guard word.hasPrefix("/"), let equals = word.firstIndex(of: "=") else {
                return ("/", try URL(upstream: word))
            }
            return (String(word[..<equals]), try URL(upstream: String(word[word.index(after: equals)...])))
        }
        self = .paths(pairs)
    }
}

private struct ChildCommand: Sendable {
    let words: [String]
    let variables: [String: String]

    /// Hands on the signals that come. As in shells, a command that a signal ended has its number plus 128 as status.
    func run(endedBy end: EndSignal) async throws -> ExitStatus {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        let ended = AsyncStream<Void>.makeStream()
        process.terminationHandler = { _ in ended.continuation.finish() }
        try process.run()
        let identifier = process.processIdentifier
        end.whenReceived { kill(identifier, $0) }
        for await _ in ended.stream {}
        let isSignal = process.terminationReason == .uncaughtSignal
        return ExitStatus(code: process.terminationStatus + (isSignal ? 128 : 0))
    }
}

/// Waits for the signals that would end the process.
final class EndSignal: Sendable {
    private let received = Locked<Int32?>(nil)
    private let waiting = Locked<[@Sendable (Int32) -> Void]>([])
    private let sources: Locked<[any DispatchSourceSignal]>

    init() {
        let sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            // A handler in place of ignorance, which a command that is run would inherit.
            signal(number) { _ in }
            return DispatchSource.makeSignalSource(signal: number, queue: .global())
        }
        self.sources = Locked(sources)
        for (source, number) in zip(sources, [SIGINT, SIGTERM, SIGHUP]) {
            source.setEventHandler { [weak self] in self?.receive(number) }
            source.resume()
        }
    }

    var number: Int32? { received.withLock { $0 } }

    /// Calls back for each signal, and for one that came before.
    func whenReceived(_ callback: @escaping @Sendable (Int32) -> Void) {
        waiting.withLock { $0.append(callback) }
        if let number { callback(number) }
    }

    func wait() async {
        let signals = AsyncStream<Int32>.makeStream()
        whenReceived { signals.continuation.yield($0) }
        for await _ in signals.stream { return }
    }

    private func receive(_ number: Int32) {
        received.withLock { $0 = $0 ?? number }
        for callback in waiting.withLock({ $0 }) { callback(number) }
    }
}
