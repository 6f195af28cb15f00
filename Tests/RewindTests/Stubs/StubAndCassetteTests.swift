import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.serialized)
struct StubAndCassetteTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func serve<Result>(
        _ mode: RecordingMode = .once,
        _ configuration: Stubber.Configuration = Stubber.Configuration(),
        _ body: (Stubber) async throws -> Result
    ) async throws -> Result {
        try await withCassette("talk", in: folder.url, mode: mode, configuration: configuration, body)
    }

    @Test("A test replays its cassette and changes one answer")
    func changedAnswer() async throws {
        let server = try ConversationServer()
        let first = try await serve { _ in
            [await Outcome(of: server["visit"]), await Outcome(of: server["visit"])]
        }
        server.stop()
        try await serve { stubber in
            let stub = stubber.stub(.path("/visit"), respond: .recorded { $0.status = 500 })
            let changed = await Outcome(of: server["visit"])
            #expect(changed.status == 500)
            #expect(changed.body == first[0].body)
            stub.remove()
            #expect(await Outcome(of: server["visit"]) == first[1])
        }
    }

    @Test("While recording, the app sees the changed answer and the cassette the original")
    func changedWhileRecording() async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        try await serve { stubber in
            stubber.stub(.path("/visit"), respond: .recorded { $0.status = 500 })
            let changed = await Outcome(of: server["visit"])
            #expect(changed.status == 500)
            #expect(changed.text == "visit 1")
        }
        let kept = try #require(try Cassette(contentsOf: folder["talk.har"]).interactions.first?.response)
        #expect(kept.status == 200)
        #expect(kept.body.data == Data("visit 1".utf8))
    }

    @Test("A stub's answer is not recorded, and its passthrough reaches the server")
    func passthrough() async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        try await serve { stubber in
            stubber.stub(.path("/visit"), respond: .passthrough)
            stubber.stub(.path("/echo"), respond: .text("stubbed"))
            #expect(await Outcome(of: server["visit"]).text == "visit 1")
            #expect(await Outcome(of: server["echo"]).text == "stubbed")
        }
        #expect(server.requestCount == 1)
        #expect(!FileManager.default.fileExists(atPath: folder["talk.har"].path))
    }

    @Test("Stubs answer in every mode", arguments: RecordingMode.allCases)
    func everyMode(mode: RecordingMode) async throws {
        try await serve(mode) { stubber in
            stubber.stub(.host("nowhere.invalid"), respond: .text("stubbed"))
            let url = try #require(URL(string: "http://nowhere.invalid/"))
            #expect(await Outcome(of: url).text == "stubbed")
            stubber.pause()
            #expect(await Outcome(of: url).text == "stubbed")
        }
    }

    @Test("Stubs of an outer scope answer after those of the inner one and before any cassette")
    func nesting() async throws {
        let url = try #require(URL(string: "http://nowhere.invalid/a"))
        try await withStubs { outer in
            outer.stub(.any, respond: .text("outer"))
            try await serve(.never) { inner in
                #expect(await Outcome(of: url).text == "outer")
                let stub = inner.stub(.any, respond: .text("inner"))
                #expect(await Outcome(of: url).text == "inner")
                stub.remove()
                #expect(await Outcome(of: url).text == "outer")
            }
        }
    }

    @Test("Stubs of an ended outer scope do not answer")
    func outerIsOver() throws {
        let outer = Stubber(stubsOnly: Stubber.Configuration())
        let inner = Stubber(stubsOnly: Stubber.Configuration())
        outer.stub(.any, respond: .text("outer"))
        inner.nest(in: outer)
        let request = Interaction.Request(url: "http://nowhere.invalid/a")
        #expect(Decision(inner.answer(to: request)) == .replays("outer"))
        try outer.eject()
        #expect(Decision(inner.answer(to: request)) == .refusesOtherwise)
    }

    @Test(
        "No request reaches a server after `forbidNetwork`",
        arguments: RecordingMode.allCases
    )
    func forbidden(mode: RecordingMode) async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        var configuration = Stubber.Configuration()
        let misses = Locked<[Miss]>([])
        configuration.requestMatchingFailed = { miss in misses.withLock { $0.append(miss) } }
        configuration.passthrough = { $0.url.contains("hello") }
        try await serve(mode, configuration) { stubber in
            stubber.forbidNetwork()
            stubber.stub(.path("/echo"), respond: .passthrough)
            for path in ["visit", "echo", "hello"] {
                #expect(await Outcome(of: server[path]).failure?.hasPrefix("Rewind") == true)
            }
            stubber.pause()
            #expect(await Outcome(of: server["visit"]).failure?.hasPrefix("Rewind") == true)
        }
        #expect(server.requestCount == 0)
        let told = misses.withLock { $0.map(\.request.url) }
        #expect(told == ["visit", "echo", "hello", "visit"].map { server[$0].absoluteString })
    }

    @Test("Without stubs every request fails with a miss")
    func disabledNetwork() async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        try await withStubs { stubber in
            let error = await #expect(throws: (any Error).self) {
                try await URLSession.shared.data(from: server["visit"])
            }
            #expect(stubber.takeMisses().count == 1)
            #expect(error?.localizedDescription.contains(server["visit"].absoluteString) == true)
        }
        #expect(server.requestCount == 0)
    }

    @Test("Refreshing dates revives expired recorded cookies")
    func refreshedDates() async throws {
        let response = Interaction.Response(
            status: 204,
            headers: [
                "Date": "Tue, 14 Nov 2023 22:13:20 GMT",
                "Set-Cookie": "id=7; Expires=Wed, 15 Nov 2023 22:13:20 GMT; Path=/",
            ]
        )
        let recorded = Interaction(
            request: Interaction.Request(url: "http://nowhere.invalid/"),
            outcome: .response(response),
            startedAt: Date(timeIntervalSince1970: 1_700_000_000)
        )
        try HARFormat.write(Cassette(interactions: [recorded])).write(to: folder["talk.har"])
        let url = try #require(URL(string: recorded.request.url))
        for refreshes in [false, true] {
            var configuration = Stubber.Configuration()
            configuration.refreshesDates = refreshes
            try await serve(.never, configuration) { _ in
                let session = URLSession(configuration: .ephemeral)
                _ = await Outcome(of: url, in: session)
                let cookies = session.configuration.httpCookieStorage?.cookies(for: url) ?? []
                #expect(cookies.map(\.value) == (refreshes ? ["7"] : []))
            }
        }
    }

    @Test("A stub's passthrough uses the network in every mode", arguments: RecordingMode.allCases)
    func passthroughInEveryMode(mode: RecordingMode) async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        try await serve(mode) { stubber in
            stubber.stub(.path("/visit"), respond: .passthrough)
            #expect(await Outcome(of: server["visit"]).text == "visit 1")
        }
        #expect(server.requestCount == 1)
        #expect(folder.files == [])
    }

    @Test("Inside `withStubs` a cassette refuses requests while it is recorded, and plays otherwise")
    func stubsInsideOfACassette() async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        func ask() async throws -> (stubbed: String, other: Outcome) {
            var configuration = Stubber.Configuration()
            configuration.requestMatchingFailed = { _ in }
            return try await serve(.once, configuration) { _ in
                _ = await Outcome(of: server["json"])
                return try await withStubs(configuration: configuration) { stubber in
                    stubber.stub(.path("/echo"), respond: .text("stubbed"))
                    return (await Outcome(of: server["echo"]).text, await Outcome(of: server["visit"]))
                }
            }
        }
        let recording = try await ask()
        #expect(recording.stubbed == "stubbed")
        #expect(recording.other.failure?.hasPrefix("Rewind") == true)
        #expect(server.requestCount == 1)
        #expect(
            try Cassette(contentsOf: folder["talk.har"]).interactions.map(\.request.url)
                == [server["json"].absoluteString]
        )
        let both = ["json", "visit"].map { path in
            Interaction(
                request: Interaction.Request(url: server[path].absoluteString),
                outcome: .response(Interaction.Response(body: Interaction.Body("recorded")))
            )
        }
        try Cassette(interactions: both).write(to: folder["talk.har"])
        let playing = try await ask()
        #expect(playing.stubbed == "stubbed")
        #expect(playing.other.text == "recorded")
    }
}
