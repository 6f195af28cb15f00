import Foundation
import RewindTestSupport
import XCTest

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An active stubber answers the requests of the whole process that belong to no scope.
final class ActivationTests: ConversationTestCase {
    override func setUpWithError() throws {
        StubberRegistry.shared.stopInterceptingForMarks()
        try super.setUpWithError()
    }

    override func tearDown() {
        ActiveRoutes.shared.setProcess(nil) { _ in true }
        super.tearDown()
    }

    private func stubber(_ name: String, _ mode: RecordingMode) throws -> Stubber {
        try Stubber(at: folder["\(name).har"], mode: mode)
    }

    private func stubs(_ text: String) -> Stubber {
        let stubber = Stubber()
        stubber.stub(.any) { _ in .text(text) }
        return stubber
    }

    /// Requests by every kind of work that has no task of a test, the last one by another client.
    private func outcomes(_ older: URLSession) async -> [String] {
        let urls = (0..<6).map { server["visit/\($0)"] }
        let detached = await Task.detached { await Outcome(of: urls[0]).text }.value
        let thread = await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: Outcome(waitingFor: urls[1]).text) }
        }
        let queue = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: Outcome(waitingFor: urls[2]).text) }
        }
        let inOlder = await Outcome(of: urls[3], in: older).text
        let inNewer = await Outcome(of: urls[4], in: URLSession(configuration: .ephemeral)).text
        let byOther = await Task.detached {
            let request = Interaction.Request(url: urls[5].absoluteString)
            let response = try? await Stubber.respond(to: request) { try await SocketClient().send($0) }
            return response.map { String(decoding: $0.body.data, as: UTF8.self) } ?? "no response"
        }.value
        return [detached, thread, queue, inOlder, inNewer, byOther]
    }

    func testRequestsOfEveryThreadAndSessionAreRecordedAndReplayedWithoutTheServer() async throws {
        let older = URLSession(configuration: .default)
        let recorder = try stubber("talk", .once)
        recorder.activate()
        let live = await outcomes(older)
        recorder.deactivate()
        try recorder.eject()
        XCTAssertEqual(live, Array(repeating: "visit 1", count: 6))
        server.stop()
        let player = try stubber("talk", .never)
        player.activate()
        let replayed = await outcomes(older)
        XCTAssertEqual(replayed, live)
        XCTAssertEqual(try player.eject().unplayed.count, 0)
    }

    func testLaterRequestsUseTheNetworkAfterTheEnd() async throws {
        let stubber = stubs("stub")
        stubber.activate()
        let during = await Outcome(of: server["visit/a"]).text
        stubber.deactivate()
        let after = await Outcome(of: server["visit/a"]).text
        XCTAssertEqual([during, after], ["stub", "visit 1"])
        XCTAssertFalse(Interception.shared.isInstalled)
    }

    func testOnlyTheLastOfSeveralIsActive() async throws {
        let (first, second) = (stubs("first"), stubs("second"))
        first.activate()
        first.activate()
        second.activate()
        let url = server["visit/a"]
        let replaced = await Outcome(of: url).text
        // The first one is no longer active, so this does nothing.
        first.deactivate()
        let still = await Outcome(of: url).text
        second.deactivate()
        let live = await Outcome(of: url).text
        XCTAssertEqual([replaced, still, live], ["second", "second", "visit 1"])
        second.deactivate()
        first.activate()
        let again = await Outcome(of: url).text
        XCTAssertEqual(again, "first")
    }

    func testAnEjectedStubberStaysActiveAndRefusesRequests() async throws {
        let stubber = stubs("stub")
        stubber.activate()
        try stubber.eject()
        let outcome = await Note.withReader({ _ in }) { await Outcome(of: server["visit/a"]) }
        XCTAssertEqual(outcome.failure, "Rewind 4")
        XCTAssertEqual(server.requestCount, 0)
        stubber.deactivate()
        let live = await Outcome(of: server["visit/a"]).text
        XCTAssertEqual(live, "visit 1")
    }

    func testAScopeInsideAnswersFirstAndTheActiveStubberReplaysWhatItLacks() async throws {
        let stubber = stubs("outer")
        stubber.activate()
        let url = server["visit/a"]
        let inner = try await withStubs { inner in
            inner.stub(.path("/visit/a")) { _ in .text("inner") }
            return await [
                Outcome(of: url).text, Task.detached { await Outcome(of: url).text }.value,
                Outcome(of: self.server["visit/b"]).text,
            ]
        }
        XCTAssertEqual(inner, ["inner", "inner", "outer"])
        let outside = await Outcome(of: url).text
        XCTAssertEqual(outside, "outer")
        XCTAssertEqual(server.requestCount, 0)
    }

    func testAScopeThatBeganEarlierAnswersFirst() async throws {
        let url = server["visit/a"]
        let stubber = stubs("outer")
        let texts = try await withStubs { inner in
            inner.stub(.any) { _ in .text("inner") }
            stubber.activate()
            return await [Outcome(of: url).text, Task.detached { await Outcome(of: url).text }.value]
        }
        XCTAssertEqual(texts, ["inner", "inner"])
    }

    func testDetachedRequestsOfSeveralScopesAreNotGuessed() async throws {
        let stubber = stubs("outer")
        stubber.activate()
        let url = server["visit/a"]
        let failure = try await withStubs { first in
            // Not nested: a task without the scope of this one.
            try await Task.detached {
                try await withStubs { _ in await Task.detached { await Outcome(of: url).failure }.value }
            }.value
        }
        XCTAssertEqual(failure, "Rewind 5")
        XCTAssertEqual(server.requestCount, 0)
    }

    func testTheCurrentStubberIsTheActiveOneOutsideOfScopes() async throws {
        let stubber = stubs("stub")
        XCTAssertNil(Stubber.current)
        stubber.activate()
        XCTAssertTrue(Stubber.current === stubber)
        try withStubs { inner in XCTAssertTrue(Stubber.current === inner) }
        stubber.deactivate()
        XCTAssertNil(Stubber.current)
    }

    func testTheProcessRetainsTheActiveStubberOnly() async throws {
        weak var released: Stubber?
        do {
            let stubber = stubs("stub")
            released = stubber
            stubber.activate()
        }
        let text = await Outcome(of: server["visit/a"]).text
        XCTAssertEqual(text, "stub")
        released?.deactivate()
        // The load of the request may end a moment after its answer.
        let deadline = Deadline(after: 20)
        while released != nil, !deadline.isOver { try await Task.sleep(for: .milliseconds(5)) }
        XCTAssertNil(released)
    }

    func testACassetteInAReadOnlyFolderIsReplayed() async throws {
        let recorder = try stubber("talk", .once)
        recorder.activate()
        let live = await Outcome(of: server["json"])
        recorder.deactivate()
        try recorder.eject()
        server.stop()
        let before = folder.files
        chmod(folder.url.path, 0o555)
        defer { chmod(folder.url.path, 0o755) }
        let player = try stubber("talk", .never)
        player.activate()
        let replayed = await Outcome(of: server["json"])
        let missing = await Outcome(of: server["visit/a"])
        XCTAssertEqual(replayed, live)
        XCTAssertEqual(missing.failure, "Rewind 2")
        XCTAssertEqual(player.takeMisses().count, 1)
        try player.eject()
        XCTAssertEqual(folder.files, before)
    }

    func testCookiesOfTheMachineAreNotUsedMeanwhile() async throws {
        let stubber = stubs("stub")
        stubber.activate()
        XCTAssertEqual(HTTPCookieStorage.shared.cookies?.count ?? 0, 0)
        _ = await Outcome(of: server["cookies/set"])
        stubber.deactivate()
    }
}
