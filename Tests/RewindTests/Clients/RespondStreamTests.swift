import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

/// Bodies that a client sends and receives in pieces.
@Suite(.timeLimit(.minutes(5)))
struct RespondStreamTests {
    private let client = SocketClient()
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func send(_ request: Interaction.Request, _ pieces: [String] = []) async throws
        -> Interaction.StreamedResponse
    {
        let body = Interaction.BodyStream(
            AsyncStream { stream in
                for piece in pieces { stream.yield(Data(piece.utf8)) }
                stream.finish()
            }
        )
        return try await Stubber.respond(to: request, body: body) { try await client.send($0, body: $1) }
    }

    /// The pieces of a body as texts, with the error that ends it.
    private func pieces(_ body: Interaction.BodyStream) async -> [String] {
        var pieces: [String] = []
        do {
            for try await piece in body { pieces.append(String(decoding: piece, as: UTF8.self)) }
        } catch {
            pieces.append("error \(Interaction.Failure(ofClient: error, to: nil).message)")
        }
        return pieces
    }

    @Test("Bodies stream in both directions, and the replay has the same pieces")
    func bothDirections() async throws {
        let runs = try await RecordAndReplay { servers in
            let events = try await send(Interaction.Request(url: servers[0]["/chunks/4"].absoluteString))
            let post = Interaction.Request(method: "POST", url: servers[0]["/echo"].absoluteString)
            let echo = try await send(post, ["one, ", "", "two, ", "three"])
            #expect(events.head.body.isEmpty)
            return [await pieces(events.body), [await pieces(echo.body).joined()]]
        }
        #expect(runs.live[0] == (0..<4).map { "data: chunk \($0)\n\n" })
        #expect(runs.live[1] == ["one, two, three"])
        #expect(runs.live == runs.replayed)
        let recorded = runs.cassette.interactions
        #expect(recorded[0].response?.body.chunks.count == 4)
        #expect(recorded[0].response?.body.chunks.last.map { $0.offset > 60 } == true)
        #expect(recorded[1].request.body?.data == Data("one, two, three".utf8))
    }

    @Test("The client receives the pieces of the request's body as they were")
    func requestPieces() async throws {
        let received = Locked<[String]>([])
        try await withCassette("talk", in: folder.url, mode: .once) { _ in
            let stream = Interaction.BodyStream(
                AsyncStream { stream in
                    for piece in ["ab", "cde", "f"] { stream.yield(Data(piece.utf8)) }
                    stream.finish()
                }
            )
            let request = Interaction.Request(method: "PUT", url: "http://example.invalid/")
            _ = try await Stubber.respond(to: request, body: stream) { sent, body in
                #expect(sent == request)
                for try await piece in body {
                    #expect(piece.startIndex == 0)
                    received.withLock { $0.append(String(decoding: piece, as: UTF8.self)) }
                }
                return Interaction.StreamedResponse(
                    Interaction.Response(),
                    body: Interaction.BodyStream(Data())
                )
            }
        }
        #expect(received.withLock { $0 } == ["ab", "cde", "f"])
        let recorded = try #require(try Cassette(contentsOf: folder["talk.har"]).interactions.first)
        #expect(recorded.request.body?.data == Data("abcdef".utf8))
        #expect(recorded.response?.body.isEmpty == true)
    }

    @Test("A stream without bytes is no body, unless the request has one")
    func noBody() async throws {
        try await withCassette("talk", in: folder.url, mode: .once) { stubber in
            for body in [nil, Interaction.Body()] {
                let request = Interaction.Request(method: "POST", url: "http://example.invalid/", body: body)
                _ = try await Stubber.respond(to: request, body: Interaction.BodyStream(Data())) { _, _ in
                    Interaction.StreamedResponse(Interaction.Response(), body: Interaction.BodyStream(Data()))
                }
            }
            #expect(stubber.requests.map(\.body) == [nil, Interaction.Body()])
        }
    }

