import Foundation
import Rewind
import RewindTestSupport
import XCTest

/// Runs `rewind record` and `rewind serve` as a user does, with a client that is not part of Rewind.
final class ServingTests: XCTestCase {
    private func rewind(_ arguments: String...) throws -> ChildProcess {
        try ChildProcess(CommandRun.executable, arguments)
    }

    /// A program that requests paths from the server in its environment and prints the responses.
    private let client = """
        import os, sys, urllib.request, urllib.error
        for path in sys.argv[1:]:
            try:
                print(urllib.request.urlopen(os.environ["REWIND_BASE_URL"] + path).read().decode())
            except urllib.error.HTTPError as error:
                print(error.code)
        """

    func testRecordFailsAtItsStartIfTheFolderCannotBeWritten() throws {
        let (folder, server) = (try TemporaryDirectory(), try ConversationServer())
        defer { server.stop() }
        try Data().write(to: folder["file"])
        for options in [[], ["--add"]] {
            let cassette = folder["file/talk.har"].path
            let words = ["record", server.url.absoluteString, "--cassette", cassette] + options
            let marker = folder["marker"].path
            let run = try ChildProcess(CommandRun.executable, words + ["--", "touch", marker])
            XCTAssertEqual(run.status, 1, run.output)
            XCTAssertTrue(run.output.contains("\(cassette) cannot be written: "), run.output)
            XCTAssertTrue(run.output.contains("file: Not a directory"), run.output)
            XCTAssertEqual(folder.files, ["file"])
        }
        XCTAssertEqual(server.requestCount, 0)
    }

    func testRecordExitsWithTheStatusOfTheCommand() throws {
        let (folder, server) = (try TemporaryDirectory(), try ConversationServer())
        defer { server.stop() }
        let file = folder["talk.har"].path
        let upstream = server.url.absoluteString
        let good = try rewind(
            "record",
            upstream,
            "--cassette",
            file,
            "--",
            "python3",
            "-c",
            client,
            "/visit",
            "/json"
        )
        XCTAssertEqual(good.status, 0, good.output)
        XCTAssertTrue(good.output.contains("visit 1"), good.output)
        XCTAssertTrue(good.output.contains("GET /visit → 200, recorded"), good.output)
        XCTAssertTrue(good.output.contains("2 requests: 2 recorded"), good.output)
        XCTAssertEqual(try Cassette(contentsOf: folder["talk.har"]).interactions.count, 2)

        let bad = try rewind(
            "record",
            upstream,
            "--cassette",
            file,
            "--",
            "python3",
            "-c",
            client + "\nsys.exit(7)",
            "/json"
        )
        XCTAssertEqual(bad.status, 7, bad.output)
        XCTAssertEqual(folder.files, ["talk.failed.har", "talk.har"])
        XCTAssertEqual(try Cassette(contentsOf: folder["talk.har"]).interactions.count, 2)
    }

    func testAddReplaysRecordedRequestsAndRecordsNewOnes() throws {
        let (folder, server) = (try TemporaryDirectory(), try ConversationServer())
        defer { server.stop() }
        for (path, count) in [("/visit", 1), ("/json", 2)] {
            let call = try rewind(
                "record",
                "/api=" + server.url.absoluteString,
                "--add",
                "--cassette",
                folder["talk.har"].path,
                "--quiet",
                "--",
                "python3",
                "-c",
                client,
                "/api/visit",
                "/api" + path
            )
            XCTAssertEqual(call.status, 0, call.output)
            XCTAssertFalse(call.output.contains("Rewind:"), call.output)
            XCTAssertEqual(try Cassette(contentsOf: folder["talk.har"]).interactions.count, count == 1 ? 2 : 3)
        }
    }

    func testRecordDoesNotPrintSecrets() throws {
        let (folder, server) = (try TemporaryDirectory(), try ConversationServer())
        defer { server.stop() }
        let call = try rewind(
            "record",
            server.url.absoluteString,
            "--cassette",
            folder["talk.har"].path,
            "--",
            "python3",
            "-c",
            client,
            "/status/204?access_token=4f9a7c21e0b84d5f"
        )
        XCTAssertEqual(call.status, 0, call.output)
        XCTAssertFalse(call.output.contains("4f9a7c21e0b84d5f"), call.output)
    }

