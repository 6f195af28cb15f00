import Foundation
import Rewind
import RewindServer
import RewindTestSupport
import Testing

@Suite(.timeLimit(.minutes(5)), .ownThreads)
struct ServerMissTests {
    private let folder: TemporaryDirectory
    private let upstream = "https://api.example.com"

    init() throws {
        folder = try TemporaryDirectory()
        let interaction = Interaction(
            request: Interaction.Request(url: upstream + "/users/1?page=1"),
            outcome: .response(
                Interaction.Response(headers: ["Content-Type": "text/plain"], body: Interaction.Body("one"))
            )
        )
        try Cassette(interactions: [interaction]).write(to: folder["talk.har"])
    }

    private func serve(
        configuration: Stubber.Configuration = Stubber.Configuration(),
        cassette: String = "talk",
        _ body: (CassetteServer, URL) throws -> Void
    ) throws {
        let server = try CassetteServer(
            upstream: try #require(URL(string: upstream)),
            cassette: cassette,
            in: folder.url,
            mode: .never,
            configuration: configuration
        )
        let url = try server.start()
        defer { _ = try? server.stop() }
        try body(server, url)
    }

    @Test("A miss is a 501 response with a reason in a header and the diagnosis in the body")
    func sendsTheDiagnosis() throws {
        try serve { _, url in
            let answer = try send(url, "GET", "/users/1?page=2")
            #expect(answer.status == 501)
            #expect(answer.headers["X-Rewind-Miss"] == "no-match")
            #expect(answer.headers["Content-Type"] == "text/plain; charset=utf-8")
            #expect(answer.text.contains("GET https://api.example.com/users/1?page=2"))
            #expect(answer.text.contains("recorded:  page=1"))
            #expect(answer.text.contains("requested: page=2"))
        }
    }

    @Test("The header distinguishes an interaction already played from a missing cassette")
    func namesTheCase() throws {
        try serve { _, url in
            let answers = try (0..<2).map { _ in try send(url, "GET", "/users/1?page=1") }
            #expect(answers[0].text == "one")
            #expect(answers[1].headers["X-Rewind-Miss"] == "already-played")
        }
        try serve(cassette: "other") { _, url in
            let answer = try send(url, "GET", "/")
            #expect(answer.headers["X-Rewind-Miss"] == "no-cassette")
        }
    }

    @Test("The miss of a HEAD request has the header, and the connection stays usable")
    func answersHead() throws {
        try serve { _, url in
            let client = try RawClient(url)
            try client.send("HEAD /a HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try client.read(through: "\r\n\r\n").contains("X-Rewind-Miss: no-match\r\n"))
            try client.send("GET /users/1?page=1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            #expect(try client.readToEnd().contains("one"))
        }
    }

    @Test("The handler receives each miss and can return a response")
    func callsTheHandler() throws {
        let missed = Locked<[String]>([])
        try serve { server, url in
            server.unrecordedRequestHandler = { miss in
                missed.withLock { $0.append(miss.request.url) }
                return miss.request.url.hasSuffix("/default")
                    ? Interaction.Response(status: 203, body: Interaction.Body("mine")) : nil
            }
            let answers = try ["/default", "/other", "/users/1?page=1"].map { try send(url, "GET", $0) }
            #expect(answers[0].text == "mine")
            #expect(answers[1].status == 501)
            #expect(answers[2].text == "one")
        }
        #expect(missed.withLock { $0 } == [upstream + "/default", upstream + "/other"])
    }

    @Test("requestMatchingFailed is called for each miss before stop returns")
    func callsTheConfiguration() throws {
        let misses = Locked(0)
        var configuration = Stubber.Configuration()
        configuration.requestMatchingFailed = { _ in misses.withLock { $0 += 1 } }
        try serve(configuration: configuration) { server, url in
            for _ in 0..<3 { _ = try send(url, "GET", "/x") }
            try server.stop()
            #expect(misses.withLock { $0 } == 3)
        }
    }

    @Test("Each report lists the interactions that were not played")
    func reportsUnplayed() throws {
        try serve { server, _ in
            let reports = [try server.stop(), try server.stop()]
            #expect(reports.map(\.unplayed.count) == [1, 1])
        }
    }

    @Test("A stopped server refuses connections and cannot start again")
    func stops() throws {
        try serve { server, url in
            #expect(server.url == url)
            try server.stop()
            #expect(server.url == nil)
            #expect(throws: SocketError.self) { try RawClient(url) }
            #expect(throws: CassetteServerError.alreadyStopped) { try server.start() }
        }
    }

    @Test("A stub answers before the cassette, and a failure becomes a 502 response")
    func asksStubs() throws {
        try serve { server, url in
            server.stubber.stub(.path("/users/1")) { _ in .text("stubbed") }
            server.stubber.stub(.path("/down"), respond: .failure(.notConnectedToInternet))
            let answers = try ["/users/1?page=1", "/down", "/other"].map { try send(url, "GET", $0) }
            #expect(answers[0].text == "stubbed")
            #expect(answers.map(\.status) == [200, 502, 501])
        }
    }
}
