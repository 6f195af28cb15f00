import Foundation
import Rewind
import RewindTestSupport
import XCTest

/// Runs tests that use `CassetteTestCase` in child processes, with a real server that is stopped before replay.
final class CassetteTestCaseTests: FixtureProcessTestCase {
    // MARK: Recording and replay

    func testTheFirstRunRecordsAndTheNextReplaysWithoutTheServer() throws {
        let first = try run("testTwoVisits")
        XCTAssertEqual(first.answers, ["visit 1", "visit 2"])
        XCTAssertEqual(first.status, 0, first.output)
        XCTAssertEqual(folder.files, ["FixtureTests/testTwoVisits.har"])
        server.stop()
        let second = try run("testTwoVisits")
        XCTAssertEqual(second.answers, ["visit 1", "visit 2"])
        XCTAssertEqual(second.status, 0, second.output)
    }

    // MARK: Stubs

    func testAnInvalidStubFailsTheTestAtTheLineOfTheStub() throws {
        let result = try run("testAnInvalidStub")
        XCTAssertNotEqual(result.status, 0)
        let source = try String(contentsOfFile: FixtureTests.source, encoding: .utf8).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        let line = try XCTUnwrap(source.firstIndex { $0.contains("not a url") }) + 1
        XCTAssertTrue(result.output.contains("FixtureTests.swift:\(line): error"), result.output)
        XCTAssertTrue(result.output.contains("its condition is invalid"), result.output)
    }

    func testAnExpectationIsFulfilledByItsRequests() throws {
        let result = try run("testAnExpectedRequest")
        XCTAssertEqual(result.status, 0, result.output)
        XCTAssertEqual(result.answers, ["was expected"])
        XCTAssertEqual(server.requestCount, 0)
        let missing = try run("testAnExpectedRequestThatIsNotMade")
        XCTAssertNotEqual(missing.status, 0)
        XCTAssertTrue(missing.output.contains("request path(/stubbed)"), missing.output)
    }

    // MARK: Secrets

    func testAKilledRecordingLeavesNoSecretInAnyFile() throws {
        let result = try run("testKilled")
        XCTAssertNotEqual(result.status, 0)
        XCTAssertEqual(result.answers, ["200"])
        for file in folder.files {
            let text = try String(contentsOf: folder[file], encoding: .utf8)
            XCTAssertFalse(text.contains("hush"), file)
        }
    }

    func testAValueThatLooksLikeACredentialFailsTheTestAndIsNotWritten() throws {
        let result = try run("testReceivingACredential")
        XCTAssertNotEqual(result.status, 0)
        XCTAssertEqual(result.answers, ["200"])
        XCTAssertEqual(folder.files, ["FixtureTests/testReceivingACredential.refused"])
        for file in folder.files {
            XCTAssertNil(try Data(contentsOf: folder[file]).range(of: Data("0a1B2c3D4e5F".utf8)))
        }
        XCTAssertTrue(result.output.contains("was not saved"), result.output)
        XCTAssertTrue(result.output.contains("configuration.redaction.allow("), result.output)
        XCTAssertFalse(result.output.contains("0a1B2c3D4e5F"), result.output)
    }

    func testNoMessageContainsASecretOfTheTraffic() throws {
        for mode in ["all", "never", "newEpisodes", "never"] {
            let result = try run("testSecretsInPathsAndQueries", ["REWIND_LOG": "1", "REWIND_MODE": mode])
            XCTAssertNotEqual(result.status, 0)
            XCTAssertEqual(result.answers.count, 25, result.output)
            XCTAssertTrue(result.output.contains("GET \(server.url.absoluteString)/visit/"), result.output)
            // After `/bot`, only the token of Telegram is recognized, as it is one word with the others.
            let lines = result.output.split(separator: "\n").filter { !$0.contains("/bot") }
            for (secret, line) in FixtureTests.secrets.flatMap({ secret in lines.map { (secret, $0) } }) {
                XCTAssertFalse(line.contains(secret.suffix(20)), "\(mode): \(line)")
            }
            let telegram = FixtureTests.secrets[5]
            XCTAssertFalse(result.output.contains(telegram.suffix(20)), mode)
        }
    }

    func testARefusedRecordingIsSavedByTheFileOfRules() throws {
        XCTAssertNotEqual(try run("testReceivingACredential").status, 0)
        server.stop()
        let rules = folder["FixtureTests/redaction.rules"]
        try Data("redact pattern:ghp_[A-Za-z0-9]{36}\n".utf8).write(to: rules)
        let second = try run("testReceivingACredential")
        XCTAssertEqual(second.status, 0, second.output)
        XCTAssertEqual(second.answers, ["200"])
        XCTAssertTrue(
            second.output.contains("saved 1 interaction, which an earlier run recorded"),
            second.output
        )
        XCTAssertEqual(
            folder.files,
            ["FixtureTests/redaction.rules", "FixtureTests/testReceivingACredential.har"]
        )
    }

