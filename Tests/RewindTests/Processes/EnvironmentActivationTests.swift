import Foundation
import Rewind
import RewindTestSupport
import XCTest

/// A tool that knows Rewind by one call is recorded and replayed by its environment.
final class EnvironmentActivationTests: ConversationTestCase {
    private var cassette: URL { folder["Cassettes/weather.har"] }
    private var report: ProcessReport { get throws { try ProcessReport(contentsOf: folder["report.json"]) } }

    private func tool(
        _ arguments: [String] = [],
        _ environment: [String: String] = [:]
    ) throws -> WeatherProcess.End {
        let variables = ["REWIND_CASSETTE": cassette.path, "REWIND_REPORT": folder["report.json"].path]
        return try WeatherProcess.run(
            [server.url.absoluteString] + arguments,
            variables.merging(environment) { $1 }.filter { !$0.value.isEmpty },
            in: folder.url
        )
    }

    func testAToolIsRecordedAndReplayedWithoutTheServer() throws {
        let live = try tool()
        XCTAssertEqual(live.status, 0, live.errors)
        XCTAssertTrue(live.errors.contains("recorded the new cassette"), live.errors)
        var report = try self.report
        XCTAssertEqual(report.misses, [])
        XCTAssertEqual(report.problems, [])
        XCTAssertEqual(report.mode, .once)
        XCTAssertEqual(report.cassettePath, cassette.path)
        XCTAssertEqual(report.recordedCount, 10)
        XCTAssertTrue(report.isComplete)
        server.stop()
        for mode in ["", "never", "once", "newEpisodes"] {
            let replayed = try tool([], ["REWIND_MODE": mode])
            XCTAssertEqual(replayed.status, 0, replayed.errors)
            XCTAssertEqual(replayed.output, live.output, mode)
            XCTAssertEqual(replayed.errors, "", mode)
            report = try self.report
            XCTAssertEqual(report.misses, [], mode)
            XCTAssertEqual(report.unplayed, [], mode)
            XCTAssertEqual([report.playedCount, report.recordedCount], [10, 0], mode)
            XCTAssertTrue(report.isComplete, mode)
        }
    }

    func testWithoutACassetteNothingHappens() throws {
        for variables in [["REWIND_CASSETTE": ""], ["REWIND_CASSETTE": "", "REWIND_MODE": "never"]] {
            let end = try tool(["get", "/json"], variables)
            XCTAssertEqual(end.status, 0, end.errors)
            XCTAssertEqual(end.errors, "")
        }
        // An empty variable counts as not set.
        let empty = try WeatherProcess.run(
            [server.url.absoluteString, "get", "/json"],
            ["REWIND_CASSETTE": ""]
        )
        XCTAssertEqual(empty.status, 0)
        XCTAssertEqual(server.requestCount, 3)
        XCTAssertEqual(folder.files, [])
    }

    func testAChangedRequestIsAMissWithItsDiagnosis() throws {
        _ = try tool()
        server.stop()
        let end = try tool(["forecast", "Linz"])
        XCTAssertEqual(end.status, 1)
        XCTAssertTrue(end.errors.contains("weather: No recording matches this request."), end.errors)
        let report = try self.report
        XCTAssertEqual(report.missCount, 1)
        let miss = try XCTUnwrap(report.misses.first)
        XCTAssertTrue(miss.contains("POST \(server.url.absoluteString)/echo?kind=post"), miss)
        XCTAssertTrue(miss.contains("Linz"), miss)
        XCTAssertTrue(miss.contains("Graz"), miss)
        XCTAssertTrue(miss.contains("REWIND_MODE=newEpisodes"), miss)
        XCTAssertTrue(miss.contains("`Stubber.activateFromEnvironment`"), miss)
        XCTAssertEqual(report.playedCount, 1)
        XCTAssertEqual(report.unplayed.count, 9)
        XCTAssertTrue(report.isComplete)
    }

    func testAMissThatTheToolIgnoresIsReported() throws {
        _ = try tool(["get", "/json"])
        let requests = server.requestCount
        let end = try tool(["insist", "/visit/other"])
        XCTAssertEqual(end.status, 0)
        XCTAssertEqual(end.text, "no answer\n")
        XCTAssertEqual(try report.missCount, 1)
        XCTAssertEqual(server.requestCount, requests)
        // Without a report, it is printed.
        let printed = try tool(["insist", "/visit/other"], ["REWIND_REPORT": ""])
        XCTAssertTrue(printed.errors.contains("No recording matches this request."), printed.errors)
    }

    func testWorkOfDetachedTasksIsReplayed() throws {
        let live = try tool(["detached", "/visit/a"])
        server.stop()
        XCTAssertEqual(try tool(["detached", "/visit/a"]).output, live.output)
    }

    func testARelativePathBeginsInTheWorkingDirectoryAndNeedsNoExtension() throws {
        let end = try tool(["get", "/json"], ["REWIND_CASSETTE": "Other/v1.2", "REWIND_REPORT": "r.json"])
        XCTAssertEqual(end.status, 0, end.errors)
        XCTAssertEqual(folder.files, ["Other/v1.2.har", "r.json"])
        XCTAssertEqual(
            try ProcessReport(contentsOf: folder["r.json"]).cassettePath,
            folder["Other/v1.2.har"].path
        )
    }

