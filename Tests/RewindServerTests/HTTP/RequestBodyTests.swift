import Foundation
import Rewind
import RewindServer
import Testing

struct RequestBodyTests {
    static let bodies: [(String, String)] = [
        ("\r\n", ""),
        ("Content-Length: 0\r\n\r\n", ""),
        ("Content-Length: 5\r\n\r\nhello", "hello"),
        ("Content-Length: 5, 5\r\n\r\nhello", "hello"),
        ("content-length: 5\r\nContent-Length: 5\r\n\r\nhello", "hello"),
        ("Content-Length: 4\r\n\r\n\r\n\r\n", "\r\n\r\n"),
        ("Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", ""),
        ("Transfer-Encoding: Chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", "hello"),
        ("Transfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n00003\r\nllo\r\n000\r\n\r\n", "hello"),
        (
            "Transfer-Encoding: chunked\r\n\r\nA\r\n0123456789\r\na\r\n0123456789\r\n0\r\n\r\n",
            "01234567890123456789"
        ),
        ("Transfer-Encoding: chunked\r\n\r\n2\r\n\r\n\r\n0\r\n\r\n", "\r\n"),
        ("Transfer-Encoding: chunked\r\n\r\n1;a\r\nx\r\n0;b=c\r\n\r\n", "x"),
        ("Transfer-Encoding: chunked\r\n\r\n1 ; a = \"b;\\\"\" ;c\r\nx\r\n0\r\n\r\n", "x"),
    ]

    @Test("A body is read to its end and no further", arguments: bodies, Feeding.allCases)
    func readsBody(_ row: (message: String, body: String), feeding: Feeding) {
        let outcome = feeding.feed("POST / HTTP/1.1\r\nHost: a\r\n\(row.message)")
        #expect(outcome.refusal == nil)
        #expect(outcome.requests.map(\.body) == [Data(row.body.utf8)])
        #expect(outcome.isBetweenRequests)
    }

    static let refusedFramings: [(String, HTTPRefusal)] = [
        ("Content-Length: 1\r\nContent-Length: 2", .conflictingContentLengths),
        ("Content-Length: 1, 2", .conflictingContentLengths),
        ("Content-Length: 1, 01", .conflictingContentLengths),
        ("Content-Length:", .malformedContentLength),
        ("Content-Length: -1", .malformedContentLength),
        ("Content-Length: +1", .malformedContentLength),
        ("Content-Length: 1 1", .malformedContentLength),
        ("Content-Length: 0x1", .malformedContentLength),
        ("Content-Length: ١", .malformedContentLength),
        ("Content-Length: 1,", .malformedContentLength),
        ("Content-Length: 1\r\nTransfer-Encoding: chunked", .contentLengthWithTransferEncoding),
        ("Transfer-Encoding: gzip\r\nContent-Length: 1", .contentLengthWithTransferEncoding),
        ("Transfer-Encoding:", .malformedTransferEncoding),
        ("Transfer-Encoding: , chunked", .malformedTransferEncoding),
        ("Transfer-Encoding: chunked, chunked", .malformedTransferEncoding),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", .malformedTransferEncoding),
        ("Transfer-Encoding: gzip, chunked", .unsupportedTransferCoding("gzip")),
        ("Transfer-Encoding: chunked, identity", .unsupportedTransferCoding("identity")),
        ("Transfer-Encoding: chun\u{212A}ed", .unsupportedTransferCoding("chun\u{212A}ed")),
        ("Transfer-Encoding: chunked;a=b", .unsupportedTransferCoding("chunked;a=b")),
    ]

    @Test(
        "Ambiguous framing is rejected",
        arguments: refusedFramings,
        Feeding.allCases
    )
    func refusesFraming(_ row: (fields: String, refusal: HTTPRefusal), feeding: Feeding) {
        let outcome = feeding.feed("POST / HTTP/1.1\r\nHost: a\r\n\(row.fields)\r\n\r\n0\r\n\r\n")
        #expect(outcome.refusal == row.refusal)
        #expect(outcome.events.isEmpty)
    }

