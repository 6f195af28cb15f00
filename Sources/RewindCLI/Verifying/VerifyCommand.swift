import Foundation
import Rewind

struct VerifyCommand: Subcommand {
    private static let baseURL = Option(
        "--base-url URL",
        "send requests to this server instead; its path is prepended to every path"
    )
    private static let only = Option(
        "--only METHODS",
        "send only requests with these methods, such as GET,HEAD"
    )
    private static let unsafe = Option(
        "--unsafe",
        "also send requests that may change data, such as POST"
    )
    private static let header = Option(
        "--header 'NAME: VALUE' …",
        "send this header instead of the recorded one"
    )
    private static let secret = Option(
        "--secret NAME[=VALUE] …",
        "replace the placeholder of a secret; default: the environment variable NAME"
    )
    private static let timeout = Option("--timeout SECONDS", "the time limit for each response; default: 30")
    private static let jobs = Option(
        "--jobs N",
        "the number of parallel requests; default: 1, in recorded order"
    )
    private static let json = Option("--json", "print JSON")

    static let synopsis = Synopsis(
        name: "verify",
        summary: "send recorded requests again and report where the live API has drifted",
        operands: [.init("FILE …", "a cassette, a folder of cassettes, or `-` for standard input", .file)],
        options: [baseURL, only, unsafe, header, secret, timeout, jobs, json] + RedactionOptions.all,
        discussion: """
            Compares the structure that code relies on, not values: the status, the media type, and the members of JSON
            bodies with their types. Nothing is written. Redirects are not followed, because each hop is an interaction of
            its own. Cassettes contain no secrets: a request that needs one is skipped unless --secret or --header
            provides it. A header that was not recorded is added only if all requests go to one server. The exit status is
            1 if a response has drifted or is missing.
            """,
        examples: [
            "rewind verify Cassettes",
            "rewind verify api.har --base-url https://staging.example.com --header 'Authorization: Bearer x'",
        ]
    )

    private let operands: [String]
    private let setting: LiveSetting
    private let redaction: RedactionOptions
    private let client: LiveClient
    private let jobs: Int
    private let isJSON: Bool

    init(_ arguments: ParsedArguments) throws {
        operands = arguments.operands
        isJSON = arguments.has(Self.json)
        jobs = Int(try arguments.number(Self.jobs, as: UInt8.self, from: 1) ?? 1)
        redaction = try RedactionOptions(arguments)
        let timeout = arguments[Self.timeout] ?? "30"
        guard let seconds = Double(timeout), seconds > 0, seconds <= 3600 else {
            throw Self.timeout.invalidValue(timeout, expected: "a number of seconds up to 3600")
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
        let status = await console.each(try CassetteInput.all(operands, notingLinksOn: console)) { input in
            let redaction = try redaction.redaction(for: input)
            let interactions = try input.read().interactions.all
            var results = await LivePlan(interactions, setting, redaction).run(jobs: jobs, through: client)
            // A file of another tool contains its secrets.
            for (index, shown) in Redactor(redaction).redact(interactions).enumerated() {
                results[index].request = shown.request
            }
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
