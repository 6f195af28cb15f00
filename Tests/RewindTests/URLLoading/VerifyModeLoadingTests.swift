import Foundation
import Rewind
import RewindTestSupport
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The mode `verify` with real sessions and a real server whose API changes.
final class VerifyModeLoadingTests: XCTestCase {
    private var server: DriftingServer!
    private var folder: TemporaryDirectory!
    private var configuration = Stubber.Configuration()

    override func setUpWithError() throws {
        server = try DriftingServer()
        folder = try TemporaryDirectory()
        // The drift is thrown as an error, so that the tests can read it.
        configuration.drift = .fail
    }

    override func tearDown() {
        server.stop()
    }

    /// Requests some paths and returns their statuses and the drift that fails the test.
    private func ask(
        _ mode: RecordingMode,
        _ paths: [String] = DriftingServer.endpoints.map(\.path)
    ) async throws -> (statuses: [Int], drift: String) {
        let statuses = Locked<[Int]>([])
        do {
            try await withCassette("api", in: folder.url, mode: mode, configuration: configuration) { _ in
                for path in paths {
                    let status = await Outcome(of: server[path]).status
                    statuses.withLock { $0.append(status) }
                }
            }
        } catch let problem as Stubber.ScopeError {
            return (statuses.withLock { $0 }, "\(problem)")
        }
        return (statuses.withLock { $0 }, "")
    }

    func testOtherValuesInTheSameFormatAreNotDrift() async throws {
        _ = try await ask(.once)
        let before = try Data(contentsOf: folder["api.har"])
        server.change(to: .later)
        let count = server.requests.count
        let (_, drift) = try await ask(.verify)
        XCTAssertEqual(drift, "")
        XCTAssertEqual(server.requests.count, 2 * count, "each request is sent to the server")
        XCTAssertEqual(try Data(contentsOf: folder["api.har"]), before)
        XCTAssertEqual(folder.files, ["api.har"])
    }

    func testEachChangeOfTheAPIIsReportedAndTheAppReceivesTheLiveAnswer() async throws {
        _ = try await ask(.once)
        let before = try Data(contentsOf: folder["api.har"])
        server.change(to: .drifted)
        let (statuses, drift) = try await ask(.verify)
        let endpoints = DriftingServer.endpoints
        XCTAssertEqual(statuses, endpoints.map { ["gone", "moved"].contains($0.path) ? 404 : 200 })
        var expected = ["The live API differs from the cassette \(folder["api.har"].path):"]
        for (number, endpoint) in endpoints.enumerated() where !endpoint.drift.isEmpty {
            expected.append("  #\(number + 1) GET \(server[endpoint.path].absoluteString)")
            expected += endpoint.drift.map { "      \($0)" }
        }
        // The app followed the redirect, whose target is not recorded.
        expected += ["  GET \(server["login"].absoluteString)", "      not in the cassette"]
        expected.append(
            "  If the app supports these changes, re-record the cassette with REWIND_MODE=all."
                + " REWIND_MODE=newEpisodes adds only the requests that it lacks."
        )
        XCTAssertEqual(drift.components(separatedBy: "\n"), expected)
        XCTAssertEqual(try Data(contentsOf: folder["api.har"]), before)
    }

    func testUnplayedInteractionsAreListed() async throws {
        _ = try await ask(.once, ["added", "text"])
        configuration.unplayed = .fail
        let (_, drift) = try await ask(.verify, ["text"])
        XCTAssertTrue(drift.contains("without playing"), drift)
        XCTAssertTrue(drift.contains("/added"), drift)
        XCTAssertFalse(drift.contains("/text"), drift)
    }

    func testAStoppedServerIsDriftAndTheAppReceivesTheError() async throws {
        _ = try await ask(.once, ["text"])
        server.stop()
        let (statuses, drift) = try await ask(.verify, ["text"])
        XCTAssertEqual(statuses, [0])
        XCTAssertTrue(drift.contains("outcome: status 200 → failure NSURLErrorDomain -1004"), drift)
    }

    func testAMissingCassetteIsAnErrorWithoutUsingTheNetwork() async throws {
        let failure = try await withCassette("api", in: folder.url, mode: .verify) { stubber in
            let failure = await Outcome(of: server["text"]).failure
            XCTAssertEqual(stubber.takeMisses().count, 1)
            return failure
        }
        XCTAssertEqual(failure, "Rewind 1")
        XCTAssertEqual(server.requests.count, 0)
        XCTAssertEqual(folder.files, [])
    }

    func testAnUnrecordedRequestIsSentAndReportedUnlessItsMethodIsUnsafe() async throws {
        _ = try await ask(.once, ["text"])
        let count = server.requests.count
        let (statuses, drift) = try await ask(.verify, ["text", "added"])
        XCTAssertEqual(statuses, [200, 200])
        XCTAssertTrue(drift.contains("/added\n      not in the cassette"), drift)
        XCTAssertTrue(drift.contains("REWIND_MODE=newEpisodes"), drift)
        XCTAssertEqual(server.requests.count, count + 2)
        var post = URLRequest(url: server["text"])
        post.httpMethod = "POST"
        let request = post
        let failure = try await withCassette("api", in: folder.url, mode: .verify, configuration: configuration)
        { stubber in
            let failure = await Outcome(of: request).failure
            XCTAssertEqual(stubber.takeMisses().count, 1)
            return failure
        }
        XCTAssertEqual(failure, "Rewind 2")
        XCTAssertEqual(server.requests.count, count + 2)
    }

    func testANestedScopeVerifiesWhatTheOuterCassetteContainsAndHasNothingElseToCompare() async throws {
        _ = try await ask(.once, ["text"])
        let count = server.requests.count
        var outcomes: [Outcome] = []
        try await withCassette("api", in: folder.url, mode: .verify, configuration: configuration) { _ in
            try await withCassette("inner", in: folder.url, mode: .verify) { stubber in
                for path in ["text", "added"] { outcomes.append(await Outcome(of: server[path])) }
                XCTAssertEqual(stubber.takeMisses().count, 1)
            }
        }
        XCTAssertEqual(outcomes.map(\.status), [200, 0])
        XCTAssertEqual(outcomes.last?.failure, "Rewind 1")
        XCTAssertEqual(server.requests.count, count + 1)
    }

    func testTheDriftOfAFailedTestIsReported() async throws {
        _ = try await ask(.once, ["gone"])
        server.change(to: .drifted)
        let stubber = try Stubber(
            at: CassetteLocation(folder["api.har"]),
            mode: .verify,
            environment: Environment([:])
        )
        let scope = try CassetteScope(stubber)
        await scope.run { _ = await Outcome(of: server["gone"]) }
        await scope.settle()
        var warnings: [String] = []
        let problems = scope.end(testFailed: true) { warnings.append("\($0)") }
        XCTAssertTrue(problems.isEmpty, "by default drift is a warning")
        XCTAssertEqual(warnings.count, 1)
        XCTAssertTrue(warnings.first?.contains("status: 200 → 404") ?? false, "\(warnings)")
    }
}
