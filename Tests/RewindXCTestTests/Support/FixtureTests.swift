import Foundation
import RewindTestSupport
import RewindXCTest
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Tests like those of a user. `CassetteTestCaseTests` runs them in child processes, where they may fail.
final class FixtureTests: CassetteTestCase {
    /// The environment variables with which the parent process configures a fixture.
    struct Setting {
        static let server = "REWIND_FIXTURE_SERVER"
        static let folder = "REWIND_FIXTURE_FOLDER"
        static let isRecording = "REWIND_FIXTURE_IS_RECORDING"
        static let path = "REWIND_FIXTURE_PATH"
        static let drift = "REWIND_FIXTURE_DRIFT"

        static subscript(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }
    }

    static let source = #filePath

    override func setUp() async throws {
        guard Setting[Setting.server] != nil else {
            throw XCTSkip("run by CassetteTestCaseTests in a child process")
        }
    }

    override var cassetteDirectory: URL {
        guard let folder = Setting[Setting.folder] else { return super.cassetteDirectory }
        return URL(fileURLWithPath: folder).appendingPathComponent("FixtureTests")
    }

    override var isRecording: Bool {
        Setting[Setting.isRecording].map { $0 == "true" } ?? super.isRecording
    }

    override var cassetteConfiguration: Stubber.Configuration {
        var configuration = Stubber.Configuration()
        // Short only for the test of the timeout; other tests get more time for a busy machine.
        configuration.inFlightTimeout = cassetteName == "testLeavingASlowRequestInFlight" ? 0.3 : 120
        if Setting[Setting.drift] == "fail" { configuration.drift = .fail }
        return configuration
    }

    private func url(_ path: String) -> URL {
        URL(string: (Setting[Setting.server] ?? "") + "/" + path) ?? cassetteDirectory
    }

    func testTwoVisits() async throws {
        for _ in 0..<2 { print("ANSWER", await Outcome(of: url("visit")).text) }
    }

    func testOnePath() async throws {
        let outcome = await Outcome(of: url(Setting[Setting.path] ?? "json"))
        print("ANSWER", outcome.failure ?? outcome.text)
    }

    func testAnInvalidStub() async throws {
        stubber.stub(.get("not a url"), respond: .status(204))
        print("ANSWER", await Outcome(of: url("visit")).text)
    }

    func testAnExpectedRequest() {
        stubber.stub(.path("/stubbed"), respond: .text("stubbed"))
        let expected = stubber.expectation(forRequests: .path("/stubbed"), count: 2)
        for _ in 0..<3 { URLSession.shared.dataTask(with: url("stubbed")).resume() }
        wait(for: [expected], timeout: 120)
        print("ANSWER", "was expected")
    }

    func testAnExpectedRequestThatIsNotMade() {
        wait(for: [stubber.expectation(forRequests: .path("/stubbed"))], timeout: 0.05)
    }

    func testFailing() async throws {
        print("ANSWER", await Outcome(of: url("visit")).text)
        XCTFail("the app is wrong")
    }

    func testThrowing() async throws {
        print("ANSWER", await Outcome(of: url("visit")).text)
        throw URLError(.unknown)
    }

    func testThrowingItsMiss() async throws {
        _ = try await URLSession.shared.data(from: url(Setting[Setting.path] ?? "json"))
    }

    /// Sends a secret, then kills its own process, after the time in which the journal must have the interaction.
    func testKilled() async throws {
        print("ANSWER", await Outcome(of: url("echo?access_token=hush-4f9a7c21&password=hush-4f9a7c21")).status)
        fflush(nil)
        try await Task.sleep(for: .milliseconds(50))
        kill(getpid(), SIGKILL)
    }

    /// Receives a value that looks like a credential but has no name that reveals it.
    func testReceivingACredential() async throws {
        var request = URLRequest(url: url("echo"))
        request.httpMethod = "POST"
        request.httpBody = Data(("gh" + "p_" + "0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R").utf8)
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        print("ANSWER", await Outcome(of: request).status)
    }

