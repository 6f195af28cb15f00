import Foundation
import RewindTestSupport
import XCTest

/// Records a server that repeats the IDs that the client makes up, and serves the cassette to `curl`, which sends others.
final class EchoedValueServingTests: XCTestCase {
    func testCurlGetsItsOwnIDFromAServedCassette() throws {
        let folder = try TemporaryDirectory()
        let rules = "redact pattern:req-[0-9a-f]{8}\n"
        try Data(rules.utf8).write(to: folder["redaction.rules"])
        let server = try PythonServer()
        defer { server.stop() }
        let recorded = try ChildProcess(
            CommandRun.executable,
            ["record", server.url.absoluteString, "--cassette", folder["talk.har"].path, "--", "sh", "-c"]
                + ["curl -s --noproxy '*' -d 'id=req-00000001&n=1' \"$REWIND_BASE_URL/orders\""]
        )
        XCTAssertEqual(recorded.status, 0, recorded.output)
        server.stop()
        XCTAssertFalse(try String(contentsOf: folder["talk.har"], encoding: .utf8).contains("req-"))
        let served = try Serving([folder["talk.har"].path])
        let answer = try ChildProcess(
            URL(fileURLWithPath: "/usr/bin/env"),
            ["curl", "-s", "-i", "--noproxy", "*", "-d", "id=req-deadbeef&n=1", served.address + "/orders"]
        ).output
        XCTAssertTrue(answer.hasSuffix("id=req-deadbeef&n=1"), answer)
        XCTAssertTrue(answer.contains("Content-Length: 19\r\n"), answer)
        _ = try served.end()
    }
}
