import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5)))
struct DirectExchangeTests {
    private let folder: TemporaryDirectory
    private let request = Interaction.Request(url: "http://example.invalid/a")

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func stubber(
        _ mode: RecordingMode = .never,
        _ timing: Stubber.Configuration.Timing = .immediate
    ) throws -> Stubber {
        var configuration = Stubber.Configuration()
        configuration.timing = timing
        configuration.redaction = .off
        return try Stubber(
            at: CassetteLocation(folder["talk.har"]),
            mode: mode,
            configuration: configuration,
            environment: Environment([:])
        )
    }

    /// Descriptions of the parts of an answer up to the last one.
    ///
    /// Takes them on a separate thread, as the code of a test may need the threads of the concurrency pool.
    private func words(_ exchange: DirectExchange) async -> [String] {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var words: [String] = []
                while true {
                    let parts = exchange.takeParts(within: 240)
                    words += parts.map(Self.word)
                    if parts.last?.isLast ?? true { return continuation.resume(returning: words) }
                }
            }
        }
    }

    /// Descriptions of the parts of a direct answer.
    private func words(_ answer: DirectAnswer) async -> [String] {
        switch answer {
        case .given(let part, _): [Self.word(part)]
        case .coming(let exchange): await words(exchange)
        }
    }

    private func exchange(_ stubber: Stubber, _ request: Interaction.Request) throws -> DirectExchange {
        guard case .coming(let exchange) = DirectHandler(stubber).ask(request) else { throw UnexpectedAnswer() }
        return exchange
    }

    private struct UnexpectedAnswer: Error {}

    private static func word(_ part: AnswerPart) -> String {
        switch part {
        case .whole(let response):
            "whole \(response.status) \(String(decoding: response.body.data, as: UTF8.self))"
        case .head(let response): "head \(response.status) \(response.body.count)"
        case .piece(let data): String(decoding: data, as: UTF8.self)
        case .end: "end"
        case .failure(let failure): "failure \(failure.code)"
        case .refusal(let miss): "refusal \(miss.errorCode)"
        }
    }

    private func interaction(_ outcome: Interaction.Outcome? = nil, wait: Double = 0) -> Interaction {
        let chunks = [
            Interaction.Body.Chunk(offset: 0, count: 2), Interaction.Body.Chunk(offset: 40, count: 1),
        ]
        let response = Interaction.Response(body: Interaction.Body(Data("one".utf8), chunks: chunks))
        return Interaction(
            request: request,
            outcome: outcome ?? .response(response),
            timing: Interaction.Timing(wait: wait, receive: 40)
        )
    }

    private func play(_ interaction: Interaction, _ timing: Stubber.Configuration.Timing = .immediate)
        async throws
        -> [String]
    {
        try Cassette(interactions: [interaction]).write(to: folder["talk.har"])
        let stubber = try stubber(.never, timing)
        defer { #expect(stubber.isSettled) }
        return await words(DirectHandler(stubber).ask(request))
    }

    @Test("A recorded answer arrives as a whole, or in chunks if its timing is replayed")
    func plays() async throws {
        #expect(try await play(interaction()) == ["whole 200 one"])
        let start = ContinuousClock.now
        #expect(try await play(interaction(wait: 30), .recorded) == ["head 200 0", "on", "e", "end"])
        #expect(start.duration(to: .now) >= .milliseconds(70))
    }

    @Test(
        "Extreme recorded times do not crash",
        arguments: [1e308, .greatestFiniteMagnitude]
    )
    func endlessTime(_ milliseconds: Double) throws {
        let entry = HARSamples.entry(
            request: #"{ "method": "GET", "url": "\#(request.url)" }"#,
            members: #""timings": { "wait": \#(milliseconds), "receive": 1 }"#
        )
        try HARSamples.archive([entry]).write(to: folder["talk.har"])
        let exchange = try exchange(stubber(.never, .scaled(2)), request)
        #expect(exchange.takeParts(within: 0.01).isEmpty)
        exchange.cancel()
        #expect(exchange.takeParts(within: .infinity).map(Self.word) == ["failure -999"])
    }

    @Test(
        "A failure follows the parts that arrived before it",
        arguments: [Stubber.Configuration.Timing.immediate, .scaled(0.1)]
    )
    func fails(_ timing: Stubber.Configuration.Timing) async throws {
        let failure = Interaction.Failure(code: NSURLErrorNetworkConnectionLost)
        #expect(try await play(interaction(.failure(failure, after: nil)), timing) == ["failure -1005"])
        let partial = Interaction.Outcome.failure(failure, after: interaction().response)
        #expect(try await play(interaction(partial), timing) == ["head 200 0", "on", "e", "failure -1005"])
    }

    @Test("A request without an answer is refused and no longer pending")
    func refuses() async throws {
        let stubber = try stubber()
        guard case .given(let part, .nowhere) = DirectHandler(stubber).ask(request) else {
            throw UnexpectedAnswer()
        }
        #expect(Self.word(part) == "refusal 1")
        #expect(stubber.isSettled)
    }

    @Test("A live answer arrives in chunks, is recorded, and is played from the cassette")
    func records() async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        let request = Interaction.Request(
            method: "POST",
            url: server["/echo?a=1"].absoluteString,
            body: Interaction.Body("hello")
        )
        let recording = try stubber(.once)
        let live = try exchange(recording, request)
        #expect(await words(live) == ["head 200 0", "hello", "end"])
        #expect(live.source == .recorded)
        try recording.eject()
        server.stop()
        guard case .given(let part, let source) = DirectHandler(try stubber(.never)).ask(request) else {
            throw UnexpectedAnswer()
        }
        #expect(Self.word(part) == "whole 200 hello")
        #expect(source == .cassette(position: 0))
    }

    @Test("A passthrough request writes no cassette")
    func passesThrough() async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        let stubber = try stubber(.live)
        let exchange = try exchange(stubber, Interaction.Request(url: server["/visit"].absoluteString))
        #expect(await words(exchange) == ["head 200 0", "visit 1", "end"])
        #expect(exchange.source == .network)
        #expect(try stubber.eject().recordedCount == 0)
    }

    @Test("An invalid URL is recorded as a failure")
    func refusesBadURLs() async throws {
        let stubber = try stubber(.once)
        #expect(
            await words(DirectHandler(stubber).ask(Interaction.Request(url: "http://[/"))) == ["failure -1000"]
        )
        #expect(try stubber.eject().recordedCount == 1)
    }

    @Test("A forwarded request has no fields that the platform adds, and one field of cookies")
    func forwards() async throws {
        var request = Interaction.Request(
            method: "PUT",
            url: "http://example.com/a?b",
            body: Interaction.Body("x")
        )
        request.headers = [
            "Host": "elsewhere", "content-length": "9", "Accept-Encoding": "br", "Expect": "100-continue",
            "Cookie": "a=1", "X-A": "1",
        ]
        request.headers.append("Cookie", "b=2")
        request.headers.append("x-a", "2")
        let live = try #require(URLRequest(forwarding: request, timeout: nil))
        #expect(live.allHTTPHeaderFields == ["Cookie": "a=1; b=2", "X-A": "1, 2"])
        #expect(live.httpMethod == "PUT" && live.httpBody == Data("x".utf8))
        #expect(live.timeoutInterval == 60)
        #expect(URLRequest(forwarding: request, timeout: .infinity)?.timeoutInterval == 604_800)
    }

    @Test("A cancelled live answer is recorded with the part that arrived")
    func cancels() async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        let stubber = try stubber(.once)
        // Enough chunks that even on a busy machine the answer has not ended when it is cancelled.
        let exchange = try exchange(stubber, Interaction.Request(url: server["/chunks/10000"].absoluteString))
        var parts: [AnswerPart] = []
        while parts.count < 3, parts.last?.isLast != true { parts += exchange.takeParts(within: 5) }
        #expect(parts.count >= 3, "\(parts.map(Self.word))")
        #expect(exchange.silence != nil)
        exchange.cancel()
        #expect(await words(exchange) == ["failure -999"])
        let deadline = Deadline(after: 240)
        while !stubber.isSettled, !deadline.isOver { try await Task.sleep(nanoseconds: 2_000_000) }
        try stubber.eject()
        let recorded = try #require(try Cassette(contentsOf: folder["talk.har"]).interactions.first)
        #expect(recorded.failure?.code == NSURLErrorCancelled)
        #expect((recorded.response?.body.count ?? 0) >= "data: chunk 0\n\n".utf8.count)
    }

    @Test("No part arrives after a cancellation")
    func cancelsWhatIsDue() throws {
        try Cassette(interactions: [interaction(wait: 30)]).write(to: folder["talk.har"])
        let exchange = try exchange(stubber(.never, .recorded), request)
        exchange.cancel()
        #expect(exchange.takeParts(within: 120).map(Self.word) == ["failure -999"])
        #expect(exchange.takeParts(within: 0.3).isEmpty)
    }

    @Test("A closure that computes an answer is cancelled with its request")
    func computes() async throws {
        let stubber = try stubber()
        let (request, interaction) = (request, interaction())
        let exchange = DirectExchange(request, of: stubber, through: .shared)
        exchange.act(on: .compute { .play(RecordedInteraction(interaction, at: 6), timeScale: 0) })
        #expect(await words(exchange) == ["whole 200 one"])
        #expect(exchange.source == .cassette(position: 6))

        let wasCancelled = Locked(false)
        let other = DirectExchange(request, of: stubber, through: .shared)
        other.act(
            on: .compute {
                while !Task.isCancelled { await Task.yield() }
                wasCancelled.withLock { $0 = true }
                return .play(RecordedInteraction(interaction, at: 0), timeScale: 0)
            }
        )
        other.cancel()
        #expect(await words(other) == ["failure -999"])
        let deadline = Deadline(after: 240)
        while !wasCancelled.withLock({ $0 }), !deadline.isOver { try await Task.sleep(nanoseconds: 2_000_000) }
        #expect(wasCancelled.withLock { $0 })
    }

    @Test("A transformed live answer arrives as a whole")
    func transformedAnswer() async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        let exchange = DirectExchange(
            Interaction.Request(url: server["/chunks/2"].absoluteString),
            of: try stubber(.live),
            through: .shared
        )
        exchange.act(
            on: .forward(nil) { interaction, _ in
                var interaction = interaction
                interaction.outcome = .response(
                    Interaction.Response(
                        status: 203,
                        body: Interaction.Body("\(interaction.response?.body.count ?? 0)")
                    )
                )
                return (interaction, 0)
            }
        )
        #expect(await words(exchange) == ["whole 203 30"])
    }

    @Test("Taking parts returns none after its timeout")
    func waits() async throws {
        let exchange = DirectExchange(request, of: try stubber(), through: .shared)
        #expect(exchange.takeParts(within: 0.01).isEmpty)
    }

    @Test("Recorded timing uses the clock of the configuration")
    func waitsOnAClock() async throws {
        var slow = interaction(wait: 60_000)
        slow.timing.receive = 60_000
        try Cassette(interactions: [slow]).write(to: folder["talk.har"])
        var configuration = Stubber.Configuration()
        configuration.timing = .recorded
        configuration.clock = PlaybackClock(advancesItself: true)
        let stubber = try Stubber(
            at: CassetteLocation(folder["talk.har"]),
            mode: .never,
            configuration: configuration,
            environment: Environment([:])
        )
        #expect(await words(try exchange(stubber, request)) == ["head 200 0", "on", "e", "end"])
    }
}
