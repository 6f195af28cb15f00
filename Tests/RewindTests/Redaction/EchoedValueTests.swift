import Foundation
import Rewind
import RewindServer
import RewindTestSupport
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Values that the app makes up, such as IDs of requests, and that the server repeats: on replay the app gets the value
/// that it sends today.
final class EchoedValueTests: XCTestCase {
    private var configuration: Stubber.Configuration {
        var configuration = Stubber.Configuration()
        configuration.redaction.add(.pattern("req-[0-9a-f]{8}(?: é&<q>\\+)?", name: "id"))
        return configuration
    }

    /// A value that no other run made up.
    private static func newID(_ end: String = "") -> String {
        "req-" + (0..<8).map { _ in String("0123456789abcdef".randomElement() ?? "0") }.joined() + end
    }

    /// Records a conversation from a server, and repeats it without the server.
    private func repeated<Result: Sendable>(
        _ respond: @escaping @Sendable (HTTPServerRequest) -> EchoedAnswer,
        _ configuration: Stubber.Configuration? = nil,
        _ conversation: @Sendable (URL) async throws -> Result
    ) async throws -> Result {
        let folder = try TemporaryDirectory()
        let server = HTTPServer { request, response in try respond(request).send(response) }
        let url = try server.start()
        defer { server.stop() }
        let configuration = configuration ?? self.configuration
        _ = try await withCassette("talk", in: folder.url, mode: .once, configuration: configuration) { _ in
            try await conversation(url)
        }
        server.stop()
        return try await withCassette("talk", in: folder.url, mode: .never, configuration: configuration) { _ in
            try await conversation(url)
        }
    }

