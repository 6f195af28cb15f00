import Foundation
import Rewind
import Testing

@testable import RewindServer

@Suite(.ownThreads)
struct ServerErrorLogTests {
    /// Serves one request with a handler, and returns what the server tells of it and what the client gets.
    private func troubles(_ request: String, _ handler: @escaping HTTPServer.Handler) throws -> (
        told: [String], got: String
    ) {
        let told = Locked<[String]>([])
        let server = HTTPServer(
            note: { problem in told.withLock { $0.append(problem) } },
            handler: handler
        )
        let client = try RawClient(try server.start())
        try client.send(request)
        let got = try? client.readToEnd()
        server.stop()
        return (told.withLock { $0 }, got ?? "(reset)")
    }

    private struct Broken: Error, CustomStringConvertible {
        let description = "the disk is full"
    }

    @Test("An error before the answer is the answer, and nothing else is told")
    func unanswered() throws {
        let (told, got) = try troubles(lastRequest()) { _, _ in throw Broken() }
        #expect(got.hasPrefix("HTTP/1.1 500 ") && got.hasSuffix("the disk is full"))
        #expect(told == [])
    }

    @Test("An error in the middle of an answer cuts it, and is told with the request and without its query")
    func streaming() throws {
        let (told, got) = try troubles(lastRequest("GET", "/events?token=1")) { _, response in
            try response.begin()
            throw Broken()
        }
        #expect(!got.contains("0\r\n\r\n"))
        #expect(told == ["the server's answer to GET /events broke off: the disk is full"])
    }

    @Test("An error after the answer is told, and the answer stays")
    func answered() throws {
        let (told, got) = try troubles(lastRequest()) { _, response in
            try response.respond(body: Data("whole".utf8))
            throw Broken()
        }
        #expect(got.hasSuffix("whole"))
        #expect(told == ["the server's answer to GET / broke off: the disk is full"])
    }

    @Test("A client that goes away, or says nothing, is no trouble")
    func peers() throws {
        for error in [
            SocketError.closed, .timedOut(attempt: "receive"), .failed(attempt: "send", code: EPIPE),
            .failed(attempt: "send", code: ECONNRESET),
            .failed(attempt: "accept a connection", code: ECONNABORTED),
        ] {
            context { Issue.record("\($0)") }.report("the server gave up a connection", error)
        }
        let (told, _) = try troubles(lastRequest()) { _, _ in throw SocketError.closed }
        #expect(told == [])
    }

    @Test("What the system refuses is told with its cause")
    func system() {
        let error = SocketError.failed(attempt: "accept a connection", code: EMFILE)
        let told = Locked<[String]>([])
        context { text in told.withLock { $0.append(text) } }.report("no connections", error)
        #expect(told.withLock { $0.count } == 1)
        #expect(told.withLock { $0.first }?.hasPrefix("no connections: ") == true)
        #expect(told.withLock { $0.first }?.contains("accept a connection: Too many open files") == true)
    }

    private func context(_ note: @escaping @Sendable (String) -> Void) -> ServerContext {
        ServerContext(limits: HTTPLimits(), note: note) { _, _ in }
    }
}
