import Foundation
import Rewind
import RewindTestSupport
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The main job: what was recorded from a real server is replayed when it is gone.
final class RecordAndReplayTests: XCTestCase {
    private func recordAndReplay(
        _ conversation: (ConversationServer) async -> [Outcome],
        file: StaticString = #filePath,
        line: UInt = #line
    ) async throws -> (live: [Outcome], replayed: [Outcome]) {
        let folder = try TemporaryDirectory()
        let server = try ConversationServer()
        let live = try await withCassette("talk", in: folder.url) { _ in await conversation(server) }
        server.stop()
        let count = server.requestCount
        let replayed = try await withCassette("talk", in: folder.url) { _ in await conversation(server) }
        XCTAssertEqual(server.requestCount, count, file: file, line: line)
        XCTAssertEqual(live, replayed, file: file, line: line)
        return (live, replayed)
    }

    func testTextAndBytesAreReplayedAsTheyWere() async throws {
        let (live, _) = try await recordAndReplay { server in
            [await Outcome(of: server["json"]), await Outcome(of: server["binary/5000"])]
        }
        XCTAssertEqual(live[0].text, #"{"id": 42, "name": "Grüße", "path": "a/b"}"#)
        XCTAssertEqual(live[1].body.count, 5000)
        XCTAssertEqual(live.map(\.status), [200, 200])
    }
}
