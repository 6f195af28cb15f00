import Foundation
import Rewind
import RewindTestSupport
import XCTest

/// `expectReplayed` records an issue for each miss of a process that the test launched.
final class ReplayExpectationTests: ConversationTestCase {
    func testAProcessIsRecordedAndReplayedAndItsMissIsAnIssue() throws {
        let runner = TraitRunner(server: server.url, folder: folder.url)
        let first = try runner.run("forecast", in: "ReplayFixtures")
        XCTAssertEqual(first.status, 0, first.output)
        server.stop()
        let second = try runner.run("forecast", in: "ReplayFixtures")
        XCTAssertEqual(second.status, 0, second.output)
        XCTAssertEqual(second.answers, first.answers)
        let other = try runner.run("otherForecast", in: "ReplayFixtures")
        XCTAssertNotEqual(other.status, 0)
        XCTAssertTrue(other.output.contains("No recording matches this request."), other.output)
        XCTAssertTrue(other.output.contains("ReplayFixtures.swift:"), other.output)
    }
}
