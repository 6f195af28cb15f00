import Foundation
import Rewind
import RewindServer
import RewindTestSupport
import Testing

/// The addresses on which a server listens, and the hosts that follow from them.
@Suite(.timeLimit(.minutes(5)), .ownThreads)
struct ServerAddressTests {
    private let folder: TemporaryDirectory
    private let server: CassetteServer

    init() throws {
        folder = try TemporaryDirectory()
        let interactions = (0..<20).map { _ in
            Interaction(
                request: Interaction.Request(url: "https://api.example.com/a"),
                outcome: .response(Interaction.Response(body: Interaction.Body("one")))
            )
        }
        try Cassette(interactions: interactions).write(to: folder["talk.har"])
        let upstream = try #require(URL(string: "https://api.example.com"))
        server = try CassetteServer(upstream: upstream, cassette: "talk", in: folder.url, mode: .never)
    }

    private func url(_ host: String, _ port: Int?) throws -> URL {
        try #require(URL(string: "http://\(host):\(port ?? 0)"))
    }

    @Test("By default, a server listens on 127.0.0.1 only, on a free port")
    func byDefault() throws {
        let address = try server.start()
        defer { _ = try? server.stop() }
        #expect(address.host == "127.0.0.1")
        #expect(address.port != 0)
        #expect(try send(address, "GET", "/a").text == "one")
        #if os(Linux)
            #expect(throws: SocketError.self) { try RawClient(url("127.0.0.2", address.port)) }
        #endif
    }

    @Test("On 0.0.0.0, a server answers requests to any IPv4 address, but to no other name")
    func everyAddress() throws {
        let address = try server.start(host: "0.0.0.0")
        defer { _ = try? server.stop() }
        #if os(Linux)
            #expect(try send(url("127.0.0.2", address.port), "GET", "/a").text == "one")
        #endif
        let local = try url("127.0.0.1", address.port)
        for (host, status) in [
            ("192.168.1.2:\(address.port ?? 0)", 200), ("10.0.0.7", 200), ("localhost", 200),
            ("evil.example", 421), ("192.168.1.2.evil.example", 421), ("mac.local", 421),
        ] {
            #expect(try send(local, "GET", "/a", headers: ["Host": host]).status == status, "\(host)")
        }
        let headers: HeaderList = ["Host": "192.168.1.2", "Origin": "https://evil.example"]
        #expect(try send(local, "GET", "/a", headers: headers).status == 403)
    }

    @Test("A server can listen on a given port and address")
    func given() throws {
        let address = try server.start()
        try server.stop()
        let upstream = try #require(URL(string: "https://api.example.com"))
        let second = try CassetteServer(upstream: upstream, cassette: "talk", in: folder.url, mode: .never)
        let port = try #require(address.port.flatMap { UInt16(exactly: $0) })
        #expect(try second.start(port: port, host: "127.0.0.1") == address)
        try second.stop()
    }
}
