import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

/// Cassettes with the placeholders of earlier versions, such as `<access_token:1>`.
struct OldPlaceholderTests {
    private static let header = "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0"

    private static func cassette() -> Data {
        let claims = Data(#"{"placeholder":"<id_token:2>","exp":1700000000}"#.utf8).base64EncodedString()
            .replacingOccurrences(of: "=", with: "")
        let text = "<access_token:1> \(header).\(claims).cmVkYWN0ZWQ"
        return Data(
            #"""
            {"log": {"version": "1.2", "creator": {"name": "Rewind", "version": "1"}, "entries": [
            {"startedDateTime": "2026-01-01T00:00:00.000Z", "time": 1,
            "request": {"method": "POST", "url": "https://h/me?token=%3Caccess_token%3A1%3E", "httpVersion": "HTTP/1.1",
            "headers": [{"name": "Authorization", "value": "Bearer <access_token:1>"}], "queryString": [], "cookies": [],
            "postData": {"mimeType": "text/xml", "text": "<a>&lt;pass_word:3&gt;</a>"}, "headersSize": -1, "bodySize": -1},
            "response": {"status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1", "cookies": [],
            "headers": [{"name": "Content-Length", "value": "\#(text.utf8.count)"}],
            "content": {"size": \#(text.utf8.count), "mimeType": "text/plain", "text": "\#(text)"},
            "redirectURL": "", "headersSize": -1, "bodySize": -1},
            "cache": {}, "timings": {"send": 0, "wait": 1, "receive": 0}, "_rewind": {"redacted": ["x"]}}]}}
            """#.utf8
        )
    }

    private static func interactions(_ data: Data) throws -> [Interaction] {
        let folder = try TemporaryDirectory()
        try data.write(to: folder["old.har"])
        let location = CassetteLocation(folder["old.har"])
        return try #require(try CassetteFile(location).load()).interactions
    }

    @Test("Old placeholders are read as new ones, in every spelling")
    func reading() throws {
        let interaction = try #require(try Self.interactions(Self.cassette()).first)
        #expect(interaction.request.url == "https://h/me?token=REDACTEDaccessTokenN1X")
        #expect(interaction.request.headers["Authorization"] == "Bearer REDACTEDaccessTokenN1X")
        #expect(interaction.request.body == Interaction.Body("<a>REDACTEDpassWordN3X</a>"))
        let token = Placeholder(name: "id_token", number: 2).jwtText(replacing: ["exp": 1_700_000_000])
        #expect(interaction.text == "REDACTEDaccessTokenN1X \(token)")
        #expect(interaction.response?.headers["Content-Length"] == "\(interaction.text.utf8.count)")
    }

    @Test("An app that sends an old placeholder as it now gets it is answered")
    func replay() throws {
        let list = try Self.interactions(Self.cassette())
        let redactor = Redactor(.default) { Placeholder.placeholders(in: list) }
        var playback = Playback(list, matchers: .default, repeats: .never, ledger: redactor.ledger)
        guard case .found = playback.play(redactor.redact(list[0].request)) else {
            Issue.record("it is a miss")
            return
        }
    }

    @Test("A cassette that is saved again gets the new placeholders")
    func saving() throws {
        let studio = try Studio()
        try Self.cassette().write(to: studio.file)
        let stubber = try studio.stubber(.newEpisodes)
        try stubber.record("https://h/new", "new")
        try stubber.eject()
        let text = try studio.contents
        #expect(text.contains("Bearer REDACTEDaccessTokenN1X"))
        #expect(!text.contains("access_token:1") && !text.contains("pass_word:3"))
    }

    @Test("Text that resembles an old placeholder stays unchanged if nothing was redacted")
    func unredacted() throws {
        let text = String(decoding: Self.cassette(), as: UTF8.self)
            .replacingOccurrences(of: "\"redacted\"", with: "\"x\"")
        let interaction = try #require(try Self.interactions(Data(text.utf8)).first)
        #expect(interaction.text.hasPrefix("<access_token:1>"))
    }
}
