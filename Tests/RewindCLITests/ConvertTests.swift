import Foundation
import Rewind
import RewindTestSupport
import Testing

struct ConvertTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        var large = Interaction.text("https://h/large", String(repeating: "x", count: 20_000))
        large.timing = .init(wait: 20, receive: 5)
        let dictionary: HeaderList = ["Set-Cookie": "a=1", "set-cookie": "b=2", "Content-Type": "text/plain"]
        let cookies = Interaction(
            request: Interaction.Request(
                method: "POST",
                url: "https://h/cookies",
                headers: ["Accept": "*/*"],
                body: Interaction.Body("q")
            ),
            outcome: .response(
                Interaction.Response(status: 201, headers: dictionary, body: Interaction.Body("two"))
            )
        )
        let refused = Interaction(
            request: Interaction.Request(url: "https://h/down"),
            outcome: .failure(Interaction.Failure(code: -1004), after: nil)
        )
        let links: HeaderList = ["Link": "<a>", "link": "<b>", "Content-Type": "application/json"]
        let spaced = Interaction(
            request: Interaction.Request(url: "https://h/spaced"),
            outcome: .response(Interaction.Response(headers: links, body: Interaction.Body(#"{ "a" : 1 }"#))),
            startedAt: Date(timeIntervalSince1970: 1_700_000_000)
        )
        let interactions = [Interaction.text("https://h/a", "one"), cookies, refused, large, spaced]
        try Cassette(interactions: interactions).write(to: folder["talk.har"])
    }

    private func convert(_ words: String..., input: Data = Data()) throws -> CommandRun {
        try CommandRun(["convert"] + words, input: input, in: folder.url)
    }

    @Test(
        "A cassette is converted beside the original, and losses are reported",
        arguments: ["dvr", "vcr"]
    )
    func formats(_ name: String) throws {
        let run = try convert("talk.har", "--to", name)
        #expect(run.status == 0)
        #expect(run.output == "talk.har → talk.json\n")
        try expectGolden(run.errorOutput, "convert/\(name)-loss.txt")
        let cassette = try Cassette(contentsOf: folder["talk.json"])
        #expect(
            cassette.interactions.map(\.request.url)
                == ["a", "cookies", "large", "spaced"].map { "https://h/\($0)" }
        )
        #expect(folder.files == ["talk.har", "talk.json"])
    }

    @Test("With --strict, a loss that changes a response is an error, but a loss of timing is not")
    func strict() throws {
        let run = try convert("talk.har", "--to=vcr", "--strict")
        #expect(run.status == 1)
        #expect(
            run.errorOutput.contains(
                "talk.har was not converted because of --strict: VCR JSON cannot represent:"
            )
        )
        #expect(folder.files == ["talk.har"])
        var timed = Interaction.text("https://h/a", "one")
        timed.timing = .init(wait: 20, receive: 5)
        try Cassette(interactions: [timed]).write(to: folder["timed.har"])
        #expect(try convert("timed.har", "--to=vcr", "--strict").status == 0)
        #expect(folder.files == ["talk.har", "timed.har", "timed.json"])
    }

    @Test("Converting to VCR and back to HAR keeps the responses, with large bodies in files")
    func roundTrip() throws {
        #expect(try convert("talk.har", "--to", "vcr").status == 0)
        #expect(
            try convert("talk.json", "--to", "har", "--output", "new/").output == "talk.json → new/talk.har\n"
        )
        #expect(folder.files.contains("new/talk.bodies/003-GET-large.txt"))
        let (before, after) = (
            try Cassette(contentsOf: folder["talk.har"]), try Cassette(contentsOf: folder["new/talk.har"])
        )
        #expect(
            after.interactions.map(\.response?.body.data)
                == [0, 1, 3, 4].map { before.interactions[$0].response?.body.data }
        )
        #expect(after.interactions[1].response?.headers.values(for: "Set-Cookie").count == 2)
    }

    @Test("An existing file is only overwritten with --force")
    func overwriting() throws {
        try Data("mine".utf8).write(to: folder["talk.json"])
        let run = try convert("talk.har", "--to", "dvr")
        #expect(run.status == 1)
        #expect(run.errorOutput.contains("talk.har was not converted: talk.json already exists"))
        #expect(try String(contentsOf: folder["talk.json"], encoding: .utf8) == "mine")
        #expect(try convert("talk.har", "--to", "dvr", "--force").status == 0)
        #expect(try Cassette(contentsOf: folder["talk.json"]).interactions.count == 4)
    }

    @Test("A cassette is converted from standard input to standard output")
    func streams() throws {
        let data = try Data(contentsOf: folder["talk.har"])
        let run = try convert("-", "--to", "dvr", input: data)
        #expect(run.status == 0)
        #expect(try DVRFormat.read(run.data).interactions.count == 4)
        #expect(run.errorOutput.contains("standard input: DVR cannot represent:"))
        let back = try convert("-", "--to", "har", "--output", "-", input: run.data)
        #expect(try HARFormat.read(back.data).interactions.count == 4)
        #expect(back.output.contains(String(repeating: "x", count: 20_000)))
        #expect(folder.files == ["talk.har"])
    }

    @Test("A folder is converted despite an invalid file, and files already in the format are skipped")
    func folders() throws {
        let interactions = [Interaction.text("https://h/z", "z")]
        for name in ["in/one.json", "in/deep/two.json"] {
            let file = folder[name]
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Cassette(interactions: interactions).write(to: file, as: .dvr)
        }
        try Data("nonsense".utf8).write(to: folder["in/bad.json"])
        try Cassette(interactions: interactions).write(to: folder["in/three.har"])
        let run = try convert("in", "--to", "har")
        #expect(run.status == 65)
        #expect(run.errorOutput.contains("in/bad.json"))
        #expect(
            run.output == """
                in/deep/two.json → in/deep/two.har
                in/one.json → in/one.har
                in/three.har is already in this format

                """
        )
    }

    @Test("Two cassettes are not written to the same file")
    func twice() throws {
        for name in ["a", "b"] {
            try FileManager.default.createDirectory(at: folder[name], withIntermediateDirectories: true)
            let cassette = Cassette(interactions: [.text("https://h/\(name)", name)])
            try cassette.write(to: folder["\(name)/talk.har"])
        }
        let run = try convert("a", "b", "--to", "vcr", "--output", "out/", "--force")
        #expect(run.status == 1)
        #expect(run.errorOutput.contains("b/talk.har was not converted"))
        #expect(
            try Cassette(contentsOf: folder["out/talk.json"]).interactions.map(\.request.url) == ["https://h/a"]
        )
        #expect(try convert("a", "b", "--to", "vcr", "--output", "one.json").status == 64)
        #expect(try convert("a", "--to", "xml").errorOutput.contains("one of har, dvr, vcr"))
    }

    @Test("Secrets of a foreign cassette are redacted and reported")
    func secrets() throws {
        let secret = "4f9a7c21e0b84d5f"
        let login = Interaction(
            request: Interaction.Request(
                url: "https://h/login",
                headers: ["Authorization": "Bearer \(secret)"]
            ),
            outcome: .response(
                Interaction.Response(
                    headers: ["Content-Type": "text/plain"],
                    body: Interaction.Body("you sent \(secret)")
                )
            )
        )
        try Cassette(interactions: [login]).write(to: folder["login.json"], as: .dvr)
        for format in ["har", "vcr"] {
            let run = try convert("login.json", "--to", format, "--output", "out.\(format)")
            #expect(run.status == 0)
            #expect(run.errorOutput.contains("redacted secrets in 1 interaction"))
            #expect(!run.errorOutput.contains(secret))
            let text = try String(contentsOf: folder["out.\(format)"], encoding: .utf8)
            #expect(!text.contains(secret))
            #expect(text.contains("you sent REDACTEDauthorizationN1X"))
        }
    }

    @Test("A cassette with a possible credential is not converted, the others are")
    func credentials() throws {
        let token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
        try Cassette(interactions: [.text("https://h/a", "see \(token)")]).write(to: folder["key.har"])
        let run = try convert("key.har", "talk.har", "--to", "vcr")
        #expect(run.status == 1)
        #expect(run.errorOutput.contains("key.har contains values that look like credentials"))
        #expect(!run.errorOutput.contains(token))
        #expect(folder.files == ["key.har", "talk.har", "talk.json"])
    }
}
