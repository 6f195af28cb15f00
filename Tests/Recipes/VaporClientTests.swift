import Foundation
import Rewind
import RewindTestSupport
import Testing

/// The code of the article on Vapor, with a stand-in for its client.
@Suite(.timeLimit(.minutes(5)))
struct VaporClientTests {
    private func outcome(_ request: ClientRequest, _ client: any Client) async -> [String] {
        do {
            let response = try await client.send(request).get()
            let fields = response.headers.map { "\($0.name): \($0.value)" }
            return ["\(response.status)"] + fields + ["\(response.body?.readableBytesView ?? [])"]
        } catch {
            return ["\(HTTPClientError.translated(error))"]
        }
    }

    private func conversation(at base: String) async throws -> [[String]] {
        let app = Application()
        recordRequests(of: app, through: try #require(Stubber.current))
        let client = app.client.delegating(to: EmbeddedEventLoop()).logging(to: Logger())
            .allocating(to: ByteBufferAllocator())
        var all: [[String]] = []
        for path in [
            "json", "visit", "visit", "cookies", "empty", "status/404", "redirect/1", "binary/70000", "cut",
        ] {
            all.append(await outcome(ClientRequest(url: URI(string: "\(base)/\(path)")), client))
        }
        let body = ByteBuffer(string: "hello")
        let posted = ClientRequest(method: .POST, url: URI(string: "\(base)/echo"), body: body)
        all.append(await outcome(posted, client))
        return all
    }

    @Test("Requests of an application are replayed byte for byte without the server") func replays()
        async throws
    {
        let runs = try await RecordAndReplay { try await conversation(at: $0[0].url.absoluteString) }
        #expect(runs.live == runs.replayed)
        #expect(runs.cassette.interactions.count == runs.live.count)
        #expect(runs.cassette.interactions.last?.request.body?.data == Data("hello".utf8))
        // The server sends back what it received.
        #expect(runs.live.last?.last == "\(Array("hello".utf8))")
    }

    @Test("Routes without the task of the test use its stubber") func detached() async throws {
        try await withStubs { stubber in
            stubber.stub(.path("/users"), respond: .text("stubbed"))
            let app = Application()
            recordRequests(of: app, through: stubber)
            let answer = await Task.detached {
                await outcome(ClientRequest(url: "http://a.test/users"), app.client)
            }.value
            #expect(answer.last == "\(Array("stubbed".utf8))")
        }
    }
}
