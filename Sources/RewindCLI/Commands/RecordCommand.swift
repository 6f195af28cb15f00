import Foundation
import Rewind
import RewindServer

struct RecordCommand: Subcommand {
    private static let cassette = Option(
        "--cassette FILE",
        "the cassette to record to",
        .file,
        isRequired: true
    )
    private static let add = Option(
        "--add",
        "replay requests that are in the file and add the others; by default everything is recorded again"
    )

    static let synopsis = Synopsis(
        name: "record",
        summary: "record the traffic of any HTTP client, until it exits or you press Ctrl-C",
        operands: [
            .init(
                "UPSTREAM …",
                "the URL of the server, or /PREFIX=URL for each of several, or `proxy` for any host, http only"
            )
        ],
        options: [cassette, add] + ServerOptions.address + [ServerOptions.quiet] + RedactionOptions.all,
        takesCommand: true,
        discussion: """
            COMMAND receives the address in the environment variable REWIND_BASE_URL, and that of an upstream with a prefix
            such as /api also in REWIND_API_URL. `rewind record` exits with the status of COMMAND. Without COMMAND, it prints
            the address on standard output, and what clients set on standard error.
            With `proxy`, COMMAND also receives the address in http_proxy, https_proxy and all_proxy, in lower and upper case.
            Only http is recorded: a request for https is refused and reported, and the exit status is not 0. To record an
            https server, name its URL as UPSTREAM.
            Secrets are redacted before anything is written. If COMMAND fails, the cassette does not change, and the
            recording is saved beside it as <name>.failed.har. The same happens, with exit status 1, if a request gets no
            answer although the cassette has one, or if no request gets an answer. If a value still looks like a
            credential, the recording is kept encrypted as <name>.refused, and the error prints the option for
            `rewind redact` that saves it.
            """,
        examples: [
            "rewind record https://api.example.com --cassette api.har -- npm test",
            "rewind record proxy --cassette all.har --port 8080",
        ]
    )

    /// The upstreams by prefix; none for a proxy.
    private let upstreams: [(prefix: String, url: URL)]
    private let cassette: URL
    private let mode: RecordingMode
    private let server: ServerOptions
    private let redaction: RedactionOptions
    private let command: [String]

    init(_ arguments: ParsedArguments) throws {
        upstreams = arguments.operands == ["proxy"] ? [] : try arguments.operands.map(Self.upstream(named:))
        cassette = URL(fileURLWithPath: arguments[Self.cassette] ?? "")
        mode = arguments.has(Self.add) ? .newEpisodes : .all
        server = try ServerOptions(arguments)
        redaction = try RedactionOptions(arguments)
        command = arguments.command
    }

    func run(in console: Console) async throws -> ExitStatus {
        let end = EndSignal()
        // Of the environment, only the manifest applies: the options of the subcommand decide the mode.
        var configuration = Stubber.Configuration()
        configuration.redaction = redaction.withoutFiles
        // The log has a line for each miss.
        configuration.requestMatchingFailed = { _ in }
        let stubber = try Stubber(
            at: CassetteLocation(cassette),
            mode: mode,
            configuration: configuration,
            identity: TestIdentity(.command(nil)),
            environment: Environment.process.only(.manifest)
        )
        // Before the command runs: nothing that it does could be recorded.
        if let error = stubber.recordingError { throw error }
        let (server, log, url) = try self.server.start(stubber, upstreams.isEmpty ? .proxy : .paths(upstreams))
        let settings = ClientSettings(address: url, upstreams: upstreams)
        var status = ExitStatus.success
        if command.isEmpty {
            console.print(url.absoluteString)
            log.note(settings.text)
            log.note("press Ctrl-C to save the recording")
            await end.wait()
        } else {
            var environment = ProcessInfo.processInfo.environment
            settings.add(to: &environment)
            do {
                status = try await ChildCommand(arguments: command, environment: environment).run(endedBy: end)
            } catch {
                for problem in server.finish(testFailed: true).problems { Note.print("\(problem)") }
                throw error
            }
        }
        // A command that the user stops with Ctrl-C did not fail.
        let recording = server.finish(testFailed: status != .success && end.number == nil)
        if let error = recording.problems.first(where: { $0 is CassetteError }) { throw error }
        log.summarize()
        let unanswered = recording.problems.compactMap { $0 as? Stubber.ScopeError }.filter(\.isUnanswered)
        for problem in unanswered { Note.print("\(problem)") }
        let isComplete = describe(recording.report, log) && unanswered.isEmpty && !server.hasRefusedTunnel
        return isComplete || status != .success ? status : .failure
    }

    /// Prints where the recording is, and returns `false` if a request had no response.
    private func describe(_ report: EjectReport, _ log: RequestLog) -> Bool {
        for request in report.requestsInFlight { Note.print("no response yet for \(request)") }
        if let file = report.failedRecording {
            Note.print("the cassette was not changed; the recording is in \(file.path)")
        } else if let file = report.cassetteURL {
            let kind = report.isFirstRecording ? "the new cassette " : ""
            let count = Counted.text(report.recordedCount, "interaction")
            log.note("recorded \(count) to \(kind)\(file.path)" + (kind.isEmpty ? "" : "; commit it"))
        } else {
            log.note("nothing was recorded")
        }
        return report.requestsInFlight.isEmpty
    }

    /// Reads a URL, or a prefix and a URL.
    private static func upstream(named text: String) throws -> (prefix: String, url: URL) {
        guard text.hasPrefix("/"), let equals = text.firstIndex(of: "=") else {
            return ("/", try URL(upstream: text, of: "UPSTREAM"))
        }
        let url = String(text[text.index(after: equals)...])
        return (String(text[..<equals]), try URL(upstream: url, of: "UPSTREAM"))
    }
}

private struct ChildCommand: Sendable {
    let arguments: [String]
    let environment: [String: String]

    /// Forwards signals to the command. As in shells, the status after a fatal signal is its number plus 128.
    func run(endedBy end: EndSignal) async throws -> ExitStatus {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.environment = environment
        let ended = AsyncStream<Int32>.makeStream()
        process.terminationHandler = { process in
            let isSignal = process.terminationReason == .uncaughtSignal
            ended.continuation.yield(process.terminationStatus + (isSignal ? 128 : 0))
        }
        try process.run()
        let identifier = process.processIdentifier
        end.whenReceived { kill(identifier, $0) }
        #if os(Linux)
            // Foundation also waits for the processes that the command left in the background.
            Thread.detachNewThread {
                if let code = Self.exitCode(of: identifier) { ended.continuation.yield(code) }
            }
        #endif
        for await code in ended.stream { return ExitStatus(code: code) }
        return .failure
    }

    #if os(Linux)
        /// Waits for the end of a process; `nil` if Foundation was faster.
        private static func exitCode(of identifier: pid_t) -> Int32? {
            var information = siginfo_t()
            while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) != 0 {
                guard errno == EINTR else { return nil }
            }
            let status = information._sifields._sigchld.si_status
            return Int(information.si_code) == Int(CLD_EXITED) ? status : status + 128
        }
    #endif
}

/// Receives the signals that would end the process: SIGINT, SIGTERM and SIGHUP.
final class EndSignal: Sendable {
    private let received = Locked<Int32?>(nil)
    private let waiting = Locked<[@Sendable (Int32) -> Void]>([])
    private let sources: Locked<[any DispatchSourceSignal]>

    init() {
        let sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            // A child process would inherit SIG_IGN, but not a handler.
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

    /// Calls back for each signal, including one already received.
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