    @Test("HTTP/1.0 does not allow chunked bodies", arguments: Feeding.allCases)
    func refusesOldChunks(feeding: Feeding) {
        let outcome = feeding.feed("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
        #expect(outcome.refusal == .malformedTransferEncoding)
    }

    static let refusedChunks: [(String, HTTPRefusal)] = [
        ("\r\n", .malformedChunkSize),
        ("x\r\n", .malformedChunkSize),
        ("-1\r\n", .malformedChunkSize),
        ("0x1\r\nx\r\n", .malformedChunkSize),
        (" 1\r\nx\r\n", .malformedChunkSize),
        ("1 \r\nx\r\n", .malformedChunkSize),
        ("1;\r\nx\r\n", .malformedChunkSize),
        ("1;a=\r\nx\r\n", .malformedChunkSize),
        ("1;a=\"\r\nx\r\n", .malformedChunkSize),
        ("1;a=\"b\\\"\r\nx\r\n", .malformedChunkSize),
        ("1;a=\"\0\"\r\nx\r\n", .malformedChunkSize),
        ("1\nx\r\n", .bareLineFeed),
        ("1;\rx\r\n", .bareCarriageReturn),
        ("1\r\nxy\r\n0\r\n\r\n", .malformedChunkEnd),
        ("2\r\nx\r\n0\r\n\r\n", .malformedChunkEnd),
        ("1\r\nx\n\r0\r\n\r\n", .malformedChunkEnd),
        ("0\r\n folded\r\n\r\n", .foldedField),
        ("0\r\nX : 1\r\n\r\n", .whitespaceBeforeColon),
    ]

    @Test("A malformed chunk is rejected", arguments: refusedChunks, Feeding.allCases)
    func refusesChunk(_ row: (content: String, refusal: HTTPRefusal), feeding: Feeding) {
        let outcome = feeding.feed(
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(row.content)"
        )
        #expect(outcome.refusal == row.refusal)
        #expect(outcome.events.isEmpty)
    }

    @Test("Trailers are separate from the headers", arguments: Feeding.allCases)
    func readsTrailers(feeding: Feeding) throws {
        let message = "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nB: 1\r\na: 2\r\nb: 3\r\nHost: c\r\n\r\n"
        let outcome = feeding.feed("POST / HTTP/1.1\r\nHost: a\r\n\(message)")
        let request = try #require(outcome.requests.first)
        #expect(request.trailers == ["B": "1", "a": "2", "b": "3", "Host": "c"])
        #expect(request.headers == ["Host": "a", "Transfer-Encoding": "chunked"])
        #expect(request.authority == "a")
    }

    @Test("Pipelined requests with different framing are read in order", arguments: Feeding.allCases)
    func readsPipeline(feeding: Feeding) {
        let outcome = feeding.feed(
            "POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\none"
                + "POST /2 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\ntwo\r\n0\r\n\r\n"
                + "\r\nPOST /3 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: y\r\n\r\n"
                + "\r\nGET /4 HTTP/1.1\r\nHost: a\r\n\r\n"
                + "GET /5 HTTP/1.1\r\nHost: a\r\n"
        )
        #expect(outcome.requests.map(\.path) == ["/1", "/2", "/3", "/4"])
        #expect(outcome.requests.map { String(decoding: $0.body, as: UTF8.self) } == ["one", "two", "", ""])
        #expect(outcome.requests.map(\.trailers.count) == [0, 0, 1, 0])
        #expect(outcome.requests.map(\.headers.count) == [2, 2, 2, 1])
        #expect(outcome.refusal == nil)
        #expect(!outcome.isBetweenRequests)
    }

    static let expectations: [(String, Bool)] = [
        ("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx", true),
        (
            "POST / HTTP/1.1\r\nHost: a\r\nexpect: 100-Continue\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            true
        ),
        ("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n", false),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx", false),
        ("POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx", false),
    ]

    @Test("Expect: 100-continue is reported before the body", arguments: expectations, Feeding.allCases)
    func announcesExpectation(_ row: (message: String, isAnnounced: Bool), feeding: Feeding) {
        let outcome = feeding.feed(row.message)
        #expect((outcome.events.first == .continueExpected) == row.isAnnounced)
        #expect(outcome.events.count == (row.isAnnounced ? 2 : 1))
        #expect(outcome.requests.count == 1)
    }
}
