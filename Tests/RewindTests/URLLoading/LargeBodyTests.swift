import Foundation
import Rewind
import RewindTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.serialized)
struct LargeBodyTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    @Test("Large bodies are replayed from their files byte for byte")
    func replay() async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        let text = String(repeating: "Grüße, ", count: 12_800)
        func talk() async -> [Outcome] {
            var post = URLRequest(url: server["echo"])
            post.httpMethod = "POST"
            post.setValue("text/plain; charset=utf-8", forHTTPHeaderField: "Content-Type")
            post.httpBody = Data(text.utf8)
            return [
                await Outcome(of: server["binary/5000000"]), await Outcome(of: post),
                await Outcome(of: server["json"]),
            ]
        }
        let live = try await withCassette("talk", in: folder.url, mode: .once) { _ in await talk() }
        server.stop()
        #expect(live.map(\.body.count) == [5_000_000, text.utf8.count, 44])
        // The echo has the same bytes as the request, so both share one file.
        #expect(
            folder.files == [
                "talk.bodies/001-GET-5000000.bin", "talk.bodies/002-POST-echo-request.txt", "talk.har",
            ]
        )
        #expect(try Data(contentsOf: folder["talk.har"]).count < 100_000)
        let replayed = try await withCassette("talk", in: folder.url, mode: .never) { _ in await talk() }
        #expect(replayed == live)
    }

    @Test("A manually edited body is replayed with its new length")
    func edited() async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        func talk() async -> Outcome { await Outcome(of: server["binary/2000"]) }
        _ = try await withCassette("talk", in: folder.url, mode: .once) { _ in await talk() }
        try Data("edited".utf8).write(to: folder["talk.bodies/001-GET-2000.bin"])
        let outcome = try await withCassette("talk", in: folder.url, mode: .never) { _ in await talk() }
        #expect(outcome.text == "edited")
        #expect(outcome.headers["Content-Length"] == "6")
    }
}
