import Foundation
import RewindTestSupport
import RewindXCTest
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a user's tests look like; `CassetteTestCaseTests` runs them in processes of their own, where they may fail.
final class FixtureTests: CassetteTestCase {
    /// What the parent process tells a fixture.
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
            throw XCTSkip("run by CassetteTestCaseTests in a process of its own")
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
        // Only the test of what is waited for in vain is to end soon; elsewhere a busy machine may take its time.
        configuration.inFlightTimeout = cassetteName == "testThatNeverWaits" ? 0.3 : 120
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

    func testABrokenStub() async throws {
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

    func testARequestThatDoesNotCome() {
        wait(for: [stubber.expectation(forRequests: .path("/stubbed"))], timeout: 0.05)
    }

    func testThatFails() async throws {
        print("ANSWER", await Outcome(of: url("visit")).text)
        XCTFail("the app is wrong")
    }

    func testThatThrows() async throws {
        print("ANSWER", await Outcome(of: url("visit")).text)
        throw URLError(.unknown)
    }

    func testThatThrowsItsMiss() async throws {
        _ = try await URLSession.shared.data(from: url(Setting[Setting.path] ?? "json"))
    }

    /// Says a secret, and dies while it is being recorded.
    func testThatIsKilled() async throws {
        print("ANSWER", await Outcome(of: url("echo?access_token=hush-4f9a7c21&password=hush-4f9a7c21")).status)
        fflush(nil)
        kill(getpid(), SIGKILL)
    }

    /// Gets what looks like a credential that no name gives away.
    func testThatGetsACredential() async throws {
        var request = URLRequest(url: url("echo"))
        request.httpMethod = "POST"
        request.httpBody = Data(("gh" + "p_" + "0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R").utf8)
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        print("ANSWER", await Outcome(of: request).status)
    }

    func testThatDoesNotWait() {
        URLSession.shared.dataTask(with: url("slow/150")).resume()
    }

    func testThatNeverWaits() {
        URLSession.shared.dataTask(with: url("slow/1500")).resume()
    }

    private static let leftBehind = Locked<Task<Outcome, Never>?>(nil)
    private static let nextTest = AsyncStream<Void>.makeStream()

    private static func waitForNextTest() async {
        var wait = nextTest.stream.makeAsyncIterator()
        _ = await wait.next()
    }

    /// Leaves work that asks for something when the next test is running.
    func testLeavingWork1() {
        let url = url("visit")
        let task = Task { () -> Outcome in
            await FixtureTests.waitForNextTest()
            return await Outcome(of: url)
        }
        Self.leftBehind.withLock { $0 = task }
    }

    func testLeavingWork2() async throws {
        let task = Self.leftBehind.withLock { $0 }
        Self.nextTest.continuation.finish()
        let outcome = await task?.value
        print("LEFT BEHIND", outcome?.failure ?? outcome?.text ?? "nothing")
        print("ANSWER", await Outcome(of: url("visit")).text)
    }

    func testSession() async throws {
        print("ANSWER", await Outcome(of: url("json"), in: stubber.session).text, stubber.mode)
    }

    func testTearDownIsServedToo() async throws {
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
            throw XCTSkip("run by CassetteTestCaseTests in a process of its own")
        }
        let url = try XCTUnwrap(URL(string: server + "/json"))
        print("ANSWER", await Outcome(of: url).failure ?? "none")
    }
}

/// A fixture that leaves it to Rewind where its cassettes are.
final class LocationFixtureTests: CassetteTestCase {
    override func setUp() async throws {
        guard FixtureTests.Setting[FixtureTests.Setting.server] != nil else {
            throw XCTSkip("run by CassettePlaceTests in a process of its own")
        }
    }

    func testVisit() async throws {
        let server = try XCTUnwrap(FixtureTests.Setting[FixtureTests.Setting.server])
        let url = try XCTUnwrap(URL(string: server + "/visit"))
        let outcome = await Outcome(of: url)
        print("ANSWER", outcome.failure ?? outcome.text)
    }
}