    func testTheCommandOfAMissAddsItsRequest() throws {
        let (folder, server) = (try TemporaryDirectory(), try ConversationServer())
        defer { server.stop() }
        let file = folder["our talk.har"].path
        let recorded = try rewind(
            "record",
            server.url.absoluteString,
            "--cassette",
            file,
            "--",
            "python3",
            "-c",
            client,
            "/visit"
        )
        XCTAssertEqual(recorded.status, 0, recorded.output)
        var served = try Serving([file])
        let miss = try served.get("/json")
        _ = try served.end()
        let command = try XCTUnwrap(miss.components(separatedBy: "\n    ").first { $0.hasPrefix("rewind ") })
        XCTAssertFalse(miss.contains("configuration"), miss)
        // The client repeats the request while the command runs.
        try FileManager.default.createSymbolicLink(
            at: folder["rewind"],
            withDestinationURL: CommandRun.executable
        )
        let line = command.trimmingCharacters(in: .newlines) + " -- python3 -c \"$CLIENT\" /json"
        let added = try ChildProcess(
            URL(fileURLWithPath: "/bin/sh"),
            ["-c", line],
            environment: [
                "CLIENT": client,
                "PATH": folder.url.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? ""),
            ]
        )
        XCTAssertEqual(added.status, 0, added.output)
        XCTAssertEqual(try Cassette(contentsOf: folder["our talk.har"]).interactions.count, 2)
        server.stop()
        served = try Serving([file])
        XCTAssertTrue(try served.get("/json").contains("42"))
        XCTAssertEqual(try served.get("/visit"), "visit 1")
        _ = try served.end()
    }

    func testServeReplaysACassetteWithSeveralHosts() throws {
        let folder = try TemporaryDirectory()
        let interactions = ["https://a.example/one", "https://b.example/one", "https://b.example/two"].map {
            Interaction(
                request: Interaction.Request(url: $0),
                outcome: .response(
                    Interaction.Response(headers: ["Content-Type": "text/plain"], body: Interaction.Body($0))
                )
            )
        }
        try Cassette(interactions: interactions).write(to: folder["talk.har"])
        let served = try Serving([folder["talk.har"].path])
        XCTAssertEqual(try served.get("/two"), "https://b.example/two")
        XCTAssertEqual(try served.get("/one", host: "b.example"), "https://b.example/one")
        XCTAssertEqual(try served.get("/one"), "https://a.example/one")
        XCTAssertTrue(
            try served.get("/two", host: "a.example").hasPrefix("No recording matches this request")
        )
        let (status, output) = try served.end()
        XCTAssertEqual(status, 0)
        XCTAssertTrue(output.contains("GET /two → 200, replayed #3"), output)
        XCTAssertTrue(output.contains("4 requests: 3 replayed, 1 missed"), output)
    }

    func testServeRepeatsTheLastResponseWithTheScaledTiming() throws {
        let folder = try TemporaryDirectory()
        let interaction = Interaction(
            request: Interaction.Request(url: "https://api.example.com/v2/users"),
            outcome: .response(Interaction.Response(body: Interaction.Body("one"))),
            timing: Interaction.Timing(wait: 3000)
        )
        try Cassette(interactions: [interaction]).write(to: folder["talk.har"])
        let served = try Serving(
            [folder["talk.har"].path, "--upstream", "https://api.example.com/v2", "--timing", "0.1", "--quiet"]
        )
        for _ in 0..<2 {
            let start = ContinuousClock.now
            XCTAssertEqual(try served.get("/users"), "one")
            XCTAssertGreaterThan(start.duration(to: .now), .milliseconds(290))
        }
        XCTAssertEqual(try served.end().output, "")
    }

    func testInvalidArgumentsAndMissingFiles() throws {
        for words in [
            ["serve"], ["serve", "a", "--timing", "fast"], ["record", "http://a", "--casette", "b"],
        ] {
            let call = try ChildProcess(CommandRun.executable, words)
            XCTAssertEqual(call.status, 64, call.output)
            XCTAssertTrue(call.output.contains("rewind help \(words[0])"), call.output)
        }
        XCTAssertEqual(try rewind("serve", "/nonexistent.har").status, 65)
        XCTAssertEqual(try rewind("record", "ftp://a", "--cassette", "/tmp/x.har").status, 64)
        XCTAssertTrue(try rewind("help", "record").output.contains("--cassette FILE"))
        XCTAssertTrue(try rewind("serve", "--help").output.contains("USAGE: rewind serve"))
        XCTAssertTrue(try rewind("help", "sreve").output.contains("did you mean 'serve'?"))
    }
}

/// A running `rewind serve`, or `rewind record` without a command.
final class Serving {
    private let process = Process()
    private let errors = Pipe()
    let address: String

    init(_ arguments: [String], subcommand: String = "serve") throws {
        process.executableURL = CommandRun.executable
        process.arguments = [subcommand] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        address = line.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Requests a path with `curl` and returns the response.
    func get(_ path: String, host: String? = nil) throws -> String {
        let fields = host.map { ["-H", "Host: \($0)"] } ?? []
        return try ChildProcess(
            URL(fileURLWithPath: "/usr/bin/env"),
            ["curl", "-s", "--noproxy", "*"] + fields + [address + path]
        )
        .output
    }

    /// Stops the server like Ctrl-C.
    func end() throws -> (status: Int32, output: String) {
        process.interrupt()
        let output = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
