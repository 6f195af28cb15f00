import Foundation
import Rewind
import RewindTestSupport
import XCTest

@testable import RewindCLI

/// Runs `rewind demo` as a user does, and its client with a server that is not part of Rewind.
final class DemoTests: XCTestCase {
    func testDemoReplaysTheRecordingWithoutTheServer() throws {
        let folder = try TemporaryDirectory()
        let demo = try ChildProcess(CommandRun.executable, ["demo", "--keep", folder.url.path])
        XCTAssertEqual(demo.status, 0, demo.output)
        XCTAssertTrue(
            demo.output.contains("All 10 answers are identical: status, headers and every byte of the body."),
            demo.output
        )
        XCTAssertTrue(demo.output.contains(folder["demo.har"].path), demo.output)
        let cassette = try Cassette(contentsOf: folder["demo.har"])
        XCTAssertEqual(
            cassette.interactions.map { $0.response?.status ?? $0.failure?.code },
            [200, 201, 200, 200, 302, 200, 200, 404, 204, 200, NSURLErrorCannotConnectToHost]
        )
    }

    func testDemoDeletesTheCassetteByDefault() throws {
        let folder = try TemporaryDirectory()
        let demo = try ChildProcess(CommandRun.executable, ["demo"], environment: ["TMPDIR": folder.url.path])
        XCTAssertEqual(demo.status, 0, demo.output)
        XCTAssertEqual(folder.files, [])
    }

    func testDemoIgnoresTheModeOfTheEnvironment() throws {
        for mode in ["none", "live", "nonsense"] {
            let demo = try ChildProcess(
                CommandRun.executable,
                ["demo"],
                environment: ["REWIND_MODE": mode, "CI": "1"]
            )
            XCTAssertEqual(demo.status, 0, demo.output)
        }
    }

    func testInvalidArgumentsExitWithTheUsageStatus() throws {
        for arguments in [["dmo"], ["demo", "--kep"], ["demo", "--keep"]] {
            let call = try ChildProcess(CommandRun.executable, arguments)
            XCTAssertEqual(call.status, 64, call.output)
            XCTAssertTrue(call.output.contains("rewind help"), call.output)
        }
    }

    func testHelpListsTheSubcommands() throws {
        for arguments in [[], ["help"], ["--help"]] {
            let call = try ChildProcess(CommandRun.executable, arguments)
            XCTAssertEqual(call.status, 0)
            XCTAssertTrue(call.output.contains("record requests to a local server"), call.output)
        }
    }

    func testReportFindsDifferences() {
        func answer(status: Int = 200, headers: [String] = ["A: 1"], body: String = "body") -> DemoAnswer {
            DemoAnswer(
                title: "GET /",
                status: status,
                headers: headers,
                body: Data(body.utf8),
                failure: nil,
                milliseconds: 1
            )
        }
        let live = [answer()]
        XCTAssertNil(DemoReport(live: live, replayed: [answer()]).firstDifference)
        for other in [answer(status: 201), answer(headers: ["A: 2"]), answer(body: "bodi")] {
            XCTAssertNotNil(DemoReport(live: live, replayed: [other]).firstDifference)
        }
        XCTAssertNotNil(DemoReport(live: live, replayed: []).firstDifference)
    }

    func testRequestsToAPythonServerAreReplayed() async throws {
        let server = try PythonServer()
        defer { server.stop() }
        let folder = try TemporaryDirectory()
        let run = DemoRun(client: DemoClient(server: server.url), folder: folder.url)
        let live = try await run.record()
        server.stop()
        let replayed = try await run.replay()
        XCTAssertNil(DemoReport(live: live, replayed: replayed).firstDifference)
        XCTAssertEqual(live.map(\.status), [200, 201, 200, 200, 200, 200, 404, 204, 200, nil])
        XCTAssertEqual(String(decoding: live[8].body, as: UTF8.self), "data: 1\n\ndata: 2\n\n")
    }
}
