import Rewind
import RewindServer
import Testing

struct RequestHeadTests {
    struct Target: Sendable, CustomTestStringConvertible {
        let line: String
        let path: String
        var query: String?
        var authority: String? = "a"

        var testDescription: String { line }
    }

    static let targets = [
        Target(line: "GET /", path: "/"),
        Target(line: "GET /a/b%20c", path: "/a/b%20c"),
        Target(line: "GET /a?", path: "/a", query: ""),
        Target(line: "GET /a?b=c?d", path: "/a", query: "b=c?d"),
        Target(line: "GET //a", path: "//a"),
        Target(line: "GET /http://b/c", path: "/http://b/c"),
        Target(line: "GET http://b/c?d", path: "/c", query: "d", authority: "b"),
        Target(line: "GET HTTP://b:80", path: "/", authority: "b:80"),
        Target(line: "GET https://[::1]:8443?d", path: "/", query: "d", authority: "[::1]:8443"),
        Target(line: "OPTIONS *", path: "*"),
        Target(line: "CONNECT b:443", path: "", authority: "b:443"),
        Target(line: "M-SEARCH /", path: "/"),
        Target(line: "get /", path: "/"),
    ]

    @Test("Every form of target is split into path, query and authority", arguments: targets, Feeding.allCases)
    func readsTarget(_ row: Target, feeding: Feeding) throws {
        let request = try #require(feeding.feed("\(row.line) HTTP/1.1\r\nHost: a\r\n\r\n").requests.first)
        #expect("\(request.method) \(request.target)" == row.line)
        #expect(request.path == row.path)
        #expect(request.query == row.query)
        #expect(request.authority == row.authority)
    }

    static let refusedLines: [(String, HTTPRefusal)] = [
        ("\u{16}\u{3}\u{1}", .encrypted),
        ("GET", .malformedRequestLine),
        ("GET /", .malformedRequestLine),
        ("GET  / HTTP/1.1", .malformedRequestLine),
        ("GET / HTTP/1.1 ", .malformedRequestLine),
        (" GET / HTTP/1.1", .malformedRequestLine),
        ("GET\t/\tHTTP/1.1", .malformedRequestLine),
        ("G(T / HTTP/1.1", .malformedRequestLine),
        ("GÉT / HTTP/1.1", .malformedRequestLine),
        ("GET / http/1.1", .malformedRequestLine),
        ("GET / HTTP/1", .malformedRequestLine),
        ("GET / HTTP/1.10", .malformedRequestLine),
        ("GET / HTTP/+1.1", .malformedRequestLine),
        ("GET / HTTPS/1.1", .malformedRequestLine),
        ("GET / HTTP/0.9", .unsupportedVersion("HTTP/0.9")),
        ("GET / HTTP/1.2", .unsupportedVersion("HTTP/1.2")),
        ("PRI * HTTP/2.0", .unsupportedVersion("HTTP/2.0")),
        ("GET  HTTP/1.1", .malformedTarget),
        ("GET a HTTP/1.1", .malformedTarget),
        ("GET * HTTP/1.1", .malformedTarget),
        ("GET /#a HTTP/1.1", .malformedTarget),
        ("GET /é HTTP/1.1", .malformedTarget),
        ("GET /\0 HTTP/1.1", .malformedTarget),
        ("GET ftp://a/ HTTP/1.1", .malformedTarget),
        ("GET http:///a HTTP/1.1", .malformedTarget),
        ("GET http://user@a/ HTTP/1.1", .malformedTarget),
        ("CONNECT / HTTP/1.1", .malformedTarget),
        ("GET / HTTP/1.1\n", .bareLineFeed),
        ("GET /\r HTTP/1.1", .bareCarriageReturn),
        ("\r\n\r\nGET / HTTP/1.1", .malformedRequestLine),
    ]

