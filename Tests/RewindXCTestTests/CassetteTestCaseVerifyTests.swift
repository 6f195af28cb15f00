import Foundation
import RewindTestSupport
import XCTest

/// The mode `verify` in a `CassetteTestCase`, tested in child processes with a real server whose API changes.
final class CassetteTestCaseVerifyTests: XCTestCase {
    private var folder: TemporaryDirectory!
    private var server: DriftingServer!

    override func setUpWithError() throws {
        folder = try TemporaryDirectory()
        server = try DriftingServer()
    }

    override func tearDown() {
        server.stop()
    }

    private func run(_ path: String, _ environment: [String: String] = [:]) throws -> ChildProcess {
        let settings = [FixtureTests.Setting.path: path].merging(environment) { $1 }
        return try FixtureRunner(server: server.url, folder: folder.url).run(
            ["FixtureTests/testOnePath"],
            settings
        )
    }

    func testDriftIsAWarningAndTheAppReceivesTheLiveAnswer() throws {
        let recorded = try run("retyped")
        XCTAssertEqual(recorded.status, 0, recorded.output)
        let file = folder["FixtureTests/testOnePath.har"]
        let before = try Data(contentsOf: file)
        server.change(to: .drifted)
        let result = try run("retyped", ["REWIND_MODE": "verify"])
        XCTAssertEqual(result.status, 0, result.output)
        XCTAssertEqual(result.answers, [#"{"id": "1", "at": 1}"#])
        XCTAssertTrue(result.output.contains("differs from the cassette \(file.path)"), result.output)
        XCTAssertTrue(result.output.contains("#1 GET \(server["retyped"].absoluteString)"), result.output)
        XCTAssertTrue(result.output.contains("$.id: number → string"), result.output)
        XCTAssertEqual(try Data(contentsOf: file), before)
        XCTAssertEqual(folder.files, ["FixtureTests/testOnePath.har"])
    }

    func testAnUnchangedAPIIsNotReported() throws {
        _ = try run("element")
        server.change(to: .later)
        let result = try run("element", ["REWIND_MODE": "verify"])
        XCTAssertEqual(result.status, 0, result.output)
        XCTAssertEqual(result.answers, [#"{"items": []}"#])
        XCTAssertFalse(result.output.contains("differs"), result.output)
    }

    func testDriftFailsTheTestIfConfigured() throws {
        _ = try run("retyped")
        server.change(to: .drifted)
        let settings = ["REWIND_MODE": "verify", FixtureTests.Setting.drift: "fail"]
        let result = try run("retyped", settings)
        XCTAssertNotEqual(result.status, 0)
        XCTAssertTrue(result.output.contains("FixtureTests.swift:"), result.output)
        XCTAssertTrue(result.output.contains("$.id: number → string"), result.output)
    }

    func testUnrecordedRequestsAndUnplayedInteractionsAreReported() throws {
        _ = try run("text")
        let result = try run("added", ["REWIND_MODE": "verify"])
        XCTAssertEqual(result.status, 0, result.output)
        XCTAssertTrue(result.output.contains("not in the cassette"), result.output)
        XCTAssertTrue(result.output.contains("without playing these recorded interactions"), result.output)
        XCTAssertTrue(result.output.contains(server["text"].absoluteString), result.output)
    }

    func testAMissingCassetteFailsTheTestWithoutUsingTheNetwork() throws {
        let result = try run("text", ["REWIND_MODE": "verify"])
        XCTAssertNotEqual(result.status, 0)
        XCTAssertTrue(result.output.contains("No cassette exists for this request"), result.output)
        XCTAssertEqual(server.requests.count, 0)
        XCTAssertEqual(folder.files, [])
    }
}
