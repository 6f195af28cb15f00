import Foundation
import Rewind

struct VerifyCommand: Subcommand {
    private static let baseURL = Option(
        "--base-url URL",
        "the server to ask in place of the recorded ones; a path in it stands before every path"
    )
    private static let only = Option("--only METHODS", "the methods to repeat, with commas between them")
    private static let unsafe = Option(
        "--unsafe",
        "repeat requests that may change something, such as POST, too"
    )
    private static let header = Option(
        "--header 'NAME: VALUE' …",
        "what to send in place of a recorded header field"
    )
    private static let secret = Option(
        "--secret NAME[=VALUE] …",
        "what to send where the placeholder <NAME> stands; that of the variable NAME by default"
    )
    private static let timeout = Option("--timeout SECONDS", "how long an answer may take; 30 by default")
    private static let jobs = Option(
        "--jobs N",
        "how many requests are asked at a time; 1, in recorded order, by default"
    )
    private static let json = Option("--json", "print JSON for other programs")

    static let synopsis = Synopsis(
        name: "verify",
        summary: "repeat recorded requests live, and tell where the API has drifted",
        operands: [.init("FILE …", "a cassette, or a folder of them, or `-` for standard input", .file)],
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
        guard jobs > 0 else { throw Self.jobs.badValue("0", wanted: "a number from 1 to 255") }
        let timeout = arguments[Self.timeout] ?? "30"
        guard let seconds = Double(timeout), seconds > 0, seconds <= 3600 else {
            throw Self.timeout.badValue(timeout, wanted: "a number of seconds up to 3600")
        }
        let methods = arguments.list(Self.only).map { $0.uppercased() }
        setting = LiveSetting(
            base: try arguments[Self.baseURL].map { try LiveSetting.base($0, of: Self.baseURL) },
            methods: arguments.has(Self.only) ? Set(methods) : nil,
            isUnsafe: arguments.has(Self.unsafe),
            headers: try arguments.all(Self.header).map { try LiveSetting.field($0, of: Self.header) },
            secrets: try KnownPlaceholders(arguments.all(Self.secret), of: Self.secret)
        )
        client = LiveClient(timeout: seconds)
    }

    func run(in console: Console) async throws -> ExitStatus {
        var cassettes: [VerifiedCassette] = []
        let status = await console.each(try CassetteInput.all(words)) { input in
            let interactions = try input.read().interactions.all
            let results = await LivePlan(interactions, setting).run(jobs: jobs, through: client)
            let cassette = VerifiedCassette(path: input.path, interactions: results)
            cassettes.append(cassette)
            if !isJSON { console.print(cassette.lines(console.style).joined(separator: "\n") + "\n") }
            return cassette.hasProblem ? .failure : .success
        }
        let report = VerifyReport(cassettes: cassettes)
        console.print(isJSON ? VisibleText.json(report.json) : report.summary)
        return status
    }
}
