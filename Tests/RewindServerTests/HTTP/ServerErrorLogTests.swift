import Foundation
import Rewind
import Testing

@testable import RewindServer

@Suite(.ownThreads)
struct ServerErrorLogTests {
    /// Serves one request, and returns the notes of the server and the response.
    private func serve(_ request: String, _ handler: @escaping HTTPServer.Handler) throws -> (
        notes: [String], response: String
    ) {
        let notes = Locked<[String]>([])
        let server = HTTPServer(
            note: { problem in notes.withLock { $0.append(problem) } },
            handler: handler
        )
        let client = try RawClient(try server.start())
        try client.send(request)
        let response = try? client.readToEnd()
        server.stop()
        return (notes.withLock { $0 }, response ?? "(reset)")
    }

    private struct Broken: Error, CustomStringConvertible {
        let description = "the disk is full"
    }

    @Test("An error before the response becomes a 500 response without a note")
    func unanswered() throws {
        let (notes, response) = try serve(lastRequest()) { _, _ in throw Broken() }
        #expect(response.hasPrefix("HTTP/1.1 500 ") && response.hasSuffix("the disk is full"))
        #expect(notes == [])
    }

    @Test("An error during the response cuts it off with a note that omits the query")
    func streaming() throws {
        let (notes, response) = try serve(lastRequest("GET", "/events?token=1")) { _, writer in
            try writer.begin()
            throw Broken()
        }
        #expect(!response.contains("0\r\n\r\n"))
        #expect(notes == ["the response to GET /events was cut off: the disk is full"])
    }

    @Test("An error after the response is a note, and the response is sent")
    func answered() throws {
        let (notes, response) = try serve(lastRequest()) { _, writer in
            try writer.respond(body: Data("whole".utf8))
            throw Broken()
        }
        #expect(response.hasSuffix("whole"))
        #expect(notes == ["the response to GET / was cut off: the disk is full"])
    }

    @Test("A client that disconnects or times out causes no note")
    func peers() throws {
        for error in [
            SocketError.closed, .timedOut(attempt: "receive"), .failed(attempt: "send", code: EPIPE),
            .failed(attempt: "send", code: ECONNRESET),
            .failed(attempt: "accept a connection", code: ECONNABORTED),
        ] {
            context { Issue.record("\($0)") }.report("the server closed a connection", error)
        }
        let (notes, _) = try serve(lastRequest()) { _, _ in throw SocketError.closed }
        #expect(notes == [])
    }

    @Test("The first client that uses TLS causes a note, because it cannot read the response")
    func encrypted() throws {
        let notes = Locked<[String]>([])
        let server = HTTPServer(
            note: { problem in notes.withLock { $0.append(problem) } },
            handler: { _, writer in try writer.respond() }
        )
        let url = try server.start()
        for _ in 0..<3 {
            let client = try RawClient(url)
            try client.send("\u{16}\u{3}\u{1}")
            #expect(try client.readToEnd().hasPrefix("HTTP/1.1 400 "))
        }
        server.stop()
        #expect(notes.withLock { $0 } == ["a client used https: \(HTTPRefusal.encrypted)"])
    }

    @Test("A system error is a note with its cause")
    func system() {
        let error = SocketError.failed(attempt: "accept a connection", code: EMFILE)
        let notes = Locked<[String]>([])
        context { text in notes.withLock { $0.append(text) } }.report("no connections", error)
        #expect(notes.withLock { $0.count } == 1)
        #expect(notes.withLock { $0.first }?.hasPrefix("no connections: ") == true)
        #expect(notes.withLock { $0.first }?.contains("accept a connection: Too many open files") == true)
    }

    private func context(_ note: @escaping @Sendable (String) -> Void) -> ServerContext {
        ServerContext(limits: HTTPLimits(), note: note) { _, _ in }
    }
}
