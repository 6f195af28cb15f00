import Foundation
import Rewind
import RewindServer
import RewindTestSupport
import XCTest

/// The options and the exit statuses of `rewind record` and `rewind serve`, as the article on the server describes them.
final class RecordOptionsTests: XCTestCase {
    private var folder: TemporaryDirectory!
    private var file: String { folder["talk.har"].path }

    override func setUpWithError() throws { folder = try TemporaryDirectory() }

    private func put(_ urls: String...) throws {
        let interactions = urls.map {
            Interaction(
                request: Interaction.Request(url: $0),
                outcome: .response(
                    Interaction.Response(headers: ["Content-Type": "text/plain"], body: Interaction.Body($0))
                )
            )
        }
        try Cassette(interactions: interactions).write(to: folder["talk.har"])
    }

    private func record(_ upstream: String, _ script: String, environment: [String: String] = [:]) throws
        -> ChildProcess
    {
        try ChildProcess(
            CommandRun.executable,
            ["record", upstream, "--cassette", file, "--", "sh", "-c", script],
            environment: environment,
            directory: folder.url
        )
    }

    // MARK: record

    func testRecordReplacesTheCassette() throws {
        let server = try ConversationServer()
        defer { server.stop() }
        let get = "curl -s --noproxy '*' -o /dev/null \"$REWIND_BASE_URL"
        XCTAssertEqual(try record(server.url.absoluteString, "\(get)/json\"; \(get)/visit\"").status, 0)
        XCTAssertEqual(try Cassette(contentsOf: folder["talk.har"]).interactions.count, 2)
        XCTAssertEqual(try record(server.url.absoluteString, "\(get)/visit\"").status, 0)
        let urls = try Cassette(contentsOf: folder["talk.har"]).interactions.map(\.request.url)
        XCTAssertEqual(urls, [server["/visit"].absoluteString])
    }

    func testTheAddressIsInTheEnvironment() throws {
        let run = try record("http://127.0.0.1:1", "echo \"base=$REWIND_BASE_URL.\"")
        XCTAssertTrue(run.output.contains("base=http://127.0.0.1:"), run.output)
    }

