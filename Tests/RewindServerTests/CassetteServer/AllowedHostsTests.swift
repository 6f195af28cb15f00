import Foundation
import Rewind
import RewindServer
import RewindTestSupport
import Testing

/// A web page must not reach the upstream through the server.
@Suite(.timeLimit(.minutes(5)), .ownThreads)
struct AllowedHostsTests {
    private struct Row: Sendable, CustomTestStringConvertible {
        let host: String
        var origin: String?
        var allowed: [String] = []
        let status: Int

        var testDescription: String { "\(host) \(origin ?? "") \(allowed)" }
    }

    private static let rows = [
        Row(host: "127.0.0.1:PORT", status: 200), Row(host: "localhost:PORT", status: 200),
        Row(host: "LOCALHOST.:1", status: 200), Row(host: "app.localhost", status: 200),
        Row(host: "127.8.9.10", status: 200), Row(host: "[::1]:PORT", status: 200), Row(host: "", status: 200),
        Row(host: "evil.example", status: 421), Row(host: "evil.example:PORT", status: 421),
        Row(host: "localhost.evil.example", status: 421), Row(host: "127.0.0.1.evil.example", status: 421),
        Row(host: "127.evil.example", status: 421), Row(host: "notlocalhost", status: 421),
        Row(host: "192.168.1.2", status: 421), Row(host: "0.0.0.0:PORT", status: 421),
        Row(host: "127.0.0.1", origin: "http://localhost:3000", status: 200),
        Row(host: "127.0.0.1", origin: "http://127.0.0.1:PORT", status: 200),
        Row(host: "127.0.0.1", origin: "capacitor://localhost", status: 200),
        Row(host: "127.0.0.1", origin: "https://evil.example", status: 403),
        Row(host: "127.0.0.1", origin: "http://localhost.evil.example", status: 403),
        Row(host: "127.0.0.1", origin: "null", status: 403),
        Row(host: "127.0.0.1", origin: "file://", status: 403),
        Row(host: "api.test", allowed: ["API.test"], status: 200),
        Row(host: "other.test", allowed: ["api.test"], status: 421),
        Row(host: "127.0.0.1", origin: "http://api.test:8080", allowed: ["api.test"], status: 200),
        Row(host: "127.0.0.1", origin: "null", allowed: ["null"], status: 200),
        Row(host: "any.example", origin: "http://all.example", allowed: ["*"], status: 200),
    ]

    @Test("Only requests to this machine, and of its pages, reach the upstream", arguments: rows)
    private func hosts(_ row: Row) throws {
        let upstream = HTTPServer { try $1.respond(body: Data($0.path.utf8)) }
        let url = try upstream.start()
        defer { upstream.stop() }
        let folder = try TemporaryDirectory()
        let server = try CassetteServer(upstream: url, cassette: "talk", in: folder.url, mode: .all)
        server.allowedHosts = row.allowed
        let local = try server.start()
        defer { _ = try? server.stop() }
        let port = "\(local.port ?? 0)"
        var headers: HeaderList = ["Host": row.host.replacingOccurrences(of: "PORT", with: port)]
        if let origin = row.origin { headers["Origin"] = origin.replacingOccurrences(of: "PORT", with: port) }
        let answer = try send(local, "GET", "/items", headers: headers)
        #expect(answer.status == row.status)
        #expect(upstream.requestCount == (row.status == 200 ? 1 : 0))
        if row.status != 200 {
            let subject = row.status == 421 ? URLParts("http://" + row.host).host : row.origin ?? ""
            #expect(answer.text.contains("'\(subject)'"))
            #expect(
                answer.text.contains("`CassetteServer.allowedHosts`") && answer.text.contains("--allow-host")
            )
        }
    }

    @Test("The hosts of upstreams, and all recorded hosts, are allowed")
    func upstreamHosts() throws {
        let upstream = HTTPServer { try $1.respond(body: Data($0.path.utf8)) }
        let url = try upstream.start()
        defer { upstream.stop() }
        let folder = try TemporaryDirectory()
        let upstreams = CassetteServer.Upstreams.hosts(["api.test": url])
        let server = try CassetteServer(upstreams: upstreams, cassette: "talk", in: folder.url, mode: .all)
        let local = try server.start()
        #expect(try send(local, "GET", "/items", headers: ["Host": "api.test"]).status == 200)
        #expect(try send(local, "GET", "/items", headers: ["Host": "evil.example"]).status == 421)
        try server.stop()
    }

    @Test("A proxy forwards absolute URLs of any host")
    func proxy() throws {
        let upstream = HTTPServer { try $1.respond(body: Data($0.path.utf8)) }
        let url = try upstream.start()
        defer { upstream.stop() }
        let folder = try TemporaryDirectory()
        let server = try CassetteServer(upstreams: .proxy, cassette: "talk", in: folder.url, mode: .all)
        let local = try server.start()
        let headers: HeaderList = ["Host": "any.example", "Origin": "https://page.example"]
        #expect(try send(local, "GET", "\(url.absoluteString)/items", headers: headers).text == "/items")
        #expect(!server.hasRefusedTunnel)
        let tunnel = try send(local, "CONNECT", "any.example:443", headers: headers)
        #expect(tunnel.status == 501)
        #expect(tunnel.text.contains("rewind record https://any.example --cassette FILE -- COMMAND"))
        #expect(server.hasRefusedTunnel)
        try server.stop()
    }
}
