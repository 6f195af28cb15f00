import Foundation
import Rewind
import RewindServer
import Testing

@Suite(.timeLimit(.minutes(5)))
struct StreamedResponseTests {
    static let greeting: HTTPServer.Handler = { _, response in
        try response.begin(headers: ["X": "y"])
        try response.write(Data("hello, ".utf8))
        try response.write(Data())
        try response.write(Data("wonderful world".utf8))
        try response.end(trailers: ["Digest": "z"])
    }

    @Test("A streamed response is chunked, with trailers at the end")
    func streamsChunks() throws {
        #expect(
            try answer(to: lastRequest(), handler: Self.greeting)
                == "HTTP/1.1 200 OK\r\nX: y\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                + "7\r\nhello, \r\nf\r\nwonderful world\r\n0\r\nDigest: z\r\n\r\n"
        )
    }

    @Test("For HTTP/1.0, a streamed response ends with the connection")
    func streamsUntilClose() throws {
        #expect(
            try answer(to: "GET / HTTP/1.0\r\n\r\n", handler: Self.greeting)
                == "HTTP/1.1 200 OK\r\nX: y\r\nConnection: close\r\n\r\nhello, wonderful world"
        )
    }

    @Test("HEAD gets only the head of a streamed response")
    func streamsNothingForHead() throws {
        #expect(
            try answer(to: lastRequest("HEAD"), handler: Self.greeting)
                == "HTTP/1.1 200 OK\r\nX: y\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        )
    }

    @Test("A streamed response with a Content-Length is not chunked")
    func streamsStatedLength() throws {
        let answer = try answer(to: lastRequest()) { _, response in
            try response.begin(headers: ["Content-Length": "4"])
            try response.write(Data("ab".utf8))
            #expect(throws: HTTPResponseError.contentTooShort(by: 2)) { try response.end() }
            #expect(throws: HTTPResponseError.contentTooLong(by: 1)) { try response.write(Data("cde".utf8)) }
            try response.write(Data("cd".utf8))
            try response.end()
        }
        #expect(answer == "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nabcd")
    }

    @Test("Each part reaches the client before the next one is written")
    func sendsPiecesAtOnce() throws {
        let mayGoOn = DispatchSemaphore(value: 0)
        try withServer { _, response in
            try response.begin()
            try response.write(Data("one".utf8))
            mayGoOn.wait()
            try response.end()
        } body: { _, url in
            let client = try RawClient(url)
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            let start = try client.read(through: "one\r\n")
            mayGoOn.signal()
            #expect(start.hasSuffix("\r\n\r\n3\r\none\r\n"))
            #expect(try client.read(through: "0\r\n\r\n") == "0\r\n\r\n")
        }
    }

    @Test("Trailers with a line end are rejected, and the response can still be ended")
    func refusesInjectedTrailers() throws {
        let answer = try answer(to: lastRequest()) { _, response in
            try response.begin()
            #expect(throws: HTTPResponseError.invalidFieldValue(name: "X", value: "\r\n")) {
                try response.end(trailers: ["X": "\r\n"])
            }
            try response.end()
        }
        #expect(answer.hasSuffix("\r\n\r\n0\r\n\r\n"))
    }

    static let cuts: [@Sendable (HTTPResponseWriter) throws -> Void] = [
        { $0.abort() },
        { _ in throw CancellationError() },
        { _ in },
    ]

    @Test("A response that is aborted, fails or is not ended is cut off by a reset", arguments: cuts.indices)
    func cutsOffResponse(index: Int) throws {
        let mayGoOn = DispatchSemaphore(value: 0)
        try withServer { _, response in
            try response.begin(headers: ["Content-Length": "100"])
            try response.write(Data("part".utf8))
            mayGoOn.wait()
            try Self.cuts[index](response)
        } body: { _, url in
            let client = try RawClient(url)
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.read(through: "part").hasSuffix("\r\n\r\npart"))
            mayGoOn.signal()
            #expect(throws: SocketError.failed(attempt: "receive", code: ECONNRESET)) {
                try client.readToEnd()
            }
        }
    }

    @Test("Raw bytes are sent unchanged, and then the connection closes")
    func sendsRawBytes() throws {
        let answer = try answer(to: "GET / HTTP/1.1\r\nHost: a\r\n\r\n") { _, response in
            try response.sendRaw(Data("HTTP/9 what?\n\nBad Field\n".utf8))
            #expect(throws: HTTPResponseError.alreadyAnswered) { try response.respond() }
        }
        #expect(answer == "HTTP/9 what?\n\nBad Field\n")
    }

    @Test("close() ends an incomplete response without a reset, and later writes throw")
    func closesInMidBody() throws {
        let answer = try answer(to: "GET / HTTP/1.1\r\nHost: a\r\n\r\n") { _, response in
            try response.begin(headers: ["Content-Length": "100"])
            try response.write(Data("part".utf8))
            response.close()
            #expect(throws: HTTPResponseError.connectionClosed) { try response.sendRaw(Data("x".utf8)) }
            #expect(throws: HTTPResponseError.connectionClosed) { try response.write(Data("x".utf8)) }
        }
        #expect(answer.hasSuffix("\r\n\r\npart"))
    }

    @Test("Writing to a disconnected client ends the handler")
    func stopsEndlessResponse() throws {
        let ended = DispatchSemaphore(value: 0)
        try withServer { _, response in
            defer { ended.signal() }
            try response.sendRaw(Data("HTTP/1.1 200 OK\r\n".utf8))
            while true { try response.sendRaw(Data("X: y\r\n".utf8)) }
        } body: { _, url in
            var client: RawClient? = try RawClient(url)
            try client?.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try client?.read(through: "X: y\r\nX: y\r\n")
            client = nil
            #expect(ended.wait(timeout: .now() + 120) == .success)
        }
    }

    @Test("Another thread can abort a response that the client does not read")
    func abortsFromAnotherThread() throws {
        let mayCut = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        try withServer { _, response in
            defer { ended.signal() }
            try response.begin()
            Thread.detachNewThread {
                mayCut.wait()
                response.abort()
            }
            try response.write(Data(repeating: 0x61, count: 50_000_000))
        } body: { _, url in
            let client = try RawClient(url)
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            // After the first bytes, the handler waits for the client to read the rest.
            _ = try client.read(through: "aaaa")
            mayCut.signal()
            #expect(ended.wait(timeout: .now() + 120) == .success)
        }
    }

    @Test("The server does not add headers that the handler set")
    func respectsGivenFraming() throws {
        let answer = try answer(to: lastRequest()) { _, response in
            try response.begin(headers: ["transfer-encoding": "Chunked", "connection": "Close"])
            try response.write(Data("a".utf8))
            try response.end()
        }
        #expect(
            answer == "HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\nconnection: Close\r\n\r\n"
                + "1\r\na\r\n0\r\n\r\n"
        )
    }

    @Test("A response to HTTP/1.0 cannot have a Transfer-Encoding")
    func refusesChunksForOldVersion() throws {
        let answer = try answer(to: "GET / HTTP/1.0\r\n\r\n") { _, response in
            try response.begin(headers: ["Transfer-Encoding": "chunked"])
        }
        #expect(answer.hasPrefix("HTTP/1.1 500 "))
        #expect(answer.hasSuffix("\(HTTPResponseError.unsupportedTransferEncoding("chunked"))"))
    }

    @Test("A streamed response without a body ignores its parts", arguments: [204, 304])
    func streamsNothingForStatus(status: Int) throws {
        let answer = try answer(to: lastRequest()) { _, response in
            try response.begin(status: status)
            try response.write(Data("ignored".utf8))
            try response.end(trailers: ["X": "y"])
        }
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
        #expect(answer.hasSuffix("\r\nConnection: close\r\n\r\n"))
        #expect(!answer.contains("Transfer-Encoding"))
    }
}
