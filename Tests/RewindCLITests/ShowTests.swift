import Foundation
import Rewind
import RewindTestSupport
import Testing

@testable import RewindCLI

struct ShowTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        try Cassette(interactions: ShowSamples.interactions).write(to: folder["talk.har"])
    }

    private func show(_ arguments: String..., input: Data = Data()) throws -> CommandRun {
        try CommandRun(["show"] + arguments, input: input, in: folder.url)
    }

    @Test("The timeline has a line for each interaction, and totals")
    func timeline() throws {
        let run = try show("talk.har")
        #expect(run.status == 0)
        #expect(run.errorOutput.isEmpty)
        try expectGolden(run.output, "show/timeline.txt")
    }

    @Test("Placeholders in URLs are readable, and exact in what is copied")
    func readableURLs() throws {
        let token = Placeholder(name: "id_token", number: 1).jwtText()
        let url = "https://h/a?access_token=REDACTEDaccessTokenN1X&t=\(token)&key=%3CAPI_KEY%3E"
        let interaction = Interaction(
            request: Interaction.Request(url: url),
            outcome: .response(Interaction.Response(status: 302, headers: ["Location": url + "&n=2"]))
        )
        try Cassette(interactions: [interaction]).write(to: folder["secret.har"])
        let shown = "https://h/a?access_token=<accessToken:1>&t=<idToken:1>&key=<API_KEY>"
        #expect(try show("secret.har").output.contains("\(shown) → \(shown)&n=2"))
        #expect(try show("secret.har", "1").output.contains("GET \(shown)"))
        let page = try show("secret.har", "--html").output
        let escaped = shown.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(
            ">",
            with: "&gt;"
        )
        #expect(page.contains("<span class=\"path\">\(escaped.dropFirst("https://h".count))</span>"))
        #expect(try show("secret.har", "1", "--curl").output.contains("'\(url)'"))
        #expect(try show("secret.har", "--json").output.contains(url))
    }

    @Test("An interaction is shown in full", arguments: 1...6)
    func full(_ number: Int) throws {
        let run = try show("talk.har", "\(number)")
        #expect(run.status == 0)
        try expectGolden(run.output, "show/interaction-\(number).txt")
    }

    @Test("A range of interactions is shown in order")
    func ranges() throws {
        let (one, two) = (try show("talk.har", "4"), try show("talk.har", "5"))
        #expect(try show("talk.har", "4-5").output == one.output + "\n" + two.output)
        #expect(try show("talk.har", "4-4").output == one.output)
    }

    @Test(
        "A number that is invalid or out of range is a usage error",
        arguments: ["0", "7", "2-7", "5-2", "x", "2-", ""]
    )
    func badNumbers(_ number: String) throws {
        let run = try show("talk.har", number)
        #expect(run.status == 64)
        #expect(run.output.isEmpty)
        #expect(run.errorOutput.contains("invalid value '\(number)' for N: expected "))
    }

    @Test("A cassette in any format can be read from standard input")
    func standardInput() throws {
        let cassette = Cassette(interactions: [ShowSamples.interactions[1]])
        let run = try show("-", input: DVRFormat.write(cassette))
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("standard input (\(DVRFormat.name))\n"))
        #expect(run.output.contains("https://api.example.com/graphql (query Hero)"))
        #expect(try show("-", input: Data("nonsense".utf8)).status == 65)
    }

    @Test("An empty cassette is shown without a table")
    func empty() throws {
        try Cassette().write(to: folder["empty.har"])
        let run = try show("empty.har")
        #expect(run.output == "empty.har\n\n0 interactions, 0 hosts, 0 B received, 0.00 ms in flight\n")
        #expect(try show("empty.har", "1").errorOutput.contains("the cassette is empty"))
        #expect(try show("empty.har", "--json").output == "[]\n")
        #expect(try show("empty.har", "--html").status == 0)
        #expect(try show("missing.har").status == 65)
    }

    @Test("A long body is cut with a note, and shown completely with --full")
    func longBodies() throws {
        let lines = (1...300).map { "line \($0)" }.joined(separator: "\n")
        let long = String(repeating: "ü", count: 9000)
        for (text, shown, note) in [
            (lines, "line 100\n", "… 200 more lines, 1.8 kB; to show everything, use --full"),
            (long, String(repeating: "ü", count: 5000) + "\n", "… 8.0 kB more; to show everything, use --full"),
        ] {
            let interaction = Interaction(
                request: Interaction.Request(url: "https://a/"),
                outcome: .response(
                    Interaction.Response(headers: ["Content-Type": "text/plain"], body: Interaction.Body(text))
                )
            )
            try Cassette(interactions: [interaction]).write(to: folder["long.har"])
            let run = try show("long.har", "1")
            #expect(run.output.hasSuffix(shown + note + "\n"))
            #expect(try show("long.har", "1", "--full").output.hasSuffix("\n\n" + text + "\n"))
        }
        #expect(TextLimit(lines: 2, bytes: 99).cut("a\nb").note == nil)
        #expect(TextLimit(lines: 9, bytes: 3).cut("abc").note == nil)
        #expect(TextLimit(lines: 2, bytes: 99).cut("a\nb\nc").shown == "a\nb")
    }

    @Test("--json has the documented format")
    func json() throws {
        let run = try show("talk.har", "2", "--json")
        try expectGolden(run.output, "show/interaction-2.json")
        let all = try JSON(parsing: try show("talk.har", "--json").data)
        #expect(all.arrayValue?.count == 6)
        #expect(
            all[4]?["response"]?["body"] == [
                "size": 4024, "base64": .string(ShowSamples.image.base64EncodedString()),
            ]
        )
        #expect(all[5]?["response"] == .null)
        #expect(
            all[5]?["failure"] == [
                "domain": "NSURLErrorDomain", "code": -1004, "message": "Could not connect.",
            ]
        )
        #expect(all[0]?["redacted"] == ["request.postData.params.password"])
        #expect(all[3]?["request"]?["body"] == .null)
    }

    @Test("In JSON, an entry without a usable response is a failure of Rewind, and a missing date is null")
    func unusableAnswers() throws {
        let entries = #"""
            {"request": {"method": "GET", "url": "https://h/a"}, "response": {}},
            {"startedDateTime": "2024-01-01T02:00:00+02:00", "request": {"method": "GET", "url": "https://h/b"},
             "response": {"status": 204}, "timings": {"send": 1, "wait": 12.5, "receive": 3}}
            """#
        try Data(#"{"log": {"version": "1.2", "entries": [\#(entries)]}}"#.utf8).write(to: folder["odd.har"])
        let json = try JSON(parsing: try show("odd.har", "--json").data)
        #expect(json[0]?["startedAt"] == .null)
        #expect(json[0]?["response"] == .null)
        #expect(json[0]?["failure"]?["domain"] == "Rewind")
        #expect(json[1]?["number"] == 2)
        #expect(json[1]?["startedAt"] == "2024-01-01T00:00:00.000Z")
        #expect(json[1]?["failure"] == .null)
        #expect(json[1]?["timing"] == ["wait": 12.5, "receive": 3])
    }

    @Test(
        "Control characters are escaped",
        arguments: [[], ["1"], ["--curl"], ["--json"], ["--html"]]
    )
    func controlCharacters(_ arguments: [String]) throws {
        let evil = "\u{1B}]0;x\u{7}\u{9B}31m\u{202E}\u{7F}"
        let bodies = [
            ("text/plain", "a\r\nb\(evil)"), ("application/json", "{\"\(evil)\": \"\u{9B}\"}"),
            ("application/x-www-form-urlencoded", "a%1B%5B2J=%C2%9B"), ("application/xml", "<a>\(evil)</a>"),
            ("text/\(evil)", "\(evil)"), ("application/octet-stream", "\(evil)"),
        ]
        let interactions = bodies.map { type, body in
            Interaction(
                request: Interaction.Request(
                    method: "G\(evil)",
                    url: "https://a/\(evil)?\(evil)",
                    headers: ["X-\(evil)": evil, "Content-Type": type],
                    body: Interaction.Body(body)
                ),
                outcome: .failure(
                    Interaction.Failure(domain: evil, code: 1, message: "\(evil)\r\n"),
                    after: Interaction.Response(
                        statusText: evil,
                        headers: ["\(evil)": evil, "Content-Type": type],
                        body: Interaction.Body(body)
                    )
                )
            )
        }
        try Cassette(interactions: interactions).write(to: folder["evil.har"])
        let numbers = arguments == ["1"] ? (1...bodies.count).map { ["\($0)"] } : [arguments]
        for words in numbers {
            let run = try CommandRun(["show", "evil.har"] + words, in: folder.url)
            #expect(run.status == 0)
            #expect(run.output.controlCharacters.isEmpty)
        }
    }

    @Test("--output writes to a file, and an error names the path")
    func output() throws {
        let run = try show("talk.har", "--output", "out.txt")
        #expect(run.status == 0)
        #expect(run.output.isEmpty)
        #expect(try Data(contentsOf: folder["out.txt"]) == show("talk.har").data)
        for option in ["--json", "--curl", "--html"] {
            #expect(try show("talk.har", option, "--output", "out.txt").output.isEmpty)
            #expect(try Data(contentsOf: folder["out.txt"]) == show("talk.har", option).data, "\(option)")
        }
        let failed = try show("talk.har", "--html", "--output", "no/where.html")
        #expect(failed.status == 1)
        #expect(failed.errorOutput.contains("no/where.html cannot be written"))
        #expect(try show("talk.har", "--json", "--curl").status == 64)
    }
}
