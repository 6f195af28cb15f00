import Foundation
import RewindTestSupport
import XCTest

/// Sweeps in a `CassetteTestCase`: failed assertions break variations, and the test fails once.
final class CassetteTestCaseSweepTests: FixtureProcessTestCase {
    private func run(_ test: String) throws -> ChildProcess {
        let runner = FixtureRunner(server: server.url, folder: folder.url)
        let first = try runner.run([test], inClass: "SweepCaseFixtures")
        XCTAssertEqual(first.status, 0, first.output)
        XCTAssertEqual(first.answers.count, 1, first.output)
        server.stop()
        return try runner.run([test], inClass: "SweepCaseFixtures")
    }

    func testFailedAssertionsOfAnAsyncTestBreakVariations() throws {
        let result = try run("testAnAsyncTest")
        XCTAssertNotEqual(result.status, 0)
        XCTAssertEqual(
            result.answers,
            ["unchanged answer", "fault-1-status-500 answer", "fault-1-html answer", "fault-1-timeout error"]
        )
        XCTAssertTrue(
            result.output.contains("2 of 3 variations of testAnAsyncTest break the test:"),
            result.output
        )
        XCTAssertTrue(result.output.contains("SweepCaseFixtures.swift:"), result.output)
        XCTAssertTrue(result.output.contains("- a page"), result.output)
        XCTAssertTrue(
            result.output.contains(
                "REWIND_SWEEP=fault-1-html swift test --filter '^RewindXCTestTests.SweepCaseFixtures/testAnAsyncTest$'"
            ),
            result.output
        )
        XCTAssertTrue(result.output.contains("with 1 failure"), result.output)
    }

    func testFailedAssertionsOfACompletionHandlerBreakVariations() throws {
        let result = try run("testACompletionHandler")
        XCTAssertNotEqual(result.status, 0)
        XCTAssertEqual(result.answers, ["unchanged 200", "fault-1-status-500 500", "fault-1-timeout 0"])
        XCTAssertTrue(result.output.contains("1 of 2 variations"), result.output)
        XCTAssertTrue(result.output.contains("fault-1-timeout   #1 GET /json: timeout"), result.output)
    }
}
