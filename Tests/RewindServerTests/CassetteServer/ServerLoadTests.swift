import Foundation
import Rewind
import RewindServer
import RewindTestSupport
import Testing

@Suite(.timeLimit(.minutes(5)), .ownThreads)
struct ServerLoadTests {
    private static let clients = 64
    private static let each = 157

    /// Lets every client send pipelined requests over one connection, and counts the clients with a wrong response.
    private func mistakes(_ url: URL, requests: Int) throws -> Int {
        let mistakes = Locked(0)
        let all = DispatchGroup()
        for client in 0..<Self.clients {
            all.enter()
            Thread.detachNewThread {
                defer { all.leave() }
                if (try? Self.exchange(client, url, requests)) != true { mistakes.withLock { $0 += 1 } }
            }
        }
        all.wait()
        return mistakes.withLock { $0 }
    }

    /// Sends the requests of one client, and returns whether every response belongs to its request.
    private static func exchange(_ client: Int, _ url: URL, _ requests: Int) throws -> Bool {
        let connection = try RawClient(url)
        var next = 0
        while next < requests {
            let batch = next..<min(next + 1 + client % 4, requests)
            next = batch.upperBound
            let texts = batch.map { "client-\(client)-\($0)" }
            try connection.send(
                texts.map {
                    "POST /echo?\($0) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \($0.utf8.count)\r\n\r\n\($0)"
                }.joined()
            )
            for text in texts {
                let answer = try connection.read(through: "\r\n\r\n" + text)
                guard answer.hasPrefix("HTTP/1.1 200 OK\r\n"), answer.contains("X-Query: \(text)\r\n") else {
                    return false
                }
            }
        }
        return true
    }

    @Test("Ten thousand requests over 64 connections get their own responses on replay")
    func replays() throws { try replay(Self.each) }

    @Test("Connections do not share what they read if threads have to wait for a processor")
    func replaysOnABusyMachine() throws {
        let isDone = Locked(false)
        for _ in 0..<12 {
            Thread.detachNewThread {
                var count = 0
                while !isDone.withLock({ $0 }) { for _ in 0..<100_000 { count &+= 1 } }
            }
        }
        defer { isDone.withLock { $0 = true } }
        try replay(40)
    }

    /// Replays as many requests of each client.
    private func replay(_ each: Int) throws {
        let folder = try TemporaryDirectory()
        let interactions = (0..<Self.clients).flatMap { client in
            (0..<each).map { number in
                let text = "client-\(client)-\(number)"
                return Interaction(
                    request: Interaction.Request(
                        method: "POST",
                        url: "http://example.com/echo?\(text)",
                        body: Interaction.Body(text)
                    ),
                    outcome: .response(
                        Interaction.Response(
                            headers: ["X-Query": text, "Content-Length": "\(text.utf8.count)"],
                            body: Interaction.Body(text)
                        )
                    )
                )
            }
        }
        var generator = SplitMix64(seed: 1)
        try Cassette(interactions: interactions.shuffled(using: &generator)).write(to: folder["talk.har"])
        let server = try CassetteServer(
            upstream: try #require(URL(string: "http://example.com")),
            cassette: "talk",
            in: folder.url,
            mode: .never
        )
        let url = try server.start()
        #expect(try mistakes(url, requests: each) == 0)
        #expect(try server.stop().unplayed.isEmpty)
    }

    @Test("64 clients record in parallel, and every request is recorded with its response")
    func records() throws {
        let folder = try TemporaryDirectory()
        let upstream = try ConversationServer()
        defer { upstream.stop() }
        let server = try CassetteServer(upstream: upstream.url, cassette: "talk", in: folder.url, mode: .once)
        #expect(try mistakes(try server.start(), requests: 4) == 0)
        #expect(try server.stop().recordedCount == Self.clients * 4)
        for interaction in try Cassette(contentsOf: folder["talk.har"]).interactions {
            let query = try #require(interaction.request.url.components(separatedBy: "?").last)
            #expect(interaction.response?.headers["X-Query"] == query)
            #expect(interaction.request.body == Interaction.Body(query))
        }
    }

    @Test("A body nested as deep as JSON may be is compared on the small stack of a connection")
    func comparesDeepBodies() throws {
        let depth = 500
        let body = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let headers: HeaderList = ["Content-Type": "application/json"]
        let run = try RecordedServer { url in
            try send(url, "POST", "/echo", headers: headers, body: Data(body.utf8)).body
        }
        #expect(run.live == Data(body.utf8))
        #expect(run.replayed == run.live)
    }

    @Test("Hundreds of idle connections do not block others")
    func holdsIdleConnections() throws {
        let folder = try TemporaryDirectory()
        let server = try CassetteServer(
            upstream: try #require(URL(string: "http://example.com")),
            cassette: "talk",
            in: folder.url,
            mode: .never
        )
        let url = try server.start()
        let idle = try (0..<200).map { _ in try RawClient(url) }
        #expect(try send(url, "GET", "/").status == 501)
        for client in idle { client.close() }
        #expect(server.stubber.takeMisses().count == 1)
        try server.stop()
    }
}
