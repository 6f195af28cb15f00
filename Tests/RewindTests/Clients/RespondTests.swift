import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests of a client on sockets, which are recorded and replayed through `respond`.
@Suite(.timeLimit(.minutes(5)))
struct RespondTests {
    private let client = SocketClient()
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func send(_ request: Interaction.Request) async throws -> Interaction.Response {
        try await Stubber.respond(to: request) { try await client.send($0) }
    }

    private static let conversation: [(method: String, path: String, body: String?)] = [
        ("GET", "/json", nil), ("GET", "/visit", nil), ("GET", "/visit", nil), ("POST", "/echo?a=1", "hello"),
        ("PUT", "/echo", ""), ("HEAD", "/json", nil), ("GET", "/status/404", nil), ("GET", "/empty", nil),
        ("GET", "/binary/70000", nil), ("GET", "/chunks/3", nil), ("GET", "/redirect/1", nil),
        ("GET", "/cookies", nil), ("GET", "/latin", nil), ("GET", "/gzip", nil), ("GET", "/nowhere", nil),
    ]

    @Test("A conversation is the same without its server, byte for byte")
    func conversation() async throws {
        let runs = try await RecordAndReplay { servers in
            var responses: [Interaction.Response] = []
            for (method, path, body) in Self.conversation {
                let url = servers[0][path].absoluteString
                let body = body.map { Interaction.Body($0) }
                responses.append(try await send(Interaction.Request(method: method, url: url, body: body)))
            }
            return responses
        }
        for (live, replayed) in zip(runs.live, runs.replayed) {
            #expect(live.status == replayed.status)
            #expect(live.statusText == replayed.statusText)
            #expect(live.httpVersion == replayed.httpVersion)
            #expect(live.headers == replayed.headers)
            #expect(live.body.data == replayed.body.data)
        }
        #expect(runs.live.count == runs.replayed.count)
        #expect(runs.cassette.interactions.count == Self.conversation.count)
    }

    @Test("A recording through one client is replayed to another, and the other way round")
    func otherClients() async throws {
        let runs = try await RecordAndReplay { servers in
            let request = Interaction.Request(url: servers[0]["/json"].absoluteString)
            let isLive = Stubber.current?.isRecording == true
            let session = URLSession.shared
            let url = servers[0]["/visit"]
            if isLive {
                let first = try await send(request).body.data
                return [first, try await session.data(from: url).0]
            }
            let first = try await session.data(from: servers[0]["/json"]).0
            return [first, try await send(Interaction.Request(url: url.absoluteString)).body.data]
        }
        #expect(runs.live == runs.replayed)
    }

    @Test("The client gets the request with its secrets, and the cassette does not contain them")
    func redacts() async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        let seen = Locked<[Interaction.Request]>([])
        let request = Interaction.Request(
            method: "POST",
            url: server["/echo?access_token=4f9a7c21e0b84d5f9d3c"].absoluteString,
            headers: ["Authorization": "Bearer 9c1f0e7d2b5a48638f7e", "Content-Type": "application/json"],
            body: Interaction.Body(#"{"password": "correct horse 42"}"#)
        )
        for mode in [RecordingMode.once, .never] {
            let response = try await withCassette("talk", in: folder.url, mode: mode) { _ in
                try await Stubber.respond(to: request) { request in
                    seen.withLock { $0.append(request) }
                    return try await client.send(request)
                }
            }
            #expect(response.status == 200)
            server.stop()
        }
        #expect(seen.withLock { $0 } == [request])
        let text = try String(contentsOf: folder["talk.har"], encoding: .utf8)
        for secret in ["4f9a7c21e0b84d5f9d3c", "9c1f0e7d2b5a48638f7e", "correct horse 42"] {
            #expect(!text.contains(secret))
        }
    }

