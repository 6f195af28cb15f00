import Foundation
import Rewind
import RewindTestSupport
import Testing

@testable import RewindCLI

struct ListTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func list(_ arguments: String..., environment: [String: String] = [:]) throws -> CommandRun {
        try CommandRun(["list"] + arguments, environment: environment, in: folder.url)
    }

    /// Writes a cassette whose requests were started some seconds ago.
    private func write(_ name: String, _ urls: [String], secondsAgo: Double = 108_000, body: Int = 10) throws {
        let interactions = urls.map { url in
            Interaction(
                request: Interaction.Request(url: url),
                outcome: .response(
                    Interaction.Response(
                        headers: ["Content-Type": "text/plain"],
                        body: Interaction.Body(String(repeating: "x", count: body))
                    )
                ),
                startedAt: Date(timeIntervalSinceNow: -secondsAgo)
            )
        }
        let file = folder[name]
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Cassette(interactions: interactions).write(to: file)
    }

    private func writeSeveral() throws {
        let hour = 3600.0
        try write("Cassettes/UserTests/login.har", ["https://api.example.com/login"], secondsAgo: 60 * hour)
        try write(
            "Cassettes/TimelineTests/testTimeline.har",
            ["https://api.example.com/a", "https://cdn.example.com:8443/b", "https://API.example.com/c"]
        )
        try write(
            "Cassettes/old.har",
            ["http://a/1", "http://b/", "http://c", "http://d/1"],
            secondsAgo: 20_000 * hour
        )
    }

    @Test("Cassettes in all subfolders are listed with totals")
    func table() throws {
        try writeSeveral()
        let run = try list()
        #expect(run.status == 0)
        #expect(run.errorOutput.isEmpty)
        try expectGolden(run.output, "list/table.txt")
    }

    @Test(
        "--sort sorts by name, age, size or interactions",
        arguments: [
            ("name", ["TimelineTests/testTimeline.har", "UserTests/login.har", "old.har"]),
            ("age", ["old.har", "UserTests/login.har", "TimelineTests/testTimeline.har"]),
            ("size", ["old.har", "TimelineTests/testTimeline.har", "UserTests/login.har"]),
            ("interactions", ["old.har", "TimelineTests/testTimeline.har", "UserTests/login.har"]),
        ]
    )
    func sorts(_ key: String, _ names: [String]) throws {
        try writeSeveral()
        let json = try JSON(parsing: try list("--sort", key, "--json").data)
        #expect(json.arrayValue?.compactMap { $0["name"]?.stringValue } == names)
    }

    @Test("--json contains paths, dates, hosts and sizes")
    func json() throws {
        try FileManager.default.createDirectory(at: folder["mine"], withIntermediateDirectories: true)
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        let interactions = [5.0, 9, 2].map {
            Interaction(
                request: Interaction.Request(url: "https://api.example.com/\($0)"),
                outcome: .response(
                    Interaction.Response(headers: ["Content-Type": "text/plain"], body: Interaction.Body("one"))
                ),
                startedAt: date.addingTimeInterval($0)
            )
        }
        try Cassette(interactions: interactions).write(to: folder["mine/talk.har"])
        let json = try JSON(parsing: try list("mine", "--json").data)
        let size = try Data(contentsOf: folder["mine/talk.har"]).count
        #expect(
            json == [
                [
                    "name": "talk.har", "path": "mine/talk.har", "interactions": 3,
                    "hosts": ["api.example.com"], "newest": "2023-11-14T22:13:29.000Z", "size": JSON(size),
                    "format": "HAR 1.2",
                ]
            ]
        )
    }

    @Test("The size includes body files, which are not read")
    func bodies() throws {
        let entry = """
            {"request": {"method": "GET", "url": "https://a/"}, "response": {"status": 200, "content":
            {"_file": "talk.bodies/001-GET.bin", "size": 70000}}, "startedDateTime": "2020-01-01T00:00:00Z"}
            """
        let text = #"{"log": {"version": "1.2", "entries": [\#(entry)]}}"#
        try FileManager.default.createDirectory(
            at: folder["Cassettes/talk.bodies"],
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: folder["Cassettes/talk.har"])
        try Data(count: 70_000).write(to: folder["Cassettes/talk.bodies/001-GET.bin"])
        let json = try JSON(parsing: try list("--json").data)
        #expect(json[0]?["size"]?.integerValue == 70_000 + text.utf8.count)
        #expect(json[0]?["interactions"] == 1)
    }

    @Test("A body file of any size is not read")
    func largeBodies() throws {
        try FileManager.default.createDirectory(
            at: folder["Cassettes/a.bodies"],
            withIntermediateDirectories: true
        )
        try Data(CassetteSamples.archive(withBodyAt: "a.bodies/1.png").utf8).write(
            to: folder["Cassettes/a.har"]
        )
        let body = folder["Cassettes/a.bodies/1.png"]
        try Data().write(to: body)
        let handle = try FileHandle(forWritingTo: body)
        // The file has no blocks on the disk; reading it would need its size in memory.
        try handle.truncate(atOffset: 200_000_000_000)
        try handle.close()
        let run = try list("--json")
        #expect(run.status == 0, "\(run.errorOutput)")
        #expect(try JSON(parsing: run.data)[0]?["size"]?.integerValue ?? 0 > 200_000_000_000)
    }

    @Test("The age is that of the newest interaction, and unknown without a date")
    func ages() throws {
        let interactions = [72.0, 5, 48].map { hours in
            var interaction = CassetteSamples.interaction("/\(hours)")
            interaction.startedAt = Date(timeIntervalSinceNow: -hours * 3600 - 60)
            return interaction
        }
        try FileManager.default.createDirectory(at: folder["Cassettes"], withIntermediateDirectories: true)
        try Cassette(interactions: interactions).write(to: folder["Cassettes/a.har"])
        let entry = #"{"request": {"method": "GET", "url": "https://h/"}, "response": {"status": 204}}"#
        try Data(#"{"log": {"version": "1.2", "entries": [\#(entry)]}}"#.utf8).write(
            to: folder["Cassettes/b.har"]
        )
        let lines = try list().output.split(separator: "\n")
        #expect(lines.first { $0.hasPrefix("a.har") }?.contains("5 h") == true)
        #expect(lines.first { $0.hasPrefix("b.har") }?.contains("unknown") == true)
        #expect(!lines.contains { $0.contains("FORMAT") })
        #expect(try JSON(parsing: try list("--json").data)[1]?["newest"] == .null)
    }

    @Test("An invalid cassette is reported, and the others are listed")
    func broken() throws {
        try writeSeveral()
        for name in ["bad", "worse"] {
            try Data("{\"log\": \n  7, }".utf8).write(to: folder["Cassettes/\(name).har"])
        }
        let run = try list()
        #expect(run.status == 65)
        #expect(run.output.contains("3 cassettes, 8 interactions"))
        for name in ["bad", "worse"] { #expect(run.errorOutput.contains("Cassettes/\(name).har:2:")) }
    }

    @Test("Failed and recovered recordings are listed separately, and other formats are named")
    func others() throws {
        try write("Cassettes/talk.har", ["https://a/"])
        try write("Cassettes/deep/talk.failed.har", ["https://a/"])
        try write("Cassettes/deep/talk.recovered.har", ["https://a/"])
        let cassette = try Cassette(contentsOf: folder["Cassettes/talk.har"])
        try cassette.write(to: folder["Cassettes/vinyl.json"], as: .dvr)
        let run = try list()
        #expect(run.status == 0)
        #expect(run.output.contains("Recording of a failed test:\n  deep/talk.failed.har\n"))
        #expect(run.output.contains("Recovered from an interrupted run:\n  deep/talk.recovered.har\n"))
        #expect(run.output.contains("2 cassettes"))
        let line = run.output.split(separator: "\n").first { $0.hasPrefix("vinyl.json") }
        #expect(line?.hasSuffix(DVRFormat.name) == true)
        #expect(run.output.contains("FORMAT"))
    }

    @Test("The folder is the operand, or else REWIND_CASSETTES, or else Cassettes")
    func folders() throws {
        for name in ["Cassettes", "named", "variable"] { try write("\(name)/of-\(name).har", ["https://a/"]) }
        let environment = ["REWIND_CASSETTES": folder["variable"].path]
        #expect(try list().output.contains("of-Cassettes.har"))
        #expect(try list(environment: environment).output.contains("of-variable.har"))
        #expect(try list("named", environment: environment).output.contains("of-named.har"))
        #expect(try list("named/").output.contains("\nof-named.har"))
        #expect(try list(".").output.contains("named/of-named.har"))
    }

    @Test("An empty folder, a missing folder and a file have messages of their own")
    func reportsMissingFolders() throws {
        let missing = try list()
        #expect(missing.status == 65)
        #expect(missing.errorOutput.hasPrefix("rewind: the folder Cassettes does not exist\n"))
        try FileManager.default.createDirectory(at: folder["Cassettes"], withIntermediateDirectories: true)
        let empty = try list()
        #expect(empty.status == 0)
        #expect(empty.output == "No cassettes in Cassettes.\n")
        #expect(try list("--json").output == "[]\n")
        try write("talk.har", ["https://a/"])
        let file = try list("talk.har")
        #expect(file.status == 65)
        #expect(file.errorOutput.contains("rewind show talk.har"))
        #expect(try list("--sort", "colour").status == 64)
        #expect(try list("a", "b").status == 64)
    }

    @Test("Control characters in names of files and hosts are escaped")
    func controlCharacters() throws {
        try write("Cassettes/a\u{1B}[2Jb.har", ["https://evil\u{9B}31m.example/"])
        for arguments in [[], ["--json"]] {
            let run = try CommandRun(["list"] + arguments, in: folder.url)
            #expect(run.status == 0)
            #expect(run.output.controlCharacters.isEmpty)
            #expect(run.output.contains("evil\\u"))
        }
    }
}
