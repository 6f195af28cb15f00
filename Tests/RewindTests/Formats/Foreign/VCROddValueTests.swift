import Foundation
import Testing

@testable import Rewind

/// A value of a wrong type affects only its interaction.
struct VCROddValueTests {
    private static func entry(
        request: String = "method: GET, uri: 'http://a/'",
        response: String = "status: {code: 200, message: OK}, headers: {A: b}, body: {string: hi}",
        more: String = ""
    ) -> String {
        "- request: {\(request)}\n  response: {\(response)}\n\(more)"
    }

    private func interactions(_ entry: String) throws -> [Interaction] {
        let text = "interactions:\n\(Self.entry())\(entry)version: 1\n"
        return try VCRYAMLFormat.read(Data(text.utf8)).interactions
    }

    @Test(
        "A value that cannot be read costs only its interaction, which says why",
        arguments: [
            (entry(request: "method: GET"), "this member is missing (entry 2 (line 4), `request.uri`)"),
            (
                entry(request: "method: null, uri: x"),
                "this member is missing (entry 2 (line 4), `request.method`)"
            ),
            (
                entry(request: "method: '', uri: x"),
                "the method is empty (entry 2 (line 4), `request.method`)"
            ),
            (entry(request: "method: [GET], uri: x"), "expected a string (entry 2 (line 4), `request.method`)"),
            (entry(request: "method: GET, uri: {a: b}"), "expected a string (entry 2 (line 4), `request.uri`)"),
            (entry(request: "method: GET, uri: ''"), "the URL is empty (entry 2 (line 4), `request.uri`)"),
            (entry(response: "body: a"), "this member is missing (entry 2 (line 5), `response.status`)"),
            (
                entry(response: "status: 99, body: a"),
                "expected a status code from 100 to 999 (entry 2 (line 5), `response.status`)"
            ),
            (
                entry(response: "status: {code: OK}, body: a"),
                "expected a status code from 100 to 999 (entry 2 (line 5), `response.status.code`)"
            ),
            (
                entry(response: "status: 200, headers: [a], body: a"),
                "expected an object (entry 2 (line 5), `response.headers`)"
            ),
            (
                entry(response: "status: 200, headers: {a: {b: c}}, body: a"),
                "expected a string (entry 2 (line 5), `response.headers.a`)"
            ),
            (
                entry(response: "status: 200, headers: {a: !!set {b}}, body: a"),
                "the tag `!!set` is not supported (entry 2 (line 5), `response.headers.a`)"
            ),
            ("- 7\n", "expected an object (entry 2 (line 4))"),
            ("- request: {method: GET, uri: x}\n", "this member is missing (entry 2 (line 4), `response`)"),
            ("- !ruby/object:A {request: x}\n", "the tag `!ruby/object:A` is not supported (entry 2 (line 4))"),
        ]
    )
    func odd(_ entry: String, _ expected: String) throws {
        let interactions = try interactions(entry)
        #expect(interactions.count == 2)
        #expect(interactions[0].response?.body == Interaction.Body("hi"))
        guard case .unknown(let reason) = interactions[1].outcome else {
            Issue.record("\(interactions[1].outcome)")
            return
        }
        #expect(reason == expected)
        let archive = try HARFormat.read(HARFormat.write(Cassette(interactions: interactions)))
        #expect(archive.interactions.count == 2)
        #expect(archive.interactions[0].response?.body == Interaction.Body("hi"))
        #expect(!archive.interactions[1].isReplayable)
    }

    @Test(
        "A value of another type with only one meaning is read",
        arguments: [
            entry(response: "status: '200 OK', headers: {A: b}, body: hi"),
            entry(response: "status: {code: '200'}, headers: {A: [b]}, body: hi"),
            entry(response: "status: {code: 200, message: {}}, headers: {A: [b], A: b}, body: hi"),
            entry(more: "  recorded_at: [yesterday]\n"), entry(more: "  recorded_at: 12\n"),
            entry(request: "method: GET, uri: 'http://a/', headers: []"),
            entry(request: "method: :get, uri: 'http://a/', headers: null"),
            entry(response: "status: 200, headers: {A: b}, body: hi, http_version: [1], duration: {}"),
        ]
    )
    func readable(_ entry: String) throws {
        let interaction = try #require(try interactions(entry).last)
        #expect(interaction.request.method == "GET")
        #expect(interaction.response?.status == 200)
        #expect(interaction.response?.headers == ["A": "b"])
        #expect(interaction.response?.body == Interaction.Body("hi"))
        #expect(interaction.startedAt == .distantPast)
    }

    @Test("Numbers and Booleans in header fields are text, in YAML and in JSON")
    func headers() throws {
        let yaml = Self.entry(response: "status: 200, headers: {A: 1.50, B: [yes, 2], C: null}, body: hi")
        #expect(try interactions(yaml).last?.response?.headers == ["A": "1.50", "B": "yes", "B": "2", "C": ""])
        let json = #"""
            {"version": 1, "interactions": [{"request": {"method": "GET", "uri": "http://a/"},
            "response": {"status": {"code": "200"}, "headers": {"A": 1.50, "B": [true, 2]}, "body": {"string": "hi"}}}]}
            """#
        let interaction = try #require(try VCRFormat.read(Data(json.utf8)).interactions.first)
        #expect(interaction.response?.headers == ["A": "1.50", "B": "true", "B": "2"])
    }

    @Test("JSON of early vcrpy: a value that cannot be read costs only its interaction")
    func early() throws {
        let good =
            #"{"request": {"method": "GET", "host": "a", "path": "/", "headers": {}}, "response": {"status": {"code": 200}, "headers": ["A: b"], "body": {"string": "hi"}}}"#
        let odd =
            #"{"request": {"method": "GET", "path": "/"}, "response": {"status": 200, "headers": ["no colon"], "body": {"string": "hi"}}}"#
        let interactions = try VCRPyFormat.read(Data("[\(good), \(odd), 7]".utf8)).interactions
        #expect(interactions.map(\.isReplayable) == [true, false, false])
        #expect(throws: CassetteError.Problem.self) { try VCRPyFormat.read(Data("[\(odd)]".utf8)) }
    }
}
