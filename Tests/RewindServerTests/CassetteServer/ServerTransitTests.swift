import Foundation
import Rewind
import RewindServer
import RewindTestSupport
import Testing

/// What a server changes between its client and its upstream, and what it does not.
@Suite(.timeLimit(.minutes(5)), .ownThreads)
struct ServerTransitTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func server(_ upstream: URL, _ mode: RecordingMode = .once) throws -> CassetteServer {
        var configuration = Stubber.Configuration()
        configuration.redaction = .off
        configuration.inFlightTimeout = 240
        return try CassetteServer(
            upstream: upstream,
            cassette: "talk",
            in: folder.url,
            mode: mode,
            configuration: configuration
        )
    }

    @Test("The client receives a decoded body, and the upstream codings of the platform")
    func codings() throws {
        let text = "compressed, compressed, compressed"
        let gzip = Data(base64Encoded: "H4sIAAAAAAACA0vOzy0oSi0uTk3RUUjGygYAMub1vSIAAAA=") ?? Data()
        let accepted = Locked<[String]>([])
        let upstream = HTTPServer { request, response in
            accepted.withLock { $0 += request.headers.values(for: "Accept-Encoding") }
            try response.respond(
                headers: ["Content-Type": "text/plain", "Content-Encoding": "gzip"],
                body: gzip
            )
        }
        let url = try upstream.start()
        for mode in [RecordingMode.once, .never] {
            let server = try server(url, mode)
            let local = try server.start()
            let answer = try send(local, "GET", "/a", headers: ["Accept-Encoding": "zstd, x-unknown"])
            try server.stop()
            upstream.stop()
            #expect(answer.text == text)
            #expect(answer.headers["Content-Encoding"] == nil)
            #expect(answer.headers["Content-Length"] == nil)
            #expect(answer.isWhole)
        }
        let sent = accepted.withLock { $0 }.joined(separator: ",")
        #expect(sent.contains("gzip") && !sent.contains("x-unknown"), "\(sent)")
    }

    @Test("The client receives redirects and 401 responses itself")
    func unanswered() throws {
        let upstream = try ConversationServer()
        defer { upstream.stop() }
        let server = try server(upstream.url)
        let local = try server.start()
        let redirect = try send(local, "GET", "/redirect/2")
        #expect(redirect.status == 302)
        #expect(redirect.headers["Location"] == "/redirect/1")
        let challenge = try send(local, "GET", "/unauthorized/Basic")
        #expect(challenge.status == 401)
        #expect(challenge.headers["WWW-Authenticate"] == "Basic realm=\"test\"")
        #expect(challenge.text == "who?")
        #expect(upstream.requestCount == 2)
        try server.stop()
    }

    @Test("With rewritesBodies, events are sent one by one with local URLs")
    func rewrittenEvents() throws {
        let next = DispatchSemaphore(value: 0)
        let upstream = HTTPServer { request, response in
            try response.begin(headers: ["Content-Type": "text/event-stream"])
            for number in 1...2 {
                next.wait()
                try response.write(Data("data: http://\(request.headers["Host"] ?? "")/\(number)\n\n".utf8))
            }
            try response.end()
        }
        let server = try server(try upstream.start())
        defer { upstream.stop() }
        server.rewritesBodies = true
        let local = try server.start()
        let client = try RawClient(local)
        try client.send(request(local, "GET", "/events"))
        for number in 1...2 {
            next.signal()
            let text = try client.read(through: "/\(number)\n\n")
            #expect(text.contains("data: \(local.absoluteString)/\(number)\n\n"), "\(text)")
        }
        try server.stop()
    }

    @Test("A transformed response is sent once it is complete")
    func transformed() throws {
        let end = DispatchSemaphore(value: 0)
        let upstream = HTTPServer { _, response in
            try response.begin(headers: ["Content-Type": "text/event-stream"])
            try response.write(Data("data: 1\n\n".utf8))
            end.wait()
            try response.end()
        }
        let server = try server(try upstream.start())
        defer { upstream.stop() }
        server.responseTransformer = { _, response in response }
        let local = try server.start()
        let client = try RawClient(local)
        try client.send(request(local, "GET", "/events"))
        while server.stubber.requestsInFlight.isEmpty { Thread.sleep(forTimeInterval: 0.002) }
        Thread.sleep(forTimeInterval: 0.2)
        #expect(!client.hasAnswer)
        end.signal()
        #expect(try client.readToEnd().contains("data: 1\n\n"))
        try server.stop()
    }

    @Test("Trailer fields of a request are not forwarded")
    func trailers() throws {
        let trailers = Locked<[String]>([])
        let upstream = HTTPServer { request, response in
            trailers.withLock { $0 += (request.headers.fields + request.trailers.fields).map(\.name) }
            try response.respond(body: request.body)
        }
        let server = try server(try upstream.start())
        defer { upstream.stop() }
        let local = try server.start()
        let client = try RawClient(local)
        try client.send(
            "POST /a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        try client.send("4\r\nbody\r\n0\r\nX-Sum: 7\r\n\r\n")
        #expect(try client.readToEnd().hasSuffix("body"))
        try server.stop()
        #expect(!trailers.withLock { $0 }.contains("X-Sum"))
        #expect(try !String(contentsOf: folder["talk.har"], encoding: .utf8).contains("X-Sum"))
    }

    @Test("A field of a client that is not UTF-8 is recorded as it is, and reaches the upstream in UTF-8")
    func latin1() throws {
        let received = Locked<[String]>([])
        let upstream = HTTPServer { request, response in
            received.withLock { $0 += request.headers.values(for: "X-Name") }
            try response.respond(body: Data("ok".utf8))
        }
        let url = try upstream.start()
        let line = Data("GET /a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Name: J".utf8)
        let bytes = line + Data([0xFC]) + Data("rgen\r\n\r\n".utf8)
        for mode in [RecordingMode.once, .never] {
            let server = try server(url, mode)
            let client = try RawClient(try server.start())
            try client.send(bytes)
            #expect(try client.readToEnd().hasSuffix("ok"))
            try server.stop()
            upstream.stop()
        }
        #expect(received.withLock { $0 } == ["Jürgen"])
        let document = try JSON(parsing: Data(contentsOf: folder["talk.har"]))
        let fields = document["log"]?["entries"]?[0]?["request"]?["headers"]?.arrayValue ?? []
        let field = fields.first { $0["name"] == "X-Name" }
        #expect(field == ["name": "X-Name", "value": "Jürgen", "_encoding": "latin1"])
    }

    #if os(Linux)
        @Test("URLSession capitalizes names of response fields and joins duplicates, except for cookies")
        func responseFields() throws {
            let upstream = HTTPServer { _, response in
                let head =
                    "HTTP/1.1 200 OK\r\nx-odd-NAME: 1\r\nCONTENT-language: de\r\nX-Two: a\r\nX-Two: b\r\n"
                let cookies = "Set-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Length: 2\r\n\r\nok"
                try response.sendRaw(Data((head + cookies).utf8))
            }
            let url = try upstream.start()
            for mode in [RecordingMode.once, .never] {
                let server = try server(url, mode)
                let answer = try send(try server.start(), "GET", "/a")
                try server.stop()
                upstream.stop()
                let framing = ["Content-Length", "Connection", "Transfer-Encoding"]
                let fields = answer.headers.filter { !framing.contains($0.name) }.map {
                    "\($0.name): \($0.value)"
                }
                #expect(
                    fields.sorted() == [
                        "Content-Language: de", "Set-Cookie: a=1", "Set-Cookie: b=2", "X-Two: a, b",
                        "x-odd-NAME: 1",
                    ]
                )
            }
        }
    #endif

    @Test("By default, a response with recorded pauses is replayed at once")
    func atOnce() throws {
        let chunks = [
            Interaction.Body.Chunk(offset: 0, count: 3), Interaction.Body.Chunk(offset: 3_600_000, count: 3),
        ]
        let interaction = Interaction(
            request: Interaction.Request(url: "https://api.example.com/a"),
            outcome: .response(
                Interaction.Response(body: Interaction.Body(Data("onetwo".utf8), chunks: chunks))
            ),
            timing: Interaction.Timing(wait: 3_600_000, receive: 3_600_000)
        )
        try Cassette(interactions: [interaction]).write(to: folder["talk.har"])
        let server = try server(try #require(URL(string: "https://api.example.com")), .never)
        let answer = try send(try server.start(), "GET", "/a")
        #expect(answer.text == "onetwo" && answer.isWhole)
        try server.stop()
    }
}
