import Foundation
import Rewind
import RewindTestSupport
import XCTest

/// The mode `verify` with the traits, tested in child processes with a real server whose API changes.
final class TraitVerifyTests: XCTestCase {
    private var folder: TemporaryDirectory!
    private var server: DriftingServer!

    override func setUpWithError() throws {
        folder = try TemporaryDirectory()
        server = try DriftingServer()
    }

    override func tearDown() {
        server.stop()
    }

    private func run(_ test: String, _ environment: [String: String] = [:]) throws -> ChildProcess {
        let settings = ["REWIND_FIXTURE_PATH": "retyped"].merging(environment) { $1 }
        return try TraitRunner(server: server.url, folder: folder.url).run(test, settings)
    }

    func testDriftIsAWarningAtTheTest() throws {
        _ = try run("miss")
        let before = try Data(contentsOf: folder["miss.har"])
        server.change(to: .drifted)
        let result = try run("miss", ["REWIND_MODE": "verify"])
        XCTAssertEqual(result.status, 0, result.output)
        XCTAssertTrue(result.output.contains(#"ANSWER miss {"id": "1", "at": 1}"#), result.output)
        XCTAssertTrue(result.output.contains("$.id: number → string"), result.output)
        #if compiler(>=6.3)
            XCTAssertTrue(result.output.contains("warning at TraitFixtures.swift:"), result.output)
        #endif
        XCTAssertEqual(try Data(contentsOf: folder["miss.har"]), before)
        XCTAssertEqual(folder.files, ["miss.har"])
    }

    func testAnUnchangedAPIIsNotReported() throws {
        _ = try run("miss")
        server.change(to: .later)
        let result = try run("miss", ["REWIND_MODE": "verify"])
        XCTAssertEqual(result.status, 0, result.output)
        XCTAssertFalse(result.output.contains("warning"), result.output)
    }

    func testDriftIsAFailureIfTheTraitSaysSo() throws {
        _ = try run("strict")
        server.change(to: .drifted)
        let result = try run("strict", ["REWIND_MODE": "verify"])
        XCTAssertNotEqual(result.status, 0)
        XCTAssertTrue(result.output.contains("TraitFixtures.swift:"), result.output)
        XCTAssertTrue(result.output.contains("$.id: number → string"), result.output)
        XCTAssertEqual(folder.files, ["strict.har"])
    }
}