    private static func post(_ url: URL, _ body: String, _ headers: [String: String] = [:]) -> URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = Data(body.utf8)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    func testTheResponseContainsTheValueOfTodayInEveryRepresentation() async throws {
        for kind in EchoedAnswer.Kind.allCases {
            for end in kind.isHeader ? [""] : ["", " é&<q>+"] {
                let pair = try await repeated({ EchoedAnswer(kind, repeating: $0.sentID) }) { url in
                    let id = Self.newID(end)
                    return (id, await Outcome(of: Self.post(url, #"{"id": "\#(id)"}"#)))
                }
                let (id, outcome) = pair
                let expected = EchoedAnswer(kind, repeating: id)
                XCTAssertEqual(outcome.text, String(decoding: expected.body, as: UTF8.self), "\(kind) \(id)")
                XCTAssertEqual(outcome.headers["Content-Length"], "\(expected.body.count)", "\(kind)")
                for field in expected.headers where field.name != "Set-Cookie" {
                    XCTAssertEqual(outcome.headers[field.name], field.value, "\(kind)")
                }
                if kind == .cookie {
                    XCTAssertTrue(outcome.headers["Set-Cookie"]?.contains(id) ?? false, "\(outcome.headers)")
                }
            }
        }
    }

    func testSeveralValuesOfARequestKeepTheirPlaces() async throws {
        // Encoders write the members of an object in any order.
        let turns = Locked(0)
        let (ids, text) = try await repeated({ request in
            let json = try? JSON(parsing: request.body)
            let texts = ["first", "second"].map { json?[$0]?.stringValue ?? "" }
            return EchoedAnswer(text: "\(texts[0]) \(texts[1]) \(request.headers["X-Request-Id"] ?? "")")
        }) { url in
            let ids = (0..<3).map { _ in Self.newID() }
            let members = [#""first": "\#(ids[0])""#, #""second": "\#(ids[1])""#]
            let isTurned = turns.withLock { turns in
                turns += 1
                return turns == 2
            }
            let body = "{" + (isTurned ? members.reversed() : members).joined(separator: ", ") + "}"
            return (ids, await Outcome(of: Self.post(url, body, ["X-Request-Id": ids[2]])).text)
        }
        XCTAssertEqual(text, ids.joined(separator: " "))
    }

    func testAPartThatIsNotComparedContainsTheValueToo() async throws {
        var configuration = configuration
        configuration.matching = [.method, .path]
        let (id, text) = try await repeated({ EchoedAnswer(.json, repeating: $0.sentID) }, configuration) {
            url in
            let id = Self.newID()
            return (id, await Outcome(of: Self.post(url, #"{"id": "\#(id)"}"#)).text)
        }
        XCTAssertEqual(text, #"{"id": "\#(id)"}"#)
    }

    func testALaterResponseContainsTheValueOfAnEarlierRequest() async throws {
        for isInHeader in [false, true] {
            let sent = Locked<[String]>([])
            let texts = try await repeated({ request in
                guard request.method == "POST" else {
                    return EchoedAnswer(text: sent.withLock { $0 }.joined(separator: ","))
                }
                sent.withLock { $0.append(request.headers["X-Request-Id"] ?? request.sentID) }
                return EchoedAnswer(text: "stored")
            }) { url -> (ids: [String], list: String, one: String) in
                var ids: [String] = []
                for name in ["a", "b"] {
                    let id = Self.newID()
                    ids.append(id)
                    let body = isInHeader ? #"{"name": "\#(name)"}"# : #"{"name": "\#(name)", "id": "\#(id)"}"#
                    let headers = isInHeader ? ["X-Request-Id": id] : [:]
                    _ = await Outcome(of: Self.post(url, body, headers))
                }
                let list = await Outcome(of: url.appendingPathComponent("orders")).text
                let one = url.appendingPathComponent("orders").appendingPathComponent(ids[1])
                return (ids, list, await Outcome(of: one).text)
            }
            XCTAssertEqual(texts.list, texts.ids.joined(separator: ","))
            XCTAssertEqual(texts.one, texts.list)
        }
    }

    func testParallelRequestsGetTheirOwnValues() async throws {
        for isInHeader in [false, true] {
            let answers = try await repeated({ request in
                EchoedAnswer(.json, repeating: request.headers["X-Request-Id"] ?? request.sentID)
            }) { url in
                await withTaskGroup(of: [String].self) { group in
                    for _ in 0..<16 {
                        group.addTask {
                            let id = Self.newID()
                            let request =
                                isInHeader
                                ? Self.post(url, "{}", ["X-Request-Id": id])
                                : Self.post(url, #"{"id": "\#(id)"}"#)
                            return [id, await Outcome(of: request).text]
                        }
                    }
                    var answers: [[String]] = []
                    for await answer in group { answers.append(answer) }
                    return answers
                }
            }
            XCTAssertEqual(answers.count, 16)
            for answer in answers { XCTAssertEqual(answer[1], #"{"id": "\#(answer[0])"}"#) }
        }
    }

    func testManyValuesOfOneTestAreHandedBack() async throws {
        let answers = try await repeated({ EchoedAnswer(.json, repeating: $0.sentID) }) { url in
            var answers: [[String]] = []
            for number in 0..<100 {
                let id = Self.newID()
                let body = #"{"number": \#(number), "id": "\#(id)"}"#
                answers.append([id, await Outcome(of: Self.post(url, body)).text])
            }
            return answers
        }
        for answer in answers { XCTAssertEqual(answer[1], #"{"id": "\#(answer[0])"}"#) }
    }

    func testAValueUnderASecretNameIsHandedBackToo() async throws {
        let pair = try await repeated(
            { request in
                EchoedAnswer(text: request.headers["X-Api-Key"] ?? "")
            },
            Stubber.Configuration()
        ) { url in
            let key = "k9" + Self.newID().dropFirst(4)
            var request = URLRequest(url: url)
            request.setValue(key, forHTTPHeaderField: "X-Api-Key")
            return [key, await Outcome(of: request).text]
        }
        XCTAssertEqual(pair[1], pair[0])
    }

    func testAPlaceholderThatTheAppDidNotSendStays() async throws {
        let text = try await repeated({ _ in
            EchoedAnswer(text: "req-01234567")
        }) { await Outcome(of: $0).text }
        XCTAssertEqual(text, "REDACTEDidN1X")
    }
}

/// The answer of a server that repeats a value.
struct EchoedAnswer: Sendable {
    enum Kind: CaseIterable {
        case json, link, form, html, xml, base64, nested, multipart, wide, chunks, location, field, cookie

        /// Whether a header field repeats the value.
        var isHeader: Bool { [.location, .field, .cookie].contains(self) }
    }

    var headers: HeaderList = ["Content-Type": "text/plain; charset=utf-8"]
    var body: Data
    private var isInPieces = false

    init(text: String) { body = Data(text.utf8) }

    init(_ kind: Kind, repeating id: String) {
        self.init(text: "done")
        let encoded =
            id.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(.init(charactersIn: "-")))
            ?? ""
        let escaped = id.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(
            of: "<",
            with: "&lt;"
        )
        .replacingOccurrences(of: ">", with: "&gt;")
        switch kind {
        case .json, .chunks: set("application/json", #"{"id": "\#(id)"}"#)
        case .link: set("application/json", #"{"next": "https://h/orders/\#(encoded)?id=\#(encoded)&page=2"}"#)
        case .form: set("application/x-www-form-urlencoded", "id=\(encoded)&x=1")
        case .html: set("text/html; charset=utf-8", "<p title=\"\(escaped)\">\(escaped)</p>")
        case .xml: set("application/xml", "<order><id>\(escaped)</id></order>")
        case .base64: set("application/json", #"{"blob": "\#(Self.base64(id))"}"#)
        case .nested: set("application/json", #"{"blob": "\#(Self.base64(#"{"order": "\#(id)"}"#))"}"#)
        case .multipart:
            let part = "Content-Type: text/plain; charset=utf-8\r\n\r\n\(id)"
            set("multipart/mixed; boundary=b0", "--b0\r\n\(part)\r\n--b0\r\n\(part)\r\n--b0--\r\n")
        case .wide:
            headers["Content-Type"] = "text/plain; charset=utf-16le"
            body = id.data(using: .utf16LittleEndian) ?? Data()
        case .location: headers["Location"] = "/orders/\(encoded)"
        case .field: headers["X-Request-Id"] = id
        case .cookie: headers["Set-Cookie"] = "last=\(id); Path=/"
        }
        isInPieces = kind == .chunks
    }

    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    private mutating func set(_ type: String, _ text: String) {
        headers["Content-Type"] = type
        body = Data(text.utf8)
    }

    func send(_ response: HTTPResponseWriter) throws {
        guard isInPieces else { return try response.respond(headers: headers, body: body) }
        var headers = headers
        headers["Content-Length"] = "\(body.count)"
        try response.begin(status: 200, headers: headers)
        try response.write(body.prefix(14))
        try response.write(body.dropFirst(14))
        try response.end()
    }
}

extension HTTPServerRequest {
    /// The value of the member `id` in the body.
    fileprivate var sentID: String { (try? JSON(parsing: body))?["id"]?.stringValue ?? "" }
}
