import Foundation
import Testing

@testable import Rewind

struct PropertyListTests {
    private typealias Samples = FormatSamples

    private func scene(_ frames: [String]) throws -> [Interaction] {
        try BeKindRewindFormat.read(Data(Samples.beKindRewind([Samples.scene(frames)]).utf8)).interactions
    }

    private func url(_ path: String) -> String { "<string>https://example.com/\(path)</string>" }

    @Test("A scene is read with its chunks, times and added headers")
    func simple() throws {
        let interactions = try BeKindRewindFormat.read(Data(Samples.beKindRewind([Samples.simpleScene]).utf8))
            .interactions
        let chunks = [
            Interaction.Body.Chunk(offset: 250, count: 3), Interaction.Body.Chunk(offset: 500, count: 2),
        ]
        #expect(
            interactions == [
                Interaction(
                    request: Interaction.Request(url: "https://example.com/a?b", headers: ["Accept": "*/*"]),
                    outcome: .response(
                        Interaction.Response(
                            headers: ["Content-Type": "text/plain"],
                            body: Interaction.Body(Data("hello".utf8), chunks: chunks)
                        )
                    ),
                    startedAt: Date(timeIntervalSince1970: 1000.5),
                    timing: .init(wait: 250, receive: 500)
                )
            ]
        )
    }

    @Test("A redirect is a separate interaction, and data before the last response is ignored")
    func redirect() throws {
        let response = Samples.dictionary([
            "statusCode": "<integer>302</integer>",
            "allHeaderFields": Samples.dictionary(["Location": "<string>/b</string>"]),
        ])
        let request = Samples.dictionary(["URL": url("b"), "HTTPMethod": "<string>GET</string>"])
        let interactions = try scene([
            Samples.frame(
                "OriginalRequest",
                at: 1,
                ["URL": url("a"), "HTTPMethod": "<string>POST</string>", "HTTPBody": "<data>dXA=</data>"]
            ),
            Samples.frame("Redirect", at: 2, ["request": request, "response": response]),
            Samples.frame("CurrentRequest", at: 2, ["URL": url("b")]),
            Samples.frame("Response", at: 3, ["URL": url("b"), "statusCode": "<integer>200</integer>"]),
            Samples.frame("Data", at: 4, ["data": "<data>eHg=</data>"]),
            Samples.frame("Response", at: 5, ["URL": url("b"), "statusCode": "<integer>200</integer>"]),
            Samples.frame("Data", at: 6, ["data": "<data>aGk=</data>"]),
            Samples.frame("Unheard", at: 7),
        ])
        #expect(interactions.map(\.request.url) == ["https://example.com/a", "https://example.com/b"])
        #expect(interactions.map(\.request.method) == ["POST", "GET"])
        #expect(interactions.map(\.request.body) == [Interaction.Body("up"), nil])
        #expect(interactions.map { $0.response?.redirectTarget } == ["/b", nil])
        #expect(interactions.map { $0.response?.body } == [Interaction.Body(), Interaction.Body("hi")])
        #expect(interactions.map(\.timing.wait) == [1000, 3000])
    }

    @Test("Frames with equal times are read in file order, as in early files")
    func early() throws {
        let date = "<date>2016-02-12T00:29:20Z</date>"
        let frames = [
            ("Request", ["URL": url("a")]), ("Response", ["statusCode": "<integer>201</integer>"]),
            ("Data", ["data": "<data>aGk=</data>"]),
        ].map { (kind: String, members: KeyValuePairs<String, String>) in
            Samples.frame(kind, at: 7, members).replacingOccurrences(of: "<real>7.0</real>", with: date)
        }
        let interactions = try scene(frames)
        #expect(
            interactions.map(\.response) == [Interaction.Response(status: 201, body: Interaction.Body("hi"))]
        )
        #expect(interactions.map(\.startedAt) == [Date(timeIntervalSince1970: 1_455_236_960)])
    }

    @Test("A failed task is a failure, and a task without an HTTP response never answers")
    func failures() throws {
        let request = Samples.frame("OriginalRequest", at: 1, ["URL": url("a")])
        let information = Samples.dictionary(["NSLocalizedDescription": "<string>cancelled</string>"])
        let error = Samples.frame(
            "Error",
            at: 2,
            ["domain": "<string>D</string>", "code": "<integer>-999</integer>", "userInfo": information]
        )
        #expect(
            try scene([request, error]).map(\.outcome) == [
                .failure(Interaction.Failure(domain: "D", code: -999, message: "cancelled"), after: nil)
            ]
        )
        #expect(try scene([request, error]).map(\.timing.wait) == [1000])
        #expect(try scene([request]).map(\.outcome) == [.unknown(reason: "the scene has no response")])
        let file = Samples.frame("Response", at: 2, ["statusCode": "<integer>-1</integer>"])
        #expect(
            try scene([request, file]).map(\.outcome) == [
                .unknown(reason: "the response is not an HTTP response")
            ]
        )
    }

    @Test("Scenes are in the order of their first frames")
    func order() throws {
        let scenes = [3, 1, 2].map {
            Samples.scene([Samples.frame("OriginalRequest", at: $0, ["URL": url("\(Int($0))")])])
        }
        let interactions = try BeKindRewindFormat.read(Data(Samples.beKindRewind(scenes).utf8)).interactions
        #expect(interactions.map(\.request.url) == ["1", "2", "3"].map { "https://example.com/\($0)" })
    }

    @Test("A JSZVCR recording has the original URL and the sent headers")
    func jszvcr() throws {
        let interactions = try JSZVCRFormat.read(Data(Samples.jszvcr([Samples.recording]).utf8)).interactions
        let response = Interaction.Response(status: 404, headers: ["A": "1"], body: Interaction.Body("hi"))
        #expect(
            interactions.map(\.request) == [
                Interaction.Request(url: "https://example.com/a", headers: ["Accept": "*/*"])
            ]
        )
        #expect(interactions.map(\.outcome) == [.response(response)])
    }

    @Test("A cancelled or failed JSZVCR recording is a failure")
    func jszvcrFailures() throws {
        let request = Samples.dictionary(["currentRequest": Samples.dictionary(["URL": url("a")])])
        let error = Samples.dictionary([
            "domain": "<string>D</string>", "code": "<integer>7</integer>", "description": "<string>m</string>",
        ])
        let outcomes = try [["cancelled": "<true/>"], ["error": error], ["cancelled": "<false/>"]].flatMap {
            (members: KeyValuePairs<String, String>) in
            let text = Samples.dictionary(["request": request]).replacingOccurrences(
                of: "<dict>\n<key>request",
                with: Samples.dictionary(members).dropLast(7) + "<key>request"
            )
            return try JSZVCRFormat.read(Data(Samples.jszvcr([text]).utf8)).interactions.map(\.outcome)
        }
        #expect(
            outcomes == [
                .failure(Interaction.Failure(code: -999), after: nil),
                .failure(Interaction.Failure(domain: "D", code: 7, message: "m"), after: nil),
                .unknown(reason: "the recording has no response"),
            ]
        )
    }

    @Test(
        "An invalid property list member is an error with its place",
        arguments: [
            ("<dict><key>scenes</key><string>x</string></dict>", "`scenes`", "expected an array"),
            (
                "<dict><key>scenes</key><array><string>x</string></array></dict>", "`scenes`",
                "no request has a URL: expected an object (entry 1)"
            ),
            (
                "<dict><key>scenes</key><array><dict/></array></dict>", "`scenes`",
                "no request has a URL: this member is missing (entry 1, `frames`)"
            ),
            (
                "<dict><key>scenes</key><array><dict><key>frames</key><array/></dict></array></dict>",
                "`scenes`", "no request has a URL: the scene has no request (entry 1)"
            ),
            (
                "<dict><key>scenes</key><array><dict><key>frames</key><array><dict><key>class</key><string>BKRRequestFrame</string></dict></array></dict></array></dict>",
                "`scenes`", "no request has a URL: this member is missing (entry 1, `frames.0.URL`)"
            ),
        ]
    )
    func errors(_ root: String, _ place: String, _ cause: String) {
        #expect(throws: CassetteError.Problem.structure(place: place, cause: cause)) {
            try BeKindRewindFormat.read(Data(Samples.propertyList(root).utf8))
        }
    }

    @Test(
        "Unclosed, deep and entity-defining elements are rejected before parsing",
        arguments: [
            ("<plist>\n<dict>", 2, 7, "missing closing tag of `<dict>`"),
            ("<plist>\n<dict></array>", 2, 7, "unexpected closing tag `</array>`"),
            ("<plist>\n<dict", 2, 1, "missing `>` at the end of the tag"),
            ("<plist>\n<!-- <dict>", 2, 1, "missing `-->` after `<!--`"),
            ("<plist><![CDATA[", 1, 8, "missing `]]>` after `<![CDATA[`"),
            ("<!DOCTYPE plist [<!ENTITY a \"b\">]>", 1, 1, "entities are not supported"),
            ("", 1, 1, "expected a property list"),
            (String(repeating: "<array>", count: 100_000), 1, 449, "nested deeper than 64 levels"),
        ]
    )
    func elements(_ text: String, _ line: Int, _ column: Int, _ cause: String) {
        #expect(throws: CassetteError.Problem.syntax(line: line, column: column, cause: cause)) {
            try PropertyList(Data(text.utf8))
        }
    }

    @Test("A binary property list is rejected with the command that converts it")
    func binary() throws {
        let problem = try #require(throws: CassetteError.Problem.self) {
            try PropertyList(Data("bplist00".utf8))
        }
        #expect(problem.remedy.contains("plutil -convert xml1"))
    }
}
