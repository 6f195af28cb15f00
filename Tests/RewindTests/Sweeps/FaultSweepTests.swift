import Foundation
import Rewind
import RewindTestSupport
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A fault sweep of a recorded conversation: what the app receives, and what breaks the test.
final class FaultSweepTests: SweepTestCase {
    private enum AppError: Error { case unavailable, leaked }

    /// What the app receives in each variation, in the order of the sweep.
    private func received(_ path: String, _ faults: [Stubber.Sweep.Fault] = Stubber.Sweep.Fault.allCases)
        async throws -> [(id: String, answer: String)]
    {
        let received = Locked<[(id: String, answer: String)]>([])
        let url = server.url
        try await withCassette("talk", in: folder.url, mode: .never) { _ in
            try await Stubber.sweep(.faults(faults)) { variation in
                let answer: String
                do {
                    let (text, response) = try await Self.get(path, url)
                    let retry = response.value(forHTTPHeaderField: "Retry-After").map { " retry \($0)" } ?? ""
                    answer = "\(response.statusCode)\(retry) \(response.mimeType ?? "") \(text.prefix(20))"
                } catch let error as URLError { answer = "URLError \(error.code.rawValue)" }
                received.withLock { $0.append((variation.id, answer)) }
            }
        }
        return received.withLock { $0 }
    }

    func testEachFaultIsWhatTheAppReceives() async throws {
        try await record("json")
        let received = try await received("json")
        XCTAssertEqual(
            received.map { "\($0.id): \($0.answer)" },
            [
                "unchanged: 200 application/json {\"id\": 42, \"name\": \"",
                "fault-1-connection-refused: URLError -1004",
                "fault-1-timeout: URLError -1001",
                "fault-1-cut: URLError -1005",
                "fault-1-status-500: 500 text/plain Internal Server Erro",
                "fault-1-status-503: 503 retry 120  ",
                "fault-1-status-401: 401  ",
                "fault-1-status-429: 429 retry 120  ",
                "fault-1-empty-body: 200 application/json ",
                "fault-1-truncated-json: 200 application/json {\"id\": 42, \"name\": \"",
                "fault-1-html: 200 text/html <!DOCTYPE html><titl",
                "fault-1-slow: 200 application/json {\"id\": 42, \"name\": \"",
            ]
        )
    }

    func testOneFaultAtATimeAndEachVariationStartsFromTheBeginning() async throws {
        try await record("json", "visit", "visit", "user")
        let url = server.url
        let answers = Locked<[String: [Int]]>([:])
        try await withCassette("talk", in: folder.url, mode: .never) { _ in
            try await Stubber.sweep(.faults([.status500])) { variation in
                for path in ["json", "visit", "visit"] {
                    let status = try await Self.get(path, url).response.statusCode
                    answers.withLock { $0[variation.id, default: []].append(status) }
                }
            }
        }
        // The last interaction is not played, so it is not varied.
        XCTAssertEqual(
            answers.withLock { $0 },
            [
                "unchanged": [200, 200, 200], "fault-1-status-500": [500, 200, 200],
                "fault-2-status-500": [200, 500, 200], "fault-3-status-500": [200, 200, 500],
            ]
        )
    }

    func testIdenticalVariationsAreSkipped() async throws {
        try await record("json", "json", "empty")
        let url = server.url
        let ids = Locked<[String]>([])
        try await withCassette("talk", in: folder.url, mode: .never) { _ in
            try await Stubber.sweep(.faults([.emptyBody, .truncatedJSON, .cut, .timeout])) { variation in
                ids.withLock { $0.append(variation.id) }
                for path in ["json", "json", "empty"] { _ = try? await Self.get(path, url) }
            }
        }
        XCTAssertEqual(
            ids.withLock { $0 },
            [
                "unchanged", "fault-1-empty-body", "fault-1-truncated-json", "fault-1-cut", "fault-1-timeout",
                "fault-3-timeout",
            ]
        )
    }

