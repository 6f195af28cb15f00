import Foundation
import Rewind
import RewindServer
import RewindTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Recorded responses that no real server sends, replayed to URLSession and by the cassette server.
@Suite(.timeLimit(.minutes(5)))
struct HostileReplayTests {
    /// A response, and what clients receive.
    struct Row: Sendable, CustomTestStringConvertible {
        let what: String
        let response: Interaction.Response
        /// Whether URLSession delivers the recorded status and body.
        var isLoaded = true
        /// The status that clients of the server receive.
        var served: Int

        var testDescription: String { what }

        init(
            _ what: String,
            _ status: Int = 200,
            _ headers: [(String, String)] = [],
            text: String? = nil,
            served: Int? = nil
        ) {
            self.what = what
            response = Interaction.Response(
                status: status,
                statusText: text ?? "OK",
                headers: HeaderList(headers.map { HeaderList.Field(name: $0.0, value: $0.1) }),
                body: Interaction.Body("hello")
            )
            self.served = served ?? status
        }

        func unloaded() -> Row {
            var row = self
            row.isLoaded = false
            return row
        }
    }

    static let rows: [Row] = [
        // A cassette with such a status never answers.
        Row("a status of 999999", 999_999, served: 501).unloaded(),
        Row("the largest status", .max, served: 501).unloaded(),
        Row("a status of 1", 1, served: 501).unloaded(),
        Row("an interim status", 100, served: 502),
        Row("a protocol upgrade", 101, [("Upgrade", "websocket"), ("Connection", "upgrade")], served: 502),
        Row("a length that is too small", 200, [("Content-Length", "1")]),
        Row("a length that is too large", 200, [("Content-Length", "99999999999")]),
        Row("a length that overflows an integer", 200, [("Content-Length", "99999999999999999999999999")]),
        Row("a negative length", 200, [("Content-Length", "-5")]),
        Row("a length that is not a number", 200, [("Content-Length", "five")]),
        Row("two lengths", 200, [("Content-Length", "5"), ("content-length", "6")]),
        Row("a wrong framing", 200, [("Transfer-Encoding", "chunked"), ("Content-Length", "3")]),
        Row("an unknown framing", 200, [("Transfer-Encoding", "gzip, identity")]),
        Row("a wrong content coding", 200, [("Content-Encoding", "gzip"), ("Content-Length", "3")]),
        Row("10,000 content codings", 200, [("Content-Encoding", String(repeating: "gzip, ", count: 10_000))]),
        Row("a value with CRLF", 200, [("X-A", "a\r\nInjected: yes")]),
        Row("a value with CR or LF", 200, [("X-A", "a\nInjected: yes"), ("X-B", "b\rInjected: yes")]),
        Row("a value that ends the head", 200, [("X-A", "a\r\n\r\nInjected: yes")]),
        Row("a value with a NUL", 200, [("X-A", "a\0Injected: yes")]),
        Row("a name with CRLF", 200, [("X-A\r\nInjected", "yes"), ("\r\nInjected", "yes")]),
        Row("an empty name", 200, [("", "Injected: yes"), (" ", "Injected: yes"), ("X A", "1")]),
        Row("a reason phrase with CRLF", 200, text: "OK\r\nInjected: yes"),
        Row("a reason phrase with a NUL", 200, text: "OK\0\nInjected: yes"),
        Row("a redirect target with CRLF", 302, [("Location", "/next\r\nInjected: yes")]).unloaded(),
        Row("an invalid redirect target", 302, [("Location", "http://[")]).unloaded(),
        Row("an empty redirect target", 302, [("Location", "")]).unloaded(),
        Row("a redirect to a script", 302, [("Location", "javascript:alert(1)")]).unloaded(),
        Row("a redirect to a file", 302, [("Location", "file:///etc/passwd")]).unloaded(),
        Row(
            "a redirect target of a megabyte",
            302,
            [("Location", "/" + String(repeating: "a", count: 1 << 20))]
        )
        .unloaded(),
        Row(
            "an invalid media type",
            200,
            [("Content-Type", "; charset=\"\\"), ("Content-Disposition", "a; filename=\"\\")]
        ),
        Row(
            "an invalid cookie",
            200,
            [("Set-Cookie", "=; Max-Age=99999999999999999999; Expires=9999999"), ("Set-Cookie", ";;;")]
        ),
        Row("cookies that crash Foundation", 200, [("Set-Cookie", "😀="), ("Set-Cookie", "b=c, 👨‍👩‍👧=1; Path=/")]),
        Row(
            "an invalid challenge",
            401,
            [("WWW-Authenticate", "Basic realm=\"\\"), ("WWW-Authenticate", ",,,")]
        ),
        Row("a value of a megabyte", 200, [("X-A", String(repeating: "a", count: 1 << 20))]),
        Row("ten thousand fields", 200, (0..<10_000).map { ("X-\($0)", "a") }),
    ]

    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private static let configuration: Stubber.Configuration = {
        var configuration = Stubber.Configuration()
        configuration.redaction = .off
        configuration.requestMatchingFailed = { _ in }
        return configuration
    }()

