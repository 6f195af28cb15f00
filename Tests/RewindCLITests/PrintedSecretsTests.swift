import Foundation
import Rewind
import RewindTestSupport
import XCTest

/// Runs `rewind record` and `rewind serve` with a client that sends secrets in paths and query items.
final class PrintedSecretsTests: XCTestCase {
    private static let secrets = [
        "tok-8f14e45fceea167a5a36", "key-9c1185a5c5e9fc54612808977ee8f548",
        "gh" + "p_" + "x7Kq2mZ9vB4nR6tY8wL1cF3hJ5pD0sG2aE4u",
        "AI" + "za" + "SyD3kLm9QwErTyUiOpAsDfGhJkLzXcVbNm1",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
        "110201543:" + "AA" + "HdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1",
    ]

    /// Sends two secrets under their names, and then all values in paths and query items. Prints the bodies of errors.
    private static let client = """
        import os, sys, urllib.request, urllib.error, urllib.parse
        base = os.environ["REWIND_BASE_URL"]
        def send(path, body=None, headers={}):
            try:
                urllib.request.urlopen(urllib.request.Request(base + path, body, headers)).read()
            except urllib.error.HTTPError as error:
                print(error.read().decode())
        secrets = sys.argv[1:]
        send("/login", ('{"access_token": "%s"}' % secrets[0]).encode(), {"Content-Type": "application/json",
            "X-API-Key": secrets[1]})
        for secret in secrets:
            once = urllib.parse.quote("a=" + secret, safe="")
            send("/p/%s/x" % secret)
            send("/q?z=" + secret)
            send("/q?z=" + once)
            send("/q?u=" + urllib.parse.quote("https://h/?z=" + once, safe=""))
        send("/bot%s/getMe" % secrets[-1])
        """

    private func run(_ words: [String], in folder: TemporaryDirectory) throws -> ChildProcess {
        try ChildProcess(
            CommandRun.executable,
            words + ["--", "python3", "-c", Self.client] + Self.secrets,
            environment: ["XDG_DATA_HOME": folder["data"].path],
            directory: folder.url
        )
    }

    private func expectNoSecret(in text: String, line: UInt = #line) {
        for secret in Self.secrets { XCTAssertFalse(text.contains(secret.suffix(20)), text, line: line) }
    }

    func testRecordPrintsNoSecretOfTheTraffic() throws {
        let (folder, server) = (try TemporaryDirectory(), try PythonServer())
        defer { server.stop() }
        let refused = try run(["record", server.url.absoluteString, "--cassette", "api.har"], in: folder)
        XCTAssertEqual(refused.status, 1)
        XCTAssertTrue(refused.output.contains("Rewind: GET /bot"), refused.output)
        expectNoSecret(in: refused.output)
        let options = ["--redact", "field:z", "--redact", "field:u"]
        let saved = try run(
            ["record", server.url.absoluteString, "--cassette", "api.har"] + options,
            in: folder
        )
        XCTAssertTrue(saved.output.contains("26 requests: 26 recorded"), saved.output)
        expectNoSecret(in: saved.output)
        expectNoSecret(in: try String(contentsOf: folder["api.har"], encoding: .utf8))
    }

    func testErrorResponsesContainNoSecretOfTheTraffic() throws {
        let folder = try TemporaryDirectory()
        // Nothing listens on the port of the upstream.
        let failed = try run(["record", "http://127.0.0.1:9", "--cassette", "api.har"], in: folder)
        XCTAssertTrue(failed.output.contains("No response to GET"), failed.output)
        expectNoSecret(in: failed.output)
        let elsewhere = try run(["record", "/api=http://127.0.0.1:9", "--cassette", "other.har"], in: folder)
        XCTAssertTrue(elsewhere.output.contains("No upstream matches the path /p/"), elsewhere.output)
        let lines = elsewhere.output.split(separator: "\n").filter {
            !$0.contains("tok-") && !$0.contains("key-")
        }
        expectNoSecret(in: lines.joined(separator: "\n"))
    }

    func testServeExplainsMissesWithoutSecrets() throws {
        let folder = try TemporaryDirectory()
        let other = Interaction(
            request: Interaction.Request(url: "https://api.example.com/p/x"),
            outcome: .response(Interaction.Response(body: Interaction.Body("x")))
        )
        try Cassette(interactions: [other]).write(to: folder["api.har"])
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = CommandRun.executable
        process.arguments = ["serve", folder["api.har"].path]
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        let address = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let client = try ChildProcess(
            URL(fileURLWithPath: "/usr/bin/env"),
            ["python3", "-c", Self.client] + Self.secrets,
            environment: ["REWIND_BASE_URL": address]
        )
        process.interrupt()
        let log = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        XCTAssertTrue(client.output.contains("No recording matches this request"), client.output)
        XCTAssertTrue(log.contains("26 requests: 26 missed"), log)
        expectNoSecret(in: client.output)
        expectNoSecret(in: log)
    }
}
