import Foundation
import RewindTestSupport
import XCTest

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The stubber that marked a request answers it, on any thread and whatever tests run.
final class RequestMarkTests: XCTestCase {
    private var server: ConversationServer!
    private var folder: TemporaryDirectory!

    override func setUpWithError() throws {
        server = try ConversationServer()
        folder = try TemporaryDirectory()
    }

    override func tearDown() {
        server.stop()
        StubberRegistry.shared.stopInterceptingForMarks()
        XCTAssertFalse(Interception.shared.isInstalled)
    }

    func testParallelTestsShareAClientThatCreatesTasksOnItsOwnQueue() async throws {
        let client = QueueClient()
        let (server, folder) = (try XCTUnwrap(server), try XCTUnwrap(folder))
        func talk(_ mode: RecordingMode) async throws -> [Int: [String]] {
            try await withThrowingTaskGroup(of: (Int, [String]).self) { group in
                for number in 0..<16 {
                    group.addTask {
                        try await withCassette("\(number)", in: folder.url, mode: mode) { stubber in
                            var texts: [String] = []
                            for turn in 0..<4 {
                                let url = server["echo?test=\(number)&turn=\(turn)"]
                                let outcome = await client.outcome(of: url, modifier: stubber.route)
                                texts.append(outcome.headers["X-Query"] ?? outcome.failure ?? "")
                            }
                            return (number, texts)
                        }
                    }
                }
                return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
        }
        let live = try await talk(.once)
        server.stop()
        let replayed = try await talk(.never)
        XCTAssertEqual(live.count, 16)
        for (number, texts) in live {
            XCTAssertEqual(texts, (0..<4).map { "test=\(number)&turn=\($0)" })
            XCTAssertEqual(replayed[number], texts)
        }
    }

    func testAnUnmarkedRequestIsRefusedWithASuggestion() async throws {
        let client = QueueClient()
        let scopes = try ["one", "other"].map {
            try CassetteScope(Stubber(cassette: $0, in: folder.url, mode: .once))
        }
        let url = server["visit"]
        let outcome = await scopes[0].run { await client.outcome(of: url) { _ in } }
        XCTAssertEqual(outcome.failure, "Rewind 5")
        XCTAssertEqual(server.requestCount, 0)
        for scope in scopes { XCTAssertEqual(scope.end(testFailed: false).count, 0) }
    }

    func testTheMarkIsNeverSentRecordedOrPrinted() async throws {
        for mode in [RecordingMode.once, .live, .never] {
            let lines = Locked<[String]>([])
            var configuration = Stubber.Configuration()
            configuration.log = { line in lines.withLock { $0.append("\(line)") } }
            if mode == .live { configuration.passthroughHosts = ["localhost"] }
            try await withCassette("talk", in: folder.url, mode: mode, configuration: configuration) {
                stubber in
                var request = URLRequest(url: server["echo"])
                request.mainDocumentURL = URL(string: "http://127.0.0.1/page?a=%20b")
                stubber.route(&request)
                XCTAssertNotNil(RequestMark.number(in: request))
                let outcome = await Outcome(of: request)
                XCTAssertEqual(outcome.status, 200)
                XCTAssertEqual(stubber.requests.count, 1)
                for text in ["\(stubber.requests)", "\(outcome)", lines.withLock { "\($0)" }] {
                    XCTAssertFalse(text.contains("rewind-stubber"), text)
                }
            }
        }
        let text = try String(contentsOf: folder["talk.har"], encoding: .utf8)
        XCTAssertFalse(text.contains("rewind-stubber"))
    }

    func testTheDocumentURLOfTheAppIsPreserved() throws {
        let url = try XCTUnwrap(URL(string: "http://h/a"))
        for document in [nil, URL(string: "http://h/page?a=%20b&c#d")] {
            var request = URLRequest(url: url)
            request.mainDocumentURL = document
            let plain = request
            RequestMark.set(7, in: &request)
            RequestMark.set(42, in: &request)
            XCTAssertEqual(RequestMark.number(in: request), 42)
            XCTAssertEqual(RequestMark.removed(from: request), plain)
            XCTAssertEqual(RequestMark.removed(from: request).mainDocumentURL, document)
            XCTAssertNil(RequestMark.number(in: plain))
        }
    }

    func testTheMarkOverridesTheScopeAndTheSessionOfAnotherStubber() async throws {
        let (one, other) = (
            Stubber(stubsOnly: Stubber.Configuration()), Stubber(stubsOnly: Stubber.Configuration())
        )
        one.stub(.any, respond: .text("one"))
        other.stub(.any, respond: .text("other"))
        var request = URLRequest(url: server["visit"])
        one.route(&request)
        let marked = request
        let texts = await other.run {
            [await Outcome(of: marked).text, await Outcome(of: marked, in: other.session).text]
        }
        XCTAssertEqual(texts, ["one", "one"])
        let plain = await Outcome(of: marked)
        XCTAssertEqual(plain.text, "one")
        XCTAssertEqual(one.requests.count, 3)
        XCTAssertEqual(other.requests.count, 0)
        XCTAssertTrue(one.isSettled && other.isSettled)
        try one.eject()
        try other.eject()
    }

    func testRedirectsOfAMarkedRequestUseItsStubber() async throws {
        let client = QueueClient()
        let scope = try CassetteScope(Stubber(cassette: "one", in: folder.url, mode: .once))
        let other = try CassetteScope(Stubber(cassette: "other", in: folder.url, mode: .once))
        let outcome = await client.outcome(of: server["redirect/2"], modifier: scope.stubber.route)
        XCTAssertEqual(outcome.url?.path, "/json")
        await scope.settle()
        XCTAssertEqual(scope.end(testFailed: false).count + other.end(testFailed: false).count, 0)
        XCTAssertEqual(try Cassette(contentsOf: folder["one.har"]).interactions.count, 3)
    }

    func testAMarkedRequestIsRefusedAfterItsTest() async throws {
        var request = URLRequest(url: server["visit"])
        try withCassette("talk", in: folder.url, mode: .once) { stubber in stubber.route(&request) }
        let alone = await Outcome(of: request)
        let marked = request
        let during = try await withCassette("next", in: folder.url, mode: .once) { _ in
            await Outcome(of: marked)
        }
        XCTAssertEqual([alone.failure, during.failure], ["Rewind 4", "Rewind 4"])
        XCTAssertEqual(server.requestCount, 0)
        XCTAssertEqual(folder.files, [])
        let unmarked = await Outcome(of: server["visit"])
        XCTAssertEqual(unmarked.text, "visit 1")
    }

    func testCookiesOfTheMainDocumentAreStoredAsWithoutAMark() async throws {
        func cookies(_ isMarked: Bool) async throws -> Int {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpCookieAcceptPolicy = .onlyFromMainDocumentDomain
            let session = URLSession(configuration: configuration)
            return try await withCassette("cookies-\(isMarked)", in: folder.url, mode: .once) { stubber in
                var request = URLRequest(url: server["cookies"])
                if isMarked { stubber.route(&request) }
                _ = await Outcome(of: request, in: session)
                return session.configuration.httpCookieStorage?.cookies?.count ?? 0
            }
        }
        let (plain, marked) = (try await cookies(false), try await cookies(true))
        XCTAssertEqual(plain, marked)
        XCTAssertGreaterThan(plain, 0)
    }
}

/// A client that creates its requests and tasks on its own queue.
private final class QueueClient: Sendable {
    private let queue = DispatchQueue(label: "client")
    private let session = URLSession(configuration: .default)

    func outcome(
        of url: URL,
        modifier: @escaping @Sendable (inout URLRequest) throws -> Void
    ) async -> Outcome {
        await withCheckedContinuation { continuation in
            queue.async { [session] in
                var request = URLRequest(url: url)
                try? modifier(&request)
                session.dataTask(with: request) { data, response, error in
                    continuation.resume(returning: Outcome(data, response, error))
                }.resume()
            }
        }
    }
}