    /// Values that must not be printed: two with secret names, and others by their form.
    static let secrets = [
        "tok-8f14e45fceea167a5a36", "key-9c1185a5c5e9fc54612808977ee8f548",
        "gh" + "p_" + "x7Kq2mZ9vB4nR6tY8wL1cF3hJ5pD0sG2aE4u",
        "AI" + "za" + "SyD3kLm9QwErTyUiOpAsDfGhJkLzXcVbNm1",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
        "110201543:" + "AA" + "HdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1",
    ]

    /// Sends two secrets under their names, and then all values in paths and query items.
    func testSecretsInPathsAndQueries() async throws {
        var request = URLRequest(url: url("echo"))
        request.httpMethod = "POST"
        request.httpBody = Data(#"{"access_token": "\#(Self.secrets[0])"}"#.utf8)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue(Self.secrets[1], forHTTPHeaderField: "X-API-Key")
        print("ANSWER", await Outcome(of: request).status)
        for secret in Self.secrets {
            for path in [
                "visit/\(secret)/list", "visit?z=\(secret)", "visit?z=a%3D\(secret)", "bot\(secret)/getMe",
            ] {
                print("ANSWER", await Outcome(of: url(path)).status)
            }
        }
    }

    func testLeavingARequestInFlight() {
        URLSession.shared.dataTask(with: url("slow/150")).resume()
    }

    func testLeavingASlowRequestInFlight() {
        URLSession.shared.dataTask(with: url("slow/1500")).resume()
    }

    private static let unfinishedTask = Locked<Task<Outcome, Never>?>(nil)
    private static let nextTest = AsyncStream<Void>.makeStream()

    private static func waitForNextTest() async {
        var wait = nextTest.stream.makeAsyncIterator()
        _ = await wait.next()
    }

    /// Leaves a task that makes a request while the next test runs.
    func testLeavingATask1() {
        let url = url("visit")
        let task = Task { () -> Outcome in
            await FixtureTests.waitForNextTest()
            return await Outcome(of: url)
        }
        Self.unfinishedTask.withLock { $0 = task }
    }

    func testLeavingATask2() async throws {
        let task = Self.unfinishedTask.withLock { $0 }
        Self.nextTest.continuation.finish()
        let outcome = await task?.value
        print("AFTER THE END", outcome?.failure ?? outcome?.text ?? "nothing")
        print("ANSWER", await Outcome(of: url("visit")).text)
    }

    func testSession() async throws {
        print("ANSWER", await Outcome(of: url("json"), in: stubber.session).text, stubber.mode)
    }

    func testTeardownBlock() async throws {
        let url = url("visit")
        addTeardownBlock { print("ANSWER", await Outcome(of: url).text) }
    }
}

/// A fixture that handles misses itself.
final class HandlingFixtureTests: CassetteTestCase {
    override var recordingMode: RecordingMode { .never }

    override func requestMatchingFailed(_ miss: Miss) {
        print("HANDLED", miss.request.url, Thread.isMainThread)
    }

    func testMiss() async throws {
        guard let server = FixtureTests.Setting[FixtureTests.Setting.server] else {
            throw XCTSkip("run by CassetteTestCaseTests in a child process")
        }
        let url = try XCTUnwrap(URL(string: server + "/json"))
        print("ANSWER", await Outcome(of: url).failure ?? "none")
    }
}

/// A fixture that uses the default folder for its cassettes.
final class LocationFixtureTests: CassetteTestCase {
    override func setUp() async throws {
        guard FixtureTests.Setting[FixtureTests.Setting.server] != nil else {
            throw XCTSkip("run by CassetteDirectoryTests in a child process")
        }
    }

    func testVisit() async throws {
        let server = try XCTUnwrap(FixtureTests.Setting[FixtureTests.Setting.server])
        let url = try XCTUnwrap(URL(string: server + "/visit"))
        let outcome = await Outcome(of: url)
        print("ANSWER", outcome.failure ?? outcome.text)
    }
}