    @Test(
        "A client delivers no more than is read",
        arguments: [RecordingMode.once, .live]
    )
    func backpressure(_ mode: RecordingMode) async throws {
        let produced = Locked(0)
        let source = CountedPieces(count: 1000, produced: produced)
        try await withCassette("talk", in: folder.url, mode: mode) { _ in
            let response = try await Stubber.respond(
                to: Interaction.Request(url: "http://example.invalid/"),
                body: Interaction.BodyStream(Data())
            ) { _, _ in
                Interaction.StreamedResponse(Interaction.Response(), body: Interaction.BodyStream(source))
            }
            #expect(produced.withLock { $0 } == 0)
            var read = 0
            for try await _ in response.body {
                read += 1
                #expect(produced.withLock { $0 } == read)
            }
            #expect(read == 1000)
        }
    }

    @Test(
        "No piece is kept, whether the body passes through or is copied into a recording",
        arguments: [RecordingMode.once, .live]
    )
    func released(_ mode: RecordingMode) async throws {
        let alive = Locked((now: 0, most: 0))
        let source = AsyncThrowingStream<Data, any Error>(
            unfolding: OneByOne(count: 500) {
                alive.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                let bytes = UnsafeMutableRawPointer.allocate(byteCount: 10_000, alignment: 1)
                bytes.initializeMemory(as: UInt8.self, repeating: 7, count: 10_000)
                return Data(
                    bytesNoCopy: bytes,
                    count: 10_000,
                    deallocator: .custom { bytes, _ in
                        bytes.deallocate()
                        alive.withLock { $0.now -= 1 }
                    }
                )
            }.next
        )
        try await withCassette("talk", in: folder.url, mode: mode) { _ in
            let response = try await Stubber.respond(
                to: Interaction.Request(url: "http://example.invalid/"),
                body: Interaction.BodyStream(Data())
            ) { _, _ in
                Interaction.StreamedResponse(
                    Interaction.Response(),
                    body: Interaction.BodyStream(Relay(source))
                )
            }
            var count = 0
            for try await piece in response.body { count += piece.count }
            #expect(count == 5_000_000)
            // One is read, one is new, and a recording has the first one until it has another.
            #expect(alive.withLock { $0.most } <= 3)
        }
    }

