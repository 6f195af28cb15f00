import Foundation
import Rewind
import RewindTestSupport
import Testing

@testable import RewindCLI

struct LintTests {
    private typealias Samples = CassetteSamples

    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        try FileManager.default.createDirectory(at: folder["Cassettes"], withIntermediateDirectories: true)
    }

    private func lint(_ words: String..., input: Data = Data(), environment: [String: String] = [:]) throws
        -> CommandRun
    {
        try CommandRun(["lint"] + words, input: input, environment: environment, in: folder.url)
    }

    /// The lines about a rule, without the rule.
    private func lines(_ rule: String, _ run: CommandRun) -> [String] {
        run.output.components(separatedBy: "\n").filter { $0.hasSuffix(" [\(rule)]") }
            .map { String($0.dropLast(rule.count + 3)) }
    }

    private func write(_ text: String, _ name: String) throws {
        let file = folder[name]
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: file)
    }

    private static let secrets = [
        "query-secret-1", "ghp_zyxwvutsrqponmlkjihgfedcba9876543210", "body-secret-3", "cookie-secret-4",
        "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
        "sk_live_abcdefghijklmnop1234", "form-secret-5",
    ]

    /// A cassette with a secret at every kind of place.
    private func recordSecrets() throws {
        let s = Self.secrets
        var login = Samples.interaction(
            "POST /login?api_key=\(s[0])",
            sending: "user=ada&password=\(s[6])",
            as: "application/x-www-form-urlencoded",
            ["Set-Cookie": "sid=\(s[3]); Path=/"],
            #"{"access_token": "\#(s[2])", "ok": "\#(s[4])"}"#
        )
        login.request.headers.append("Authorization", "Bearer \(s[1])")
        let url = Samples.interaction("/keys/\(s[5])", ["Authorization": "REDACTEDauthorizationN1X"])
        try folder["Cassettes/login.har"].record(login, url)
        let text = String(decoding: try Data(contentsOf: folder["Cassettes/login.har"]), as: UTF8.self)
        try write(
            text.replacingOccurrences(of: #""pages": []"#, with: #""pages": [], "comment": "\#(s[5])0""#),
            "Cassettes/login.har"
        )
    }

    /// Writes a folder with every kind of problem.
    private func recordAll() throws {
        try recordSecrets()
        try folder["Cassettes/Empty.har"].record()
        try write(#"{"log": {"entries": [\#n {]}}"#, "Cassettes/broken.har")
        try write(#"{"log": {"entries": [{"request": {"method": 1}}]}}"#, "Cassettes/wrong.har")
        try write(#"{"hello": 1}"#, "Cassettes/other.json")
        try write("hello: 1\n", "Cassettes/other.yml")
        try folder["Cassettes/legacy.json"].record(Samples.interaction("/a"), as: .dvr)
        try folder["Cassettes/talk.har"].record(
            Samples.interaction("/a", ["Date": "Mon"]),
            Samples.interaction("/a", ["Date": "Tue"]),
            Samples.interaction("/b"),
            Samples.interaction("/a"),
            Samples.failed("/slow"),
            Samples.interaction("ftp://example.com/a"),
            Samples.interaction("data:x://")
        )
        try folder["Cassettes/talk.failed.har"].record(Samples.interaction("/a"), Samples.interaction("/a"))
        try write(Samples.archive(withBodyAt: "image.bodies/001.png"), "Cassettes/image.har")
        try write("here", "Cassettes/image.bodies/002.png")
        try write(Samples.archive(withBodyAt: "../secret.txt"), "Cassettes/outside.har")
        try write("there", "secret.txt")
    }

    @Test("Every finding has its place and severity, and every rule its fix once")
    func reportsAll() throws {
        try recordAll()
        let run = try lint()
        #expect(run.status == 65)
        #expect(run.errorOutput.isEmpty)
        try expectGolden(run.output, "lint/all.txt")
        try expectGolden(try lint("--format", "github").output, "lint/all.github.txt")
        try expectGolden(try lint("--format=sarif").output, "lint/all.sarif.json")
    }

    @Test("No report format prints a secret")
    func hidesSecrets() throws {
        try recordSecrets()
        for format in ["text", "sarif", "github"] {
            let run = try lint("--format", format)
            #expect(run.status == 1)
            for secret in Self.secrets {
                #expect(!(run.output + run.errorOutput).contains(secret), "\(format)")
            }
        }
        let findings = lines("secret", try lint())
        #expect(findings.count == 8)
        for place in ["query api_key", "authorization", "$.access_token", "set-cookie", "field password"] {
            #expect(findings.contains { $0.contains(place) }, "\(place)")
        }
    }

    @Test("--allow accepts a value by its fingerprint, and --keep by its name")
    func acceptsValues() throws {
        try folder["Cassettes/a.har"].record(
            Samples.interaction(
                "/a?sid=abcdefgh12345",
                [:],
                #"{"ok":"ghp_abcdefghijklmnopqrstuvwxyz0123456789"}"#
            ),
            Samples.interaction(
                "/b",
                ["Authorization": "Bearer REDACTEDauthorizationN1X"],
                #"{"access_token":"REDACTEDaccessTokenN2X"}"#
            )
        )
        let run = try lint()
        #expect(lines("secret", run).count == 2)
        let fingerprint = try #require(
            lines("secret", run).compactMap { $0.components(separatedBy: "fingerprint ").dropFirst().first }
                .first
        )
        #expect(try lint("--allow", fingerprint, "--keep", "sid").status == 0)
        #expect(try lint("--allow", fingerprint).status == 1)
        #expect(try lint("--keep", "sid").status == 1)
        #expect(try lint("--ignore", "secret").status == 0)
    }

    @Test("The age of a cassette is that of its oldest interaction")
    func reportsAge() throws {
        var young = Samples.interaction("/young")
        young.startedAt = Date()
        let days = { (days: Double) in Date(timeIntervalSinceNow: -days * 86_400 - 60) }
        var old = Samples.interaction("/old")
        old.startedAt = days(40)
        try folder["Cassettes/a.har"].record(young, old)
        try folder["Cassettes/b.har"].record(young)
        #expect(lines("old", try lint()).isEmpty)
        for age in ["40d", "40", "5w", "900h", "0.1y"] {
            let findings = lines("old", try lint("--max-age", age))
            #expect(findings.count == 1, "\(age)")
            #expect(
                findings.first?.hasPrefix(
                    "Cassettes/a.har: warning: the oldest interaction was recorded 40 days ago"
                ) == true
            )
        }
        for age in ["41d", "6w", "1000h", "1y"] {
            #expect(lines("old", try lint("--max-age", age)).isEmpty, "\(age)")
        }
    }

    @Test("The size limit of a body file is ten times that of a body in the cassette")
    func reportsSizes() throws {
        try folder["Cassettes/a.har"].record(
            Samples.interaction("/edge", [:], String(repeating: "x", count: 1000), answerType: "text/plain"),
            Samples.interaction(
                "POST /large",
                sending: String(repeating: "x", count: 1001),
                as: "text/plain",
                [:],
                "{}"
            )
        )
        try write(Samples.archive(withBodyAt: "b.bodies/1.png"), "Cassettes/b.har")
        try write(String(repeating: "x", count: 10_001), "Cassettes/b.bodies/1.png")
        #expect(lines("oversized-body", try lint()).isEmpty)
        let findings = lines("oversized-body", try lint("--max-body", "1kB"))
        #expect(findings.count == 2)
        #expect(findings[0].hasSuffix("the request body in the cassette has 1.0 kB; the limit is 1.0 kB"))
        #expect(findings[1].hasSuffix("the response body in its own file has 10 kB; the limit is 10 kB"))
        #expect(lines("oversized-body", try lint("--max-body", "1001")).isEmpty)
        #expect(lines("oversized-body", try lint("--max-body", "9223372036854774784")).isEmpty)
    }

    @Test("By default, a body has at most 1 MB in a cassette and 10 MB in a body file")
    func defaultSizes() throws {
        for (name, count) in [("a", 1_000_000), ("b", 1_000_001)] {
            try folder["Cassettes/\(name).har"].record(
                Samples.interaction("/a", [:], String(repeating: "x", count: count), answerType: "text/plain")
            )
        }
        for (name, count) in [("c", 10_000_000), ("d", 10_000_001)] {
            try write(Samples.archive(withBodyAt: "\(name).bodies/1.png"), "Cassettes/\(name).har")
            try write(String(repeating: "x", count: count), "Cassettes/\(name).bodies/1.png")
        }
        let files = lines("oversized-body", try lint()).map { $0.components(separatedBy: ":")[0] }
        #expect(files == ["Cassettes/b.har", "Cassettes/d.har"])
    }

    @Test("What --redact or --value-env names must be redacted too")
    func findsValues() throws {
        try folder["Cassettes/a.har"].record(
            Samples.interaction("/a?q=client-4711-green", [:], #"{"id":"client-4711-green","pin":"4711"}"#)
        )
        #expect(try lint().status == 0)
        let known = try lint("--value-env", "KEY", environment: ["KEY": "client-4711-green"])
        #expect(known.status == 1)
        #expect(
            lines("secret", known).first?.hasSuffix("the value of KEY is not redacted") == true,
            "\(known.output)"
        )
        #expect(!known.output.contains("client-4711-green"))
        #expect(try lint("--value-env", "KEY", environment: ["KEY": "client-4712-green"]).status == 0)
        let rule = try lint("--redact", "field:pin")
        #expect(rule.status == 1)
        #expect(lines("secret", rule).first?.contains("$.pin is not redacted") == true)
    }

    @Test("With --strict, warnings fail the run, but notes never do")
    func strictness() throws {
        try folder["Cassettes/a.har"].record()
        try folder["Cassettes/b.har"].record(Samples.failed("/a"))
        #expect(try lint().status == 0)
        #expect(try lint("--strict").status == 1)
        #expect(try lint("--strict", "--ignore", "empty").status == 0)
        #expect(try lint("Cassettes/b.har", "--strict").status == 0)
    }

    @Test("A body file is unused if no readable cassette beside it uses it")
    func unusedBodies() throws {
        try write(Samples.archive(withBodyAt: "a.bodies/1.png"), "Cassettes/a.har")
        try write("x", "Cassettes/a.bodies/1.png")
        try write("x", "Cassettes/a.bodies/2.png")
        try write("{", "Cassettes/b.har")
        try write("x", "Cassettes/b.bodies/1.png")
        try write("x", "Cassettes/gone.bodies/1.png")
        try write(Samples.archive(withBodyAt: "c.failed.bodies/1.png"), "Cassettes/c.failed.har")
        try write("x", "Cassettes/c.failed.bodies/1.png")
        try folder["Cassettes/d.recovered.har"].record(Samples.interaction("/a"))
        // As Playwright writes them, beside the cassette.
        try write(Samples.archive(withBodyAt: "0a1b.json", type: "application/json"), "Cassettes/p.har")
        try write(#"{"hello": 1}"#, "Cassettes/0a1b.json")
        let run = try lint()
        let files = lines("unused-body", run).map { $0.components(separatedBy: ":")[0] }
        #expect(files == ["Cassettes/a.bodies/2.png", "Cassettes/gone.bodies/1.png"])
        #expect(lines("foreign", run).isEmpty)
        #expect(lines("failed-recording", run).count == 2)
        #expect(lines("unused-body", try lint("Cassettes/a.har")).count == 1)
    }

    @Test("Names that differ only in case are reported once")
    func collisions() throws {
        try folder["Cassettes/Talk.har"].record(Samples.interaction("/a"))
        try #require(!FileManager.default.fileExists(atPath: folder["Cassettes/talk.har"].path))
        try folder["Cassettes/talk.har"].record(Samples.interaction("/a"))
        let findings = lines("case-collision", try lint())
        #expect(
            findings == [
                "Cassettes/talk.har: error: the name differs only in case from Cassettes/Talk.har"
            ]
        )
        #expect(try lint("Cassettes/talk.har", "Cassettes/talk.har").status == 0)
    }

    static let urls: [(String, String?)] = [
        ("https://example.com", nil), ("http://[::1]:8080/a?b=%20", nil),
        ("https://%3Cuser:1%3E@example.com/", nil),
        ("https://example.com/REDACTEDidN1X?a=REDACTEDbN2X", nil), ("HTTPS://EXAMPLE.COM/ü", nil),
        ("wss://example.com/", "scheme wss"),
        ("example.com/a", "no scheme"), ("https:///a", "no host"), ("https://example.com/a b", "whitespace"),
        ("data:text/plain,x", "scheme data"), ("", "no URL"),
    ]

    @Test("A URL that no request can have is reported", arguments: urls)
    func addresses(_ url: String, _ problem: String?) throws {
        var interaction = Samples.interaction("/a")
        interaction.request.url = url
        let rules = InteractionLint(LintSettings(), in: folder.url, format: HARFormat.name)
        let linted = LintedInteraction(interaction, number: 1, line: nil, Redactor(.default))
        let found = rules.problems(of: linted).problems.filter { $0.rule == .invalidURL }
        #expect(found.count == (problem == nil ? 0 : 1), "\(found)")
        if let problem { #expect(found.first?.message.contains(problem) == true) }
    }

    @Test("Standard input, files and the folder of REWIND_CASSETTES are checked")
    func operands() throws {
        try folder["Cassettes/a.har"].record(Samples.interaction("/a"))
        let data = try Data(contentsOf: folder["Cassettes/a.har"])
        #expect(try lint().output == "No problems found in 1 cassette.\n")
        #expect(try lint("-", input: data).output == "No problems found in 1 cassette.\n")
        let broken = try lint("-", "Cassettes/a.har", input: Data("{".utf8))
        #expect(broken.status == 65)
        #expect(broken.output.hasPrefix("standard input:1:2: error: "))
        try FileManager.default.moveItem(at: folder["Cassettes"], to: folder["Talks"])
        #expect(try lint(environment: ["REWIND_CASSETTES": "Talks"]).status == 0)
        let missing = try lint()
        #expect(missing.status == 65)
        #expect(missing.output.hasPrefix("Cassettes: error: "))
    }

    @Test(
        "An invalid value of an option is a usage error",
        arguments: [
            ["--format", "xml"], ["--ignore", "secrets"], ["--ignore", "old,new"], ["--max-age", "soon"],
            ["--max-age", "-1d"], ["--max-body", "1TB"],
        ]
    )
    func rejectsValues(_ arguments: [String]) throws {
        let run = try CommandRun(["lint"] + arguments, in: folder.url)
        #expect(run.status == 64)
        #expect(
            run.errorOutput.contains(
                "invalid value '\(arguments[1].components(separatedBy: ",").last ?? "")' for \(arguments[0])"
            )
        )
    }

    @Test("The SARIF report follows the schema")
    func writesSARIF() throws {
        try recordAll()
        let log = try JSON(parsing: try lint("--format", "sarif").data)
        #expect(log["version"]?.stringValue == "2.1.0")
        #expect(log["$schema"]?.stringValue?.hasSuffix("sarif-2.1.0.json") == true)
        let run = try #require(log["runs"]?[0])
        #expect(run["tool"]?["driver"]?["name"]?.stringValue == "rewind")
        let rules = try #require(run["tool"]?["driver"]?["rules"]?.arrayValue)
        let names = rules.compactMap { $0["id"]?.stringValue }
        #expect(names == LintRule.allCases.map(\.rawValue))
        for rule in rules { #expect(rule["shortDescription"]?["text"]?.stringValue?.hasSuffix(".") == true) }
        let results = try #require(run["results"]?.arrayValue)
        #expect(results.count > 20)
        let known: Set<String> = ["ruleId", "ruleIndex", "level", "message", "locations"]
        for result in results {
            #expect(Set(result.objectValue?.members.map(\.name) ?? []) == known)
            let index = try #require(result["ruleIndex"]?.integerValue)
            #expect(result["ruleId"]?.stringValue == names[index])
            #expect(["error", "warning", "note"].contains(result["level"]?.stringValue))
            #expect(result["message"]?["text"]?.stringValue?.isEmpty == false)
            let place = try #require(result["locations"]?[0]?["physicalLocation"])
            let uri = try #require(place["artifactLocation"]?["uri"]?.stringValue)
            #expect(uri.hasPrefix("Cassettes/") && URL(string: uri) != nil)
            #expect((place["region"]?["startLine"]?.integerValue ?? 0) >= 1)
        }
    }

    @Test("Workflow commands escape characters that would end a value")
    func escapesWorkflowCommands() throws {
        #expect(WorkflowReport.escaped("50%: a,b\r\n") == "50%25: a,b%0D%0A")
        #expect(WorkflowReport.escapedProperty("50%: a,b\r\n") == "50%25%3A a%2Cb%0D%0A")
        try write("{", "Cassettes/a, b:c 100%.har")
        let run = try lint("--format", "github")
        #expect(
            run.output.hasPrefix(
                "::error file=Cassettes/a%2C b%3Ac 100%25.har,line=1,col=2,title=unreadable%3A"
            )
        )
        #expect(run.output.count { $0 == "\n" } == 1)
        let uri = try JSON(parsing: try lint("--format", "sarif").data)["runs"]?[0]?["results"]?[0]?[
            "locations"
        ]?[0]
        #expect(
            uri?["physicalLocation"]?["artifactLocation"]?["uri"]?.stringValue
                == "Cassettes/a%2C%20b%3Ac%20100%25.har"
        )
    }

    @Test("A real recording has no problems", .timeLimit(.minutes(10)))
    func realRecording() async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        let stubber = try Stubber(
            at: CassetteLocation(folder["Cassettes/real.har"]),
            mode: .all,
            environment: Environment([:])
        )
        for path in ["/json", "/binary/5000", "/chunks/3"] {
            _ = try await stubber.session.data(from: server[path])
        }
        _ = try stubber.eject()
        let run = try lint()
        #expect(run.output == "No problems found in 1 cassette.\n")
        #expect(run.status == 0)
    }
}
