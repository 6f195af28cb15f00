import Foundation
import Rewind
import RewindServer
import RewindTestSupport
import Testing

/// Unusual messages of an upstream: interim responses, and header fields that are not UTF-8.
@Suite(.timeLimit(.minutes(5)), .ownThreads)
struct UpstreamMessageTests {
    private static let interims = [
        "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n", "HTTP/1.1 102 Processing\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 199 Unknown\r\nContent-Length: 3\r\n\r\n",
    ]

    static let finals = [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: b\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        "HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\nhello", "HTTP/1.1 204 No Content\r\n\r\n",
        "HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 5\r\n\r\nhello",
    ]

    /// Records a response and replays it, and returns the bytes that the client received.
    private func responses(
        to method: String = "GET",
        headers: HeaderList = [:],
        body: Data? = nil,
        _ answer: @escaping @Sendable (HTTPResponseWriter) throws -> Void
    ) throws -> (live: Data, replayed: Data, cassette: Cassette) {
        let upstream = HTTPServer { try answer($1) }
        let url = try upstream.start()
        defer { upstream.stop() }
        let folder = try TemporaryDirectory()
        var configuration = Stubber.Configuration()
        configuration.redaction = .off
        var results: [Data] = []
        for mode in [RecordingMode.once, .never] {
            let server = try CassetteServer(
                upstream: url,
                cassette: "talk",
                in: folder.url,
                mode: mode,
                configuration: configuration
            )
            let local = try server.start()
            let client = try RawClient(local)
            try client.send(request(local, method, "/x", headers: headers, body: body))
            results.append(try client.readBytesToEnd())
            try server.stop()
            upstream.stop()
        }
        return (results[0], results[1], try Cassette(contentsOf: folder["talk.har"]))
    }

    @Test("Interim responses of the upstream are dropped", arguments: finals, [0, 0.02])
    func interim(_ final: String, pause: Double) throws {
        for body in [nil, Data("body".utf8)] {
            let run = try responses(to: body == nil ? "GET" : "POST", body: body) { response in
                for interim in Self.interims where pause > 0 {
                    try response.sendRaw(Data(interim.utf8))
                    Thread.sleep(forTimeInterval: pause)
                }
                let start = pause > 0 ? "" : Self.interims.joined()
                try response.sendRaw(Data((start + final).utf8))
            }
            let live = try ReceivedResponse(run.live, to: "GET")
            #expect(live.status == Int(final.dropFirst(9).prefix(3)))
            #expect(live.isWhole)
            #expect(live.text == (live.status == 204 ? "" : "hello"))
            #expect(live.headers["Link"] == nil)
            #expect(run.replayed == run.live)
            #expect(run.cassette.interactions.count == 1)
        }
    }

    @Test("Trailer fields of the upstream are dropped")
    func trailers() throws {
        let upstream = HTTPServer { request, response in
            try response.begin()
            try response.write(Data(request.path.utf8))
            try response.end(trailers: ["X-Sum": "1", "X-Other": "2"])
        }
        let url = try upstream.start()
        defer { upstream.stop() }
        let folder = try TemporaryDirectory()
        let server = try CassetteServer(upstream: url, cassette: "talk", in: folder.url, mode: .once)
        let local = try server.start()
        for number in 0..<5 {
            let answer = try send(local, "GET", "/\(number)")
            #expect(answer.text == "/\(number)" && answer.isWhole)
        }
        try server.stop()
    }

    @Test("A 101 that nobody asked for is a 502")
    func unaskedUpgrade() throws {
        let run = try responses { response in
            let head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"
            try response.sendRaw(Data((head + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok").utf8))
        }
        for bytes in [run.live, run.replayed] { #expect(try ReceivedResponse(bytes, to: "GET").status == 502) }
    }

    static let values: [[UInt8]] = [
        Array("plain".utf8), Array("Grüße €".utf8), [0x4A, 0xFC, 0x72, 0x67, 0x65, 0x6E], [0xE9],
        Array("\"".utf8) + [0xC3, 0x28, 0xFF, 0x80] + Array("\"".utf8), Array("\u{F7E9}".utf8),
        Array(0xA0...0xFF),
        Array("é \u{F7E9} ".utf8) + [0xFC] + Array("!".utf8),
    ]

    @Test("A header field that is not UTF-8 is passed on byte for byte, live and on replay", arguments: values)
    func latin1(_ value: [UInt8]) throws {
        let run = try responses { response in
            let head = Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Name: ".utf8)
            try response.sendRaw(head + Data(value) + Data("\r\nX-Other: €\r\n\r\nok".utf8))
        }
        for bytes in [run.live, run.replayed] {
            let field = Data("X-Name: ".utf8) + Data(value) + Data("\r\n".utf8)
            #expect(bytes.range(of: field) != nil, "\(String(decoding: bytes, as: UTF8.self))")
            #expect(bytes.range(of: Data("X-Other: €\r\n".utf8)) != nil)
            #expect(bytes.starts(with: Data("HTTP/1.1 200 ".utf8)))
            #expect(bytes.suffix(2) == Data("ok".utf8))
        }
    }

    @Test("Cookies and redirects that are not UTF-8 are passed on byte for byte")
    func latin1Cookies() throws {
        let fields = Data("Set-Cookie: a=1; Path=/\r\nSet-Cookie: b=".utf8) + Data([0xFC]) + Data("\r\n".utf8)
        let run = try responses { response in
            let head = Data("HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: /".utf8) + Data([0xE9])
            try response.sendRaw(head + Data("\r\n".utf8) + fields + Data("\r\n".utf8))
        }
        for bytes in [run.live, run.replayed] {
            #expect(bytes.range(of: Data("Location: /".utf8) + Data([0xE9]) + Data("\r\n".utf8)) != nil)
            #expect(bytes.range(of: fields) != nil, "\(String(decoding: bytes, as: UTF8.self))")
        }
    }

    @Test("The end of a recorded response is sent after its end arrived", arguments: ["GET", "HEAD"])
    func holdsEnd(_ method: String) throws {
        let mayEnd = DispatchSemaphore(value: 0)
        try withServer { _, response in
            try response.begin(headers: ["Content-Length": "10"], holdsEnd: true)
            try response.write(Data("01234".utf8))
            try response.write(Data("56789".utf8))
            mayEnd.wait()
            try response.end()
        } body: { _, url in
            let client = try RawClient(url)
            try client.send(request(url, method, "/"))
            if method == "GET" { _ = try client.read(through: "01234") }
            Thread.sleep(forTimeInterval: 0.05)
            #expect(!client.hasAnswer)
            mayEnd.signal()
            #expect(try client.readToEnd().hasSuffix(method == "GET" ? "56789" : "\r\n\r\n"))
        }
    }
}