    @Test("A body that breaks off fails at the same byte with the same error")
    func interrupted() async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        let request = Interaction.Request(url: server["/cut"].absoluteString)
        var runs: [[String]] = []
        for mode in [RecordingMode.once, .never] {
            try await withCassette("talk", in: folder.url, mode: mode) { _ in
                runs.append(await pieces(try await send(request).body))
            }
            server.stop()
        }
        #expect(runs[0] == ["only this", "error truncated(afterBytes: 9)"])
        #expect(runs[0] == runs[1])
        let recorded = try #require(try Cassette(contentsOf: folder["talk.har"]).interactions.first)
        #expect(recorded.failure != nil)
        #expect(recorded.response?.body.data == Data("only this".utf8))
    }

    @Test("A body that nobody reads to its end is recorded as a cancellation, which a replay waits for")
    func abandoned() async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        let request = Interaction.Request(url: server["/chunks/1000"].absoluteString)
        for mode in [RecordingMode.once, .never] {
            try await withCassette("talk", in: folder.url, mode: mode) { _ in
                var read: [Data] = []
                let response = try await send(request)
                for try await piece in response.body {
                    read.append(piece)
                    if read.count == 2 { break }
                }
                #expect(
                    read.map { String(decoding: $0, as: UTF8.self) } == [
                        "data: chunk 0\n\n", "data: chunk 1\n\n",
                    ]
                )
            }
            server.stop()
        }
        let recorded = try #require(try Cassette(contentsOf: folder["talk.har"]).interactions.first)
        #expect(recorded.failure?.isCancellationByApp == true)
        #expect(recorded.response?.body.chunks.count == 2)
    }

    @Test("A response whose body nobody reads at all is a cancellation after the head")
    func unread() async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        try await withCassette("talk", in: folder.url, mode: .once) { _ in
            _ = try await send(Interaction.Request(url: server["/chunks/1000"].absoluteString))
        }
        let recorded = try #require(try Cassette(contentsOf: folder["talk.har"]).interactions.first)
        #expect(recorded.failure?.isCancellationByApp == true)
        #expect(recorded.response?.status == 200)
    }

    @Test("A reader that stops after the last byte of a known length has the whole body")
    func knownLength() async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        let request = Interaction.Request(url: server["/json"].absoluteString)
        try await withCassette("talk", in: folder.url, mode: .once) { _ in
            let length = 44
            var count = 0
            for try await piece in try await send(request).body {
                count += piece.count
                if count >= length { break }
            }
        }
        let recorded = try #require(try Cassette(contentsOf: folder["talk.har"]).interactions.first)
        #expect(recorded.failure == nil)
    }

    @Test("The recorded pace is replayed if the configuration asks for it, by its clock")
    func pace() async throws {
        let chunks = [0.0, 60_000].map { Interaction.Body.Chunk(offset: $0, count: 2) }
        let response = Interaction.Response(body: Interaction.Body(Data("abcd".utf8), chunks: chunks))
        let interaction = Interaction(
            request: Interaction.Request(url: "http://example.invalid/"),
            outcome: .response(response),
            timing: Interaction.Timing(wait: 30_000, receive: 90_000)
        )
        try Cassette(interactions: [interaction]).write(to: folder["talk.har"])
        var configuration = Stubber.Configuration()
        configuration.timing = .recorded
        configuration.repeats = .all
        let clock = PlaybackClock(advancesItself: true)
        configuration.clock = clock
        try await withCassette("talk", in: folder.url, mode: .never, configuration: configuration) { _ in
            let start = clock.now
            var times: [Duration] = []
            let response = try await send(interaction.request)
            times.append(start.duration(to: clock.now))
            for try await _ in response.body { times.append(start.duration(to: clock.now)) }
            times.append(start.duration(to: clock.now))
            #expect(times == [30, 30, 90, 120].map { .seconds($0) })
            let whole = try await Stubber.respond(to: interaction.request) { _ in Interaction.Response() }
            #expect(whole.body.data == Data("abcd".utf8))
            #expect(start.duration(to: clock.now) == .seconds(240))
        }
    }

    @Test("An error of the request's body is thrown, and no request is made")
    func brokenRequest() async throws {
        struct Broken: Error {}
        let stream = Interaction.BodyStream(
            AsyncThrowingStream<Data, any Error> { stream in
                stream.yield(Data("a".utf8))
                stream.finish(throwing: Broken())
            }
        )
        try await withCassette("talk", in: folder.url, mode: .once) { stubber in
            await #expect(throws: Broken.self) {
                try await Stubber.respond(to: Interaction.Request(url: "http://example.invalid/"), body: stream)
                {
                    _,
                    _ in
                    Interaction.StreamedResponse(Interaction.Response(), body: Interaction.BodyStream(Data()))
                }
            }
            #expect(stubber.requests.isEmpty)
        }
    }

    @Test("A response can be read once")
    func readTwice() async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        try await withCassette("talk", in: folder.url, mode: .once) { _ in
            let response = try await send(Interaction.Request(url: server["/json"].absoluteString))
            let body = try await response.body.collect()
            #expect(body.count == 44)
            await #expect(throws: Interaction.BodyStreamError.alreadyRead) { try await response.body.collect() }
        }
    }

    @Test("A changed answer of a stub is delivered when the whole body has arrived")
    func transformed() async throws {
        let runs = try await RecordAndReplay { servers in
            Stubber.current?.stub(.path("/chunks/3"), respond: .recorded { $0.headers["X-Changed"] = "yes" })
            let response = try await send(Interaction.Request(url: servers[0]["/chunks/3"].absoluteString))
            return [response.head.headers["X-Changed"] ?? ""] + (await pieces(response.body))
        }
        #expect(runs.live == ["yes"] + (0..<3).map { "data: chunk \($0)\n\n" })
        #expect(runs.live == runs.replayed)
    }
}

/// Pieces that are made when they are asked for.
private struct CountedPieces: AsyncSequence, Sendable {
    let count: Int
    let produced: Locked<Int>

    struct AsyncIterator: AsyncIteratorProtocol {
        let count: Int
        let produced: Locked<Int>

        mutating func next() async throws -> Data? {
            let number = produced.withLock { produced in
                produced += 1
                return produced
            }
            return number > count ? nil : Data(repeating: UInt8(truncatingIfNeeded: number), count: 100)
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(count: count, produced: produced) }
}