    func testAnInvalidSettingRefusesEveryRequestAndIsReported() throws {
        try folder.put("Cassettes/broken.har", "{")
        mkfifo(folder["pipe"].path, 0o600)
        let situations: [(String, [String: String], cause: String)] = [
            ("mode", ["REWIND_MODE": "sometimes"], "Invalid value 'sometimes' for REWIND_MODE."),
            ("broken", ["REWIND_CASSETTE": folder["Cassettes/broken.har"].path], "broken.har"),
            ("folder", ["REWIND_CASSETTE": folder["Cassettes"].path], "Is a directory"),
            ("name", ["REWIND_CASSETTE": folder["a.failed.har"].path], "Invalid cassette name"),
            (
                "report", ["REWIND_REPORT": folder["missing/report.json"].path],
                "missing/report.json cannot be written"
            ),
            (
                "pipe", ["REWIND_REPORT": folder["pipe"].path], "neither a file nor a folder"
            ),
            (
                "both", ["REWIND_REPORT": "/dev/null/r", "REWIND_MODE": "x"],
                "Invalid value 'x' for REWIND_MODE."
            ),
        ]
        for (name, variables, cause) in situations {
            let end = try tool(["get", "/json"], variables)
            XCTAssertEqual(end.status, 1, name)
            XCTAssertEqual(end.text, "", name)
            XCTAssertTrue(end.errors.contains(cause), "\(name): \(end.errors)")
            XCTAssertTrue(
                end.errors.contains("weather: Rewind could not be activated"),
                "\(name): \(end.errors)"
            )
            guard variables["REWIND_REPORT"] == nil else { continue }
            let report = try self.report
            XCTAssertEqual(report.missCount, 1, name)
            XCTAssertTrue(report.problems.contains { $0.contains(cause) }, "\(name): \(report.problems)")
            XCTAssertTrue(report.misses.contains { $0.contains(cause) }, "\(name): \(report.misses)")
        }
        XCTAssertEqual(server.requestCount, 0)
        XCTAssertEqual(server.connectionCount, 0)
        XCTAssertEqual(FileStatus(folder["pipe"])?.kind, .other)
    }

    func testARelativePathInADeletedFolderRefusesEveryRequest() throws {
        let shell = URL(fileURLWithPath: "/bin/sh")
        let tool = "\(WeatherProcess.executable.path) \(server.url.absoluteString) get /json"
        let script = "mkdir gone && cd gone && rmdir ../gone && exec \(tool)"
        let variables = ["REWIND_CASSETTE": "weather", "REWIND_REPORT": "report.json"]
        let end = try ChildProcess(shell, ["-c", script], environment: variables, directory: folder.url)
        XCTAssertEqual(end.status, 1)
        XCTAssertTrue(end.output.contains("the working directory was deleted"), end.output)
        XCTAssertEqual(server.connectionCount, 0)
    }

    func testAMissingCassetteIsAMissInModeNever() throws {
        for variables in [["REWIND_MODE": "never"], ["CI": "true"], ["REWIND_MODE": "none"]] {
            let end = try tool(["insist", "/json"], variables)
            XCTAssertEqual(end.text, "no answer\n")
            let miss = try XCTUnwrap(report.misses.first)
            XCTAssertTrue(miss.contains("No cassette exists for this request"), miss)
            XCTAssertTrue(miss.contains("REWIND_MODE=once"), miss)
        }
        XCTAssertEqual(server.connectionCount, 0)
        XCTAssertEqual(folder.files, ["report.json"])
    }

    func testAFolderThatCannotBeWrittenIsAMiss() throws {
        // Also root cannot create a file below a file.
        try folder.put("locked")
        let end = try tool(["insist", "/json"], ["REWIND_CASSETTE": folder["locked/a/b.har"].path])
        XCTAssertEqual(end.text, "no answer\n")
        XCTAssertTrue(try XCTUnwrap(report.misses.first).contains("Make the folder writable"))
        XCTAssertEqual(server.connectionCount, 0)
    }

    func testSecretsAreInNoReport() throws {
        let path = "/visit/a?access_token=9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c"
        let end = try tool(["insist", path], ["REWIND_MODE": "never"])
        XCTAssertEqual(end.text, "no answer\n")
        let text = try String(contentsOf: folder["report.json"], encoding: .utf8)
        XCTAssertTrue(text.contains("/visit/a"), text)
        XCTAssertFalse(text.contains("9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c"), text)
    }

    func testALaterCallReturnsTheSameStubberAndActivatesItAgain() throws {
        let live = try tool(["twice", "/visit/a"])
        XCTAssertEqual(live.text, "true\n200 /visit/a visit 1\n")
        XCTAssertEqual(try report.recordedCount, 1)
        server.stop()
        XCTAssertEqual(try tool(["twice", "/visit/a"]).output, live.output)
    }

    func testTwoProcessesAtTheSameTimeRecordAndReplayOneCassette() throws {
        let reports = folder["reports"]
        try folder.put("reports/")
        let variables = [
            "REWIND_CASSETTE": cassette.path, "REWIND_REPORT": reports.path, "REWIND_MODE": "newEpisodes",
        ]
        func tool(_ path: String) throws -> WeatherProcess {
            try WeatherProcess([server.url.absoluteString, "get", path], variables)
        }
        for _ in 0..<2 {
            let both = try [tool("/visit/a"), tool("/visit/b")]
            let ends = try both.map { try $0.end() }
            XCTAssertEqual(ends.map(\.text), ["200 /visit/a visit 1\n", "200 /visit/b visit 1\n"])
            XCTAssertEqual(try Cassette(contentsOf: cassette).interactions.count, 2)
            server.stop()
        }
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: reports.path).count, 4)
    }
}
