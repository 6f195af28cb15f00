import Foundation
import Rewind
import RewindTestSupport
import XCTest

/// `XCTAssertReplayed` fails the test that launched a process for what the process missed.
final class ReplayAssertionTests: FixtureProcessTestCase {
    private func run(_ test: String, _ environment: [String: String] = [:]) throws -> ChildProcess {
        try FixtureRunner(server: server.url, folder: folder.url)
            .run([test], inClass: "ReplayFixtureTests", environment)
    }

    func testTheFirstRunRecordsTheProcessAndTheNextReplaysItWithoutTheServer() throws {
        let first = try run("testForecast")
        XCTAssertEqual(first.status, 0, first.output)
        XCTAssertTrue(folder.files.contains("weather.har"))
        server.stop()
        let second = try run("testForecast")
        XCTAssertEqual(second.status, 0, second.output)
        XCTAssertEqual(second.answers, first.answers)
        XCTAssertEqual(first.answers.count, 5)
    }

    func testAMissOfTheProcessFailsTheTestAtTheLineOfTheAssertion() throws {
        _ = try run("testForecast")
        server.stop()
        let result = try run("testOtherForecast", ["REWIND_MODE": "never"])
        XCTAssertNotEqual(result.status, 0)
        let source = try String(
            contentsOfFile: "\(#filePath)".replacingOccurrences(
                of: "ReplayAssertionTests",
                with: "Support/ReplayFixtureTests"
            ),
            encoding: .utf8
        )
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        let line = try XCTUnwrap(lines.firstIndex { $0.contains("XCTAssertReplayed") }) + 1
        XCTAssertTrue(result.output.contains("ReplayFixtureTests.swift:\(line): error"), result.output)
        XCTAssertTrue(result.output.contains("No recording matches this request."), result.output)
        XCTAssertTrue(result.output.contains("requested: \"Linz\""), result.output)
        XCTAssertTrue(result.output.contains("#2 POST"), result.output)
    }

    func testAProcessWithoutAReportFailsTheTest() throws {
        let result = try run("testWithoutReport")
        XCTAssertNotEqual(result.status, 0)
        XCTAssertTrue(
            result.output.contains("Did it call `Stubber.activateFromEnvironment()`, in a debug build?"),
            result.output
        )
    }

    func testTheModeVariableOfTheTestAppliesToTheProcess() throws {
        _ = try run("testForecast")
        let result = try run("testOtherForecast", ["REWIND_MODE": "all"])
        XCTAssertEqual(result.status, 0, result.output)
        let text = try String(contentsOf: folder["weather.har"], encoding: .utf8)
        XCTAssertTrue(text.contains("Linz"), text)
    }
}
