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

    private func tape<Result>(
        _ mode: RecordingMode = .once,
        _ configuration: Stubber.Configuration = Stubber.Configuration(),
        _ body: (Stubber) async throws -> Result
    ) async throws -> Result {
        try await withCassette("talk", in: folder.url, mode: mode, configuration: configuration, body)
    }

    @Test("A test replays its cassette and bends one answer of it")
    func bentAnswer() async throws {
        let server = try ConversationServer()
        let first = try await tape { _ in
            [await Outcome(of: server["visit"]), await Outcome(of: server["visit"])]
        }
        server.stop()
        try await tape { stubber in
            let stub = stubber.stub(.path("/visit"), respond: .recorded { $0.status = 500 })
            let bent = await Outcome(of: server["visit"])
            #expect(bent.status == 500)
            #expect(bent.body == first[0].body)
            stub.remove()
            #expect(await Outcome(of: server["visit"]) == first[1])
        }
    }

    @Test("While the cassette is recorded, the app sees the bent answer and the cassette gets the true one")
    func bentWhileRecorded() async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        try await tape { stubber in
            stubber.stub(.path("/visit"), respond: .recorded { $0.status = 500 })
            let bent = await Outcome(of: server["visit"])
            #expect(bent.status == 500)
            #expect(bent.text == "visit 1")
        }
        let kept = try #require(try Cassette(contentsOf: folder["talk.har"]).interactions.first?.response)
        #expect(kept.status == 200)
        #expect(kept.body.data == Data("visit 1".utf8))
    }

    @Test("What a stub answers is not recorded, and what it lets through reaches the server")
    func passthrough() async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        try await tape { stubber in
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
        try await tape(mode) { stubber in
            stubber.stub(.host("nowhere.invalid"), respond: .text("stubbed"))
            let url = try #require(URL(string: "http://nowhere.invalid/"))
            #expect(await Outcome(of: url).text == "stubbed")
            stubber.pause()
            #expect(await Outcome(of: url).text == "stubbed")
        }
    }

    @Test("Stubs of an outer scope answer where the inner one has none, before any cassette")
    func nesting() async throws {
        let url = try #require(URL(string: "http://nowhere.invalid/a"))
        try await withStubs { outer in
            outer.stub(.any, respond: .text("outer"))
            try await tape(.never) { inner in
                #expect(await Outcome(of: url).text == "outer")
                let stub = inner.stub(.any, respond: .text("inner"))
                #expect(await Outcome(of: url).text == "inner")
                stub.remove()
                #expect(await Outcome(of: url).text == "outer")
            }
        }
    }

    @Test("The stubs of a scope around that is over answer nothing more")
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
        "No request reaches a server once the network is forbidden, whatever would let it",
        arguments: RecordingMode.allCases
    )
    func forbidden(mode: RecordingMode) async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        var configuration = Stubber.Configuration()
        let misses = Locked<[Miss]>([])
        configuration.requestMatchingFailed = { miss in misses.withLock { $0.append(miss) } }
        configuration.passthrough = { $0.url.contains("hello") }
        try await tape(mode, configuration) { stubber in
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

    @Test("Without any stub every request fails and names itself")
    func disabledNetwork() async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        try await withStubs { _ in
            let error = await #expect(throws: (any Error).self) {
                try await URLSession.shared.data(from: server["visit"])
            }
            #expect(error?.localizedDescription.contains(server["visit"].absoluteString) == true)
        }
        #expect(server.requestCount == 0)
    }

    @Test("Recorded cookies that have expired are alive again where dates are refreshed")
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
            try await tape(.never, configuration) { _ in
                let session = URLSession(configuration: .ephemeral)
                _ = await Outcome(of: url, in: session)
                let cookies = session.configuration.httpCookieStorage?.cookies(for: url) ?? []
                #expect(cookies.map(\.value) == (refreshes ? ["7"] : []))
            }
        }
    }
}
