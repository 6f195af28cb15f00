import Foundation
import Rewind
import RewindServer
import Testing

@Suite(.timeLimit(.minutes(5)))
struct StreamedAnswerTests {
    static let greeting: HTTPServer.Handler = { _, response in
        try response.begin(headers: ["X": "y"])
        try response.write(Data("hello, ".utf8))
        try response.write(Data())
        try response.write(Data("wonderful world".utf8))
        try response.end(trailers: ["Digest": "z"])
    }

    @Test("A streamed answer is chunked, and its trailers follow")
    func streamsChunks() throws {
        #expect(
            try answer(to: lastRequest(), handler: Self.greeting)
                == "HTTP/1.1 200 OK\r\nX: y\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                + "7\r\nhello, \r\nf\r\nwonderful world\r\n0\r\nDigest: z\r\n\r\n"
        )
    }

    @Test("HTTP/1.0 gets a streamed answer until the connection ends")
    func streamsUntilClose() throws {
        #expect(
            try answer(to: "GET / HTTP/1.0\r\n\r\n", handler: Self.greeting)
                == "HTTP/1.1 200 OK\r\nX: y\r\nConnection: close\r\n\r\nhello, wonderful world"
        )
    }

    @Test("HEAD gets the head of a streamed answer alone")
    func streamsNothingForHead() throws {
        #expect(
            try answer(to: lastRequest("HEAD"), handler: Self.greeting)
                == "HTTP/1.1 200 OK\r\nX: y\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        )
    }

    @Test("A streamed answer of a stated length needs no chunks")
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

    @Test("A piece reaches the client before the next one is written")
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

    @Test("Trailers with a line end in them are refused, and the answer can still be ended")
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

    @Test("An answer that is aborted, fails or is left unended is cut off by a reset", arguments: cuts.indices)
    func cutsAnswer(index: Int) throws {
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

    @Test("Raw bytes are sent as they are, and the connection closes after them")
    func sendsRawBytes() throws {
        let answer = try answer(to: "GET / HTTP/1.1\r\nHost: a\r\n\r\n") { _, response in
            try response.sendRaw(Data("HTTP/9 what?\n\nBad Field\n".utf8))
            #expect(throws: HTTPResponseError.alreadyAnswered) { try response.respond() }
        }
        #expect(answer == "HTTP/9 what?\n\nBad Field\n")
    }

    @Test("A closed answer ends in order where it was, and takes no more bytes")
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

    @Test("An endless answer ends for the handler when the client has gone")
    func stopsEndlessAnswer() throws {
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

    @Test("An answer can be cut off by another thread while the client leaves it unread")
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
            // Once the piece arrives in part, the handler is waiting for the rest to be read.
            _ = try client.read(through: "aaaa")
            mayCut.signal()
            #expect(ended.wait(timeout: .now() + 120) == .success)
        }
    }

    @Test("A field the handler gives is never given a second time by the server")
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

    @Test("HTTP/1.0 cannot be answered with a Transfer-Encoding")
    func refusesChunksForOldVersion() throws {
        let answer = try answer(to: "GET / HTTP/1.0\r\n\r\n") { _, response in
            try response.begin(headers: ["Transfer-Encoding": "chunked"])
        }
        #expect(answer.hasPrefix("HTTP/1.1 500 "))
        #expect(answer.hasSuffix("\(HTTPResponseError.unsupportedTransferEncoding("chunked"))"))
    }

    @Test("A streamed answer without a body takes pieces and sends none", arguments: [204, 304])
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