    @Test("A malformed request line is rejected", arguments: refusedLines, Feeding.allCases)
    func refusesLine(_ row: (line: String, refusal: HTTPRefusal), feeding: Feeding) {
        let outcome = feeding.feed("\(row.line)\r\nHost: a\r\n\r\n")
        #expect(outcome.refusal == row.refusal)
        #expect(outcome.events.isEmpty)
    }

    @Test("Fields keep their order, letter case and duplicates", arguments: Feeding.allCases)
    func keepsFields(feeding: Feeding) throws {
        let head = "GET / HTTP/1.1\r\nx-B: 2\r\nHOST:a\r\nX-A:\t 1 \t\r\nx-b: \r\nX-b: a  b\r\n\r\n"
        let request = try #require(feeding.feed(head).requests.first)
        #expect(request.headers == ["x-B": "2", "HOST": "a", "X-A": "1", "x-b": "", "X-b": "a  b"])
    }

    @Test(
        "A value with other than ASCII characters is read as UTF-8, or else as ISO 8859-1",
        arguments: Feeding.allCases
    )
    func readsOldText(feeding: Feeding) throws {
        let head = Array("GET / HTTP/1.1\r\nHost: a\r\nNew: é\r\nOld: ".utf8) + [0xE9] + Array("\r\n\r\n".utf8)
        let request = try #require(feeding.feed(head).requests.first)
        #expect(request.headers["New"] == "é")
        #expect(request.headers["Old"] == "é")
    }

    static let refusedFields: [(String, HTTPRefusal)] = [
        ("Host: a\r\n folded", .foldedField),
        ("Host: a\r\nX: 1\r\n\tfolded", .foldedField),
        ("Host : a", .whitespaceBeforeColon),
        ("Host\t: a", .whitespaceBeforeColon),
        ("Host", .malformedFieldName),
        (": a", .malformedFieldName),
        ("X Y: a", .malformedFieldName),
        ("X(): a", .malformedFieldName),
        ("É: a", .malformedFieldName),
        ("X\0: a", .malformedFieldName),
        ("X: \0", .malformedFieldValue(name: "X")),
        ("X: a\u{7F}", .malformedFieldValue(name: "X")),
        ("X: a\u{1B}b", .malformedFieldValue(name: "X")),
        ("X: a\rb", .bareCarriageReturn),
        ("X: a\r\r\n", .bareCarriageReturn),
        ("X: a\nHost: a", .bareLineFeed),
        ("X: a", .missingHost),
        ("Host: a\r\nhost: a", .repeatedHost),
        ("Host: a b", .malformedHost),
        ("Host: a/b", .malformedHost),
        ("Host: user@a", .malformedHost),
    ]

    @Test("A malformed field is rejected", arguments: refusedFields, Feeding.allCases)
    func refusesField(_ row: (fields: String, refusal: HTTPRefusal), feeding: Feeding) {
        let outcome = feeding.feed("GET / HTTP/1.1\r\n\(row.fields)\r\n\r\n")
        #expect(outcome.refusal == row.refusal)
        #expect(outcome.events.isEmpty)
    }

    @Test("HTTP/1.0 does not require Host, but must not repeat it", arguments: Feeding.allCases)
    func allowsOldVersionWithoutHost(feeding: Feeding) {
        let outcome = feeding.feed("GET / HTTP/1.0\r\n\r\nGET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n")
        #expect(outcome.requests.map(\.version) == [.http10])
        #expect(outcome.refusal == .repeatedHost)
    }

    @Test("A target without an authority allows an empty Host", arguments: Feeding.allCases)
    func allowsEmptyHost(feeding: Feeding) {
        #expect(feeding.feed("OPTIONS * HTTP/1.1\r\nHost:\r\n\r\n").requests.count == 1)
    }

    @Test("The initializer of a request checks its target")
    func checksTargetInInitializer() throws {
        let request = try HTTPServerRequest(method: "GET", target: "http://b/c?d", headers: ["Host": "a"])
        #expect(request.path == "/c")
        #expect(request.authority == "b")
        #expect(throws: HTTPRefusal.malformedTarget) { try HTTPServerRequest(method: "GET", target: "c") }
    }
}
