import Foundation
import RewindServer
import Testing

struct RequestLimitTests {
    static let limits: HTTPLimits = {
        var limits = HTTPLimits()
        limits.requestLineBytes = 20
        limits.fieldSectionBytes = 60
        limits.fieldCount = 3
        limits.contentBytes = 10
        limits.chunkExtensionBytes = 8
        return limits
    }()

    static let head = "POST / HTTP/1.1\r\nHost: a\r\n"
    static let chunkedHead = head + "Transfer-Encoding:chunked\r\n\r\n"

    static let accepted = [
        "GET /234567 HTTP/1.1\r\nHost: a\r\n\r\n",
        head + "X: " + String(repeating: "a", count: 46) + "\r\n\r\n",
        head + "B:\r\nC:\r\n\r\n",
        head + "Content-Length: 10\r\n\r\n0123456789",
        chunkedHead + "5\r\n01234\r\n5\r\n56789\r\n0\r\n\r\n",
        chunkedHead + "000000000000001;a=45678\r\nx\r\n0\r\n\r\n",
        chunkedHead + "0\r\nA:\r\nB:\r\nC:\r\n\r\n",
    ]

    @Test("A request exactly at a limit is accepted", arguments: accepted, Feeding.allCases)
    func acceptsAtLimit(_ message: String, feeding: Feeding) {
        let outcome = feeding.feed(message, limits: Self.limits)
        #expect(outcome.refusal == nil)
        #expect(outcome.requests.count == 1)
    }

    static let refused: [(String, HTTPRefusal)] = [
        ("GET /2345678 HTTP/1.1\r\nHost: a\r\n\r\n", .requestLineTooLong(limit: 20)),
        (String(repeating: "a", count: 21), .requestLineTooLong(limit: 20)),
        (head + "X: " + String(repeating: "a", count: 47), .fieldSectionTooLarge(limit: 60)),
        (head + String(repeating: "X:\r\n", count: 13), .tooManyFields(limit: 3)),
        (head + "B:\r\nC:\r\nD:\r\n\r\n", .tooManyFields(limit: 3)),
        (head + "Content-Length: 11\r\n\r\n", .contentTooLarge(limit: 10)),
        (head + "Content-Length: 99999999999999999999\r\n\r\n", .contentTooLarge(limit: 10)),
        (chunkedHead + "B\r\n", .contentTooLarge(limit: 10)),
        (chunkedHead + "5\r\n01234\r\n6\r\n", .contentTooLarge(limit: 10)),
        (chunkedHead + "fffffffffffffffff\r\n", .contentTooLarge(limit: 10)),
        (chunkedHead + "7FFFFFFFFFFFFFFF\r\n", .contentTooLarge(limit: 10)),
        (chunkedHead + "0000000000000001;a=456789\r\n", .chunkExtensionsTooLarge(limit: 8)),
        (
            chunkedHead + "0000000000000001;a=4\r\nx\r\n0000000000000001;a=45\r\n",
            .chunkExtensionsTooLarge(limit: 8)
        ),
        (chunkedHead + "0\r\nA:\r\nB:\r\nC:\r\nD:\r\n\r\n", .tooManyFields(limit: 3)),
    ]

    @Test("A request is rejected as soon as it exceeds a limit", arguments: refused, Feeding.allCases)
    func refusesOverLimit(_ row: (message: String, refusal: HTTPRefusal), feeding: Feeding) {
        let outcome = feeding.feed(row.message, limits: Self.limits)
        #expect(outcome.refusal == row.refusal)
        #expect(outcome.events.isEmpty)
    }

    @Test("A body over the limit is rejected without an interim response", arguments: Feeding.allCases)
    func refusesBeforeContinue(feeding: Feeding) {
        var limits = HTTPLimits()
        limits.contentBytes = 10
        let message = Self.head + "Expect: 100-continue\r\nContent-Length: 11\r\n\r\n"
        #expect(feeding.feed(message, limits: limits).events.isEmpty)
    }

    static let statuses: [(HTTPRefusal, Int)] = [
        (.malformedRequestLine, 400), (.conflictingContentLengths, 400), (.missingHost, 400),
        (.timedOut, 408), (.contentTooLarge(limit: 1), 413), (.chunkExtensionsTooLarge(limit: 1), 413),
        (.requestLineTooLong(limit: 1), 414), (.fieldSectionTooLarge(limit: 1), 431),
        (.tooManyFields(limit: 1), 431), (.unsupportedTransferCoding("gzip"), 501),
        (.unsupportedVersion("HTTP/2.0"), 505),
    ]

    @Test("Each rejection has the status of its RFC", arguments: statuses)
    func namesStatus(_ row: (refusal: HTTPRefusal, status: Int)) {
        #expect(row.refusal.status == row.status)
        #expect(!row.refusal.description.isEmpty)
    }

    @Test("After a rejected request, the connection accepts no other")
    func rejectsLaterRequests() throws {
        var parser = HTTPRequestParser()
        parser.append("bad\r\n".utf8)
        #expect(throws: HTTPRefusal.malformedRequestLine) { try parser.next() }
        parser.append("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        #expect(throws: HTTPRefusal.malformedRequestLine) { try parser.next() }
    }

    @Test("Limits of Int.max do not overflow", arguments: Feeding.allCases)
    func acceptsGreatestLimits(feeding: Feeding) {
        var limits = HTTPLimits()
        limits.requestLineBytes = .max
        limits.fieldSectionBytes = .max
        limits.fieldCount = .max
        limits.contentBytes = .max
        limits.chunkExtensionBytes = .max
        let start = Self.chunkedHead + "1;a=b\r\nx\r\n"
        #expect(feeding.feed(start + "0\r\nX: y\r\n\r\n", limits: limits).requests.count == 1)
        #expect(feeding.feed(start + "7FFFFFFFFFFFFFFE\r\nx", limits: limits).refusal == nil)
        #expect(feeding.feed(Self.head + "Content-Length: \(Int.max)\r\n\r\nx", limits: limits).refusal == nil)
    }
}
