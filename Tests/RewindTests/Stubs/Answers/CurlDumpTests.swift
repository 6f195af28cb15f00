import Foundation
import Rewind
import RewindTestSupport
import Testing

/// Files of `curl -is`, as curl and editors write them.
struct CurlDumpTests {
    private func response(_ text: String) throws -> Interaction.Response? {
        let folder = try TemporaryDirectory()
        try Data(text.utf8).write(to: folder["a.response"])
        return try StubAnswer.curlDump(folder["a.response"].path).play().response
    }

    @Test(
        "A head may end with the file, with or without a line end",
        arguments: [
            "HTTP/1.1 204 No Content\r\nServer: x", "HTTP/1.1 204 No Content\r\nServer: x\r\n",
            "HTTP/1.1 204 No Content\nServer: x\n", "HTTP/1.1 204 No Content\nServer: x\r\n\r\n",
            "HTTP/1.1 204 No Content\r\nServer: x\n\n",
        ]
    )
    func endOfHead(text: String) throws {
        let response = try #require(try response(text))
        #expect(response.status == 204 && response.statusText == "No Content")
        #expect(response.headers == ["Server": "x"] && response.body.isEmpty)
    }

    @Test("A status line alone is a response", arguments: ["HTTP/1.1 200 OK", "HTTP/2 200", "HTTP/2 200 \r\n"])
    func statusLine(text: String) throws {
        let response = try #require(try response(text))
        #expect(response.status == 200 && response.headers.isEmpty && response.body.isEmpty)
    }

    @Test(
        "The last response of several is the answer",
        arguments: [
            // An interim response.
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nA: b\r\n\r\nhello",
            "HTTP/2 103 \r\nLink: </a>\r\n\r\nHTTP/2 201 \r\nA: b\r\n\r\nhello",
            // With --location.
            "HTTP/1.1 301 Moved\r\nLocation: /b\r\nContent-Length: 9\r\n\r\nHTTP/2 201\r\nA: b\r\n\r\nhello",
            "HTTP/1.1 302 Found\nLocation: /b\n\nHTTP/1.1 303 x\nLocation: /c\n\nHTTP/1.1 201 Created\nA: b\n\nhello",
            // Through a proxy.
            "HTTP/1.1 200 Connection established\r\n\r\nHTTP/2 201 \r\nA: b\r\n\r\nhello",
            "HTTP/1.0 200 OK\r\nProxy-Agent: x\r\n\r\nHTTP/1.1 201 Created\r\nA: b\r\n\r\nhello",
            // With --digest or --anyauth.
            "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Digest\r\n\r\nHTTP/1.1 201 Created\r\nA: b\r\n\r\nhello",
        ]
    )
    func several(text: String) throws {
        let response = try #require(try response(text))
        #expect(response.status == 201)
        #expect(response.headers == ["A": "b"])
        #expect(String(decoding: response.body.data, as: UTF8.self) == "hello")
    }

    @Test("A body that looks like a response stays a body")
    func bodyLikeResponse() throws {
        let inner = "HTTP/1.1 404 Not Found\r\n\r\n"
        for head in [
            "HTTP/1.1 200 OK\r\nContent-Type: message/http\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: \(inner.utf8.count)\r\n\r\n",
            "HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: \(inner.utf8.count)\r\n\r\n",
            "HTTP/1.1 404 Not Found\r\n\r\n",
        ] {
            let response = try #require(try response(head + inner))
            #expect(String(decoding: response.body.data, as: UTF8.self) == inner, "\(head)")
        }
        let prose = try #require(try response("HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 is a protocol"))
        #expect(String(decoding: prose.body.data, as: UTF8.self) == "HTTP/1.1 is a protocol")
    }

    @Test(
        "A head that breaks off before its body, or is no head, is an error",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5",
            "HTTP/1.1\r\n\r\n", "HTTP/1.1 20x OK\r\n", "HTTP/1.1 200 OK\r\nno colon",
        ]
    )
    func broken(text: String) throws {
        let folder = try TemporaryDirectory()
        try Data(text.utf8).write(to: folder["a.response"])
        #expect(StubAnswer.curlDump(folder["a.response"].path).outcome().contains("is invalid: "))
    }
}
