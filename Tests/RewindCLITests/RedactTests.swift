import Foundation
import Rewind
import RewindTestSupport
import Testing

struct RedactTests {
    private static let secret = "4f9a7c21e0b84d5f"
    private static let token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"

    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// Writes an archive like a browser's, with a secret in the request and copies of it in the response and in an unknown
    /// member.
    private func putBrowser(_ name: String = "browser.har", comment: String = "by hand") throws {
        let archive = """
            {"log": {"version": "1.2", "creator": {"name": "Browser", "version": "1"}, "comment": "\(comment)",
              "entries": [{"_initiator": {"url": "https://h/?t=\(Self.secret)"}, "_kept":  1.50,
                "startedDateTime": "2024-01-01T00:00:00Z", "time": 1,
                "request": {"method": "GET", "url": "https://h/me?access_token=\(Self.secret)",
                  "headers": [{"name": "X-Client-Key", "value": "client-4711-green"}]},
                "response": {"status": 200, "headers": [{"name": "Content-Type", "value": "application/json"}],
                  "content": {"size": 40, "mimeType": "application/json",
                    "text": "{\\"user\\":{\\"ssn\\":\\"078-05-1120\\"},\\"echo\\":\\"\(Self.secret)\\"}"}}}]}}
            """
        try Data(archive.utf8).write(to: folder[name])
    }

    private func redact(_ words: String..., input: Data = Data(), environment: [String: String] = [:]) throws
        -> CommandRun
    {
        try CommandRun(["redact"] + words, input: input, environment: environment, in: folder.url)
    }

    private func text(_ name: String = "browser.har") throws -> String {
        try String(contentsOf: folder[name], encoding: .utf8)
    }

    @Test("One cassette is printed redacted and otherwise unchanged")
    func prints() throws {
        try putBrowser()
        let before = try text()
        let run = try redact("browser.har")
        #expect(run.status == 0)
        #expect(run.errorOutput.isEmpty)
        #expect(!run.output.contains(Self.secret))
        #expect(run.output.contains(#""_kept": 1.50"#))
        #expect(run.output.contains("access_token=REDACTEDaccessTokenN1X"))
        #expect(try text() == before)
        #expect(try redact("-", input: Data(before.utf8)).output == run.output)
    }

    @Test("--in-place rewrites the file and reports the changes, and a second run finds none")
    func inPlace() throws {
        try putBrowser()
        let run = try redact("browser.har", "--in-place")
        #expect(run.status == 0, "\(run.errorOutput)")
        try expectGolden(run.output, "redact/in-place.txt")
        #expect(try !text().contains(Self.secret))
        #expect(try text().contains(#""comment": "by hand""#))
        let written = try text()
        let again = try redact("browser.har", "--in-place")
        #expect(again.output == "No secrets found in 1 cassette.\n")
        #expect(try text() == written)
    }

    @Test("--check reports secrets and changes nothing")
    func check() throws {
        try putBrowser()
        let before = try text()
        let run = try redact(".", "--check")
        #expect(run.status == 1)
        #expect(run.output.contains("secrets in 1 interaction"))
        #expect(run.output.hasSuffix("\nFound secrets in 1 of 1 cassette.\n"))
        #expect(try text() == before)
        #expect(try redact(".", "--in-place").status == 0)
        #expect(try redact(".", "--check").status == 0)
        // Only cassettes with secrets have a line.
        for number in 1...3 {
            try FileManager.default.copyItem(at: folder["browser.har"], to: folder["\(number).har"])
        }
        #expect(try redact(".", "--check").output == "No secrets found in 4 cassettes.\n")
        try putBrowser("2.har")
        let one = try redact(".", "--check").output.split(separator: "\n")
        #expect(one.first == "2.har: secrets in 1 interaction")
        #expect(one.last == "Found secrets in 1 of 4 cassettes.")
    }

    @Test("Options add headers, fields, JSON paths and values to redact")
    func rules() throws {
        try putBrowser()
        let header = try redact("browser.har", "--redact", "header:x-client-*").output
        #expect(!header.contains("client-4711-green"))
        let path = try redact("browser.har", "--redact=path:$.user.ssn", "--redact", "field:echo").output
        #expect(!path.contains("078-05-1120"))
        #expect(path.contains("client-4711-green"))
        let value = try redact(
            "browser.har",
            "--value-env",
            "CLIENT_KEY",
            environment: ["CLIENT_KEY": "client-4711-green"]
        )
        #expect(value.output.contains(#""value": "<CLIENT_KEY>""#))
        for words in [["--value-env", "UNSET"], ["--redact", "path:$["]] {
            let run = try CommandRun(["redact", "browser.har"] + words, in: folder.url)
            #expect(run.status == 64)
            #expect(run.errorOutput.contains("invalid value '\(words[1])' for \(words[0])"))
        }
    }