    func testRewindLogPrintsALineForEachDecision() throws {
        let result = try run("testTwoVisits", ["REWIND_LOG": "1"])
        let lines = result.output.split(separator: "\n").filter {
            $0.hasPrefix("Rewind: FixtureTests.testTwoVisits: GET")
        }
        XCTAssertEqual(lines.count, 2, result.output)
        XCTAssertTrue(lines.allSatisfy { $0.contains("→ recorded from the network") }, result.output)
        let again = try run("testTwoVisits", ["REWIND_LOG": "1"])
        XCTAssertTrue(again.output.contains("→ replayed #2; skipped #1 (played by request 1)"), again.output)
    }

    func testAFirstRecordingPrintsOneLineWithTheNewFile() throws {
        let line =
            "Rewind: recorded the new cassette \(folder["FixtureTests/testTwoVisits.har"].path); commit it"
        let first = try run("testTwoVisits")
        XCTAssertEqual(first.output.components(separatedBy: "\n").filter { $0 == line }.count, 1, first.output)
        let again = try run("testTwoVisits", ["REWIND_MODE": "all"])
        let replayed = try run("testTwoVisits")
        XCTAssertFalse((again.output + replayed.output).contains("commit it"))
    }

    func testTeardownBlocksUseTheCassette() throws {
        XCTAssertEqual(try run("testTeardownBlock").answers, ["visit 1"])
        server.stop()
        XCTAssertEqual(try run("testTeardownBlock").answers, ["visit 1"])
    }

    func testTheSessionOfTheStubberUsesTheCassette() throws {
        XCTAssertEqual(try run("testSession").answers.count, 1)
        server.stop()
        let second = try run("testSession")
        XCTAssertEqual(second.status, 0, second.output)
    }

    // MARK: Recording modes

    func testIsRecordingTrueReRecords() throws {
        XCTAssertEqual(try run("testTwoVisits").answers, ["visit 1", "visit 2"])
        let again = try run("testTwoVisits", [FixtureTests.Setting.isRecording: "true"])
        XCTAssertEqual(again.answers, ["visit 3", "visit 4"])
        server.stop()
        XCTAssertEqual(try run("testTwoVisits").answers, ["visit 3", "visit 4"])
    }

    func testIsRecordingFalsePreventsRecording() throws {
        let result = try run("testTwoVisits", [FixtureTests.Setting.isRecording: "false"])
        XCTAssertNotEqual(result.status, 0)
        XCTAssertEqual(server.requestCount, 0)
        XCTAssertEqual(folder.files, [])
        XCTAssertTrue(result.output.contains("No cassette exists for this request"), result.output)
    }

    func testTheModeVariableOverridesIsRecording() throws {
        _ = try run("testTwoVisits")
        let result = try run(
            "testTwoVisits",
            [FixtureTests.Setting.isRecording: "true", "REWIND_MODE": "none"]
        )
        XCTAssertEqual(result.answers, ["visit 1", "visit 2"])
        XCTAssertEqual(server.requestCount, 2)
    }

    func testNothingIsRecordedIfCIIsSet() throws {
        let result = try run("testTwoVisits", ["CI": "true"])
        XCTAssertNotEqual(result.status, 0)
        XCTAssertEqual(server.requestCount, 0)
        XCTAssertTrue(result.output.contains("CI is set, so none is recorded"), result.output)
    }

    func testAnInvalidModeVariableFailsTheTestWithTheListOfModes() throws {
        let result = try run("testTwoVisits", ["REWIND_MODE": "record"])
        XCTAssertNotEqual(result.status, 0)
        XCTAssertEqual(result.answers, [])
        XCTAssertTrue(
            result.output.contains(
                "Invalid value 'record' for REWIND_MODE.\n  Use one of the modes: never, once, newEpisodes"
            ),
            result.output
        )
    }

    // MARK: Misses

    func testAMissFailsTheTestAtTheLineOfItsMethodWithADiagnosis() throws {
        _ = try run("testOnePath", [FixtureTests.Setting.path: "json?page=1"])
        let result = try run("testOnePath", [FixtureTests.Setting.path: "json?page=2"])
        XCTAssertNotEqual(result.status, 0)
        XCTAssertEqual(result.answers, ["Rewind 2"])
        XCTAssertEqual(server.requestCount, 1)
        XCTAssertTrue(result.output.contains("FixtureTests.swift:"), result.output)
        XCTAssertTrue(result.output.contains("No recording matches this request"), result.output)
        XCTAssertTrue(result.output.contains("recorded:  page=1"), result.output)
        XCTAssertTrue(result.output.contains("requested: page=2"), result.output)
        XCTAssertEqual(
            result.output.components(separatedBy: "No recording matches").count,
            2,
            "described once"
        )
    }