    @Test("A secret in a body that the client did not decompress is redacted, and other bytes stay as they are")
    func compressed() async throws {
        // {"access_token": "4f9a7c21e0b84d5f9d3c"} and the text of the server, both compressed with gzip.
        let secret = try #require(
            Data(
                base64Encoded:
                    "H4sIAAAAAAACA6tWSkxOTi0uji/Jz07NU7JSUDJJs0w0TzYyTDVIsjBJMU2zTDFOVqoFAE7qJzAoAAAA"
            )
        )
        let plain = try #require(
            Data(base64Encoded: "H4sIAAAAAAACA0vOzy0oSi0uTk3RUUjGygYAMub1vSIAAAA=")
        )
        for (number, body) in [secret, plain].enumerated() {
            let request = Interaction.Request(url: "http://example.invalid/\(number)")
            var received: [Data] = []
            for mode in [RecordingMode.once, .never] {
                try await withCassette("talk\(number)", in: folder.url, mode: mode) { _ in
                    received.append(
                        try await Stubber.respond(to: request) { _ in
                            Interaction.Response(
                                headers: [
                                    "Content-Encoding": "gzip", "Content-Type": "application/json",
                                    "Content-Length": "\(body.count)",
                                ],
                                body: Interaction.Body(body)
                            )
                        }.body.data
                    )
                }
            }
            #expect(received[0] == body)
            #expect((received[1] == body) == (number == 1))
            let content = try #require(CompressedContent(received[1], atMost: 1000)).content
            #expect(!String(decoding: content, as: UTF8.self).contains("4f9a7c21e0b84d5f9d3c"))
        }
    }

    @Test(
        "The head of a response stays as the client returned it; only a length that is wrong on replay is corrected"
    )
    func headers() async throws {
        var response = Interaction.Response(
            status: 299,
            statusText: "Odd",
            headers: [
                "Content-Length": "4", "Transfer-Encoding": "chunked", "Connection": "x-hop", "X-Hop": "1",
                "Set-Cookie": "a=1",
            ],
            body: Interaction.Body("body"),
            httpVersion: "HTTP/2"
        )
        response.headers.append("Set-Cookie", "b=2")
        response.url = "http://example.invalid/last"
        let request = Interaction.Request(url: "http+unix://%2Fvar%2Frun%2Fapp.sock/first")
        for mode in [RecordingMode.once, .never] {
            let received = try await withCassette("talk", in: folder.url, mode: mode) { _ in
                try await Stubber.respond(to: request) { [response] _ in response }
            }
            #expect(received == response)
        }
        let wrong = Interaction.Response(headers: ["Content-Length": "9"], body: Interaction.Body("body"))
        for mode in [RecordingMode.once, .never] {
            let received = try await withCassette("wrong", in: folder.url, mode: mode) { _ in
                try await Stubber.respond(to: request) { _ in wrong }
            }
            #expect(received.headers["Content-Length"] == (mode == .once ? "9" : "4"))
        }
    }

    struct ModeRow: Sendable, CustomTestStringConvertible {
        let mode: RecordingMode
        let hasCassette: Bool
        /// How often the client is called for a request that the cassette has, and for another one; `nil` for a miss.
        let known: Int?
        let other: Int?
        var testDescription: String { "\(mode.rawValue), \(hasCassette ? "with" : "without") a cassette" }
    }

    @Test(
        "The mode decides whether the client is called",
        arguments: [
            ModeRow(mode: .never, hasCassette: true, known: 0, other: nil),
            ModeRow(mode: .never, hasCassette: false, known: nil, other: nil),
            ModeRow(mode: .once, hasCassette: true, known: 0, other: nil),
            ModeRow(mode: .once, hasCassette: false, known: 1, other: 1),
            ModeRow(mode: .newEpisodes, hasCassette: true, known: 0, other: 1),
            ModeRow(mode: .all, hasCassette: true, known: 1, other: 1),
            ModeRow(mode: .verify, hasCassette: true, known: 1, other: 1),
            ModeRow(mode: .live, hasCassette: true, known: 1, other: 1),
        ]
    )
    func modes(_ row: ModeRow) async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        let known = Interaction.Request(url: server["/json"].absoluteString)
        let other = Interaction.Request(url: server["/status/201"].absoluteString)
        if row.hasCassette {
            try await withCassette("talk", in: folder.url, mode: .once) { _ in _ = try await send(known) }
        }
        var configuration = Stubber.Configuration()
        configuration.drift = .ignore
        try await withCassette("talk", in: folder.url, mode: row.mode, configuration: configuration) {
            stubber in
            for (request, expected) in [(known, row.known), (other, row.other)] {
                let before = server.requestCount
                do {
                    _ = try await send(request)
                    #expect(expected == server.requestCount - before)
                } catch is Miss {
                    #expect(expected == nil)
                }
            }
            #expect(stubber.takeMisses().isEmpty == (row.known != nil && row.other != nil))
        }
    }

    @Test("A miss is thrown, and fails the scope with its diagnosis")
    func misses() async throws {
        let interaction = try Interaction.succeeded(url: "http://example.com/a?page=1", text: "one")
        try Cassette(interactions: [interaction]).write(to: folder["talk.har"])
        let thrown = Locked<Miss?>(nil)
        let error = await #expect(throws: Stubber.ScopeError.self) {
            try await withCassette("talk", in: folder.url, mode: .never) { _ in
                do {
                    _ = try await send(Interaction.Request(url: "http://example.com/a?page=2"))
                } catch let miss as Miss {
                    thrown.withLock { $0 = miss }
                }
            }
        }
        let miss = try #require(thrown.withLock { $0 })
        #expect(miss.reason == .noMatch)
        #expect(miss.description.contains("page"))
        #expect(try #require(error).description.contains(miss.description))
    }

    @Test("Hosts that pass through are sent by the client and not recorded")
    func passesThrough() async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        var configuration = Stubber.Configuration()
        configuration.passthroughHosts = [server.url.host ?? ""]
        try await withCassette("talk", in: folder.url, mode: .never, configuration: configuration) { _ in
            let request = Interaction.Request(url: server["/visit"].absoluteString)
            let response = try await send(request)
            #expect(response.body.data == Data("visit 1".utf8))
        }
        #expect(server.requestCount == 1)
        #expect(folder.files.isEmpty)
    }

    @Test("Stubs answer first, with faults, delays, changes of the recorded answer, and errors as they are")
    func stubs() async throws {
        struct Odd: Error, Equatable {}
        let server = try ConversationServer()
        defer { server.stop() }
        var configuration = Stubber.Configuration()
        configuration.clock = PlaybackClock(advancesItself: true)
        for mode in [RecordingMode.once, .never] {
            try await withCassette("talk", in: folder.url, mode: mode, configuration: configuration) {
                stubber in
                stubber.stub(.path("/a"), respond: .json(["id": 1]).delayed(by: .seconds(3600)))
                stubber.stub(.path("/b"), respond: .failure(Odd()))
                stubber.stub(.path("/c"), respond: .failure(.timedOut))
                stubber.stub(.path("/json"), respond: .recorded { $0.status = 203 })
                stubber.stub(.path("/d")) { request in .status(request.request.method == "GET" ? 299 : 500) }
                stubber.stub(.path("/e"), respond: .passthrough)
                func request(_ path: String) -> Interaction.Request {
                    Interaction.Request(url: server[path].absoluteString)
                }
                let delayed = try await send(request("/a"))
                #expect(delayed.body.data == Data(#"{"id":1}"#.utf8))
                await #expect(throws: Odd()) { try await send(request("/b")) }
                await #expect(throws: URLError.self) { try await send(request("/c")) }
                var statuses = [try await send(request("/json")).status, try await send(request("/d")).status]
                if mode == .once { statuses.append(try await send(request("/e")).status) }
                #expect(statuses == (mode == .once ? [203, 299, 404] : [203, 299]))
            }
            server.stop()
        }
        #expect(try Cassette(contentsOf: folder["talk.har"]).interactions.map(\.response?.status) == [200])
    }

    @Test("The log, the list of requests and the report contain the request as for URLSession")
    func reports() async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        let lines = Locked<[String]>([])
        var configuration = Stubber.Configuration()
        configuration.log = { line in lines.withLock { $0.append(line) } }
        let request = Interaction.Request(url: server["/json"].absoluteString, headers: ["X-A": "1"])
        for mode in [RecordingMode.once, .never] {
            let stubber = try Stubber(
                at: CassetteLocation(folder["talk.har"]),
                mode: mode,
                configuration: configuration,
                environment: Environment([:])
            )
            _ = try await stubber.respond(to: request) { try await client.send($0) }
            try await stubber.waitForAnswers(.get(request.url))
            #expect(stubber.requests == [request])
            let report = try stubber.eject()
            #expect(report.recordedCount == (mode == .once ? 1 : 0))
            #expect(report.unplayed.isEmpty)
            server.stop()
        }
        #expect(lines.withLock { $0.count } == 2)
        #expect(lines.withLock { $0 }.last?.contains("/json") == true)
    }

    @Test("The manifest lists what was played")
    func manifest() async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        let request = Interaction.Request(url: server["/json"].absoluteString)
        for mode in [RecordingMode.once, .never] {
            let stubber = try Stubber(
                at: CassetteLocation(folder["talk.har"]),
                mode: mode,
                environment: Environment(["REWIND_MANIFEST": folder["played"].path])
            )
            _ = try await stubber.respond(to: request) { try await client.send($0) }
            try stubber.eject()
            server.stop()
        }
        ManifestRun.of(folder["played"].path).end()
        let lines = try Data(contentsOf: folder["played"]).split(separator: UInt8(ascii: "\n"))
        let plays = lines.compactMap { line -> ManifestPlay? in
            if case .ejected(_, let play) = ManifestLine(Data(line)) { play } else { nil }
        }
        let played = plays.flatMap(\.played).map(\.request)
        #expect(played == [RequestFingerprint(request)])
        #expect(plays.flatMap(\.recorded) == [RequestFingerprint(request)])
    }

    @Test("Mode verify compares what the client returns with the recording, and reports drift")
    func drift() async throws {
        let request = Interaction.Request(url: "http://example.invalid/")
        func run(_ mode: RecordingMode, _ body: String) async throws -> [DriftReport] {
            let stubber = try Stubber(
                at: CassetteLocation(folder["talk.har"]),
                mode: mode,
                environment: Environment([:])
            )
            let response = try await stubber.respond(to: request) { _ in
                Interaction.Response(
                    headers: ["Content-Type": "application/json"],
                    body: Interaction.Body(body)
                )
            }
            #expect(response.body.data == Data(body.utf8))
            return try stubber.eject().drift
        }
        _ = try await run(.once, #"{"id": 1}"#)
        let same = try await run(.verify, #"{"id": 2}"#)
        #expect(same.flatMap(\.entries).isEmpty)
        let changed = try await run(.verify, #"{"id": "2"}"#)
        #expect(changed.flatMap(\.entries).count == 1)
    }

    @Test("Closures of the configuration run, and may wait for other tasks")
    func callbacks() async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        var configuration = Stubber.Configuration()
        configuration.beforeRecord = { interaction in
            // Blocks its thread until a task has run.
            let done = DispatchSemaphore(value: 0)
            Task.detached { done.signal() }
            done.wait()
            var interaction = interaction
            interaction.changeResponse { $0.headers["X-Recorded"] = "yes" }
            return interaction
        }
        configuration.matching = [
            .method, .url,
            .custom("blocking") { _, _ in
                let done = DispatchSemaphore(value: 0)
                Task.detached { done.signal() }
                done.wait()
                return true
            },
        ]
        let request = Interaction.Request(url: server["/json"].absoluteString)
        var recorded: [String?] = []
        for mode in [RecordingMode.once, .never] {
            try await withCassette("talk", in: folder.url, mode: mode, configuration: configuration) { _ in
                recorded.append(try await send(request).headers["X-Recorded"])
            }
            server.stop()
        }
        #expect(recorded == [nil, "yes"])
    }

    @Test("A re-recording without a network gets the answers of the old cassette")
    func unreachable() async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        let request = Interaction.Request(url: server["/json"].absoluteString)
        let first = try await withCassette("talk", in: folder.url, mode: .once) { _ in try await send(request) }
        var configuration = Stubber.Configuration()
        configuration.maxAge = Stubber.Configuration.MaxAge(seconds: 0, policy: .reRecord)
        let again = try await withCassette("talk", in: folder.url, mode: .once, configuration: configuration) {
            _ in
            try await Stubber.respond(to: request) { _ in throw URLError(.notConnectedToInternet) }
        }
        #expect(again.body.data == first.body.data)
    }
}
