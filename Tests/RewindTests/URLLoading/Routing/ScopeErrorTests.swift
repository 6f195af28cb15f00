import Foundation
import RewindTestSupport
import XCTest

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A scope that fails throws its error, leaves complete cassettes and ends interception, so that the next test can record
/// and play.
final class ScopeErrorTests: ConversationTestCase {
    private struct Failing: Error {}

    override func setUpWithError() throws {
        // Another test of this process may have marked requests, which keeps interception on.
        StubberRegistry.shared.stopInterceptingForMarks()
        try super.setUpWithError()
    }

    /// Runs a scope that must throw an error with the expected text, and then the scopes of another test.
    private func expectError(
        _ text: String,
        _ mode: RecordingMode = .once,
        _ configure: (inout Stubber.Configuration) -> Void = { _ in },
        operations: FileOperations = FileOperations(),
        line: UInt = #line,
        _ body: () async throws -> Void
    ) async throws {
        var configuration = Stubber.Configuration()
        configure(&configuration)
        let cassettes = try contents
        do {
            try await FileOperations.$current.withValue(operations) {
                try await withCassette(
                    "talk",
                    in: folder.url,
                    mode: mode,
                    configuration: configuration
                ) { _ in try await body() }
            }
            XCTFail("no error is thrown", line: line)
        } catch {
            XCTAssertTrue("\(error)".contains(text), "\(error)", line: line)
            if !(error is Failing) { expectPublic(error, line: line) }
        }
        // A request in flight keeps interception on until it ends.
        for _ in 0..<2000 where Interception.shared.isInstalled { try await Task.sleep(for: .milliseconds(5)) }
        XCTAssertFalse(Interception.shared.isInstalled, line: line)
        XCTAssertEqual(try contents, cassettes, "no cassette is changed", line: line)
        for mode in [RecordingMode.all, .never] {
            let outcome = try await withCassette("next", in: folder.url, mode: mode) { _ in
                await Outcome(of: server["json"])
            }
            XCTAssertEqual(outcome.status, 200, line: line)
        }
        XCTAssertFalse(Interception.shared.isInstalled, line: line)
    }

    /// Expects an error that users can catch by its type, with a description and a recovery suggestion.
    private func expectPublic(_ error: any Error, line: UInt) {
        let isPublic =
            error is CassetteError || error is StubError || error is Stubber.ScopeError
            || error is Stubber.ConfigurationError
        XCTAssertTrue(isPublic, "\(type(of: error))", line: line)
        let localized = error as? any LocalizedError
        XCTAssertFalse(localized?.errorDescription?.isEmpty ?? true, line: line)
        XCTAssertFalse(localized?.recoverySuggestion?.isEmpty ?? true, line: line)
    }

    /// The cassette of the tests, if there is one.
    private var contents: Data? {
        get throws {
            let file = folder["talk.har"]
            return FileManager.default.fileExists(atPath: file.path) ? try Data(contentsOf: file) : nil
        }
    }

    private func put(_ text: String) throws {
        let answer = Interaction.Response(
            headers: ["Content-Type": "application/json"],
            body: Interaction.Body(text)
        )
        let request = Interaction.Request(url: server["json"].absoluteString)
        try Cassette(interactions: [Interaction(request: request, outcome: .response(answer))])
            .write(to: folder["talk.har"])
    }

    private func ask() async {
        _ = await Outcome(of: server["json"])
    }

    func testAnErrorThrownByTheTest() async throws {
        try await expectError("Failing") {
            await ask()
            throw Failing()
        }
    }

    func testACassetteThatCannotBeRead() async throws {
        try Data(#"{"log": {"version": "1.2", "entries": [{"request": {}}, 1 2]}}"#.utf8)
            .write(to: folder["talk.har"])
        try await expectError("talk.har:1:") { XCTFail("the test runs") }
    }

    func testARecordingThatCannotBeSaved() async throws {
        let cause = String(cString: strerror(EROFS))
        try await expectError(cause, operations: .failing(.rename, EROFS)) { await ask() }
    }

    func testARecordingThatContainsACredential() async throws {
        try await expectError("credential") {
            var request = URLRequest(url: server["echo"])
            request.httpMethod = "POST"
            request.httpBody = Data("ghp_abcdefghijABCDEFGHIJ0123456789abcdef".utf8)
            request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
            _ = await Outcome(of: request)
        }
    }

    func testAnUnplayedInteraction() async throws {
        try put("{}")
        try await expectError("without playing", .never, { $0.unplayed = .fail }) {}
    }

    func testDrift() async throws {
        try put("[]")
        try await expectError("$: array → object", .verify, { $0.drift = .fail }) { await ask() }
    }

    func testAStubThatIsInvalid() async throws {
        try await expectError("the status code 7 is invalid") {
            Stubber.current?.stub(.any, respond: .status(7))
        }
    }

    func testAStubThatIsUnused() async throws {
        try await expectError("no request matched these stubs", .once, { $0.unusedStubs = .fail }) {
            Stubber.current?.stub(.any, respond: .status(204))
        }
    }

    func testAnInvalidMatcher() async throws {
        try await expectError("Invalid matcher", .once, { $0.matching = [.json.ignoring(.jsonPaths("$["))] }) {}
    }

    func testARequestWithoutAnAnswer() async throws {
        try await expectError("These requests had no response in time", .once, { $0.inFlightTimeout = 0.1 }) {
            URLSession.shared.dataTask(with: server["slow/1000"]).resume()
        }
    }
}