    func testEachUpstreamWithAPrefixHasAVariable() throws {
        let upstreams = ["/api=http://127.0.0.1:1", "/cdn/v1/*=http://127.0.0.1:2", "/base=http://127.0.0.1:3"]
        let script = "env | grep '^REWIND_.*URL='"
        let run = try ChildProcess(
            CommandRun.executable,
            ["record"] + upstreams + ["--cassette", file, "--", "sh", "-c", script],
            directory: folder.url
        )
        let pairs = run.output.split(separator: "\n").filter { $0.hasPrefix("REWIND_") }
            .map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        let variables = Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) })
        let address = try XCTUnwrap(variables["REWIND_BASE_URL"], run.output)
        XCTAssertEqual(
            variables,
            [
                "REWIND_BASE_URL": address, "REWIND_API_URL": "\(address)/api",
                "REWIND_CDN_V1_URL": "\(address)/cdn/v1", "REWIND_BASE_2_URL": "\(address)/base",
            ]
        )
    }

    func testWithoutACommandRecordPrintsWhatClientsSet() throws {
        func printed(_ arguments: String...) throws -> [String] {
            let recording = try Serving(arguments + ["--cassette", file], subcommand: "record")
            let output = try recording.end().output
            return output.replacingOccurrences(of: recording.address, with: "ADDRESS").components(
                separatedBy: "\n"
            )
        }
        XCTAssertEqual(
            try printed("https://api.example.com").prefix(7),
            [
                "Rewind: clients use this base URL in place of https://api.example.com, for example with",
                "  export REWIND_BASE_URL=ADDRESS", "  curl      \"$REWIND_BASE_URL/\"",
                "  Python    httpx.Client(base_url=os.environ[\"REWIND_BASE_URL\"])",
                "  Node.js   fetch(process.env.REWIND_BASE_URL + \"/\")",
                "  Swift     HTTPClientRequest(url: ProcessInfo.processInfo.environment[\"REWIND_BASE_URL\"]! + \"/\")",
                "Rewind: press Ctrl-C to save the recording",
            ]
        )
        XCTAssertEqual(
            try printed("/api=https://api.example.com", "/a$b=https://cdn.example.com").prefix(4),
            [
                "Rewind: clients use these base URLs, for example with", "  export REWIND_API_URL=ADDRESS/api",
                "  export REWIND_A_B_URL='ADDRESS/a$b'", "  curl      \"$REWIND_API_URL/\"",
            ]
        )
        XCTAssertEqual(
            try printed("proxy").prefix(3),
            [
                "Rewind: make http clients use this proxy, for example with",
                "  export http_proxy=ADDRESS HTTP_PROXY=ADDRESS NODE_USE_ENV_PROXY=1",
                "  unset no_proxy NO_PROXY",
            ]
        )
        XCTAssertEqual(try printed("https://api.example.com", "--quiet"), [""])
    }

    func testWithoutACommandRecordPrintsItsAddressAndSavesAtCtrlC() throws {
        let server = try ConversationServer()
        defer { server.stop() }
        let recording = try Serving([server.url.absoluteString, "--cassette", file], subcommand: "record")
        XCTAssertTrue(recording.address.hasPrefix("http://127.0.0.1:"), recording.address)
        XCTAssertEqual(try recording.get("/visit"), "visit 1")
        let (status, output) = try recording.end()
        XCTAssertEqual(status, 0, output)
        XCTAssertEqual(try Cassette(contentsOf: folder["talk.har"]).interactions.count, 1)
    }

    func testRecordWritesToTheManifest() throws {
        let server = try ConversationServer()
        defer { server.stop() }
        let run = try record(
            server.url.absoluteString,
            "curl -s --noproxy '*' -o /dev/null \"$REWIND_BASE_URL/visit?access_token=4f9a7c21e0b84d5f\"",
            environment: ["REWIND_MANIFEST": folder["played"].path]
        )
        XCTAssertEqual(run.status, 0, run.output)
        let manifest = try String(contentsOf: folder["played"], encoding: .utf8)
        XCTAssertTrue(manifest.contains("talk.har"), manifest)
        for text in ["4f9a7c21e0b84d5f", "access_token", "/visit"] {
            XCTAssertFalse(manifest.contains(text), manifest)
        }
    }

    // MARK: serve

    func testServeAnswersAllowedAndRecordedHostsOnly() throws {
        try put("https://api.example.com/one", "https://api.example.com/two", "https://api.example.com/three")
        let served = try Serving([file, "--allow-host", "host.docker.internal"])
        XCTAssertEqual(try served.get("/one", host: "host.docker.internal:80"), "https://api.example.com/one")
        XCTAssertEqual(try served.get("/two", host: "api.example.com"), "https://api.example.com/two")
        let refused = try served.get("/three", host: "evil.example")
        XCTAssertTrue(refused.contains("--allow-host"), refused)
        XCTAssertEqual(try served.get("/three"), "https://api.example.com/three")
        XCTAssertEqual(try served.end().status, 0)
    }

    func testServeListensOnTheGivenPortAndAddress() throws {
        try put("https://api.example.com/one")
        let free = HTTPServer { try $1.respond() }
        let port = try XCTUnwrap(try free.start().port)
        free.stop()
        let served = try Serving([file, "--port", "\(port)"])
        XCTAssertEqual(served.address, "http://127.0.0.1:\(port)")
        XCTAssertEqual(try served.get("/one"), "https://api.example.com/one")
        XCTAssertEqual(try served.end().status, 0)
        #if os(Linux)
            let other = try Serving([file, "--host", "127.0.0.2"])
            XCTAssertTrue(other.address.hasPrefix("http://127.0.0.2:"), other.address)
            XCTAssertEqual(try other.get("/one"), "https://api.example.com/one")
            XCTAssertEqual(try other.end().status, 0)
        #endif
    }

    func testServeIsImmediateByDefaultAndTakesTheRecordedTimeIfAsked() throws {
        let interaction = Interaction(
            request: Interaction.Request(url: "https://api.example.com/one"),
            outcome: .response(Interaction.Response(body: Interaction.Body("one"))),
            timing: Interaction.Timing(wait: 400)
        )
        try Cassette(interactions: [interaction]).write(to: folder["talk.har"])
        let recorded = try Serving([file, "--timing", "recorded"])
        let start = ContinuousClock.now
        XCTAssertEqual(try recorded.get("/one"), "one")
        XCTAssertGreaterThanOrEqual(start.duration(to: .now), .milliseconds(390))
        XCTAssertEqual(try recorded.end().status, 0)
        var slow = interaction
        slow.timing = Interaction.Timing(wait: 3_600_000)
        try Cassette(interactions: [slow]).write(to: folder["talk.har"])
        let immediate = try Serving([file])
        XCTAssertEqual(try immediate.get("/one"), "one")
        XCTAssertEqual(try immediate.end().status, 0)
    }

    func testServeComparesMethodPathQueryAndBody() throws {
        try put("https://api.example.com/one?a=1")
        let served = try Serving([file])
        for path in ["/one", "/one?a=2", "/two?a=1"] {
            XCTAssertTrue(try served.get(path).hasPrefix("No recording matches this request"), path)
        }
        XCTAssertEqual(try served.get("/one?a=1"), "https://api.example.com/one?a=1")
        XCTAssertEqual(try served.get("/one?a=1"), "https://api.example.com/one?a=1", "the last one again")
        XCTAssertEqual(try served.end().status, 0)
    }
}
