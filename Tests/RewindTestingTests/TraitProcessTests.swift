import Foundation
import Rewind
import RewindTestSupport
import XCTest

/// Runs tests that use the traits in child processes, with a real server that is stopped before replay.
final class TraitProcessTests: ConversationTestCase {
    func testTheFirstRunRecordsAndTheNextReplaysWithoutTheServer() throws {
        let first = try run("visits|cases")
        XCTAssertEqual(first.status, 0, first.output)
        XCTAssertEqual(
            folder.files,
            (1...5).map { "cases-number=\($0).har" } + ["visits.har"]
        )
        server.stop()
        let second = try run("visits|cases")
        XCTAssertEqual(second.status, 0, second.output)
        XCTAssertEqual(first.answers.sorted(), second.answers.sorted())
        XCTAssertTrue(second.answers.contains("visits visit 1"))
    }

    func testAMissIsAnIssueOfTheTestAndTheCassetteIsAttached() throws {
        _ = try run("miss", ["REWIND_FIXTURE_PATH": "json"])
        let result = try run("miss", ["REWIND_FIXTURE_PATH": "visit"])
        XCTAssertNotEqual(result.status, 0)
        XCTAssertEqual(result.answers, ["miss Rewind 2"])
        XCTAssertTrue(result.output.contains("TraitFixtures.swift:"), result.output)
        XCTAssertTrue(result.output.contains("No recording matches this request"), result.output)
        XCTAssertTrue(result.output.contains("miss.har"), result.output)
        XCTAssertEqual(server.requestCount, 1)
    }

    func testAThrownMissIsDescribedOnce() throws {
        _ = try run("throwsItsMiss", ["REWIND_FIXTURE_PATH": "json"])
        let result = try run("throwsItsMiss", ["REWIND_FIXTURE_PATH": "visit"])
        XCTAssertNotEqual(result.status, 0)
        let parts = result.output.components(separatedBy: "No recording matches")
        XCTAssertEqual(parts.count, 2, result.output)
        let reminder =
            "Caught error: No answer for GET \(server["visit"].absoluteString); the details are in an earlier failure."
        XCTAssertTrue(parts.last?.contains(reminder) ?? false, result.output)
    }

    func testARequestWithoutAStubIsAnIssue() throws {
        let result = try run("stubbed")
        XCTAssertNotEqual(result.status, 0)
        XCTAssertEqual(result.answers, ["stubbed stubbed", "unstubbed Rewind 11"])
        XCTAssertTrue(result.output.contains("No stub matches this request"), result.output)
        XCTAssertEqual(folder.files, [])
        XCTAssertEqual(server.requestCount, 0)
    }

    func testAnInvalidStubIsAnIssueAtTheLineOfTheStub() throws {
        let result = try run("invalidStub")
        XCTAssertNotEqual(result.status, 0)
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Support/TraitFixtures.swift")
        let lines = try String(contentsOf: source, encoding: .utf8).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        let line = try XCTUnwrap(lines.firstIndex { $0.contains(#"matching: "(""#) }) + 1
        XCTAssertTrue(result.output.contains("TraitFixtures.swift:\(line)"), result.output)
    }

    func testTheRecordingOfAFailedTestIsSavedBesideTheCassette() throws {
        let result = try run("failsAnExpectation|throwsAnError")
        XCTAssertNotEqual(result.status, 0)
        XCTAssertEqual(folder.files, ["failsAnExpectation.failed.har", "throwsAnError.failed.har"])
    }

    func testADeadServerIsAnIssueOfATestThatToleratesErrors() throws {
        XCTAssertEqual(try run("visits").status, 0)
        let untouched = try Data(contentsOf: folder["visits.har"])
        server.stop()
        let again = try run("visits|cases", ["REWIND_MODE": "all"])
        XCTAssertNotEqual(again.status, 0)
        XCTAssertEqual(again.answers.count, 6, "the app tolerates the errors")
        XCTAssertEqual(try Data(contentsOf: folder["visits.har"]), untouched)
        XCTAssertTrue(again.output.contains("TraitFixtures.swift:"), again.output)
        XCTAssertTrue(
            again.output.contains(
                "These requests got no answer, but the cassette \(folder["visits.har"].path) has one"
            ),
            again.output
        )
        // The cases are recorded for the first time.
        let parts = again.output.components(
            separatedBy: "No request got an answer, so nothing was recorded to "
        )
        XCTAssertEqual(parts.count, 6, again.output)
        let files = (1...5).map { "cases-number=\($0).failed.har" }
        XCTAssertEqual(folder.files, files + ["visits.failed.har", "visits.har"])
    }

    func testTheCassetteOrTheFailedRecordingIsAttached() throws {
        #if compiler(>=6.2)
            let failed = try run("failsAnExpectation")
            XCTAssertTrue(failed.output.contains("Attached 'failsAnExpectation.failed.har'"), failed.output)
            _ = try run("miss", ["REWIND_FIXTURE_PATH": "json"])
            let missed = try run("miss", ["REWIND_FIXTURE_PATH": "visit"])
            XCTAssertTrue(missed.output.contains("Attached 'miss.har'"), missed.output)
            XCTAssertFalse(try run("visits").output.contains("Attached"))
        #endif
    }

    func testWarningsAndKnownIssuesDoNotPreventSaving() throws {
        let result = try run("warns|hasAKnownIssue")
        XCTAssertEqual(result.status, 0, result.output)
        #if compiler(>=6.3)
            XCTAssertEqual(folder.files, ["hasAKnownIssue.har", "warns.har"])
        #endif
    }

    func testACancelledTestDoesNotSaveItsRecordingAndATestWithATimeLimitDoes() throws {
        let result = try run("isSkipped|hasATimeLimit|visits")
        XCTAssertEqual(result.status, 0, result.output)
        XCTAssertTrue(folder.files.contains("hasATimeLimit.har"))
        XCTAssertTrue(folder.files.contains("visits.har"))
        XCTAssertFalse(folder.files.contains("isSkipped.har"), "a cancelled test saves nothing")
    }

    func testTwoTestsThatRecordTheSameCassetteAtOnceFail() throws {
        let result = try run("sharesACassette")
        XCTAssertNotEqual(result.status, 0)
        XCTAssertTrue(result.output.contains("records it"), result.output)
        let again = try run("sharesACassette")
        XCTAssertEqual(again.status, 0, again.output)
        XCTAssertEqual(again.answers, ["shared slow", "shared slow"])
        XCTAssertEqual(server.requestCount, 1)
    }

    func testTheModeVariableOverridesTheTrait() throws {
        let result = try run("visits", ["REWIND_MODE": "none"])
        XCTAssertNotEqual(result.status, 0)
        XCTAssertEqual(server.requestCount, 0)
        XCTAssertTrue(result.output.contains("No cassette exists for this request"), result.output)
    }

    private func run(_ tests: String, _ environment: [String: String] = [:]) throws -> ChildProcess {
        try TraitRunner(server: server.url, folder: folder.url).run(tests, environment)
    }
}
