import Foundation
import Rewind
import RewindTestSupport
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Records from a real server and replays after the server was stopped.
final class RecordAndReplayTests: XCTestCase {
    func testTextAndBinaryBodiesAreReplayedByteForByte() async throws {
        let live = try await recordAndReplay { server in
            [await Outcome(of: server["json"]), await Outcome(of: server["binary/5000"])]
        }
        XCTAssertEqual(live[0].text, #"{"id": 42, "name": "Grüße", "path": "a/b"}"#)
        XCTAssertEqual(live[1].body.count, 5000)
        XCTAssertEqual(live.map(\.status), [200, 200])
    }

    func testARequestBodyReachesTheServerAndTheAnswerIsReplayed() async throws {
        let live = try await recordAndReplay { server in
            [
                await Outcome(of: Self.post(server["echo?a=1"], "x=1")),
                await Outcome(of: Self.post(server["echo?a=1"], "x=2")),
            ]
        }
        XCTAssertEqual(live.map(\.text), ["x=1", "x=2"])
        XCTAssertEqual(live[0].headers["X-Query"], "a=1")
    }

    func testIdenticalRequestsReceiveTheirAnswersInRecordedOrder() async throws {
        let live = try await recordAndReplay { server in
            var outcomes: [Outcome] = []
            for _ in 0..<3 { outcomes.append(await Outcome(of: server["visit"])) }
            return outcomes
        }
        XCTAssertEqual(live.map(\.text), ["visit 1", "visit 2", "visit 3"])
    }

    func testStatusesAreReplayed() async throws {
        let codes = [200, 201, 202, 206, 300, 400, 404, 409, 418, 429, 500, 503]
        let live = try await recordAndReplay { server in
            var outcomes: [Outcome] = []
            for code in codes { outcomes.append(await Outcome(of: server["status/\(code)"])) }
            return outcomes
        }
        XCTAssertEqual(live.map(\.status), codes)
    }

    func testAnswersWithoutABodyAreReplayed() async throws {
        let live = try await recordAndReplay { server in
            var head = URLRequest(url: server["json"])
            head.httpMethod = "HEAD"
            return [await Outcome(of: server["empty"]), await Outcome(of: head)]
        }
        XCTAssertEqual(live.map(\.status), [204, 200])
        XCTAssertEqual(live.map(\.body), [Data(), Data()])
        XCTAssertNotNil(live[1].headers["Content-Length"])
    }

    func testARedirectIsFollowedAndEachHopIsAnInteraction() async throws {
        let folder = try TemporaryDirectory()
        let live = try await recordAndReplay(in: folder) { server in [await Outcome(of: server["redirect/2"])] }
        XCTAssertEqual(live[0].status, 200)
        XCTAssertEqual(live[0].url?.path, "/json")
        let cassette = try Cassette(contentsOf: folder["talk.har"])
        XCTAssertEqual(cassette.interactions.map { $0.response?.status }, [302, 302, 200])
        XCTAssertEqual(cassette.interactions[0].response?.headers["Location"], "/redirect/1")
    }

    func testAChunkedBodyIsCompleteForAsyncCallersAndItsChunksAreRecorded() async throws {
        let folder = try TemporaryDirectory()
        let live = try await recordAndReplay(in: folder) { server in [await Outcome(of: server["chunks/4"])] }
        XCTAssertEqual(live[0].text, (0..<4).map { "data: chunk \($0)\n\n" }.joined())
        let body = try Cassette(contentsOf: folder["talk.har"]).interactions[0].response?.body
        XCTAssertEqual(body?.chunks.map(\.count), Array(repeating: 15, count: 4))
    }

    func testARefusedConnectionIsReplayedWithItsDomainAndCode() async throws {
        let gone = try ConversationServer()
        gone.stop()
        let live = try await recordAndReplay { _ in [await Outcome(of: gone["json"])] }
        XCTAssertEqual(live[0].failure, "\(NSURLErrorDomain) \(NSURLErrorCannotConnectToHost)")
    }

    func testACutConnectionIsReplayedWithItsPartialBodyAndError() async throws {
        let folder = try TemporaryDirectory()
        let live = try await recordAndReplay(in: folder) { server in [await Outcome(of: server["cut"])] }
        XCTAssertNotNil(live[0].failure)
        let interaction = try Cassette(contentsOf: folder["talk.har"]).interactions[0]
        XCTAssertEqual(interaction.response?.status, 200)
        XCTAssertEqual(interaction.response.map { String(decoding: $0.body.data, as: UTF8.self) }, "only this")
    }

    func testEverySessionOfTheProcessIsIntercepted() async throws {
        let before = URLSession(configuration: .default)
        let withOwnClasses = URLSessionConfiguration.ephemeral
        withOwnClasses.protocolClasses = [DecliningProtocol.self]
        let own = URLSession(configuration: withOwnClasses)
        let live = try await recordAndReplay { server in
            let sessions = [
                URLSession.shared, before, URLSession(configuration: .default),
                URLSession(configuration: .ephemeral), own,
            ]
            var outcomes: [Outcome] = []
            for session in sessions { outcomes.append(await Outcome(of: server["visit"], in: session)) }
            let data = try? Data(contentsOf: server["visit"])
            outcomes.append(Outcome(data, nil, nil))
            return outcomes
        }
        XCTAssertEqual(live.map(\.text), (1...6).map { "visit \($0)" })
    }

    #if canImport(FoundationNetworking)
        func testAProtocolClassOfTheAppIsAskedBeforeRewind() async throws {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.protocolClasses = [MockProtocol.self]
            let session = URLSession(configuration: configuration)
            let url = try XCTUnwrap(URL(string: "http://mocked.invalid/a"))
            let folder = try TemporaryDirectory()
            let outcome = try await withCassette("talk", in: folder.url, mode: .never) { stubber in
                stubber.stub(.any, respond: .text("stubbed"))
                return await Outcome(of: url, in: session)
            }
            XCTAssertEqual([outcome.text, outcome.headers["X-Mock"]], ["mocked GET /a", "1"])
        }
    #endif

    func testCompletionHandlersReceiveTheirAnswers() async throws {
        let live = try await recordAndReplay { server in
            await withCheckedContinuation { continuation in
                URLSession.shared.dataTask(with: server["chunks/3"]) { data, response, error in
                    continuation.resume(returning: [Outcome(data, response, error)])
                }.resume()
            }
        }
        XCTAssertEqual(live[0].body.count, 45)
    }

    func test1000InteractionsAreRecordedAndReplayed() async throws {
        let live = try await recordAndReplay { server in
            var outcomes: [Outcome] = []
            for number in 0..<1000 { outcomes.append(await Outcome(of: server["echo?n=\(number)"])) }
            return outcomes
        }
        XCTAssertEqual(live.map { $0.headers["X-Query"] }, (0..<1000).map { "n=\($0)" })
    }

    func testConcurrentRequestsAreRecordedInTheOrderOfTheirStart() async throws {
        let live = try await recordAndReplay { server in
            await withTaskGroup(of: (Int, Outcome).self) { group in
                for number in 0..<100 {
                    group.addTask { (number, await Outcome(of: server["echo?n=\(number)"])) }
                }
                return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
            }
        }
        XCTAssertEqual(live.map { $0.headers["X-Query"] }, (0..<100).map { "n=\($0)" })
    }

    func testTwoRecordingsOfTheSameTrafficHaveTheSameBytes() async throws {
        let folder = try TemporaryDirectory()
        _ = try await recordAndReplay(in: folder) { server in
            [await Outcome(of: server["json"]), await Outcome(of: server["binary/300"])]
        }
        let bytes = try Data(contentsOf: folder["talk.har"])
        let cassette = try Cassette(contentsOf: folder["talk.har"])
        XCTAssertEqual(HARFormat.write(cassette), bytes)
        XCTAssertEqual(HARFormat.write(Cassette(interactions: cassette.interactions.map(\.rewritten))), bytes)
    }

    // MARK: -

    private static func post(_ url: URL, _ body: String) -> URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = Data(body.utf8)
        return request
    }

    /// Makes requests to a real server, stops it, makes them again from the cassette, and compares the results.
    private func recordAndReplay(
        in folder: TemporaryDirectory? = nil,
        file: StaticString = #filePath,
        line: UInt = #line,
        _ conversation: (ConversationServer) async -> [Outcome]
    ) async throws -> [Outcome] {
        let folder = try folder ?? TemporaryDirectory()
        let server = try ConversationServer()
        let live = try await recordingFailures(in: folder.url) { _ in await conversation(server) }
        server.stop()
        let count = server.requestCount
        let replayed = try await withCassette("talk", in: folder.url, mode: .never) { _ in
            await conversation(server)
        }
        XCTAssertEqual(server.requestCount, count, file: file, line: line)
        XCTAssertEqual(live, replayed, file: file, line: line)
        return live
    }
}

extension Interaction {
    /// The interaction without what only a file adds.
    fileprivate var rewritten: Interaction {
        var interaction = Interaction(request: request, outcome: outcome, startedAt: startedAt, timing: timing)
        interaction.original = nil
        return interaction
    }
}
