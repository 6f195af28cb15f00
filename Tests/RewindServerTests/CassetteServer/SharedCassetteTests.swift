import Foundation
import Rewind
import RewindServer
import RewindTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A cassette that a test recorded in process is played by a server, and the other way round.
@Suite(.timeLimit(.minutes(5)), .ownThreads)
struct SharedCassetteTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private static let body = Data(#"{"name": "Ada"}"#.utf8)

    /// Sends two requests through the server and returns the bodies.
    private func throughServer(_ upstream: URL, _ mode: RecordingMode) throws -> [String] {
        let server = try CassetteServer(upstream: upstream, cassette: "talk", in: folder.url, mode: mode)
        let local = try server.start()
        defer { _ = try? server.stop() }
        let type: HeaderList = ["Content-Type": "application/json"]
        return [
            try send(local, "GET", "/json?b=2&a=1").text,
            try send(local, "POST", "/echo", headers: type, body: Self.body).text,
        ]
    }

    /// Sends the same requests through `URLSession` and returns the bodies.
    private func inProcess(_ upstream: URL, _ mode: RecordingMode) async throws -> [String] {
        try await withCassette("talk", in: folder.url, mode: mode) { _ in
            let page = try #require(URL(string: "json?b=2&a=1", relativeTo: upstream)?.absoluteURL)
            var post = URLRequest(url: upstream.appendingPathComponent("echo"))
            post.httpMethod = "POST"
            post.httpBody = Self.body
            post.setValue("application/json", forHTTPHeaderField: "Content-Type")
            var texts: [String] = []
            for request in [URLRequest(url: page), post] {
                texts.append(String(decoding: try await URLSession.shared.data(for: request).0, as: UTF8.self))
            }
            return texts
        }
    }

    @Test("A server plays the cassette of a test in process")
    func fromProcess() async throws {
        let upstream = try ConversationServer()
        let live = try await inProcess(upstream.url, .once)
        upstream.stop()
        #expect(live.last == String(decoding: Self.body, as: UTF8.self))
        #expect(try throughServer(upstream.url, .never) == live)
    }

    @Test("The callbacks of the configuration are called in the server as in process")
    func hooks() throws {
        let upstream = try ConversationServer()
        let called = Locked<[String]>([])
        var configuration = Stubber.Configuration()
        configuration.beforeRecord = { interaction in
            called.withLock { $0.append("record") }
            var interaction = interaction
            interaction.request.headers["X-Seen"] = "yes"
            return interaction
        }
        configuration.beforePlayback = { interaction in
            called.withLock { $0.append("playback") }
            var interaction = interaction
            interaction.outcome = .response(
                Interaction.Response(status: 503, body: Interaction.Body("changed"))
            )
            return interaction
        }
        configuration.didBeginRecording = { _ in called.withLock { $0.append("begin") } }
        for mode in [RecordingMode.once, .never] {
            let server = try CassetteServer(
                upstream: upstream.url,
                cassette: "talk",
                in: folder.url,
                mode: mode,
                configuration: configuration
            )
            let answer = try send(try server.start(), "GET", "/visit")
            try server.stop()
            upstream.stop()
            #expect(answer.text == (mode == .once ? "visit 1" : "changed"))
        }
        #expect(Set(called.withLock { $0 }) == ["begin", "record", "playback"])
        let request = try Cassette(contentsOf: folder["talk.har"]).interactions.first?.request
        #expect(request?.headers["X-Seen"] == "yes")
    }

    @Test("A test in process plays the cassette of a server")
    func fromServer() async throws {
        let upstream = try ConversationServer()
        let live = try throughServer(upstream.url, .once)
        upstream.stop()
        #expect(live.last == String(decoding: Self.body, as: UTF8.self))
        #expect(try await inProcess(upstream.url, .never) == live)
    }
}