    func testTheCommandsOfAMissSelectItsTestAndFixIt() throws {
        _ = try run("testOnePath", [FixtureTests.Setting.path: "visit?page=1"])
        let missing = [FixtureTests.Setting.path: "visit?page=2"]
        let output = try run("testOnePath", missing).output
        let command = try NSRegularExpression(pattern: #"REWIND_MODE=(\w+) swift test --filter '(\S+)'"#)
        let found = command.matches(in: output, range: NSRange(output.startIndex..., in: output)).map { match in
            (1...2).compactMap { Range(match.range(at: $0), in: output).map { String(output[$0]) } }
        }
        let test = "RewindXCTestTests.FixtureTests/testOnePath"
        XCTAssertEqual(found.map(\.first), ["newEpisodes", "all"], output)
        for (mode, count) in zip(["newEpisodes", "all"], [2, 1]) {
            let filter = try XCTUnwrap(found.first { $0[0] == mode }?.last)
            XCTAssertNotNil(test.range(of: filter, options: .regularExpression), filter)
            let fixed = try run("testOnePath", missing.merging(["REWIND_MODE": mode]) { $1 })
            XCTAssertEqual(fixed.status, 0, fixed.output)
            let file = folder["FixtureTests/testOnePath.har"]
            XCTAssertEqual(try Cassette(contentsOf: file).interactions.count, count)
        }
        server.stop()
        XCTAssertEqual(try run("testOnePath", missing).status, 0)
    }

    func testAThrownMissIsDescribedOnce() throws {
        _ = try run("testThrowingItsMiss", [FixtureTests.Setting.path: "json?page=1"])
        let result = try run("testThrowingItsMiss", [FixtureTests.Setting.path: "json?page=2"])
        XCTAssertNotEqual(result.status, 0)
        let parts = result.output.components(separatedBy: "No recording matches")
        XCTAssertEqual(parts.count, 2, result.output)
        let reminder =
            "threw error \"No answer for GET \(server.url.absoluteString)/json?page=2; the details are in an earlier failure."
        XCTAssertTrue(parts.last?.contains(reminder) ?? false, result.output)
    }

    func testAnOverriddenHandlerReceivesTheMissOnTheMainThread() throws {
        let result = try run("testMiss", inClass: "HandlingFixtureTests")
        XCTAssertEqual(result.status, 0, result.output)
        XCTAssertEqual(result.answers, ["Rewind 1"])
        XCTAssertTrue(result.output.contains("HANDLED \(server.url.absoluteString)/json true"), result.output)
    }

    // MARK: Failed tests

    func testTheRecordingOfAFailedTestIsSavedBesideTheCassette() throws {
        for name in ["testFailing", "testThrowing"] {
            let result = try run(name)
            XCTAssertNotEqual(result.status, 0)
            XCTAssertTrue(result.output.contains("\(name).failed.har"), result.output)
        }
        XCTAssertEqual(
            folder.files,
            ["FixtureTests/testFailing.failed.har", "FixtureTests/testThrowing.failed.har"]
        )
    }

    func testADeadServerFailsATestThatToleratesErrorsAndReplacesNoAnswer() throws {
        XCTAssertEqual(try run("testTwoVisits").status, 0)
        let file = folder["FixtureTests/testTwoVisits.har"]
        let untouched = try Data(contentsOf: file)
        server.stop()
        let result = try run("testTwoVisits", ["REWIND_MODE": "all"])
        XCTAssertNotEqual(result.status, 0)
        XCTAssertEqual(result.answers.count, 2, "the app tolerates the errors")
        XCTAssertEqual(try Data(contentsOf: file), untouched)
        XCTAssertTrue(result.output.contains("FixtureTests.swift:"), result.output)
        let message =
            "These requests got no answer, but the cassette \(file.path) has one, so it was not changed:"
        XCTAssertTrue(result.output.contains("failed - \(message)"), result.output)
        XCTAssertTrue(result.output.contains("  GET \(server.url.absoluteString)/visit: "), result.output)
        XCTAssertEqual(
            folder.files,
            ["FixtureTests/testTwoVisits.failed.har", "FixtureTests/testTwoVisits.har"]
        )
        XCTAssertEqual(try run("testTwoVisits").answers, ["visit 1", "visit 2"])
    }

    func testAFirstRecordingWithADeadServerFailsTheTest() throws {
        server.stop()
        for _ in 0..<2 {
            let result = try run("testTwoVisits")
            XCTAssertNotEqual(result.status, 0)
            XCTAssertTrue(
                result.output.contains("failed - No request got an answer, so nothing"),
                result.output
            )
            XCTAssertEqual(folder.files, ["FixtureTests/testTwoVisits.failed.har"])
        }
    }

    func testACorruptCassetteFailsTheTestAndIsNotChanged() throws {
        _ = try run("testTwoVisits")
        let file = folder["FixtureTests/testTwoVisits.har"]
        let broken = try Data(contentsOf: file).dropLast(20)
        try broken.write(to: file)
        for mode in ["once", "none", "newEpisodes", "all"] {
            let result = try run("testTwoVisits", ["REWIND_MODE": mode])
            XCTAssertNotEqual(result.status, 0)
            XCTAssertTrue(result.output.contains("testTwoVisits.har:"), result.output)
            XCTAssertEqual(try Data(contentsOf: file), broken)
        }
        XCTAssertEqual(server.requestCount, 2)
    }

    func testACassetteThatCannotBeWrittenFailsTheTestWithItsPath() throws {
        try Data().write(to: folder["FixtureTests"])
        let result = try run("testTwoVisits")
        XCTAssertNotEqual(result.status, 0)
        XCTAssertTrue(result.output.contains("the cassette cannot be written, so it was"), result.output)
        XCTAssertTrue(result.output.contains("folder:   \(folder.url.path)/FixtureTests\n"), result.output)
        XCTAssertEqual(server.requestCount, 0)
    }

    // MARK: Requests after the end of a test

    func testTheEndOfATestWaitsForRequestsInFlight() throws {
        let result = try run("testLeavingARequestInFlight")
        XCTAssertEqual(result.status, 0, result.output)
        let cassette = try Cassette(contentsOf: folder["FixtureTests/testLeavingARequestInFlight.har"])
        XCTAssertEqual(
            cassette.interactions.first?.response.map { String(decoding: $0.body.data, as: UTF8.self) },
            "slow"
        )
    }

    func testARequestThatDoesNotEndFailsTheTestWithItsURL() throws {
        let result = try run("testLeavingASlowRequestInFlight")
        XCTAssertNotEqual(result.status, 0)
        XCTAssertTrue(result.output.contains("GET \(server.url.absoluteString)/slow/1500"), result.output)
        XCTAssertEqual(folder.files, [])
    }

    func testARequestAfterTheEndOfItsTestIsRefusedWithTheNameOfThatTest() throws {
        let result = try run("testLeavingATask1", and: "testLeavingATask2")
        XCTAssertEqual(result.status, 0, result.output)
        XCTAssertTrue(result.output.contains("AFTER THE END Rewind 4"), result.output)
        XCTAssertTrue(result.output.contains("FixtureTests.testLeavingATask1"), result.output)
        XCTAssertEqual(result.answers, ["visit 1"])
        XCTAssertEqual(server.requestCount, 1)
        XCTAssertEqual(folder.files, ["FixtureTests/testLeavingATask2.har"])
    }

    // MARK: Parallel processes

    func testParallelProcessesRecordEverything() throws {
        let names = ["testTwoVisits", "testSession", "testOnePath", "testLeavingARequestInFlight"]
        let group = DispatchGroup()
        let results = Locked<[Int32]>([])
        let fixtures = fixtures
        for _ in 0..<2 {
            for name in names {
                DispatchQueue.global().async(group: group) {
                    let status = (try? fixtures.run(["FixtureTests/\(name)"]).status) ?? -1
                    results.withLock { $0.append(status) }
                }
            }
        }
        group.wait()
        XCTAssertEqual(results.withLock { $0 }, Array(repeating: 0, count: 8))
        XCTAssertEqual(folder.files, names.sorted().map { "FixtureTests/\($0).har" })
        for name in names {
            let count = try Cassette(contentsOf: folder["FixtureTests/\(name).har"]).interactions.count
            XCTAssertEqual(count, name == "testTwoVisits" ? 2 : 1, name)
        }
    }

    // MARK: -

    private var fixtures: FixtureRunner {
        FixtureRunner(server: server.url, folder: folder.url)
    }

    private func run(
        _ test: String,
        and other: String? = nil,
        inClass name: String = "FixtureTests",
        _ environment: [String: String] = [:]
    ) throws -> ChildProcess {
        try fixtures.run([test] + [other].compactMap { $0 }, inClass: name, environment)
    }
}
