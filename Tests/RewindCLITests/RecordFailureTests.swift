import Foundation
import Rewind
import RewindServer
import RewindTestSupport
import XCTest

/// `rewind record` while its upstream is down, with a client that tolerates errors.
final class RecordFailureTests: XCTestCase {
    private var folder: TemporaryDirectory!
    private var server: ConversationServer!

    private let paths = ["/json", "/visit", "/visit", "/echo?a=1", "/status/503"]

    override func setUpWithError() throws {
        folder = try TemporaryDirectory()
        server = try ConversationServer()
    }

    override func tearDown() { server.stop() }

    /// Records requests of `curl`, and ignores their outcome.
    private func record(_ paths: [String], _ options: String...) throws -> ChildProcess {
        let requests = paths.map {
            "curl -s --noproxy '*' -o /dev/null -w '%{http_code} ' \"$REWIND_BASE_URL\($0)\""
        }
        let words = ["record", server.url.absoluteString, "--cassette", "api.har"] + options
        return try run(words + ["--", "sh", "-c", (requests + ["exit 0"]).joined(separator: "; ")])
    }

    private func run(_ words: [String]) throws -> ChildProcess {
        try ChildProcess(CommandRun.executable, words, directory: folder.url)
    }

    func testADeadUpstreamReplacesNoneOfFiveAnswersAndTheCommandFails() throws {
        let good = try record(paths)
        XCTAssertEqual(good.status, 0, good.output)
        let untouched = try Data(contentsOf: folder["api.har"])
        XCTAssertEqual(try Cassette(contentsOf: folder["api.har"]).interactions.count, 5)
        server.stop()
        let bad = try record(paths, "--quiet")
        XCTAssertEqual(bad.status, 1, bad.output)
        XCTAssertEqual(try Data(contentsOf: folder["api.har"]), untouched)
        XCTAssertEqual(folder.files, ["api.failed.har", "api.har"])
        let path = folder["api.har"].path
        XCTAssertTrue(
            bad.output.contains(
                "Rewind: These requests got no answer, but the cassette \(path) has one, so it was not changed:\n"
                    + "  GET \(server.url.absoluteString)/json: "
            ),
            bad.output
        )
        XCTAssertEqual(bad.output.components(separatedBy: "(NSURLErrorDomain -1004)\n").count, 6, bad.output)
        XCTAssertTrue(
            bad.output.contains("\n  Make sure that the server is reachable, and record again."),
            bad.output
        )
        XCTAssertTrue(
            bad.output.contains(
                "the cassette was not changed; the recording is in \(folder["api.failed.har"].path)"
            ),
            bad.output
        )
    }

    func testOneLostAnswerAmongOthersIsEnough() throws {
        let other = try ConversationServer()
        defer { other.stop() }
        func record() throws -> ChildProcess {
            let upstreams = ["/a=\(server.url.absoluteString)", "/b=\(other.url.absoluteString)"]
            let script = ["/a/json", "/b/json"].map { "curl -s --noproxy '*' \"$REWIND_BASE_URL\($0)\"" }
            return try run(
                ["record"] + upstreams + [
                    "--cassette", "api.har", "--", "sh", "-c", script.joined(separator: "; "),
                ]
            )
        }
        XCTAssertEqual(try record().status, 0)
        let untouched = try Data(contentsOf: folder["api.har"])
        other.stop()
        let bad = try record()
        XCTAssertEqual(bad.status, 1, bad.output)
        XCTAssertTrue(bad.output.contains("\n  GET \(other.url.absoluteString)/json: "), bad.output)
        XCTAssertFalse(bad.output.contains("\n  GET \(server.url.absoluteString)"), bad.output)
        XCTAssertEqual(try Data(contentsOf: folder["api.har"]), untouched)
    }

    func testAFirstRecordingOfFailuresOnlyFailsAndIsKeptByRenamingIt() throws {
        server.stop()
        let bad = try record(["/json"])
        XCTAssertEqual(bad.status, 1, bad.output)
        let path = folder["api.har"].path
        XCTAssertTrue(
            bad.output.contains("Rewind: No request got an answer, so nothing was recorded to \(path):\n"),
            bad.output
        )
        XCTAssertTrue(bad.output.contains("rename api.failed.har to api.har."), bad.output)
        XCTAssertEqual(folder.files, ["api.failed.har"])
        try FileManager.default.moveItem(at: folder["api.failed.har"], to: folder["api.har"])
        let served = try Serving([path, "--quiet"])
        XCTAssertTrue(try served.get("/json").contains("(NSURLErrorDomain -1004)"))
        XCTAssertEqual(try served.end().status, 0)
        XCTAssertEqual(try record(["/json"]).status, 0, "from then on the failure is expected")
    }

    func testAddKeepsWhatItHasAndAddsNoFailuresAlone() throws {
        XCTAssertEqual(try record(["/json"]).status, 0)
        let untouched = try Data(contentsOf: folder["api.har"])
        server.stop()
        let played = try record(["/json"], "--add")
        XCTAssertEqual(played.status, 0, played.output)
        let bad = try record(["/json", "/visit"], "--add")
        XCTAssertEqual(bad.status, 1, bad.output)
        XCTAssertEqual(try Data(contentsOf: folder["api.har"]), untouched)
    }

    func testConvertKeepsAFailedRecordingWithItsBodies() throws {
        XCTAssertEqual(try record(["/binary/5000"]).status, 0)
        server.stop()
        XCTAssertEqual(try record(["/visit"], "--add").status, 1)
        let body = "001-GET-5000.bin"
        XCTAssertEqual(folder.files.filter { $0.hasSuffix(".har") }, ["api.failed.har", "api.har"])
        let words = "convert api.failed.har --to har --output api.har --force"
        let converted = try run(words.split(separator: " ").map(String.init))
        XCTAssertEqual(converted.status, 0, converted.output)
        for file in folder.files where file.contains(".failed") {
            try FileManager.default.removeItem(at: folder[file])
        }
        XCTAssertTrue(folder.files.contains("api.bodies/\(body)"), "\(folder.files)")
        let interactions = try Cassette(contentsOf: folder["api.har"]).interactions
        XCTAssertEqual(interactions.map { $0.response?.body.count }, [5000, nil])
        XCTAssertEqual(interactions.last?.failure?.code, NSURLErrorCannotConnectToHost)
    }

    func testAProxyFailsForAHostThatIsDown() throws {
        func record() throws -> ChildProcess {
            let script =
                "curl -s -o /dev/null --noproxy '' --proxy \"$http_proxy\" \(server["json"].absoluteString)"
            return try run(["record", "proxy", "--cassette", "all.har", "--", "sh", "-c", script + "; exit 0"])
        }
        XCTAssertEqual(try record().status, 0)
        let untouched = try Data(contentsOf: folder["all.har"])
        server.stop()
        let bad = try record()
        XCTAssertEqual(bad.status, 1, bad.output)
        XCTAssertTrue(bad.output.contains("These requests got no answer"), bad.output)
        XCTAssertEqual(try Data(contentsOf: folder["all.har"]), untouched)
    }

    func testTheStatusOfAFailedCommandComesFirst() throws {
        server.stop()
        let words = ["record", server.url.absoluteString, "--cassette", "api.har", "--", "sh", "-c"]
        let bad = try run(words + ["curl -s --noproxy '*' -f \"$REWIND_BASE_URL/json\"; exit 7"])
        XCTAssertEqual(bad.status, 7, bad.output)
        XCTAssertEqual(folder.files, ["api.failed.har"])
    }
}
