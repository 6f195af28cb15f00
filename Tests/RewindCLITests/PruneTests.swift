import Foundation
import RewindTestSupport
import Testing

@testable import Rewind
@testable import RewindCLI

struct PruneTests {
    private let folder: TemporaryDirectory
    private let cassettes: URL

    init() throws {
        folder = try TemporaryDirectory()
        cassettes = folder["Cassettes"]
        try Data().write(to: folder["Package.swift"])
        try put("Talks/one", "a", "b", "c")
        try put("Talks/two", "a")
        try put("Old/gone", "a", "b")
    }

    private func put(_ name: String, _ paths: String...) throws {
        let interactions = paths.map { path in
            Interaction(
                request: Interaction.Request(url: "https://h/\(path)"),
                outcome: .response(
                    Interaction.Response(headers: ["Content-Type": "text/plain"], body: Interaction.Body(path))
                ),
                startedAt: Date(timeIntervalSince1970: 1_700_000_000)
            )
        }
        let file = cassettes.appendingPathComponent(name + ".har")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Cassette(interactions: interactions).write(to: file)
        try age(file)
    }

    /// Makes a file older than any run.
    private func age(_ file: URL) throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
    }

    /// What a test does that plays some requests.
    private func test(
        _ name: String,
        _ paths: String...,
        mode: RecordingMode = .never,
        failed: Bool = false,
        ejects: Bool = true
    ) throws {
        let stubber = try Stubber(
            at: CassetteLocation(name: name, in: cassettes),
            mode: mode,
            testName: name.replacingOccurrences(of: "/", with: ".") + "()",
            environment: Environment(["REWIND_MANIFEST": folder["played"].path])
        )
        for path in paths {
            let request = Interaction.Request(url: "https://h/\(path)")
            let answer = stubber.answer(to: IncomingRequest(request))
            if case .forward(let recording, _) = answer {
                recording?.finish(
                    .response(Interaction.Response(body: Interaction.Body("new"))),
                    timing: .init()
                )
            }
        }
        if ejects { try stubber.eject(testFailed: failed) }
    }

    private func prune(_ words: String..., manifest: String = "played") throws -> CommandRun {
        ManifestRun.of(folder["played"].path).end()
        return try CommandRun(["prune", "--manifest", manifest] + words, in: folder.url)
    }

    private func urls(_ name: String) throws -> [String] {
        try Cassette(contentsOf: cassettes.appendingPathComponent(name + ".har")).interactions.map(
            \.request.url
        )
    }

    @Test("At first it is only listed, then it is taken out, and then there is nothing more")
    func prunes() throws {
        try test("Talks/one", "a", "c")
        try test("Talks/two", "a")
        let files = folder.files
        let listed = try prune()
        #expect(listed.status == 1)
        try expectGolden(listed.output, "prune/listed.txt")
        #expect(folder.files == files)
        #expect(try urls("Talks/one").count == 3)

        let applied = try prune("--apply")
        #expect(applied.status == 0, "\(applied.complaints)")
        try expectGolden(applied.output, "prune/applied.txt")
        #expect(try urls("Talks/one") == ["https://h/a", "https://h/c"])
        #expect(!FileManager.default.fileExists(atPath: cassettes.appendingPathComponent("Old").path))
        #expect(try urls("Talks/two") == ["https://h/a"])

        // What was taken out by this manifest cannot be judged by it any more, and all that is left was played.
        let again = try prune()
        #expect(again.status == 0)
        #expect(again.output == "Tests used all of 2 cassettes.\n")
    }

    @Test("What a terminal would obey is shown as an escape")
    func controlCharacters() throws {
        try put("Talks/one", "a", "b\u{9B}31m")
        try put("Old/gone\u{1B}[2J", "a")
        try test("Talks/one", "a")
        try test("Talks/two", "a")
        let listed = try prune()
        #expect(listed.output.obeyedCharacters.isEmpty)
        #expect(listed.output.contains(#"#2 GET https://h/b\u009B31m"#))
        #expect(listed.output.contains(#"gone\u001B[2J.har"#))
    }

    @Test("Only cassettes, or only interactions")
    func only() throws {
        try test("Talks/one", "a", "c")
        try test("Talks/two", "a")
        #expect(try prune("--only", "cassettes", "--apply").output.contains("Took out 1 cassette,"))
        #expect(try urls("Talks/one").count == 3)
        #expect(try prune("--only=interactions", "--apply").output.contains("Took out 1 interaction,"))
        #expect(try urls("Talks/one").count == 2)
        #expect(try prune("--only", "all").status == 64)
    }

    @Test("After a run by a clock that was set back since, nobody can tell what is old, and it stays")
    func clockSetBack() throws {
        try WallClock.$current.withValue(WallClock { Date(timeIntervalSinceNow: 86_400) }) {
            try test("Talks/one", "a", "b", "c")
        }
        let run = try prune("--apply")
        #expect(run.output.contains("no test used it, but the clock was set back since the run"))
        #expect(folder.files.contains("Cassettes/Old/gone.har"))
    }

    @Test("Whatever speaks against it keeps a cassette, and is told")
    func leavesAlone() throws {
        try put("Talks/three", "a", "b")
        try put("Talks/four", "a", "b")
        try put("Talks/five", "a", "b")
        try put("Talks/six", "a", "b")
        let yaml = "http_interactions: []\nrecorded_with: VCR 6.0.0\n"
        try Data(yaml.utf8).write(to: cassettes.appendingPathComponent("Old/stub.yml"))
        try test("Talks/one", "a", failed: true)
        try test("Talks/two", mode: .live)
        try test("Talks/three", "a", ejects: false)
        try test("Talks/four", "a")
        try put("Talks/four", "a", "b", "c")
        try test("Talks/five", "a", "new", mode: .newEpisodes)
        try test("Talks/six", "a", "b")
        let run = try prune("--apply")
        #expect(run.status == 0, "\(run.complaints)")
        try expectGolden(run.output, "prune/left-alone.txt")
        #expect(try urls("Talks/four").count == 3)
        // What the run recorded stays, and what it did not play of the rest goes.
        #expect(try urls("Talks/five") == ["https://h/a", "https://h/new"])
    }

    @Test("A cassette that was made after the run began is not one that no test used")
    func newer() throws {
        try test("Talks/one", "a", "b", "c")
        try test("Talks/two", "a")
        let file = cassettes.appendingPathComponent("Old/gone.har")
        try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: file.path)
        let run = try prune()
        #expect(run.status == 0)
        #expect(run.output.contains("Old/gone.har: no test used it, but it changed after the run began"))
    }

    @Test(
        "Of the same request recorded several times, those stay that were played, and in a file that changed all"
    )
    func repeated() throws {
        try put("Talks/one", "a", "a", "b", "a")
        try test("Talks/one", "a", "a")
        #expect(
            try prune("--only", "interactions").output.contains(
                "    #3 GET https://h/b\n    #4 GET https://h/a\n"
            )
        )
        let play = ManifestPlay(
            mode: "none",
            failed: false,
            plays: true,
            checksum: nil,
            played: [.init(position: 2, request: RequestFingerprint(Interaction.Request(url: "https://h/a")))],
            recorded: []
        )
        let cassette = try Cassette(contentsOf: cassettes.appendingPathComponent("Talks/one.har"))
        #expect(UnplayedPart.positions(of: cassette, after: [play]) == [2])
    }

    @Test("A run that crashed, an empty manifest, and one of another package remove nothing")
    func refusals() throws {
        try test("Talks/one", "a")
        let running = try CommandRun(["prune", "--manifest", "played", "--apply"], in: folder.url)
        #expect(running.status == 65)
        #expect(running.complaints.contains("is not whole: a process that began at "))
        try Data().write(to: folder["empty"])
        #expect(try prune("--apply", manifest: "empty").complaints.contains("is empty"))
        #expect(try prune("--apply", manifest: "none").status == 65)
        let elsewhere = try prune("Sources", "--apply")
        #expect(elsewhere.status == 65)
        #expect(elsewhere.complaints.contains("names no cassette in"))
        try Data("{}\n".utf8).write(to: folder["broken"])
        #expect(try prune("--apply", manifest: "broken").complaints.contains("broken:1 is broken"))
        #expect(try CommandRun(["prune"], in: folder.url).status == 64)
        #expect(try urls("Old/gone").count == 2)
    }

    @Test("A manifest of another machine counts, where the package is elsewhere")
    func otherMachine() throws {
        try test("Talks/one", "a", "c")
        try test("Talks/two", "a")
        try test("Old/gone", "a", "b")
        ManifestRun.of(folder["played"].path).end()
        let text = try String(contentsOf: folder["played"], encoding: .utf8)
        let moved = text.replacingOccurrences(of: folder.url.path, with: "/builds/package")
        try Data(moved.utf8).write(to: folder["moved"])
        let run = try prune("--apply", manifest: "moved")
        #expect(run.output.contains("Took out 1 interaction,"), "\(run.output)\(run.complaints)")
        #expect(try urls("Talks/one") == ["https://h/a", "https://h/c"])
    }

    @Test("Several manifests count together, and the variable names one")
    func several() throws {
        try test("Talks/one", "a", "b", "c")
        try test("Talks/two", "a")
        ManifestRun.of(folder["played"].path).end()
        let lines = try String(contentsOf: folder["played"], encoding: .utf8).split(separator: "\n")
        func part(_ name: String, _ test: String) throws {
            let kept = lines.filter { !$0.contains("\"cassette\"") || $0.contains(test) }
            try Data((kept.joined(separator: "\n") + "\n").utf8).write(to: folder[name])
        }
        try part("first", "one")
        try part("second", "two")
        let both = try prune("--manifest", "second", "--only", "cassettes", manifest: "first")
        #expect(both.output.contains("1 cassette would go"))
        #expect(try prune("--only", "cassettes", manifest: "first").output.contains("2 cassettes would go"))
        let run = try CommandRun(["prune"], environment: ["REWIND_MANIFEST": "played"], in: folder.url)
        #expect(run.output.contains("1 cassette would go"))
    }

    @Test("A broken cassette is told of and stays, and does not stop the rest")
    func broken() throws {
        try test("Talks/one", "a", "c")
        try test("Talks/two", "a")
        try Data("{".utf8).write(to: cassettes.appendingPathComponent("Old/broken.har"))
        let run = try prune("--apply")
        #expect(run.status == 65)
        #expect(run.complaints.contains("Old/broken.har"))
        #expect(run.output.contains("Took out 1 cassette and 1 interaction"))
        #expect(folder.files.contains("Cassettes/Old/broken.har"))
    }

    @Test("What a command that serves a cassette played counts too")
    func served() throws {
        let script = """
            "$0" serve Cassettes/Talks/one.har --quiet > address &
            while [ ! -s address ]; do sleep 0.01; done
            curl -s --noproxy '*' "$(cat address)/b"; kill $!; wait $!
            """
        let served = try ChildProcess(
            URL(fileURLWithPath: "/usr/bin/env"),
            ["bash", "-c", script, CommandRun.executable.path],
            environment: ["REWIND_MANIFEST": "served"],
            directory: folder.url
        )
        #expect(served.output == "b")
        let run = try prune("--only", "interactions", manifest: "served")
        #expect(run.output.contains("#1 GET https://h/a"), "\(run.complaints)")
        #expect(!run.output.contains("#2 GET"))
    }
}
