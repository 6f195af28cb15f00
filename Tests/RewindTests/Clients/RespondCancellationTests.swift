import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

/// Requests whose task is cancelled.
@Suite(.timeLimit(.minutes(5)))
struct RespondCancellationTests {
    private let client = SocketClient()
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func recorded() throws -> Interaction {
        try #require(try Cassette(contentsOf: folder["talk.har"]).interactions.first)
    }

    @Test(
        "A cancelled task cancels the client, is recorded as the app's cancellation, and cancelled again on replay"
    )
    func cancels() async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        let first = Interaction.Request(url: server["/visit"].absoluteString)
        let slow = Interaction.Request(url: server["/slow/100000"].absoluteString)
        let wasCancelled = Locked(false)
        for mode in [RecordingMode.once, .never] {
            try await withCassette("talk", in: folder.url, mode: mode) { stubber in
                _ = try await Stubber.respond(to: first) { try await client.send($0) }
                let task = Task {
                    try await Stubber.respond(to: slow) { request in
                        do {
                            return try await client.send(request)
                        } catch {
                            wasCancelled.withLock { $0 = Task.isCancelled }
                            throw error
                        }
                    }
                }
                try await stubber.waitForRequests(.path("/slow/*"))
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
                #expect(stubber.pendingWork.isDone)
            }
            server.stop()
        }
        #expect(wasCancelled.withLock { $0 })
        let interactions = try Cassette(contentsOf: folder["talk.har"]).interactions
        #expect(interactions.map { $0.failure?.isCancellationByApp } == [nil, true])
    }

    @Test("A body whose reader is cancelled is recorded as far as it was read")
    func cancelsStream() async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        let request = Interaction.Request(url: server["/chunks/10000"].absoluteString)
        var counts: [Int] = []
        for mode in [RecordingMode.once, .never] {
            try await withCassette("talk", in: folder.url, mode: mode) { _ in
                let count = Locked(0)
                let (read, reading) = AsyncStream.makeStream(of: Void.self)
                let task = Task {
                    let response = try await Stubber.respond(to: request, body: Interaction.BodyStream(Data()))
                    {
                        try await client.send($0, body: $1)
                    }
                    for try await _ in response.body {
                        if count.withLock({
                            $0 += 1; return $0
                        }) == 3 {
                            reading.finish()
                        }
                    }
                }
                for await _ in read {}
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
                counts.append(count.withLock { $0 })
            }
            server.stop()
        }
        #expect(counts[0] == counts[1])
        #expect(try recorded().failure?.isCancellationByApp == true)
        #expect(try recorded().response?.body.isEmpty == false)
    }

    @Test("A stream that ends without an error because its reader is cancelled is not recorded as complete")
    func silentEnd() async throws {
        try await withCassette("talk", in: folder.url, mode: .once) { _ in
            let (source, sending) = AsyncStream.makeStream(of: Data.self)
            sending.yield(Data("part".utf8))
            let (read, reading) = AsyncStream.makeStream(of: Void.self)
            let task = Task {
                let response = try await Stubber.respond(
                    to: Interaction.Request(url: "http://example.invalid/"),
                    body: Interaction.BodyStream(Data())
                ) { _, _ in
                    Interaction.StreamedResponse(Interaction.Response(), body: Interaction.BodyStream(source))
                }
                for try await _ in response.body { reading.finish() }
            }
            for await _ in read {}
            task.cancel()
            try await task.value
            sending.finish()
        }
        #expect(try recorded().failure?.isCancellationByApp == true)
        #expect(try recorded().response?.body.data == Data("part".utf8))
    }

    @Test("A client that answers although its task is cancelled has answered")
    func uncancellable() async throws {
        let request = Interaction.Request(url: "http://example.invalid/")
        for mode in [RecordingMode.once, .never] {
            try await withCassette("talk", in: folder.url, mode: mode) { _ in
                let task = Task {
                    while !Task.isCancelled { await Task.yield() }
                    return try await Stubber.respond(to: request) { _ in Interaction.Response(status: 202) }
                }
                task.cancel()
                let response = try await task.value
                #expect(response.status == 202)
            }
        }
        #expect(try recorded().failure == nil)
    }

    @Test("A recorded wait ends when the task is cancelled")
    func cancelsWait() async throws {
        let request = Interaction.Request(url: "http://example.invalid/")
        let interaction = Interaction(
            request: request,
            outcome: .response(Interaction.Response()),
            timing: Interaction.Timing(wait: 3_600_000)
        )
        try Cassette(interactions: [interaction]).write(to: folder["talk.har"])
        var configuration = Stubber.Configuration()
        configuration.timing = .recorded
        try await withCassette("talk", in: folder.url, mode: .never, configuration: configuration) { stubber in
            let task = Task { try await Stubber.respond(to: request) { _ in Interaction.Response() } }
            try await stubber.waitForRequests(.get(request.url))
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test("A recorded cancellation that nobody cancels ends with the test")
    func ends() async throws {
        let interaction = Interaction(
            request: Interaction.Request(url: "http://example.invalid/"),
            outcome: .failure(.cancellation, after: nil)
        )
        try Cassette(interactions: [interaction]).write(to: folder["talk.har"])
        let task = try await withCassette("talk", in: folder.url, mode: .never) { stubber in
            let task = Task {
                try await Stubber.respond(to: interaction.request) { _ in Interaction.Response() }
            }
            try await stubber.waitForRequests(.get(interaction.request.url))
            return task
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("A request body whose reader is cancelled is not taken for a shorter one")
    func cancelsRequestBody() async throws {
        try await withCassette("talk", in: folder.url, mode: .once) { stubber in
            let (source, sending) = AsyncStream.makeStream(of: Data.self)
            sending.yield(Data("part".utf8))
            let task = Task {
                try await Stubber.respond(
                    to: Interaction.Request(method: "POST", url: "http://example.invalid/"),
                    body: Interaction.BodyStream(source)
                ) { _, _ in
                    Interaction.StreamedResponse(Interaction.Response(), body: Interaction.BodyStream(Data()))
                }
            }
            task.cancel()
            await #expect(throws: CancellationError.self) { _ = try await task.value }
            sending.finish()
            #expect(stubber.requests.isEmpty)
        }
    }
}
