import Foundation
import Rewind
import RewindServer
import Testing

@Suite(.timeLimit(.minutes(5)))
struct WholeResponseTests {
    private func head(
        _ method: String = "GET",
        status: Int = 200,
        reason: String? = nil,
        headers: HeaderList = ["Connection": "close"],
        body: String = ""
    ) throws -> String {
        try answer(to: lastRequest(method)) { _, response in
            try response.respond(status: status, reason: reason, headers: headers, body: Data(body.utf8))
        }
    }

    @Test("Headers are sent with their order, case and duplicates")
    func keepsFields() throws {
        let headers: HeaderList = [
            "x-B": "2", "Set-Cookie": "a=1", "X-a": "é", "set-cookie": "b=2", "CONTENT-LENGTH": "2",
            "Connection": "close",
        ]
        #expect(
            try head(headers: headers, body: "ok")
                == "HTTP/1.1 200 OK\r\nx-B: 2\r\nSet-Cookie: a=1\r\nX-a: é\r\n"
                + "set-cookie: b=2\r\nCONTENT-LENGTH: 2\r\nConnection: close\r\n\r\nok"
        )
    }

    @Test("A response to HEAD has the length but no body")
    func omitsBodyForHead() throws {
        #expect(
            try head("HEAD", body: "hello")
                == "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\n"
        )
        #expect(
            try head("HEAD", headers: ["Content-Length": "99", "Connection": "close"])
                == "HTTP/1.1 200 OK\r\nContent-Length: 99\r\nConnection: close\r\n\r\n"
        )
    }

    @Test("An empty slice of data is an empty body")
    func emptySlice() throws {
        let bytes = Data("something".utf8)
        let text = try answer(to: lastRequest("GET")) { _, response in
            try response.respond(status: 200, headers: ["Connection": "close"], body: bytes[4..<4])
        }
        #expect(text == "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
    }

    @Test(
        "A status without a body has no Content-Length",
        arguments: [(204, "No Content"), (304, "Not Modified")]
    )
    func omitsBodyForStatus(_ row: (status: Int, reason: String)) throws {
        #expect(
            try head(status: row.status, body: "ignored")
                == "HTTP/1.1 \(row.status) \(row.reason)\r\nConnection: close\r\n\r\n"
        )
    }

    @Test("The reason phrase is the given one, or else the registered one, or else empty")
    func choosesReason() throws {
        #expect(try head(status: 404).hasPrefix("HTTP/1.1 404 Not Found\r\n"))
        #expect(try head(status: 404, reason: "Gone fishing").hasPrefix("HTTP/1.1 404 Gone fishing\r\n"))
        #expect(try head(status: 299).hasPrefix("HTTP/1.1 299 \r\n"))
    }

    @Test("With Transfer-Encoding: chunked, a complete body is sent as one chunk")
    func chunksWholeBody() throws {
        let answer = try head(headers: ["Transfer-Encoding": "chunked", "Connection": "close"], body: "hello")
        #expect(answer.hasSuffix("\r\n\r\n5\r\nhello\r\n0\r\n\r\n"))
        #expect(!answer.contains("Content-Length"))
    }

    @Test("Interim responses precede the final one, except in HTTP/1.0")
    func sendsInterimResponses() throws {
        let handler: HTTPServer.Handler = { _, response in
            try response.respond(status: 103, headers: ["Link": "</a>"])
            try response.respond(status: 204, headers: ["Connection": "close"])
        }
        let final = "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"
        #expect(
            try answer(to: lastRequest(), handler: handler)
                == "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n\(final)"
        )
        #expect(try answer(to: "GET / HTTP/1.0\r\n\r\n", handler: handler) == final)
    }

    @Test("After a HEAD or 204 response, the connection can be reused")
    func keepsConnectionWithoutBody() throws {
        let requests = "HEAD /1 HTTP/1.1\r\nHost: a\r\n\r\n" + lastRequest("GET", "/2")
        let answers = try answer(to: requests) { request, response in
            try response.respond(status: request.path == "/2" ? 204 : 200, body: Data("body".utf8))
        }
        #expect(
            answers == "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"
                + "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"
        )
    }

    static let mistakes: [(HTTPResponseError, @Sendable (HTTPResponseWriter) throws -> Void)] = [
        (.invalidStatus(99), { try $0.respond(status: 99) }),
        (.invalidStatus(1000), { try $0.begin(status: 1000) }),
        (.invalidStatus(103), { try $0.begin(status: 103) }),
        (.invalidReason("a\r\nX: y"), { try $0.respond(reason: "a\r\nX: y") }),
        (.invalidFieldName(""), { try $0.respond(headers: ["": "a"]) }),
        (.invalidFieldName("X: y\r\nZ"), { try $0.respond(headers: ["X: y\r\nZ": "a"]) }),
        (.invalidFieldName("X\0"), { try $0.begin(headers: ["X\0": "a"]) }),
        (.invalidFieldValue(name: "X", value: "a\r\nY: b"), { try $0.respond(headers: ["X": "a\r\nY: b"]) }),
        (.invalidFieldValue(name: "X", value: "a\nb"), { try $0.respond(headers: ["X": "a\nb"]) }),
        (.invalidFieldValue(name: "X", value: "a\rb"), { try $0.begin(headers: ["X": "a\rb"]) }),
        (.invalidFieldValue(name: "X", value: "\0"), { try $0.respond(status: 103, headers: ["X": "\0"]) }),
        (
            .invalidContentLength("+1"),
            { try $0.respond(headers: ["Content-Length": "+1"], body: Data("a".utf8)) }
        ),
        (.contentTooLong(by: 1), { try $0.respond(headers: ["Content-Length": "1"], body: Data("ab".utf8)) }),
        (.contentTooShort(by: 2), { try $0.respond(headers: ["Content-Length": "2"]) }),
        (.unsupportedTransferEncoding("gzip"), { try $0.respond(headers: ["Transfer-Encoding": "gzip"]) }),
        (.notStreaming, { try $0.write(Data("a".utf8)) }),
        (.notStreaming, { try $0.end() }),
        (.notAnswered, { _ in }),
    ]

    @Test("An invalid response becomes a 500 response with the error", arguments: mistakes.indices)
    func reportsMistakes(index: Int) throws {
        let (mistake, handler) = Self.mistakes[index]
        let answer = try answer(to: lastRequest()) { try handler($1) }
        #expect(answer.hasPrefix("HTTP/1.1 500 Internal Server Error\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n\(mistake)"))
    }

    @Test("An error of the handler becomes a 500 response, and the connection can be reused")
    func reportsErrors() throws {
        struct Broken: Error {}
        let requests = "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n" + lastRequest()
        let answers = try answer(to: requests) { _, _ in throw Broken() }
        #expect(answers.components(separatedBy: "HTTP/1.1 500 ").count == 3)
        #expect(answers.components(separatedBy: "\r\n\r\nBroken()").count == 3)
    }

    @Test("A second response throws, and the connection closes")
    func rejectsSecondResponse() throws {
        let answer = try answer(to: "GET / HTTP/1.1\r\nHost: a\r\n\r\n") { _, response in
            try response.respond(body: Data("first".utf8))
            #expect(throws: HTTPResponseError.alreadyAnswered) { try response.begin() }
            try response.respond(body: Data("second".utf8))
        }
        #expect(answer == "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst")
    }
}
