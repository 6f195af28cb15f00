import Foundation
import Rewind
import RewindServer
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ConnectionTests {
    @Test("A connection is reused for several requests")
    func keepsConnection() throws {
        try withServer(handler: echoPath) { server, url in
            let client = try RawClient(url)
            for path in ["/a", "/b", "/c"] {
                try client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.read(through: path) == "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n\(path)")
            }
            #expect(server.connectionCount == 1)
            #expect(server.requestCount == 3)
        }
    }

    @Test("Pipelined requests are answered in order")
    func answersPipeline() throws {
        let requests =
            (1...50).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined() + lastRequest("GET", "/end")
        let answers = try answer(to: requests, handler: echoPath)
        let bodies = answers.components(separatedBy: "HTTP/1.1 200 OK").dropFirst()
            .map { $0.components(separatedBy: "\r\n\r\n").last }
        #expect(bodies == (1...50).map { "/\($0)" } + ["/end"])
    }

    @Test("Requests after one that closes the connection are not answered")
    func ignoresRequestsAfterClose() throws {
        let answers = try answer(to: lastRequest("GET", "/1") + lastRequest("GET", "/2"), handler: echoPath)
        #expect(answers == "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n/1")
    }

    @Test("An HTTP/1.0 connection closes even with keep-alive")
    func closesOldVersion() throws {
        let answers = try answer(to: "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", handler: echoPath)
        #expect(answers == "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\n/")
    }

    @Test("Connection: close from the handler is not added twice")
    func closesForHandler() throws {
        let answers = try answer(to: "GET / HTTP/1.1\r\nHost: a\r\n\r\n") { _, response in
            try response.respond(status: 204, headers: ["connection": "x, Close"])
        }
        #expect(answers == "HTTP/1.1 204 No Content\r\nconnection: x, Close\r\n\r\n")
    }

    @Test("A client that ended its side still gets its response")
    func answersHalfClosedClient() throws {
        try withServer(handler: echoPath) { _, url in
            let client = try RawClient(url)
            try client.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n")
            client.finishSending()
            #expect(try client.readToEnd().hasSuffix("\r\n\r\n/1"))
        }
    }

    @Test("Bodies and trailers reach the handler, chunked or not")
    func deliversBodies() throws {
        let message =
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\none"
            + "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "2\r\ntw\r\n1\r\no\r\n0\r\nX: y\r\n\r\n"
        let answers = try answer(to: message) { request, response in
            try response.respond(headers: request.trailers, body: request.body)
        }
        #expect(
            answers == "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\none"
                + "HTTP/1.1 200 OK\r\nX: y\r\nContent-Length: 3\r\nConnection: close\r\n\r\ntwo"
        )
    }

    @Test("Expect: 100-continue gets an interim response before the body")
    func sendsContinue() throws {
        try withServer { request, response in
            try response.respond(body: request.body)
        } body: { _, url in
            let client = try RawClient(url)
            try client.send("PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
            #expect(try client.read(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            try client.send("one")
            #expect(try client.read(through: "one").hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
    }

    static let refusals = [
        ("GET / HTTP/1.1\r\n\r\n", "400 Bad Request"),
        ("GET / HTTP/1.1\nHost: a\n\n", "400 Bad Request"),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\n\r\n", "413 Content Too Large"),
        ("GET /\(String(repeating: "a", count: 20_000)) HTTP/1.1\r\n", "414 URI Too Long"),
        (
            "GET / HTTP/1.1\r\n\(String(repeating: "X: y\r\n", count: 1000))\r\n",
            "431 Request Header Fields Too Large"
        ),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", "501 Not Implemented"),
        ("GET / HTTP/3.0\r\n\r\n", "505 HTTP Version Not Supported"),
    ]

    @Test("An invalid request is rejected, and the connection closes", arguments: refusals)
    func refuses(_ row: (message: String, status: String)) throws {
        var limits = HTTPLimits()
        limits.contentBytes = 1000
        let good = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"
        let answers = try answer(to: good + row.message + good, limits: limits, handler: echoPath)
        let start = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n/aHTTP/1.1 \(row.status)\r\n"
        #expect(answers.hasPrefix(start))
        #expect(!answers.dropFirst(start.count).contains("/a"))
        #expect(answers.contains("\r\nConnection: close\r\n\r\n"))
    }

    static let incompleteRequests = [
        "G",
        "GET / HTTP/1.1\r\nHost: a\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\non",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
    ]

    @Test("An incomplete request gets a 408 response after the timeout", arguments: incompleteRequests)
    func refusesSlowClient(_ message: String) throws {
        var limits = HTTPLimits()
        limits.receiveTimeout = .milliseconds(50)
        #expect(
            try answer(to: message, limits: limits, handler: echoPath).hasPrefix(
                "HTTP/1.1 408 Request Timeout\r\n"
            )
        )
    }

    @Test("An idle connection is closed without a response")
    func closesIdleConnection() throws {
        var limits = HTTPLimits()
        limits.idleTimeout = .milliseconds(50)
        #expect(try answer(to: "", limits: limits, handler: echoPath).isEmpty)
    }

    @Test("A client that ends an incomplete request gets a 400 response", arguments: incompleteRequests)
    func refusesIncompleteRequest(_ message: String) throws {
        try withServer(handler: echoPath) { server, url in
            let client = try RawClient(url)
            try client.send(message)
            client.finishSending()
            #expect(try client.readToEnd().hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
            #expect(server.requestCount == 0)
        }
    }

    @Test("A rejected client can read the response while it still sends its body")
    func lingersAfterRefusal() throws {
        var limits = HTTPLimits()
        limits.contentBytes = 1000
        let body = String(repeating: "a", count: 3_000_000)
        let message = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3000000\r\n\r\n\(body)"
        #expect(try answer(to: message, limits: limits, handler: echoPath).hasPrefix("HTTP/1.1 413 "))
    }

    @Test("A client that does not read its response in time is disconnected")
    func dropsClientThatDoesNotRead() throws {
        var limits = HTTPLimits()
        limits.sendTimeout = .milliseconds(50)
        let failure = Locked<(any Error)?>(nil)
        let failed = DispatchSemaphore(value: 0)
        try withServer(limits: limits) { _, response in
            do {
                try response.respond(body: Data(count: 50_000_000))
            } catch {
                failure.withLock { $0 = error }
                failed.signal()
            }
        } body: { _, url in
            let client = try RawClient(url)
            try client.send(lastRequest())
            #expect(failed.wait(timeout: .now() + 120) == .success)
            #expect(failure.withLock { $0 } as? SocketError == .timedOut(attempt: "send"))
        }
    }
}
