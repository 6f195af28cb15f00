import Foundation
import Rewind
import RewindServer
import RewindTestSupport
import Testing

@Suite(.timeLimit(.minutes(5)), .ownThreads)
struct ServerReplayTests {
    static let requests: [(method: String, target: String, body: String?)] = [
        ("GET", "/json", nil),
        ("GET", "/visit?b=2&a=1", nil),
        ("GET", "/visit?b=2&a=1", nil),
        ("POST", "/echo?x=%20y", #"{"name": "Grüße"}"#),
        ("PUT", "/echo", ""),
        ("PATCH", "/echo", "x=1"),
        ("DELETE", "/empty", nil),
        ("HEAD", "/json", nil),
        ("OPTIONS", "/json", nil),
        ("GET", "/status/404", nil),
        ("GET", "/status/500", nil),
        ("GET", "/status/304", nil),
        ("GET", "/redirect/2", nil),
        ("GET", "/location/307?/json", nil),
        ("GET", "/basic", nil),
        ("GET", "/unauthorized/Bearer", nil),
        ("GET", "/cookies", nil),
        ("GET", "/latin", nil),
        ("GET", "/gzip", nil),
        ("GET", "/binary/100000", nil),
        ("GET", "/chunks/3", nil),
        ("GET", "/cut", nil),
    ]

    @Test("Every kind of response is replayed identically without the upstream", arguments: requests.indices)
    func sameBytes(_ row: Int) throws {
        let (method, target, text) = Self.requests[row]
        // Cookies would be redacted and replayed as placeholders.
        var configuration = Stubber.Configuration()
        configuration.redaction = .off
        let body = text.map { Data($0.utf8) }
        let run = try RecordedServer(configuration: configuration) { url in
            try send(url, method, target, headers: ["Accept-Encoding": "br"], body: body)
        }
        #expect(run.live == run.replayed)
        #expect(run.live.isWhole == (target != "/cut"))
        let recorded = try #require(run.cassette.interactions.first)
        #expect(recorded.request.method == method)
        #expect(recorded.request.url.hasSuffix(target))
    }

    @Test("A response that came from another URL than was requested is sent without that URL")
    func responseURL() throws {
        let folder = try TemporaryDirectory()
        var response = Interaction.Response(body: Interaction.Body("hi"))
        response.url = "https://www.long.invalid/b"
        let request = Interaction.Request(url: "http://short.invalid/a")
        try Cassette(interactions: [Interaction(request: request, outcome: .response(response))])
            .write(to: folder["talk.har"])
        let upstream = try #require(URL(string: "http://short.invalid"))
        let server = try CassetteServer(upstream: upstream, cassette: "talk", in: folder.url, mode: .never)
        let answer = try send(server.start(), "GET", "/a")
        #expect(answer.status == 200)
        #expect(answer.text == "hi")
        #expect(answer.headers["Location"] == nil)
        try server.stop()
    }

    @Test("A chunked request body is recorded completely and matches on replay")
    func chunkedRequest() throws {
        let pieces = (0..<100).map { String(repeating: "piece \($0) ", count: 80) }
        let run = try RecordedServer { url in
            let client = try RawClient(url)
            try client.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n")
            try client.send("Transfer-Encoding: chunked\r\n\r\n")
            for piece in pieces {
                try client.send("\(String(piece.utf8.count, radix: 16))\r\n\(piece)\r\n")
            }
            try client.send("0\r\n\r\n")
            return try ReceivedResponse(try client.readBytesToEnd(), to: "POST")
        }
        #expect(run.live.status == 200)
        #expect(run.live == run.replayed)
        #expect(run.cassette.interactions.map(\.request.body) == [Interaction.Body(pieces.joined())])
    }

    @Test("The request is recorded as sent, without headers of the connection")
    func recordsTheClientsRequest() throws {
        var headers: HeaderList = ["x-Odd-CASE": "1", "Accept": "text/plain"]
        headers.append("Keep-Alive", "timeout=5")
        headers.append("X-Twice", "a")
        headers.append("TE", "trailers")
        headers.append("X-Twice", "b")
        headers.append("Proxy-Connection", "keep-alive")
        headers.append("Expect", "100-continue")
        let run = try RecordedServer { url in
            try send(url, "POST", "/echo?b=1&a=%2F", headers: headers, body: Data("body".utf8)).status
        }
        let request = try #require(run.cassette.interactions.first?.request)
        let names = request.headers.map { "\($0.name): \($0.value)" }
        let upstream = URLParts(request.url)
        #expect(
            names == [
                "Host: \(upstream.authority)", "x-Odd-CASE: 1", "Accept: text/plain", "X-Twice: a",
                "X-Twice: b",
                "Expect: 100-continue", "Content-Length: 4",
            ]
        )
        #expect(request.url.hasSuffix("/echo?b=1&a=%2F"))
        #expect(request.body == Interaction.Body("body"))
        #expect(run.live == 200 && run.replayed == 200)
    }

    @Test("Identical requests play in recorded order, and repeats = .last repeats the last one")
    func playsInOrder() throws {
        var configuration = Stubber.Configuration()
        configuration.repeats = .last
        var requests = 2
        let run = try RecordedServer(configuration: configuration) { url in
            defer { requests = 4 }
            return try (0..<requests).map { _ in try send(url, "GET", "/visit").text }
        }
        #expect(run.live == ["visit 1", "visit 2"])
        #expect(run.replayed == ["visit 1", "visit 2", "visit 2", "visit 2"])
    }

    @Test("Secrets are redacted in the cassette, and requests with them still match")
    func redacts() throws {
        let run = try RecordedServer { url in
            try send(
                url,
                "GET",
                "/echo?access_token=4f9a7c21e0b84d5f",
                headers: ["Authorization": "Bearer 8a7b6c5d4e3f2a1b"]
            )
        }
        let text = "\(run.cassette)"
        #expect(!text.contains("4f9a7c21e0b84d5f") && !text.contains("8a7b6c5d4e3f2a1b"))
        #expect(run.live.headers["X-Query"] == "access_token=4f9a7c21e0b84d5f")
        #expect(run.replayed.status == 200)
    }

    @Test("Mode newEpisodes replays recorded requests and records new ones")
    func addsEpisodes() throws {
        let folder = try TemporaryDirectory()
        let upstream = try ConversationServer()
        defer { upstream.stop() }
        for (target, count) in [("/json", 2), ("/visit", 3)] {
            let server = try CassetteServer(
                upstream: upstream.url,
                cassette: "talk",
                in: folder.url,
                mode: .newEpisodes
            )
            let url = try server.start()
            #expect(try send(url, "GET", "/json").status == 200)
            #expect(try send(url, "GET", target).status == 200)
            try server.stop()
            #expect(try Cassette(contentsOf: folder["talk.har"]).interactions.count == count)
        }
        #expect(upstream.requestCount == 3)
    }

    @Test("Recording can be switched on and off while the server runs")
    func switchesRecording() throws {
        let folder = try TemporaryDirectory()
        let upstream = try ConversationServer()
        defer { upstream.stop() }
        let server = try CassetteServer(upstream: upstream.url, cassette: "talk", in: folder.url, mode: .never)
        let url = try server.start()
        #expect(!server.stubber.isRecording)
        #expect(try send(url, "GET", "/json").status == 501)
        server.stubber.isRecording = true
        #expect(try send(url, "GET", "/json").status == 200)
        server.stubber.isRecording = false
        #expect(try send(url, "GET", "/visit").status == 501)
        #expect(server.stubber.takeMisses().count == 2)
        #expect(try server.stop().recordedCount == 1)
        #expect(upstream.requestCount == 1)
    }
}
