import Foundation
import Rewind
import RewindTestSupport
import XCTest

/// However a process ends, its recording and its report are kept.
final class ProcessEndTests: ConversationTestCase {
    private var cassette: URL { folder["weather.har"] }
    private var report: ProcessReport { get throws { try ProcessReport(contentsOf: folder["report.json"]) } }

    private func launch(_ arguments: [String], _ mode: String = "once") throws -> WeatherProcess {
        let variables = [
            "REWIND_CASSETTE": cassette.path, "REWIND_REPORT": folder["report.json"].path, "REWIND_MODE": mode,
        ]
        return try WeatherProcess([server.url.absoluteString] + arguments, variables)
    }

    func testAnExitInACompletionHandlerSavesTheRecording() throws {
        let live = try launch(["handler", "/visit/a"]).end()
        XCTAssertEqual(live.text, "visit 1\n", live.errors)
        XCTAssertEqual(try Cassette(contentsOf: cassette).interactions.count, 1)
        XCTAssertTrue(try report.isComplete)
        server.stop()
        let replayed = try launch(["handler", "/visit/a"], "never").end()
        XCTAssertEqual(replayed.text, "visit 1\n")
        XCTAssertEqual(try report.playedCount, 1)
    }

    func testARequestInProgressAtTheEndIsRecorded() throws {
        let end = try launch(["leave", "/slow/300"]).end()
        XCTAssertEqual(end.text, "left\n")
        XCTAssertEqual(end.status, 0)
        XCTAssertEqual(try report.problems, [], end.errors)
        XCTAssertEqual(try Cassette(contentsOf: cassette).interactions.map(\.response?.status), [200])
        server.stop()
        let replayed = try launch(["leave", "/slow/300"], "never").end()
        XCTAssertEqual(replayed.text, "left\n")
        XCTAssertEqual(try report.missCount, 0)
    }

    func testSignalsThatTheToolDoesNotHandleSaveTheRecordingAndEndTheProcess() throws {
        for signal in [SIGTERM, SIGINT, SIGHUP] {
            let tool = try launch(["wait", "/visit/\(signal)"], "all")
            XCTAssertTrue(tool.waitUntilReady().contains("visit 1"))
            tool.send(signal)
            let end = try tool.end()
            XCTAssertEqual(end.status, signal + 128, end.errors)
            XCTAssertTrue(try report.isComplete)
            let url = try XCTUnwrap(Cassette(contentsOf: cassette).interactions.first).request.url
            XCTAssertTrue(url.hasSuffix("/visit/\(signal)"), url)
        }
    }

    func testASignalThatTheToolHandlesIsLeftToIt() throws {
        let tool = try launch(["handle", "/visit/a"])
        _ = tool.waitUntilReady()
        tool.send(SIGTERM)
        XCTAssertEqual(try tool.end().status, 7)
        XCTAssertTrue(try report.isComplete)
        XCTAssertEqual(try Cassette(contentsOf: cassette).interactions.count, 1)
    }

    func testAMissIsInTheReportBeforeTheToolReceivesItsError() throws {
        _ = try launch(["get", "/visit/a"]).end()
        let end = try launch(["die", "/visit/b"], "never").end()
        XCTAssertEqual(end.status, SIGKILL + 128)
        let report = try self.report
        XCTAssertEqual(report.missCount, 1)
        XCTAssertEqual(report.misses.count, 1)
        XCTAssertFalse(report.isComplete)
    }

    func testAKilledReplayLeavesARightReport() throws {
        _ = try launch(["get", "/visit/a"]).end()
        server.stop()
        let tool = try launch(["insist", "/visit/b"], "never")
        _ = try tool.end()
        let waiting = try launch(["wait", "/visit/a"], "never")
        _ = waiting.waitUntilReady()
        // The report of what was played is written a moment later.
        var report = try self.report
        let deadline = Deadline(after: 20)
        while report.playedCount == 0, !deadline.isOver {
            Thread.sleep(forTimeInterval: 0.01)
            report = try self.report
        }
        waiting.send(SIGKILL)
        XCTAssertEqual(try waiting.end().status, SIGKILL + 128)
        report = try self.report
        XCTAssertEqual([report.playedCount, report.missCount], [1, 0])
        XCTAssertEqual(report.unplayed, [])
        XCTAssertFalse(report.isComplete)
    }

    func testAKilledRecordingIsRecoveredByTheNextRun() throws {
        try launch(["wait", "/visit/a"]).killWhenJournaled(in: folder)
        XCTAssertFalse(try report.isComplete)
        XCTAssertFalse(folder.files.contains("weather.har"))
        let next = try launch(["insist", "/visit/a"], "never").end()
        XCTAssertTrue(next.errors.contains("recovered 1 interaction"), next.errors)
        XCTAssertEqual(folder.files, ["report.json", "weather.recovered.har"])
    }
}
