import Foundation
import Rewind
import RewindTestSupport
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The mode `verify` with real sessions and a real server whose API drifts.
final class VerifyModeLoadingTests: XCTestCase {
    private var server: DriftingServer!
    private var folder: TemporaryDirectory!
    private var configuration = Stubber.Configuration()

    override func setUpWithError() throws {
        server = try DriftingServer()
        folder = try TemporaryDirectory()
        // The story is looked at as an error, and not on standard error.
        configuration.drift = .fail
    }

    override func tearDown() {
        server.stop()
    }

    /// Asks for some paths, and returns what the app saw and what the test is failed for.
    private func ask(
        _ mode: RecordingMode,
        _ paths: [String] = DriftingServer.endpoints.map(\.path)
    ) async throws -> (statuses: [Int], story: String) {
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

    func testAnUnchangedAPIAllOfWhoseValuesDifferHasNoDrift() async throws {
        _ = try await ask(.once)
        let before = try Data(contentsOf: folder["api.har"])
        server.change(to: .later)
        let count = server.requests.count
        let (_, story) = try await ask(.verify)
        XCTAssertEqual(story, "")
        XCTAssertEqual(server.requests.count, 2 * count, "each request went to the server")
        XCTAssertEqual(try Data(contentsOf: folder["api.har"]), before)
        XCTAssertEqual(folder.files, ["api.har"])
    }

    func testEachPlantedDriftIsFoundAndTheAppSeesTheLiveAnswer() async throws {
        _ = try await ask(.once)
        let before = try Data(contentsOf: folder["api.har"])
        server.change(to: .drifted)
        let (statuses, story) = try await ask(.verify)
        let endpoints = DriftingServer.endpoints
        XCTAssertEqual(statuses, endpoints.map { ["gone", "moved"].contains($0.path) ? 404 : 200 })
        var expected = ["The live API differs from the cassette \(folder["api.har"].path):"]
        for (number, endpoint) in endpoints.enumerated() where !endpoint.drift.isEmpty {
            expected.append("  #\(number + 1) GET \(server[endpoint.path].absoluteString)")
            expected += endpoint.drift.map { "      \($0)" }
        }
        // The app followed the redirect, and nobody recorded where it leads.
        expected += ["  GET \(server["login"].absoluteString)", "      not on the cassette"]
        expected.append("  If the app supports these changes, re-record the cassette with REWIND_MODE=all.")
        XCTAssertEqual(story.components(separatedBy: "\n"), expected)
        XCTAssertEqual(try Data(contentsOf: folder["api.har"]), before)
    }

    func testWhatWasNotAskedForIsListed() async throws {
        _ = try await ask(.once, ["added", "text"])
        configuration.unplayed = .fail
        let (_, story) = try await ask(.verify, ["text"])
        XCTAssertTrue(story.contains("without playing"), story)
        XCTAssertTrue(story.contains("/added"), story)
        XCTAssertFalse(story.contains("/text"), story)
    }

    func testAServerThatIsGoneIsDriftAndTheAppSeesTheFailure() async throws {
        _ = try await ask(.once, ["text"])
        server.stop()
        let (statuses, story) = try await ask(.verify, ["text"])
        XCTAssertEqual(statuses, [0])
        XCTAssertTrue(story.contains("outcome: status 200 → failure NSURLErrorDomain -1004"), story)
    }

    func testAMissingCassetteIsAnErrorAndNothingIsAsked() async throws {
        let failure = try await withCassette("api", in: folder.url, mode: .verify) { _ in
            await Outcome(of: server["text"]).failure
        }
        XCTAssertEqual(failure, "Rewind 1")
        XCTAssertEqual(server.requests.count, 0)
        XCTAssertEqual(folder.files, [])
    }

    func testATestThatFailsIsToldOfTheDriftThatMayBeWhy() async throws {
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