    func testTheErrorNamesEachBrokenVariationAndTheCommand() async throws {
        try await record("json")
        let url = server.url
        do {
            try await withCassette("talk", in: folder.url, mode: .never) { _ in
                try await Stubber.sweep(.faults) { _ in
                    let answer = try? await Self.get("json", url)
                    guard let answer, answer.response.statusCode == 200 else { return }
                    if !answer.text.hasSuffix("}") { throw AppError.leaked }
                }
            }
            XCTFail("nothing was found")
        } catch Stubber.SweepError.broken(let report) {
            XCTAssertEqual(report.variationCount, 11)
            let ids = report.broken.map(\.variation.id)
            XCTAssertEqual(ids, ["fault-1-empty-body", "fault-1-truncated-json", "fault-1-html"])
            let text = "\(Stubber.SweepError.broken(report))"
            XCTAssertTrue(text.contains("3 of 11 variations of talk break the test:"), text)
            XCTAssertTrue(text.contains("#1 GET /json: empty body\n"), text)
            XCTAssertTrue(text.contains("it threw AppError.leaked: leaked\n"), text)
            XCTAssertTrue(text.contains("REWIND_SWEEP=fault-1-html swift test"), text)
        }
    }

    func testAHangEndsAtTheTimeLimitEvenIfTheClosureIgnoresItsCancellation() async throws {
        try await record("json")
        let url = server.url
        do {
            try await withCassette("talk", in: folder.url, mode: .never) { _ in
                try await Stubber.sweep(.faults([.status503, .timeout]), timeLimit: .milliseconds(300)) { _ in
                    while try await Self.get("json", url).response.statusCode == 503 {
                        await Task.detached { try? await Task.sleep(for: .milliseconds(20)) }.value
                    }
                }
            }
            XCTFail("nothing was found")
        } catch Stubber.SweepError.broken(let report) {
            XCTAssertEqual(report.broken.map(\.variation.id), ["fault-1-status-503", "fault-1-timeout"])
            XCTAssertTrue(report.broken[0].reason.contains("it did not end within 0.3 seconds"))
            XCTAssertTrue(report.markdown.contains("| time limit | URLError -1001 |"), report.markdown)
        }
    }

    func testARepeatedRequestMeetsTheSameFaultAndAnUnknownOneIsAnErrorThatTheReportNames() async throws {
        try await record("json")
        let url = server.url
        do {
            try await withCassette("talk", in: folder.url, mode: .never) { _ in
                try await Stubber.sweep(.faults([.status500])) { variation in
                    let first = try await Self.get("json", url).response.statusCode
                    guard first != 200 else { return }
                    let second = try await Self.get("json", url).response.statusCode
                    XCTAssertEqual(second, 500)
                    do {
                        _ = try await Self.get("fallback", url)
                        XCTFail("the request was answered")
                    } catch let error as URLError { XCTAssertEqual(error.code, .resourceUnavailable) }
                    throw AppError.unavailable
                }
            }
            XCTFail("nothing was found")
        } catch Stubber.SweepError.broken(let report) {
            let reason = try XCTUnwrap(report.broken.first?.reason)
            XCTAssertTrue(reason.contains("the cassette had no answer to GET \(url)/fallback"), reason)
            XCTAssertEqual(server.requestCount, 1)
        }
    }

    func testALimitAndASeedChooseTheSameSampleInEveryRun() async throws {
        try await record("json", "visit")
        let url = server.url
        func ids(seed: UInt64) async throws -> [String] {
            let ids = Locked<[String]>([])
            try await withCassette("talk", in: folder.url, mode: .never) { _ in
                let report = try await Stubber.sweep(.faults, limit: 5, seed: seed) { variation in
                    if !variation.isUnchanged { ids.withLock { $0.append(variation.id) } }
                    for path in ["json", "visit"] { _ = try? await Self.get(path, url) }
                }
                XCTAssertEqual(report.variationCount, 5)
            }
            return ids.withLock { $0 }
        }
        let first = try await ids(seed: 1)
        XCTAssertEqual(first.count, 5)
        let second = try await ids(seed: 1)
        let other = try await ids(seed: 2)
        XCTAssertEqual(first, second)
        XCTAssertNotEqual(first, other)
    }
}
