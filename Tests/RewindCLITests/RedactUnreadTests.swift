import Foundation
import Rewind
import RewindTestSupport
import Testing

/// Secrets in the parts of an archive that no interaction contains.
struct RedactUnreadTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// A place of an archive that a rewrite keeps although Rewind does not read it.
    struct Place: Codable, Sendable, CustomTestStringConvertible {
        let title: String
        /// Members of the log, the entry, the request, the response and its content, with a comma at the end.
        var log = ""
        var entry = ""
        var request = ""
        var response = ""
        var content = #""text": "ok""#
        var requestHeaders = "[]"

        var testDescription: String { title }

        var archive: String {
            #"{"log": {"pages": [], \#(log) "version": "1.2", "creator": {"name": "other", "version": "1"}, "entries": [{\#(entry)"#
                + #" "startedDateTime": "2026-01-01T00:00:00.000Z", "time": 1, "request": {\#(request) "method": "GET","#
                + #" "url": "https://h/a", "httpVersion": "HTTP/1.1", "headers": \#(requestHeaders),"#
                + #" "headersSize": -1, "bodySize": -1}, "response": {\#(response) "status": 200, "statusText": "OK","#
                + #" "httpVersion": "HTTP/1.1", "headers": [], "content": {"size": 2, "mimeType": "text/plain", \#(content)},"#
                + #" "redirectURL": "", "headersSize": -1, "bodySize": -1}, "cache": {}, "timings": {"send": 0,"#
                + #" "wait": 1, "receive": 0}}]}}"#
        }
    }

    private static let secret = "hunter2-Kq81"

    private static let places = [
        Place(title: "log", log: #""_settings": {"client_secret": "\#(secret)"},"#),
        Place(title: "page", log: #""_pages": [{"title": "https://h/?access_token=\#(secret)"}],"#),
        Place(title: "entry", entry: #""_initiator": {"password": "\#(secret)"},"#),
        Place(
            title: "messages of a web socket",
            entry: #""_webSocketMessages": [{"data": "{\"access_token\": \"\#(secret)\"}"}],"#
        ),
        Place(title: "comment", request: #""comment": "password=\#(secret)","#),
        Place(
            title: "cookie without a field",
            request: #""cookies": [{"name": "session", "value": "\#(secret)"}],"#
        ),
        Place(title: "query", request: #""queryString": [{"name": "api_key", "value": "\#(secret)"}],"#),
        Place(
            title: "parameters beside a text",
            request:
                #""postData": {"mimeType": "a/b", "text": "x", "params": [{"name": "password", "value": "\#(secret)"}]},"#
        ),
        Place(
            title: "parameter that is an object",
            request:
                #""postData": {"mimeType": "a/b", "params": [{"name": "password", "value": {"a": "\#(secret)"}}]},"#
        ),
        Place(title: "member with the name of another", response: #""status": {"password": "\#(secret)"},"#),
        Place(title: "body that is an object", content: #""text": {"access_token": "\#(secret)"}"#),
        Place(
            title: "body in an unknown encoding",
            content: #""encoding": "x", "text": "{\"access_token\": \"\#(secret)\"}""#
        ),
        Place(
            title: "header that is an object",
            requestHeaders: #"[{"name": "Authorization", "value": {"token": "\#(secret)"}}]"#
        ),
        Place(
            title: "comment of a header",
            requestHeaders: #"[{"name": "Accept", "value": "*/*", "comment": "password=\#(secret)"}]"#
        ),
        Place(title: "headers in an object", requestHeaders: #"{"X-Odd": {"password": "\#(secret)"}}"#),
    ]

    @Test("A secret that Rewind does not read is redacted, and everything else stays", arguments: places)
    func unread(place: Place) throws {
        try folder.put("a.har", place.archive)
        let before = try JSON(parsing: Data(place.archive.utf8))
        #expect(try CommandRun(["redact", "--check", "a.har"], in: folder.url).status == 1)
        let converted = try CommandRun(
            ["convert", "a.har", "--to", "har", "--output", "b.har"],
            in: folder.url
        )
        #expect(converted.status == 0)
        #expect(try CommandRun(["redact", "--in-place", "a.har"], in: folder.url).status == 0)
        let texts = try ["a.har", "b.har"].map { try String(contentsOf: folder[$0], encoding: .utf8) }
        // A converted archive has only what HAR 1.2 allows.
        #expect(texts[0].contains("REDACTED"))
        #expect(!texts.contains { $0.contains(Self.secret) })
        let after = try JSON(parsing: Data(contentsOf: folder["a.har"]))
        #expect(after.withoutPlaceholders == before.withoutPlaceholders)
        let again = try CommandRun(["redact", "--check", "a.har"], in: folder.url)
        #expect(again.output == "No secrets found in 1 cassette.\n")
    }

    @Test("A header field that cannot be read stays when a field beside it is redacted")
    func oddHeader() throws {
        let headers = [
            #"{"name": "X-Odd", "value": {"a": 1}}"#,
            #"{"name": "Authorization", "value": "Bearer \#(Self.secret)"}"#,
            #"{"name": "Accept", "value": ["a/b", "c/d"], "comment": "two"}"#,
        ]
        try folder.put(
            "a.har",
            Place(title: "", requestHeaders: "[" + headers.joined(separator: ", ") + "]").archive
        )
        #expect(try CommandRun(["redact", "--in-place", "a.har"], in: folder.url).status == 0)
        let archive = try JSON(parsing: Data(contentsOf: folder["a.har"]))
        let fields = archive["log"]?["entries"]?[0]?["request"]?["headers"]
        #expect(fields?.arrayValue?.count == 3)
        #expect(fields?[0] == ["name": "X-Odd", "value": ["a": 1]])
        #expect(fields?[1]?["value"]?.stringValue?.hasPrefix("Bearer REDACTED") == true)
        #expect(fields?[2] == ["name": "Accept", "value": ["a/b", "c/d"], "comment": "two"])
    }
}

extension JSON {
    /// The value with its members in the order of names, and without what a redaction changes.
    fileprivate var withoutPlaceholders: JSON {
        switch self {
        case .object(let object):
            let members = object.members.filter { $0.name != "_rewind" }
            return .object(
                JSONObject(
                    members.map { JSONObject.Member(name: $0.name, value: $0.value.withoutPlaceholders) }
                        .sorted { $0.name < $1.name }
                )
            )
        case .array(let elements): return .array(elements.map(\.withoutPlaceholders))
        case .string(let text) where text.contains("hunter2-Kq81") || text.contains("REDACTED"): return "secret"
        default: return self
        }
    }
}
