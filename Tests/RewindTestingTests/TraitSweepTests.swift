import Foundation
import RewindTestSupport
import XCTest

/// Sweeps in tests with a trait: failed expectations break variations, and the test has one issue.
final class TraitSweepTests: ConversationTestCase {
    private func run(_ test: String) throws -> ChildProcess {
        let runner = TraitRunner(server: server.url, folder: folder.url)
        let first = try runner.run(test, in: "SweepFixtures")
        XCTAssertEqual(first.status, 0, first.output)
        server.stop()
        return try runner.run(test, in: "SweepFixtures")
    }

    func testFailedExpectationsBreakVariations() throws {
        let result = try run("expectations")
        XCTAssertNotEqual(result.status, 0)
        XCTAssertTrue(
            result.output.contains("2 of 3 variations of expectations break the test:"),
            result.output
        )
        XCTAssertTrue(result.output.contains("SweepFixtures.swift:"), result.output)
        XCTAssertTrue(result.output.contains("a page"), result.output)
        XCTAssertTrue(result.output.contains("REWIND_SWEEP=fault-1-html swift test --filter"), result.output)
        XCTAssertTrue(result.output.contains("with 4 issues (including 3 known issues)"), result.output)
    }

    func testACrashIsPrintedWithItsVariation() throws {
        let result = try run("crash")
        XCTAssertNotEqual(result.status, 0)
        XCTAssertTrue(result.output.contains("a planted crash"), result.output)
        XCTAssertTrue(
            result.output.contains(
                """
                Rewind: the process crashed in fault-1-status-500, #1 GET /json: status 500; run only this variation again:
                  REWIND_SWEEP=fault-1-status-500 swift test --filter
                """
            ),
            result.output
        )
    }

    func testAnAbortedProcessIsPrintedWithItsVariation() throws {
        let result = try run("abortion")
        XCTAssertNotEqual(result.status, 0)
        XCTAssertTrue(
            result.output.contains("Rewind: the process crashed in fault-1-timeout,"),
            result.output
        )
    }

    func testTheClosureRunsOnTheActorOfTheTest() throws {
        let result = try run("onTheMainActor")
        XCTAssertEqual(result.status, 0, result.output)
        XCTAssertEqual(result.answers, ["[200, 500]"])
    }

    func testASweepOfAnInnerScopeReceivesTheExpectationsOfTheTest() throws {
        let result = try run("nested")
        XCTAssertNotEqual(result.status, 0)
        XCTAssertTrue(result.output.contains("1 of 1 variations of inner breaks the test:"), result.output)
        XCTAssertTrue(result.output.contains("with 1 issue"), result.output)
    }
}
