import Foundation
import Rewind
import RewindServer
import RewindTestSupport
import XCTest

/// `rewind record proxy` and `rewind serve` as the proxy of clients that take it from their environment.
final class RecordProxyTests: XCTestCase {
    private var folder: TemporaryDirectory!
    private var file: String { folder["talk.har"].path }
    private var server: ConversationServer!

    override func setUpWithError() throws {
        folder = try TemporaryDirectory()
        server = try ConversationServer()
    }

    override func tearDown() { server.stop() }

    /// The address of the server for a client that must use TLS. If it connects, the server counts a connection.
    private var encrypted: String { server["/json"].absoluteString.replacing("http:", with: "https:") }

    private func record(_ script: String, environment: [String: String] = [:], options: [String] = []) throws
        -> ChildProcess
    {
        try ChildProcess(
            CommandRun.executable,
            ["record", "proxy", "--cassette", file] + options + ["--", "sh", "-c", script],
            environment: environment,
            directory: folder.url
        )
    }

    /// Runs `curl`, which receives its proxy from the environment only.
    private func curl(_ arguments: [String], proxy: String) throws -> ChildProcess {
        let names = ["http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY"]
        return try ChildProcess(
            URL(fileURLWithPath: "/usr/bin/env"),
            ["-u", "no_proxy", "-u", "NO_PROXY", "curl", "-sS", "-i"] + arguments,
            environment: Dictionary(uniqueKeysWithValues: names.map { ($0, proxy) })
        )
    }

    private func recordedPaths() throws -> [String] {
        try Cassette(contentsOf: folder["talk.har"]).interactions.map { URLParts($0.request.url).path }
    }

    // MARK: Variables

    func testTheProxyIsInEveryVariableThatClientsRead() throws {
        let inherited = [
            "http_proxy": "http://old.example:1", "ALL_PROXY": "socks5h://old.example:2",
            "no_proxy": "localhost,127.0.0.1", "NO_PROXY": "*", "No_Proxy": "*",
        ]
        let lines = try record("env", environment: inherited).output.split(separator: "\n")
        let pairs = lines.compactMap { line in
            line.firstIndex(of: "=").map { (line[..<$0], line[$0...].dropFirst()) }
        }
        let variables = Dictionary(pairs) { first, _ in first }
        let address = try XCTUnwrap(variables["REWIND_BASE_URL"])
        XCTAssertTrue(address.hasPrefix("http://127.0.0.1:"))
        for name in ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
            XCTAssertEqual(variables[name[...]], address, name)
        }
        XCTAssertEqual(variables["NODE_USE_ENV_PROXY"], "1")
        XCTAssertEqual(variables.keys.filter { $0.lowercased() == "no_proxy" }, [])
    }

    func testTheVariablesAreUnchangedWithAnUpstream() throws {
        let inherited = ["https_proxy": "http://old.example:1", "no_proxy": "old.example"]
        let run = try ChildProcess(
            CommandRun.executable,
            [
                "record", "http://127.0.0.1:1", "--cassette", file, "--", "sh", "-c",
                "echo $https_proxy $no_proxy.",
            ],
            environment: inherited
        )
        XCTAssertTrue(run.output.contains("http://old.example:1 old.example."), run.output)
    }

    // MARK: Clients

    func testHTTPRequestsOfClientsAreRecordedAndReplayedByteForByte() throws {
        let urls = ["/json", "/visit", "/status/404"].map { server[$0].absoluteString }
        let get = "curl -sS -i " + urls.joined(separator: " ") + " > live"
        let run = try record(get, environment: ["no_proxy": "127.0.0.1", "NO_PROXY": "127.0.0.1"])
        XCTAssertEqual(run.status, 0, run.output)
        XCTAssertEqual(try recordedPaths(), ["/json", "/visit", "/status/404"])
        server.stop()
        let serving = try Serving([file])
        let replayed = try curl(urls, proxy: serving.address)
        XCTAssertEqual(replayed.output, try String(contentsOf: folder["live"], encoding: .utf8))
        XCTAssertEqual(try serving.end().status, 0)
    }

    func testAnHTTPSRequestIsRefusedAndReportedOnceForEachHost() throws {
        let get = "curl -sS -o /dev/null"
        let script = """
            \(get) \(server["/visit"].absoluteString)
            \(get) \(encrypted); \(get) \(encrypted); \(get) https://api.example.com/users; exit 0
            """
        for options in [[], ["--quiet"]] {
            let run = try record(script, options: options)
            XCTAssertEqual(run.status, 1, "the recording is not complete: \(run.output)")
            let origin = encrypted.replacing("/json", with: "")
            for host in [origin, "https://api.example.com"] {
                let note = "rewind record \(host) --cassette FILE -- COMMAND"
                XCTAssertEqual(run.output.components(separatedBy: note).count, 2, run.output)
            }
            if options.isEmpty {
                XCTAssertTrue(run.output.contains("CONNECT api.example.com:443 → 501, refused"), run.output)
                XCTAssertTrue(run.output.contains("4 requests: 1 recorded, 3 refused"), run.output)
            }
            XCTAssertEqual(try recordedPaths(), ["/visit"], "what could be recorded is saved")
        }
        XCTAssertEqual(server.requestCount, 2)
        XCTAssertEqual(server.connectionCount, 2, "no client connected to the server itself")
    }

    func testTheStatusOfAFailedCommandRemains() throws {
        let run = try record("curl -sS -o /dev/null \(encrypted)")
        XCTAssertEqual(run.status, 56, "that of curl for a refused tunnel: \(run.output)")
    }

    func testPythonUsesTheProxyForBothSchemes() throws {
        let client = """
            import sys, urllib.request
            print("body", urllib.request.urlopen(sys.argv[1]).read().decode())
            try:
                urllib.request.urlopen(sys.argv[2])
            except OSError as error:
                print("refused", error)
            """
        try Data(client.utf8).write(to: folder["client.py"])
        let visit = server["/visit"].absoluteString
        let run = try record(
            "python3 client.py \(visit) \(encrypted)",
            environment: ["NO_PROXY": "*", "no_proxy": "*"]
        )
        XCTAssertTrue(run.output.contains("body visit 1"), run.output)
        XCTAssertTrue(run.output.contains("501"), run.output)
        XCTAssertEqual(run.status, 1, run.output)
        XCTAssertEqual(try recordedPaths(), ["/visit"])
        XCTAssertEqual(server.connectionCount, 1)
    }

    // MARK: serve

    func testServeAsAProxyRefusesTunnelsAndNamesTheRemedy() throws {
        XCTAssertEqual(try record("curl -sS -o /dev/null \(server["/visit"].absoluteString)").status, 0)
        server.stop()
        let serving = try Serving([file])
        XCTAssertEqual(try curl(["https://api.example.com/users"], proxy: serving.address).status, 56)
        XCTAssertTrue(
            try curl([server["/visit"].absoluteString], proxy: serving.address).output.hasSuffix("visit 1")
        )
        let (status, output) = try serving.end()
        XCTAssertEqual(status, 0)
        let remedy = "Use the address of this server in place of https://api.example.com."
        XCTAssertTrue(output.contains(remedy), output)
        XCTAssertTrue(output.contains("2 requests: 1 replayed, 1 refused"), output)
    }
}
