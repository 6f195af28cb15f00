import Foundation
import Rewind
import RewindTestSupport
import XCTest

/// `REWIND_SWEEP`: one variation again, a cassette of its own, and a new report.
final class SweepSelectionTests: SweepTestCase {
    /// Runs a sweep whose closure fails for every answer that is not the recorded one, and returns what ran and the error.
    private func sweep(
        _ selection: String,
        _ sweep: Stubber.Sweep = .faults,
        report: String? = nil,
        isContinuousIntegration: Bool = false
    ) async throws -> (ids: [String], message: String) {
        let url = server.url
        let ids = Locked<[String]>([])
        let path = report.map { folder[$0].path }
        let message = await message {
            try await scope(["REWIND_SWEEP": selection, "CI": isContinuousIntegration ? "1" : ""]) { _ in
                try await Stubber.sweep(sweep, report: path) { variation in
                    ids.withLock { $0.append(variation.id) }
                    _ = try await Self.get("json", url)
                }
            }
        }
        return (ids.withLock { $0 }, message)
    }

    func testANameRunsOnlyThatVariation() async throws {
        try await record("json")
        let (ids, message) = try await sweep("fault-1-timeout")
        XCTAssertEqual(ids, ["unchanged", "fault-1-timeout"])
        XCTAssertTrue(message.contains("1 of 1 variations of talk breaks the test"), message)
        let several = try await sweep("fault-1-slow, fault-1-html").ids
        XCTAssertEqual(several, ["unchanged", "fault-1-slow", "fault-1-html"])
    }

    func testNamesOfOtherSweepsAreNotAnError() async throws {
        try await record("json")
        let (ids, message) = try await sweep("field-1-removed-id")
        XCTAssertEqual(ids, [])
        XCTAssertEqual(message, "no error")
    }

    func testAnUnknownNameIsAnErrorThatListsSome() async throws {
        try await record("json")
        let unknown = try await sweep("fault-9-timeout").message
        XCTAssertTrue(
            unknown.hasPrefix(
                "REWIND_SWEEP names the variation 'fault-9-timeout', which this sweep does not have. It has fault-1-connection-refused, fault-1-timeout,"
            ),
            unknown
        )
        let misspelled = try await sweep("falt-1-timeout").message
        XCTAssertTrue(misspelled.contains("'falt-1-timeout', which this sweep does not have.\n"), misspelled)
        XCTAssertTrue(misspelled.contains("Copy a name from a failure of this sweep"), misspelled)
    }

    func testAKeptVariationIsACassetteThatEveryTestCanPlay() async throws {
        try await record("json")
        _ = try await sweep("fault-1-status-503,keep")
        _ = try await sweep("field-1-null-name,keep", .fields)
        XCTAssertEqual(
            folder.files,
            ["talk.fault-1-status-503.har", "talk.field-1-null-name.har", "talk.har"]
        )
        let url = server.url
        try await withCassette("talk.fault-1-status-503", in: folder.url, mode: .never) { _ in
            let answer = try await Self.get("json", url)
            XCTAssertEqual(answer.response.statusCode, 503)
            XCTAssertEqual(answer.response.value(forHTTPHeaderField: "Retry-After"), "120")
        }
        try await withCassette("talk.field-1-null-name", in: folder.url, mode: .never) { _ in
            let answer = try await Self.get("json", url)
            XCTAssertEqual(answer.text, #"{"id":42,"name":null,"path":"a/b"}"#)
        }
    }

    func testEachFaultCanBeKeptAndPlayed() async throws {
        try await record("json")
        let url = server.url
        func answer() async -> String {
            do {
                let (text, response) = try await Self.get("json", url)
                return "\(response.statusCode) \(text)"
            } catch { return "error \((error as NSError).code)" }
        }
        let swept = Locked<[String: String]>([:])
        let all = Stubber.Sweep.Fault.allCases.map { "fault-1-\($0.rawValue)" }
        try await scope(["REWIND_SWEEP": (all + ["keep"]).joined(separator: ",")]) { _ in
            try await Stubber.sweep(.faults) { variation in
                let answer = await answer()
                swept.withLock { $0[variation.id] = answer }
            }
        }
        for id in all {
            let kept = try await withCassette("talk.\(id)", in: folder.url, mode: .never) { _ in await answer()
            }
            XCTAssertEqual(kept, swept.withLock { $0[id] }, id)
        }
    }

    func testWithoutANameThoseThatBreakTheTestAreKept() async throws {
        try await record("json")
        _ = try await sweep("keep")
        XCTAssertEqual(
            folder.files,
            ["connection-refused", "cut", "timeout"].map { "talk.fault-1-\($0).har" } + ["talk.har"]
        )
    }

    func testAReportAcceptsWhatItContains() async throws {
        try await record("json")
        let first = try await sweep("", report: "faults.md").message
        XCTAssertTrue(first.contains("3 of 11 variations of talk break the test"), first)
        let second = try await sweep("", report: "faults.md").message
        XCTAssertEqual(second, "no error")
        let text = try String(contentsOf: folder["faults.md"], encoding: .utf8)
        let before = text.replacingOccurrences(of: "URLError -1001", with: "ok")
        try Data(before.utf8).write(to: folder["faults.md"])
        let changed = try await sweep("", report: "faults.md").message
        XCTAssertTrue(changed.contains("1 of 11 variations of talk breaks the test"), changed)
        XCTAssertTrue(changed.contains("fault-1-timeout   #1 GET /json: timeout"), changed)
        let accepted = try await sweep("accept", report: "faults.md").message
        XCTAssertEqual(accepted, "no error")
        XCTAssertEqual(try String(contentsOf: folder["faults.md"], encoding: .utf8), text)
    }

    func testAcceptingOneVariationKeepsTheOtherResults() async throws {
        try await record("json")
        _ = try await sweep("", report: "faults.json")
        let text = try String(contentsOf: folder["faults.json"], encoding: .utf8)
        let before = text.replacingOccurrences(of: "URLError -1001", with: "ok")
        try Data(before.utf8).write(to: folder["faults.json"])
        _ = try await sweep("fault-1-timeout,accept", report: "faults.json")
        XCTAssertEqual(try String(contentsOf: folder["faults.json"], encoding: .utf8), text)
    }

    func testContinuousIntegrationWritesNoReport() async throws {
        try await record("json")
        let message = try await sweep("", report: "faults.md", isContinuousIntegration: true).message
        XCTAssertTrue(message.contains("The report \(folder["faults.md"].path) does not exist."), message)
        XCTAssertEqual(folder.files, ["talk.har"])
    }

    func testAReportThatCannotBeWrittenIsAnError() async throws {
        try await record("json")
        let message = try await sweep("", report: "talk.har/faults.md").message
        XCTAssertTrue(message.contains("talk.har/faults.md cannot be written: "), message)
    }
}
