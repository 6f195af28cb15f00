import Foundation
import Rewind

/// `rewind verify`: repeats the requests of cassettes live, and tells where the API has drifted.
struct VerifyCommand: Subcommand {
    private static let baseURL = Synopsis.Option(
        name: "--base-url",
        value: "URL",
        meaning: "the server to ask in place of the recorded ones; a path in it stands before every path"
    )
    private static let only = Synopsis.Option(
        name: "--only",
        value: "METHODS",
        meaning: "the methods to repeat, with commas between them"
    )
    private static let unsafe = Synopsis.Option(
        name: "--unsafe",
        meaning: "repeat requests that may change something, such as POST, too"
    )
    private static let header = Synopsis.Option(
        name: "--header",
        value: "'NAME: VALUE'",
        meaning: "what to send in place of a recorded header field",
        isRepeatable: true
    )
    private static let secret = Synopsis.Option(
        name: "--secret",
        value: "NAME[=VALUE]",
        meaning: "what to send where the placeholder <NAME> stands; that of the variable NAME by default",
        isRepeatable: true
    )
    private static let timeout = Synopsis.Option(
        name: "--timeout",
        value: "SECONDS",
        meaning: "how long an answer may take; 30 by default"
    )
    private static let jobs = Synopsis.Option(
        name: "--jobs",
        value: "N",
        meaning: "how many requests are asked at a time; 1, in recorded order, by default"
    )
    private static let json = Synopsis.Option(name: "--json", meaning: "print JSON for other programs")

    static let synopsis = Synopsis(
        name: "verify",
        summary: "repeat recorded requests live, and tell where the API has drifted",
        operands: [
            .init(
                name: "FILE",
                meaning: "a cassette, or a folder of them, or `-` for standard input",
                kind: .file,
                isRepeated: true
            )
        ],
        options: [baseURL, only, unsafe, header, secret, timeout, jobs, json],
        discussion: """
            Values do not count, only what code relies on: the status, the media type, and which members a body has, of
            which types. Nothing is written. Redirects are not followed, for each hop was recorded on its own. What is
            secret was not recorded: a request that needs it is skipped, unless --secret or --header has it. A header
            field that a recording lacks is added only where all requests go to one server. The exit status is 1 where
            an answer has drifted or did not come.
            """,
        examples: [
            "rewind verify Cassettes",
            "rewind verify api.har --base-url https://staging.example.com --header 'Authorization: Bearer x'",
        ]
    )

    private let words: [String]
    private let setting: LiveSetting
    private let client: LiveClient
    private let jobs: Int
    private let isJSON: Bool

    init(_ arguments: ParsedArguments) throws {
        words = arguments.operands
        isJSON = arguments.has(Self.json)
        jobs = Int(try arguments.number(Self.jobs, as: UInt8.self) ?? 1)
        guard jobs > 0 else {
            throw UsageError.badValue("0", of: Self.jobs.name, wanted: "a number from 1 to 255")
        }
        let timeout = arguments[Self.timeout] ?? "30"
        guard let seconds = Double(timeout), seconds > 0, seconds <= 3600 else {
            throw UsageError.badValue(timeout, of: Self.timeout.name, wanted: "a number of seconds up to 3600")
        }
        let methods = arguments.list(Self.only).map { $0.uppercased() }
        setting = LiveSetting(
            base: try arguments[Self.baseURL].map { try LiveSetting.base($0, of: Self.baseURL.name) },
            methods: arguments.has(Self.only) ? Set(methods) : nil,
            isUnsafe: arguments.has(Self.unsafe),
            headers: try arguments.all(Self.header).map { try LiveSetting.field($0, of: Self.header.name) },
            secrets: try KnownPlaceholders(arguments.all(Self.secret), option: Self.secret.name)
        )
        client = LiveClient(timeout: seconds)
    }

    func run(in console: Console) async throws -> ExitStatus {
        let cassettes = Locked<[VerifiedCassette]>([])
        let status = await console.each(try CassetteInput.all(words)) { input in
            let cassette = try await verified(input)
            cassettes.withLock { $0.append(cassette) }
            if !isJSON { console.print(cassette.lines(console.style).joined(separator: "\n") + "\n") }
            return cassette.hasProblem ? .failure : .success
        }
        let report = VerifyReport(cassettes: cassettes.withLock { $0 })
        console.print(isJSON ? VisibleText.json(report.json) : report.summary)
        return status
    }

    private func verified(_ input: CassetteInput) async throws -> VerifiedCassette {
        let interactions = try input.read().interactions.all
        let plan = LivePlan(interactions, setting)
        let results = await plan.run(jobs: jobs, through: client)
        return VerifiedCassette(path: input.path, interactions: results)
    }
}
