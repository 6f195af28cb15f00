import Foundation
import Rewind
import RewindServer
import RewindTestSupport
import Testing

@Suite(.timeLimit(.minutes(5)), .ownThreads)
struct ServerStreamingTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    /// A server that sends an event each time the test signals it.
    private final class EventSource: Sendable {
        let next = DispatchSemaphore(value: 0)
        let events: HTTPServer
        /// Whether the server noticed that its client disconnected.
        let wasLeft = Locked(false)

        init(count: Int) {
            let (next, wasLeft) = (next, wasLeft)
            events = HTTPServer { request, response in
                try response.begin(headers: ["Content-Type": "text/event-stream"])
                do {
                    for number in 1...count {
                        next.wait()
                        try response.write(Data("data: \(number)\n\n".utf8))
                    }
                    try response.end()
                } catch {
                    wasLeft.withLock { $0 = true }
                }
            }
        }
    }

    /// A long timeout for requests in flight, because all tests may run in parallel.
    private static var patient: Stubber.Configuration {
        var configuration = Stubber.Configuration()
        configuration.inFlightTimeout = 240
        return configuration
    }

    private func server(
        _ upstream: URL,
        _ mode: RecordingMode,
        _ configuration: Stubber.Configuration = Self.patient,
        limits: HTTPLimits = HTTPLimits()
    ) throws -> CassetteServer {
        let stubber = try Stubber(
            cassette: "talk",
            in: folder.url,
            mode: mode,
            configuration: configuration,
            filePath: #filePath,
            for: .server
        )
        return try CassetteServer(stubber, upstreams: .url(upstream), limits: limits)
    }

    @Test("While recording, each event reaches the client before the next one is sent")
    func streamsLive() throws {
        let source = EventSource(count: 3)
        let server = try server(try source.events.start(), .once)
        let url = try server.start()
        let client = try RawClient(url)
        try client.send(request(url, "GET", "/events"))
        for number in 1...3 {
            source.next.signal()
            #expect(try client.read(through: "data: \(number)\n\n").contains("\(number)"))
        }
        #expect(try client.readToEnd().hasSuffix("0\r\n\r\n"))
        source.events.stop()
        try server.stop()
        let body = try Cassette(contentsOf: folder["talk.har"]).interactions.first?.response?.body
        #expect(body?.chunks.count == 3)
    }

    @Test("With timing = .recorded, events are replayed with their delays")
    func replaysInTime() throws {
        let chunks = [
            Interaction.Body.Chunk(offset: 0, count: 9), Interaction.Body.Chunk(offset: 150, count: 9),
            Interaction.Body.Chunk(offset: 3_600_000, count: 9),
        ]
        let interaction = Interaction(
            request: Interaction.Request(url: "http://example.com/events"),
            outcome: .response(
                Interaction.Response(
                    headers: ["Content-Type": "text/event-stream"],
                    body: Interaction.Body(Data("data: 1\n\ndata: 2\n\ndata: 3\n\n".utf8), chunks: chunks)
                )
            ),
            timing: Interaction.Timing(wait: 0, receive: 3_600_000)
        )
        try Cassette(interactions: [interaction]).write(to: folder["talk.har"])
        var configuration = Stubber.Configuration()
        configuration.timing = .recorded
        let server = try server(try #require(URL(string: "http://example.com")), .never, configuration)
        let url = try server.start()
        let client = try RawClient(url)
        let start = ContinuousClock.now
        try client.send(request(url, "GET", "/events"))
        // The first two events arrive although the third one follows an hour later.
        #expect(try client.read(through: "data: 1\n\n").contains("Transfer-Encoding: chunked"))
        #expect(try client.read(through: "data: 2\n\n").hasSuffix("data: 2\n\n"))
        #expect(start.duration(to: .now) >= .milliseconds(150))
        try server.stop()
        #expect(try !client.readToEnd().contains("data: 3"))
    }

    @Test("A client that disconnects cancels the upstream request, which is recorded as cancelled")
    func cancelsTheUpstream() throws {
        let source = EventSource(count: 1000)
        let server = try server(try source.events.start(), .once)
        defer { source.events.stop() }
        let url = try server.start()
        let client = try RawClient(url)
        try client.send(request(url, "GET", "/events"))
        source.next.signal()
        _ = try client.read(through: "data: 1\n\n")
        client.close()
        while !source.wasLeft.withLock({ $0 }) {
            source.next.signal()
            Thread.sleep(forTimeInterval: 0.005)
        }
        try server.stop()
        let recorded = try #require(try Cassette(contentsOf: folder["talk.har"]).interactions.first)
        #expect(recorded.failure?.code == NSURLErrorCancelled)
        #expect(
            String(decoding: recorded.response?.body.data.prefix(9) ?? Data(), as: UTF8.self) == "data: 1\n\n"
        )
    }

    @Test("A client that does not read does not block others")
    func isolatesSlowClients() throws {
        let upstream = try ConversationServer()
        defer { upstream.stop() }
        let server = try server(upstream.url, .once)
        let url = try server.start()
        defer { _ = try? server.stop() }
        let slow = try RawClient(url)
        try slow.send(request(url, "GET", "/binary/20000000"))
        _ = try slow.read(through: "\r\n\r\n")
        for _ in 0..<20 { #expect(try send(url, "GET", "/visit").status == 200) }
        #expect(try slow.readBytesToEnd().count == 20_000_000)
    }

    @Test("stop() waits for requests in progress")
    func drains() throws {
        let upstream = try ConversationServer()
        defer { upstream.stop() }
        let server = try server(upstream.url, .once)
        let url = try server.start()
        let client = try RawClient(url)
        try client.send(request(url, "GET", "/slow/300"))
        while server.stubber.requestsInFlight.isEmpty { Thread.sleep(forTimeInterval: 0.002) }
        let report = try server.stop()
        #expect(report.recordedCount == 1 && report.requestsInFlight.isEmpty)
        #expect(try client.readToEnd().hasSuffix("slow"))
    }

    @Test("stop() ends a silent stream and records what it received")
    func endsSilentStreams() throws {
        let source = EventSource(count: 2)
        defer {
            source.next.signal()
            source.events.stop()
        }
        let server = try server(try source.events.start(), .once)
        let url = try server.start()
        let client = try RawClient(url)
        try client.send(request(url, "GET", "/events"))
        source.next.signal()
        _ = try client.read(through: "data: 1\n\n")
        let report = try server.stop()
        #expect(report.cassetteURL != nil && report.requestsInFlight.isEmpty)
        let recorded = try Cassette(contentsOf: folder["talk.har"]).interactions.first
        #expect(recorded?.failure?.code == NSURLErrorCancelled)
        #expect(recorded?.response?.body == Interaction.Body("data: 1\n\n"))
    }

    @Test("A request without a response is reported after inFlightTimeout")
    func reportsWhatHangs() throws {
        let release = DispatchSemaphore(value: 0)
        let upstream = HTTPServer { _, response in
            release.wait()
            try response.respond()
        }
        var configuration = Stubber.Configuration()
        configuration.inFlightTimeout = 0.2
        let server = try server(try upstream.start(), .once, configuration, limits: .impatient)
        let url = try server.start()
        let client = try RawClient(url)
        try client.send(request(url, "GET", "/"))
        while server.stubber.requestsInFlight.isEmpty { Thread.sleep(forTimeInterval: 0.002) }
        #expect(throws: Stubber.ScopeError.self) { try server.stop() }
        #expect(try server.stop().requestsInFlight.count == 1)
        #expect(!FileManager.default.fileExists(atPath: folder["talk.har"].path))
        release.signal()
        upstream.stop()
    }

    @Test(
        "An infinite inFlightTimeout does not delay stop() without requests in progress",
        arguments: [Double.infinity, 1e300]
    )
    func endlessWait(_ seconds: Double) throws {
        var configuration = Stubber.Configuration()
        configuration.inFlightTimeout = seconds
        let server = try server(try #require(URL(string: "http://127.0.0.1:1")), .never, configuration)
        _ = try server.start()
        #expect(try server.stop().requestsInFlight.isEmpty)
    }

    @Test("Idle connections do not delay stop()")
    func closesIdleConnections() throws {
        let server = try server(try #require(URL(string: "http://127.0.0.1:1")), .never)
        let url = try server.start()
        let clients = try (0..<20).map { _ in try RawClient(url) }
        for client in clients {
            try client.send("GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try client.read(through: "\r\n\r\n").hasPrefix("HTTP/1.1 501 "))
        }
        #expect(server.stubber.takeMisses().count == 20)
        try server.stop()
        for client in clients { #expect(try client.readToEnd().hasSuffix("\n")) }
    }
}
