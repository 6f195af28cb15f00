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

    /// Plays some requests as a test does.
    private func test(
        _ name: String,
        _ paths: String...,
        mode: RecordingMode = .never,
        failed: Bool = false,
        skipped: Bool = false,
        ejects: Bool = true,
        selection: String? = nil
    ) throws {
        let stubber = try TestSelection.$current.withValue(TestSelection(selection)) {
            try Stubber(
                at: CassetteLocation(name: name, in: cassettes),
                mode: mode,
                testName: name.replacingOccurrences(of: "/", with: ".") + "()",
                environment: Environment(["REWIND_MANIFEST": folder["played"].path])
            )
        }
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
        if skipped { stubber.noteSkip() }
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

    @Test("Unused parts are listed, removed with --apply, and not found again")
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
        #expect(applied.status == 0, "\(applied.errorOutput)")
        try expectGolden(applied.output, "prune/applied.txt")
        #expect(try urls("Talks/one") == ["https://h/a", "https://h/c"])
        #expect(!FileManager.default.fileExists(atPath: cassettes.appendingPathComponent("Old").path))
        #expect(try urls("Talks/two") == ["https://h/a"])

        // Everything that remains was played.
        let again = try prune()
        #expect(again.status == 0)
        #expect(again.output == "Nothing to prune (2 cassettes checked).\n")
    }

    @Test("Control characters in names and URLs are escaped")
    func controlCharacters() throws {
        try put("Talks/one", "a", "b\u{9B}31m")
        try put("Old/gone\u{1B}[2J", "a")
        try test("Talks/one", "a")
        try test("Talks/two", "a")
        let listed = try prune()
        #expect(listed.output.controlCharacters.isEmpty)
        #expect(listed.output.contains(#"#2 GET https://h/b\u009B31m"#))
        #expect(listed.output.contains(#"gone\u001B[2J.har"#))
    }

    @Test("--only restricts the command to cassettes or interactions")
    func only() throws {
        try test("Talks/one", "a", "c")
        try test("Talks/two", "a")
        #expect(try prune("--only", "cassettes", "--apply").output.contains("Removed 1 cassette ("))
        #expect(try urls("Talks/one").count == 3)
        #expect(try prune("--only=interactions", "--apply").output.contains("Removed 1 interaction ("))
        #expect(try urls("Talks/one").count == 2)
        #expect(try prune("--only", "all").status == 64)
    }

    @Test("If the clock was set back after the run, unused cassettes are skipped")
    func clockSetBack() throws {
        try WallClock.$current.withValue(WallClock { Date(timeIntervalSinceNow: 86_400) }) {
            try test("Talks/one", "a", "b", "c")
        }
        let run = try prune("--apply")
        #expect(run.output.contains("unused, but the clock was set back after the run"))
        #expect(folder.files.contains("Cassettes/Old/gone.har"))
    }

    @Test("Cassettes without proof that they are unused are skipped with a reason")
    func skips() throws {
        try put("Talks/three", "a", "b")
        try put("Talks/four", "a", "b")
        try put("Talks/five", "a", "b")
        try put("Talks/six", "a", "b")
        try put("Talks/seven", "a", "b")
        let yaml = "http_interactions: []\nrecorded_with: VCR 6.0.0\n"
        try Data(yaml.utf8).write(to: cassettes.appendingPathComponent("Old/stub.yml"))
        try test("Talks/one", "a", failed: true)
        try test("Talks/two", mode: .live)
        try test("Talks/three", "a", ejects: false)
        try test("Talks/four", "a")
        try put("Talks/four", "a", "b", "c")
        try test("Talks/five", "a", "new", mode: .newEpisodes)
        try test("Talks/six", "a", "b")
        try test("Talks/seven", "new", mode: .all)
        let run = try prune("--apply")
        #expect(run.status == 0, "\(run.errorOutput)")
        try expectGolden(run.output, "prune/skipped.txt")
        #expect(try urls("Talks/four").count == 3)
        // An interaction that the run recorded is used.
        #expect(try urls("Talks/five") == ["https://h/a", "https://h/new"])
        #expect(try urls("Talks/seven") == ["https://h/new"])
    }

    @Test("A cassette that changed after the run began is skipped")
    func newer() throws {
        try test("Talks/one", "a", "b", "c")
        try test("Talks/two", "a")
        let file = cassettes.appendingPathComponent("Old/gone.har")
        try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: file.path)
        let run = try prune()
        #expect(run.status == 0)
        #expect(run.output.contains("Old/gone.har: unused, but the file changed after the run began"))
    }

    @Test(
        "Of identical interactions, the played ones stay, and all of them if the file changed"
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

    @Test("A manifest that is incomplete, empty, invalid or of another package is rejected")
    func refusals() throws {
        try test("Talks/one", "a")
        let running = try CommandRun(["prune", "--manifest", "played", "--apply"], in: folder.url)
        #expect(running.status == 65)
        #expect(running.errorOutput.contains("is incomplete: a process that started at "))
        try Data().write(to: folder["empty"])
        #expect(try prune("--apply", manifest: "empty").errorOutput.contains("is empty"))
        #expect(try prune("--apply", manifest: "none").status == 65)
        try folder.put("Sources/")
        let elsewhere = try prune("Sources", "--apply")
        #expect(elsewhere.status == 65)
        #expect(elsewhere.errorOutput.contains("contains no cassette in"))
        try Data("{}\n".utf8).write(to: folder["broken"])
        #expect(try prune("--apply", manifest: "broken").errorOutput.contains("broken:1 is invalid"))
        #expect(try CommandRun(["prune"], in: folder.url).status == 64)
        #expect(try urls("Old/gone").count == 2)
    }

    @Test("The manifest of a run of only some tests is rejected, also if a run of all tests follows")
    func filtered() throws {
        try test("Talks/one", "a", "b", "c", selection: "--filter Talks.one")
        ManifestRun.of(folder["played"].path).end()
        let run = try prune("--apply")
        #expect(run.status == 65)
        #expect(run.output.isEmpty)
        #expect(run.errorOutput.contains("is of a run of only some tests (--filter Talks.one)"))
        let whole = #"{"event":"began","version":2,"run":"w","time":"2026-01-01T00:00:00.000Z"}"#
        let text = try String(contentsOf: folder["played"], encoding: .utf8)
        try Data((text + whole + "\n" + #"{"event":"ended","version":2,"run":"w"}"# + "\n").utf8)
            .write(to: folder["both"])
        #expect(try prune("--apply", manifest: "both").status == 65)
        #expect(try urls("Old/gone").count == 2)
    }

    @Test("What a test in the sources could use stays if the test did not run")
    func declared() throws {
        try put("UserTests/testLogin", "a")
        try put("UserTests/testGone", "a")
        try put("UserTests/testInherited", "a")
        try put("UserTests/shared", "a", "b")
        try put("Pages/page-number=3", "a")
        try put("Pages/removed", "a")
        try put("special", "a")
        try put("ran", "a")
        try folder.put(
            "Tests/AppTests/UserTests.swift",
            """
            import RewindXCTest
            class BaseTests: CassetteTestCase {
                func testInherited() {}
            }
            final class UserTests: BaseTests {
                func testLogin() {}
                func testOther() {
                    withCassette("ran") { _ in }
                }
            }
            @Suite(.cassettes) struct Pages {
                @Test(arguments: [1, 3]) func page(number: Int) {}
                @Test(.cassette("special")) func session() {}
            }
            """
        )
        try test("Talks/one", "a", "b", "c")
        try test("Talks/two", "a")
        try test("Old/gone", "a", "b")
        try test("UserTests/testOther")
        let run = try prune()
        try expectGolden(run.output, "prune/declared.txt")
        try test("Pages/page")
        #expect(try prune().output.contains("Would remove 5 cassettes"))
    }

    @Test("What a skipped test did not play stays")
    func skippedTests() throws {
        try test("Talks/one", skipped: true)
        try test("Talks/two", "a")
        try test("Old/gone", "a", "b")
        let run = try prune("--apply")
        #expect(run.output.contains("3 unplayed interactions, but Talks.one() was skipped"), "\(run.output)")
        #expect(try urls("Talks/one").count == 3)
    }

    @Test("A manifest from another machine works with another path of the package")
    func otherMachine() throws {
        try test("Talks/one", "a", "c")
        try test("Talks/two", "a")
        try test("Old/gone", "a", "b")
        ManifestRun.of(folder["played"].path).end()
        let text = try String(contentsOf: folder["played"], encoding: .utf8)
        let moved = text.replacingOccurrences(of: folder.url.path, with: "/builds/package")
        try Data(moved.utf8).write(to: folder["moved"])
        let run = try prune("--apply", manifest: "moved")
        #expect(run.output.contains("Removed 1 interaction ("), "\(run.output)\(run.errorOutput)")
        #expect(try urls("Talks/one") == ["https://h/a", "https://h/c"])
    }

    @Test("Several manifests are combined, and REWIND_MANIFEST names one")
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
        #expect(both.output.contains("Would remove 1 cassette ("))
        #expect(
            try prune("--only", "cassettes", manifest: "first").output.contains("Would remove 2 cassettes (")
        )
        let run = try CommandRun(["prune"], environment: ["REWIND_MANIFEST": "played"], in: folder.url)
        #expect(run.output.contains("Would remove 1 cassette ("))
    }

    @Test("An invalid cassette is reported and not removed, and the others are pruned")
    func broken() throws {
        try test("Talks/one", "a", "c")
        try test("Talks/two", "a")
        try Data("{".utf8).write(to: cassettes.appendingPathComponent("Old/broken.har"))
        let run = try prune("--apply")
        #expect(run.status == 65)
        #expect(run.errorOutput.contains("Old/broken.har"))
        #expect(run.output.contains("Removed 1 cassette and 1 interaction ("))
        #expect(folder.files.contains("Cassettes/Old/broken.har"))
    }

    @Test("Interactions that `rewind serve` played are used")
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
        #expect(run.output.contains("#1 GET https://h/a"), "\(run.errorOutput)")
        #expect(!run.output.contains("#2 GET"))
    }
}
