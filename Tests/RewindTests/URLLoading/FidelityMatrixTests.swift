import Foundation
import Rewind
import RewindTestSupport
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Compares live and replayed answers for every kind of task, session and answer.
final class FidelityMatrixTests: XCTestCase {
    private static let answers = [
        "json", "status/201", "empty", "status/206", "status/304", "status/404", "status/500", "binary/70000",
        "latin", "gzip", "redirect/2", "unauthorized/Basic", "unauthorized/Digest", "unauthorized/Bearer",
        "nothing",
    ]

    func testEveryCallThroughTheSharedSessionReceivesEveryAnswer() async throws {
        for form in TaskForm.allCases { try await check(form, .shared, .default) }
    }

    func testEveryCallThroughADefaultSessionReceivesEveryAnswer() async throws {
        for form in TaskForm.allCases { try await check(form, URLSession(configuration: .default), .default) }
    }

    func testEveryCallThroughAnEphemeralSessionReceivesEveryAnswer() async throws {
        for form in TaskForm.allCases {
            try await check(form, URLSession(configuration: .ephemeral), .ephemeral)
        }
    }

    func testEveryCallThroughASessionWithItsOwnQueueReceivesEveryAnswer() async throws {
        let queue = OperationQueue()
        let session = URLSession(configuration: .default, delegate: nil, delegateQueue: queue)
        for form in TaskForm.allCases { try await check(form, session, .default) }
    }

    func testDelegatesReceiveAllCallbacksInTheOrderOfURLSession() async throws {
        let body = Data(repeating: 7, count: 300)
        let expected: [(TaskForm, String, [String])] = [
            (.dataWithDelegate, "chunks/3", ["response 200", "data 15", "data 15", "data 15", "complete"]),
            (.dataWithDelegate, "empty", ["response 204", "complete"]),
            (
                .dataWithDelegate, "redirect/1",
                ["redirect 302 GET /json", "response 200", "data 44", "complete"]
            ),
            (.uploadOfDataWithDelegate, "echo", ["sent 300 300/300", "response 200", "data 300", "complete"]),
            (
                .uploadOfStreamWithDelegate, "echo",
                ["stream", "sent 300 300/0", "response 200", "data 300", "complete"]
            ),
            (.downloadWithDelegate, "binary/9", ["wrote 9 9/9", "file 9", "complete"]),
        ]
        for (form, path, events) in expected {
            let (live, replayed) = try await recordAndReplay(path) {
                await self.observe(form, $0, .shared, .default, body)
            }
            XCTAssertEqual(live.events, events, "\(form) \(path), live")
            XCTAssertEqual(replayed.events, events, "\(form) \(path), replayed")
        }
    }

    func testTheServerAndTheCassetteReceiveTheBodyOfEveryCall() async throws {
        let body = Data((0..<5000).map { UInt8(truncatingIfNeeded: $0) })
        for form in TaskForm.allCases where form.sendsBody {
            let folder = try TemporaryDirectory()
            let (live, replayed) = try await recordAndReplay("echo", in: folder) {
                await self.observe(form, $0, .shared, .default, body)
            }
            XCTAssertEqual(live.outcome.body, body, form.rawValue)
            XCTAssertEqual(replayed.outcome.body, body, form.rawValue)
            let recorded = try Cassette(contentsOf: folder["talk.har"]).interactions.first?.request
            XCTAssertEqual(recorded?.body?.data, body, form.rawValue)
        }
    }

    func testAnotherBodyIsAMissInEveryCall() async throws {
        for form in TaskForm.allCases where form.sendsBody {
            let folder = try TemporaryDirectory()
            let server = try ConversationServer()
            defer { server.stop() }
            func run(_ mode: RecordingMode, _ text: String) async throws -> Outcome {
                try await withCassette("talk", in: folder.url, mode: mode) { stubber in
                    let data = Data(text.utf8)
                    let seen = await observe(form, URLRequest(url: server["echo"]), .shared, .default, data)
                    XCTAssertEqual(stubber.takeMisses().count, mode == .never ? 1 : 0, form.rawValue)
                    return seen.outcome
                }
            }
            let recorded = try await run(.once, "one")
            let other = try await run(.never, "two")
            XCTAssertEqual(recorded.status, 200, form.rawValue)
            XCTAssertEqual(other.failure, "Rewind 2", form.rawValue)
        }
    }

    func testLargeBodiesAreReplayedByteForByte() async throws {
        for (form, count) in [
            (TaskForm.dataAsync, 10_000_000), (.dataWithDelegate, 10_000_000), (.downloadAsync, 10_000_000),
            (.dataWithHandler, 100_000_000),
        ] {
            let (live, replayed) = try await recordAndReplay("binary/\(count)") {
                await self.observe(form, $0, .shared, .default, Data())
            }
            XCTAssertEqual(live.outcome.body.count, count)
            XCTAssertTrue(live.outcome == replayed.outcome, "\(form) \(count)")
        }
    }

    // MARK: -

    private func check(
        _ form: TaskForm,
        _ session: URLSession,
        _ configuration: @autoclosure @escaping () -> URLSessionConfiguration
    ) async throws {
        for path in Self.answers {
            let (live, replayed) = try await recordAndReplay(path) {
                await self.observe(form, $0, session, configuration(), Data("a body".utf8))
            }
            XCTAssertEqual(live.outcome, replayed.outcome, "\(form) \(path)")
            XCTAssertEqual(live.events, replayed.events, "\(form) \(path)")
            XCTAssertNil(live.outcome.failure, "\(form) \(path)")
        }
    }

    private func observe(
        _ form: TaskForm,
        _ request: URLRequest,
        _ session: URLSession,
        _ configuration: URLSessionConfiguration,
        _ body: Data
    ) async -> TaskForm.Observation {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try? body.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return await form.perform(
            request,
            body: body,
            file: file,
            session: session,
            configuration: configuration
        )
    }

    private func recordAndReplay(
        _ path: String,
        in folder: TemporaryDirectory? = nil,
        _ body: (URLRequest) async -> TaskForm.Observation
    ) async throws -> (live: TaskForm.Observation, replayed: TaskForm.Observation) {
        let folder = try folder ?? TemporaryDirectory()
        let server = try ConversationServer()
        let request = URLRequest(url: server[path])
        let live = try await withCassette("talk", in: folder.url, mode: .once) { _ in await body(request) }
        server.stop()
        let replayed = try await withCassette("talk", in: folder.url, mode: .never) { _ in await body(request) }
        return (live, replayed)
    }
}
