import Foundation
import RewindTestSupport
import XCTest

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sessions and configurations retain their stubber only as long as they need it.
final class StubberLifetimeTests: ConversationTestCase {
    func testASessionRetainsItsStubber() async throws {
        try await record("visit")
        let session = try Stubber(cassette: "talk", in: folder.url, mode: .never).session
        let outcome = await Outcome(of: server["visit"], in: session)
        XCTAssertEqual(outcome.text, "visit 1")
    }

    func testAConfigurationRetainsItsStubber() async throws {
        try await record("visit")
        func makeSession() throws -> URLSession {
            let stubber = try Stubber(cassette: "talk", in: folder.url, mode: .never)
            return URLSession(configuration: stubber.install(in: .default))
        }
        let session = try makeSession()
        let outcome = await Outcome(of: server["visit"], in: session)
        XCTAssertEqual(outcome.text, "visit 1")
    }

    func testAnEjectedStubberIsReleasedAndItsSessionRefusesRequests() async throws {
        weak var gone: Stubber?
        var sessions: [URLSession] = []
        try autoreleasingScope {
            let stubber = try Stubber(cassette: "talk", in: folder.url, mode: .never)
            gone = stubber
            sessions = [stubber.session, URLSession(configuration: stubber.install(in: .default))]
            try stubber.eject()
            sessions.append(stubber.session)
        }
        XCTAssertNil(gone)
        for session in sessions {
            let outcome = await Outcome(of: server["visit"], in: session)
            XCTAssertEqual(outcome.failure, "Rewind 4")
        }
        XCTAssertEqual(server.requestCount, 0)
    }

    func testThousandsOfDroppedStubbersAreReleased() async throws {
        try await record("visit")
        let url = server["visit"]
        let before = StubberRegistry.shared.count
        var stubbers: [WeakStubber] = []
        for number in 0..<5000 {
            let stubber = try Stubber(cassette: "talk", in: folder.url, mode: .never)
            stubbers.append(WeakStubber(stubber: stubber))
            // Each session uses threads and files until it is released, so only some make a request.
            guard number % 50 == 0 else { continue }
            let outcome = await Outcome(of: url, in: stubber.session)
            XCTAssertEqual(outcome.text, "visit 1")
        }
        // Foundation releases a session on another queue, shortly after its last task.
        let deadline = Deadline(after: 20)
        while stubbers.contains(where: { $0.stubber != nil }), !deadline.isOver {
            try await Task.sleep(for: .milliseconds(5))
        }
        XCTAssertEqual(stubbers.count { $0.stubber != nil }, 0)
        XCTAssertLessThan(StubberRegistry.shared.count - before, 1000)
    }

    func testProtocolClassesAreReusedOnlyAfterManyTurns() throws {
        let table = StubberRegistry()
        let kept = Stubber(stubsOnly: Stubber.Configuration())
        let own = table.classes(for: kept).routed
        var former: Stubber? = Stubber(stubsOnly: Stubber.Configuration())
        let slot = try XCTUnwrap(former.map { table.classes(for: $0).routed })
        for _ in 0..<2000 {
            let next = Stubber(stubsOnly: Stubber.Configuration())
            let type = table.classes(for: next).routed
            XCTAssertFalse(type == slot || type == own)
        }
        XCTAssertEqual(ObjectIdentifier(table.classes(for: kept).routed), ObjectIdentifier(own))
        XCTAssertLessThan(table.count, 1200)
        former = nil
        var turns = 0
        while turns < 5000 {
            turns += 1
            let next = Stubber(stubsOnly: Stubber.Configuration())
            if table.classes(for: next).routed == slot { break }
        }
        XCTAssertTrue((257..<5000).contains(turns), "reused after \(turns) turns")
    }

    func testProtocolClassesAreReusedLateEvenIfFewAreInUse() {
        let table = StubberRegistry()
        let former = table.classes(for: Stubber(stubsOnly: Stubber.Configuration())).routed
        var turns = 0
        while turns < 2000 {
            turns += 1
            if table.classes(for: Stubber(stubsOnly: Stubber.Configuration())).routed == former { break }
        }
        XCTAssertTrue((257..<600).contains(turns), "reused after \(turns) turns")
    }

    func testTheQueueOfAStubbersSessionIsLikeThatOfOtherSessions() throws {
        let stubber = Stubber(stubsOnly: Stubber.Configuration())
        let (own, other) = (stubber.session, URLSession(configuration: .default))
        XCTAssertEqual(
            own.delegateQueue.maxConcurrentOperationCount,
            other.delegateQueue.maxConcurrentOperationCount
        )
        XCTAssertEqual("\(type(of: own)) \(type(of: own.delegateQueue))", "URLSession OperationQueue")
        XCTAssertEqual(own.delegateQueue.operationCount, 0)
        XCTAssertNil(own.delegate)
    }

    private func record(_ path: String) async throws {
        try await withCassette("talk", in: folder.url, mode: .once) { _ in _ = await Outcome(of: server[path]) }
        server.stop()
    }
}

/// A weak reference to a stubber.
private struct WeakStubber {
    weak var stubber: Stubber?
}

/// Runs a closure and releases its temporary objects at the end, also on Apple platforms.
private func autoreleasingScope(_ body: () throws -> Void) rethrows {
    #if canImport(ObjectiveC)
        try autoreleasepool(invoking: body)
    #else
        try body()
    #endif
}