    @Test(
        "Each rule decides about what it names and nothing else",
        arguments: [
            (["--redact", "header:X-Cli*"], ["client-4711-green"]), (["--redact", "field:pin"], ["9-pin-9"]),
            (["--redact", "path:$.user.ssn"], ["078-05-1120"]),
            (["--redact", "pattern:cust_[0-9]{1,8}"], ["cust_12345678"]),
            (["--redact", "pattern:(cust_[0-9]+),", "--redact", "field:pin"], ["9-pin-9"]),
            (["--redact", "field:pin on host:*.example.com"], ["9-pin-9"]),
            (["--redact", "field:pin on host:example.org"], []), (["--keep", "other,session"], []), ([], []),
        ]
    )
    func everyRule(_ options: [String], _ removed: [String]) throws {
        let values = ["client-4711-green", "9-pin-9", "078-05-1120", "cust_12345678"]
        var interaction = Interaction.text("https://api.example.com/a?pin=\(values[1])&s=1", "")
        interaction.request.headers["X-Client-Key"] = values[0]
        let body = #"{"user":{"ssn":"\#(values[2])"},"id":"\#(values[3])","session":"a1b2c3d4e5f6"}"#
        interaction.outcome = .response(
            Interaction.Response(headers: ["Content-Type": "application/json"], body: Interaction.Body(body))
        )
        try HARFormat.write(Cassette(interactions: [interaction])).write(to: folder["a.har"])
        let run = try CommandRun(["redact", "a.har"] + options, in: folder.url)
        #expect(run.status == 0, "\(run.errorOutput)")
        #expect(values.filter { !run.output.contains($0) } == removed)
        #expect(run.output.contains("a1b2c3d4e5f6") == options.contains("--keep"))
    }

    @Test("A value that still looks like a credential is an error, and nothing is written")
    func credentials() throws {
        try Cassette(interactions: [.text("https://h/a", "see \(Self.token)")]).write(to: folder["key.har"])
        let before = try text("key.har")
        let run = try redact("key.har", "--in-place")
        #expect(run.status == 1)
        try expectGolden(run.errorOutput, "redact/credentials.txt")
        #expect(try text("key.har") == before)
        #expect(try redact("key.har").output.isEmpty)
        #expect(try redact("key.har", "--check").status == 1)
        let fingerprint = CredentialFinding.fingerprint(of: Self.token.utf8)
        #expect(run.errorOutput.contains("--allow \(fingerprint)\n"))
        #expect(try redact("key.har", "--check", "--allow", fingerprint).status == 0)
    }

    @Test("A credential outside the interactions is reported with its line")
    func beside() throws {
        try putBrowser(comment: "mine is \(Self.token)")
        let run = try redact("browser.har", "--in-place")
        #expect(run.status == 1)
        #expect(run.errorOutput.contains("outside the interactions"))
        #expect(!run.errorOutput.contains(Self.token))
        #expect(try text().contains(Self.secret))
    }

    @Test("Large bodies are redacted in their files")
    func bodies() throws {
        let article = String(repeating: "word ", count: 5000) + Self.secret
        let cassette = Cassette(interactions: [
            .text("https://h/login?access_token=\(Self.secret)", "hello"), .text("https://h/article", article),
        ])
        try HARFormat.write(cassette).write(to: folder["talk.har"])
        #expect(try redact("talk.har", "--in-place").status == 0)
        #expect(folder.files == ["talk.bodies/002-GET-article.txt", "talk.har"])
        #expect(try !text("talk.bodies/002-GET-article.txt").contains(Self.secret))
        // The body file that exists now is redacted again.
        let other = try redact(
            "talk.har",
            "--in-place",
            "--value-env",
            "WORDS",
            environment: ["WORDS": "word word"]
        )
        #expect(other.status == 0, "\(other.errorOutput)")
        #expect(folder.files.count == 2)
        #expect(try Cassette(contentsOf: folder["talk.har"]).interactions[1].response?.body.count ?? 0 > 10_000)
        #expect(try !text(folder.files[0]).contains("word word"))
        let printed = try redact("talk.har").output
        #expect(printed.contains("<WORDS>"))
        #expect(!printed.contains("_file"))
    }

    @Test("Only formats that Rewind writes can be redacted in place")
    func formats() throws {
        let login = Interaction.text("https://h/a?access_token=\(Self.secret)", "1")
        try Cassette(interactions: [login]).write(to: folder["dvr.json"], as: .dvr)
        try Cassette(interactions: [login]).write(to: folder["vcr.json"], as: .vcr)
        for (name, format) in [
            ("dvr.json", DVRFormat.self as any CassetteReader.Type), ("vcr.json", VCRFormat.self),
        ] {
            #expect(try redact(name, "--in-place").status == 0)
            #expect(try !text(name).contains(Self.secret))
            #expect(format.recognizes(try Data(contentsOf: folder[name])))
        }
        let yaml = """
            http_interactions:
            - request: {method: get, uri: "https://h/a?access_token=\(Self.secret)", body: {string: ""}, headers: {}}
              response: {status: {code: 200, message: OK}, headers: {}, body: {string: "1"}}
            recorded_with: VCR 6.0.0

            """
        try Data(yaml.utf8).write(to: folder["vcr.yml"])
        let run = try redact("vcr.yml", "--in-place")
        #expect(run.status == 1)
        #expect(run.errorOutput.contains("rewind convert vcr.yml --to har"))
        #expect(try text("vcr.yml") == yaml)
        let printed = try redact("vcr.yml")
        #expect(try HARFormat.read(printed.data).interactions.count == 1)
        #expect(!printed.output.contains(Self.secret))
    }

    @Test("Several cassettes can be rewritten or checked, but not printed")
    func several() throws {
        try putBrowser("a.har")
        try putBrowser("b.har")
        #expect(try redact("a.har", "b.har").status == 64)
        #expect(try redact("-", "--in-place").status == 64)
        #expect(try redact("none.har", "a.har", "b.har", "--in-place").status == 65)
        #expect(try !text("b.har").contains(Self.secret))
    }
}

extension Interaction {
    /// A text response, recorded on a fixed date.
    static func text(_ url: String, _ text: String) -> Interaction {
        Interaction(
            request: Interaction.Request(url: url),
            outcome: .response(
                Interaction.Response(headers: ["Content-Type": "text/plain"], body: Interaction.Body(text))
            ),
            startedAt: Date(timeIntervalSince1970: 1_700_000_000)
        )
    }
}
