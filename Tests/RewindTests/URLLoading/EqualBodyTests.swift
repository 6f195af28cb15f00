import Foundation
import Rewind
import RewindTestSupport
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A body with the recorded bytes matches, even if its media type has changed.
final class EqualBodyTests: XCTestCase {
    private static let json = #"{"name": "Ada", "password": "correct horse battery"}"#
    private static let form = "a=1&b=%20"

    func testEqualBytesMatchDespiteAnotherContentType() async throws {
        let types = ["application/json", "text/plain", "application/x-www-form-urlencoded", "image/png"]
        for body in [Self.json, Self.form, "{ broken"] {
            for (recorded, replayed) in zip(types, types.dropFirst() + types.prefix(1)) {
                try await assertPlayed(body, recordedAs: recorded, replayedAs: replayed)
            }
        }
    }

    func testEqualBytesMatchIfOnlyOneHeaderHasABoundary() async throws {
        let boundary = "alamofire.boundary.5c1b3ad7"
        let form =
            "a preamble\r\n--\(boundary)\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--\(boundary)--\r\n"
        let types = [
            "multipart/form-data; boundary=\(boundary)", "multipart/form-data",
            "multipart/form-data; boundary=elsewhere",
        ]
        for (recorded, replayed) in zip(types, types.dropFirst() + types.prefix(1)) {
            try await assertPlayed(form, recordedAs: recorded, replayedAs: replayed)
            try await assertPlayed(form, recordedAs: replayed, replayedAs: recorded)
        }
    }

    func testIdenticalRequestsOfSeveralContentTypesPlayInRecordedOrder() async throws {
        let folder = try TemporaryDirectory()
        let server = try ConversationServer()
        defer { server.stop() }
        let url = server["visit"]
        let live = try await Self.texts(
            of: url,
            as: ["text/plain", "application/json", "text/plain"],
            in: folder
        )
        server.stop()
        let replayed = try await Self.texts(
            of: url,
            as: ["application/json", "application/json", "application/json"],
            in: folder
        )
        XCTAssertEqual(live, ["visit 1", "visit 2", "visit 3"])
        XCTAssertEqual(replayed, live)
    }

    func testAMissShowsTheBodiesAsSent() async throws {
        let folder = try TemporaryDirectory()
        let server = try ConversationServer()
        defer { server.stop() }
        let form = "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--x--\r\n"
        let sent = [("multipart/form-data; boundary=x", form), ("application/json", #"{ "b": 1,  "a": 2 }"#)]
        _ = try await withCassette("talk", in: folder.url, mode: .once) { _ in
            for (type, body) in sent { _ = await Outcome(of: Self.post(server["echo"], body, type)) }
        }
        server.stop()
        let misses = Locked<[String]>([])
        var configuration = Stubber.Configuration()
        configuration.requestMatchingFailed = { miss in misses.withLock { $0.append(miss.description) } }
        try await withCassette("talk", in: folder.url, mode: .never, configuration: configuration) { _ in
            _ = await Outcome(of: Self.post(server["echo"], "other", "text/plain"))
        }
        let text = try XCTUnwrap(misses.withLock { $0 }.first)
        XCTAssertTrue(text.contains(#""--x\r\nContent-Disposition"#), text)
        XCTAssertTrue(text.contains(#""{ \"b\": 1,  \"a\": 2 }""#), text)
        XCTAssertTrue(text.contains("requested: \"other\" (5 bytes)"), text)
        XCTAssertFalse(text.contains("json {") || text.contains("[\"a\",null"), text)
    }

    // MARK: -

    private func assertPlayed(
        _ body: String,
        recordedAs recorded: String,
        replayedAs replayed: String,
        line: UInt = #line
    ) async throws {
        let folder = try TemporaryDirectory()
        let server = try ConversationServer()
        defer { server.stop() }
        let live = try await withCassette("talk", in: folder.url, mode: .once) { _ in
            await Outcome(of: Self.post(server["echo"], body, recorded))
        }
        server.stop()
        let outcome = try await withCassette("talk", in: folder.url, mode: .never) { _ in
            await Outcome(of: Self.post(server["echo"], body, replayed))
        }
        XCTAssertEqual(live.text, body, line: line)
        XCTAssertEqual(outcome.status, 200, "\(body) as \(recorded), then as \(replayed)", line: line)
        XCTAssertEqual(outcome.headers["X-Visit"], live.headers["X-Visit"], line: line)
    }

    private static func texts(of url: URL, as types: [String], in folder: TemporaryDirectory) async throws
        -> [String]
    {
        try await withCassette("talk", in: folder.url) { _ in
            var texts: [String] = []
            for type in types { texts.append(await Outcome(of: post(url, #"{"a": 1}"#, type)).text) }
            return texts
        }
    }

    private static func post(_ url: URL, _ body: String, _ type: String) -> URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = Data(body.utf8)
        request.setValue(type, forHTTPHeaderField: "Content-Type")
        return request
    }
}