    private func record(_ row: Row) throws {
        let request = Interaction.Request(url: "http://hostile.invalid/x")
        let interaction = Interaction(request: request, outcome: .response(row.response))
        try Cassette(interactions: [interaction]).write(to: folder["talk.har"])
    }

    @Test("URLSession delivers the body without invalid header fields", arguments: rows)
    func loaded(_ row: Row) async throws {
        try record(row)
        let url = try #require(URL(string: "http://hostile.invalid/x"))
        let outcome = try await withCassette(
            "talk",
            in: folder.url,
            mode: .never,
            configuration: Self.configuration
        ) { _ in await Outcome(of: url) }
        if row.isLoaded {
            #expect(outcome.failure == nil)
            #expect(outcome.status == row.response.status)
            #expect(outcome.text == "hello")
        }
        for (name, value) in outcome.headers {
            let isPlain = (name + value).utf8.allSatisfy { $0 != 0 && $0 != 0x0A && $0 != 0x0D }
            #expect(isPlain, "\(name.debugDescription): \(value.debugDescription)")
            #expect(!name.lowercased().contains("injected"))
        }
        let fields = Dictionary(uniqueKeysWithValues: outcome.headers.map { ($0.key.lowercased(), $0.value) })
        // With a content coding, the length is that of the compressed body, as in Foundation.
        let isOfBody = ["5", nil].contains(fields["content-length"]) || fields["content-encoding"] != nil
        #expect(isOfBody || !row.isLoaded, "a client would wait for more bytes")
    }

    @Test("The server sends one well-formed answer", arguments: rows)
    func served(_ row: Row) throws {
        try record(row)
        let server = try CassetteServer(
            upstream: try #require(URL(string: "http://hostile.invalid")),
            cassette: "talk",
            in: folder.url,
            mode: .never,
            configuration: Self.configuration
        )
        let url = try server.start()
        let answer = try ask(url)
        try server.stop()
        let parts = answer.components(separatedBy: "\r\n\r\n")
        let lines = parts[0].components(separatedBy: "\r\n")
        #expect(lines[0].hasPrefix("HTTP/1.1 \(row.served) "))
        #expect(lines.allSatisfy { $0.utf8.allSatisfy { $0 != 0 && $0 != 0x0A && $0 != 0x0D } })
        #expect(!lines.contains { $0.hasPrefix("Injected") })
        if row.served == row.response.status {
            #expect(parts.count == 2 || lines.contains("Transfer-Encoding: chunked"))
            #expect(parts.dropFirst().joined().contains("hello"))
        }
    }

    /// The bytes that a server sends for one request, up to the end of the connection.
    private func ask(_ url: URL) throws -> String {
        let port = try #require(url.port.flatMap { UInt16(exactly: $0) })
        let socket = try Socket.connected(host: "127.0.0.1", port: port)
        try socket.setReceiveTimeout(.seconds(120))
        try socket.send(Data("GET /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8))
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = try socket.receive(into: &buffer)
            guard count > 0 else { break }
            answer += buffer[..<count]
        }
        return String(decoding: answer, as: UTF8.self)
    }
}
