import Foundation
import RewindTestSupport
import XCTest

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// How `respond` finds its stubber. These tests run one after the other, as some of them need the only running scope.
final class RespondRoutingTests: XCTestCase {
    private func text(_ request: Interaction.Request) async throws -> String {
        try await Self.text(request)
    }

    private static func text(_ request: Interaction.Request) async throws -> String {
        let response = try await Stubber.respond(to: request) { try await SocketClient().send($0) }
        return String(decoding: response.body.data, as: UTF8.self)
    }

    func testWithoutATestTheClientAnswersWithUntouchedBodies() async throws {
        let produced = Locked(0)
        let source = AsyncStream<Data> {
            produced.withLock { $0 += 1 }
            return produced.withLock { $0 } > 3 ? nil : Data("x".utf8)
        }
        let response = try await Stubber.respond(
            to: Interaction.Request(url: "http://example.invalid/"),
            body: Interaction.BodyStream(source)
        ) { _, body in
            XCTAssertEqual(produced.withLock { $0 }, 0)
            return Interaction.StreamedResponse(Interaction.Response(status: 201), body: body)
        }
        XCTAssertEqual(response.head.status, 201)
        let body = try await response.body.collect()
        XCTAssertEqual(body, Data("xxx".utf8))
    }

    func testSixteenParallelTestsGetTheirOwnAnswers() async throws {
        let folder = try TemporaryDirectory()
        let server = try ConversationServer()
        defer { server.stop() }
        let request = Interaction.Request(url: server["/visit"].absoluteString)
        for mode in [RecordingMode.once, .never] {
            let texts = try await withThrowingTaskGroup(of: (Int, [String]).self) { group in
                for number in 0..<16 {
                    group.addTask {
                        try await withCassette("talk\(number)", in: folder.url, mode: mode) { _ in
                            var texts: [String] = []
                            for _ in 0..<20 { texts.append(try await RespondRoutingTests.text(request)) }
                            return (number, texts)
                        }
                    }
                }
                return try await group.reduce(into: [Int: [String]]()) { $0[$1.0] = $1.1 }
            }
            XCTAssertEqual(Set(texts.values.joined()).count, 320)
            for (number, texts) in texts {
                let cassette = try Cassette(contentsOf: folder["talk\(number).har"])
                XCTAssertEqual(
                    cassette.interactions.map {
                        String(decoding: $0.response?.body.data ?? Data(), as: UTF8.self)
                    },
                    texts
                )
            }
            server.stop()
        }
    }

    func testDetachedWorkUsesTheOnlyTestAndIsRefusedIfThereAreTwo() async throws {
        let folder = try TemporaryDirectory()
        let request = Interaction.Request(url: "http://example.com/a")
        let interaction = try Interaction.succeeded(url: request.url, text: "one")
        try Cassette(interactions: [interaction]).write(to: folder["talk.har"])
        try await withCassette("talk", in: folder.url, mode: .never) { _ in
            let texts = try await Task.detached { try await RespondRoutingTests.text(request) }.value
            XCTAssertEqual(texts, "one")
        }
        let other = Stubber(stubsOnly: Stubber.Configuration(), testName: "other")
        let scope = try CassetteScope(other)
        defer { _ = scope.end(testFailed: false) }
        let one = Stubber(stubsOnly: Stubber.Configuration(), testName: "one")
        let second = try CassetteScope(one)
        defer { _ = second.end(testFailed: false) }
        do {
            _ = try await Task.detached { try await RespondRoutingTests.text(request) }.value
            XCTFail("answered")
        } catch let miss as Miss {
            guard case .unknownTest(let tests) = miss.reason else { return XCTFail("\(miss)") }
            XCTAssertEqual(Set(tests), ["one", "other"])
        }
    }

    func testAStubberThatYouNameAnswersOnAnyThreadWithoutAScope() async throws {
        let folder = try TemporaryDirectory()
        let interaction = try Interaction.succeeded(url: "http://example.com/a", text: "one")
        try Cassette(interactions: [interaction]).write(to: folder["talk.har"])
        let stubber = try Stubber(at: folder["talk.har"], mode: .never)
        let response = try await Task.detached {
            try await stubber.respond(to: interaction.request) { _ in Interaction.Response(status: 500) }
        }.value
        XCTAssertEqual(response.status, 200)
        try stubber.eject()
        do {
            _ = try await stubber.respond(to: interaction.request) { _ in Interaction.Response() }
            XCTFail("answered after the end")
        } catch let miss as Miss {
            XCTAssertEqual(miss.reason, .testEnded)
        }
    }

    func testTheCassetteOfAnOuterScopeAnswersAndTheInnerOneRecords() async throws {
        let folder = try TemporaryDirectory()
        let server = try ConversationServer()
        defer { server.stop() }
        let known = Interaction.Request(url: server["/json"].absoluteString)
        let new = Interaction.Request(url: server["/visit"].absoluteString)
        try await withCassette("outer", in: folder.url, mode: .once) { _ in _ = try await text(known) }
        try await withCassette("outer", in: folder.url, mode: .never) { _ in
            try await withCassette("inner", in: folder.url, mode: .once) { _ in
                _ = try await text(known)
                _ = try await text(new)
            }
        }
        XCTAssertEqual(server.requestCount, 2)
        let inner = try Cassette(contentsOf: folder["inner.har"])
        XCTAssertEqual(inner.interactions.map(\.request.url), [new.url])
    }

    func testRequestsOfTheClientItselfAreNotRecordedAgain() async throws {
        let folder = try TemporaryDirectory()
        let server = try ConversationServer()
        defer { server.stop() }
        let request = Interaction.Request(url: server["/visit"].absoluteString)
        let url = server["/json"]
        for mode in [RecordingMode.once, .never] {
            try await withCassette("talk", in: folder.url, mode: mode) { stubber in
                let response = try await stubber.respond(
                    to: request,
                    body: Interaction.BodyStream(Data())
                ) { request, _ in
                    let token = try await URLSession.shared.data(from: url).0
                    let own = try await stubber.session.data(from: url).0
                    XCTAssertEqual(token, own)
                    let inner = try await Stubber.respond(to: request) { try await SocketClient().send($0) }
                    let other = try await stubber.respond(to: request) { try await SocketClient().send($0) }
                    // Also a request that is made while the body is read.
                    let late = AsyncThrowingStream<Data, any Error>(
                        unfolding: OneByOne(count: 1) {
                            try await URLSession.shared.data(from: url).0
                        }.next
                    )
                    _ = other
                    return Interaction.StreamedResponse(inner, body: Interaction.BodyStream(Relay(late)))
                }
                let body = try await response.body.collect()
                XCTAssertTrue(String(decoding: body, as: UTF8.self).contains("Grüße"))
            }
            server.stop()
        }
        XCTAssertEqual(server.requestCount, 5)
        XCTAssertEqual(try Cassette(contentsOf: folder["talk.har"]).interactions.map(\.request), [request])
    }
}
