import Foundation
import Testing

@testable import Rewind

struct VCRReadingTests {
    private func interactions(_ text: String) throws -> [Interaction] {
        let data = Data(text.utf8)
        let format = try #require(CassetteFormat(recognizing: data)?.reader)
        #expect([VCRFormat.name, VCRYAMLFormat.name, VCRPyFormat.name].contains(format.name))
        return try format.read(data).interactions
    }

    private func json(request: String = "", response: String = "") -> String {
        """
        {"http_interactions": [
        {"request": {"method": "get", "uri": "http://a/"\(request)}, "response": {"status": {"code": 200, "message": "OK"}\(response)}}]}
        """
    }

    @Test("VCR JSON is read with multiple header values, dates and wrapped base64")
    func ruby() throws {
        let text = #"""
            {"http_interactions":[{"request":{"method":"post","uri":"http://example.com/?a","body":{"encoding":"UTF-8","string":"x=1"},
            "headers":{"Accept":["*/*"],"X":["1","2"]}},"response":{"status":{"code":302,"message":"Found"},"headers":{"Set-Cookie":["a=1, b=2","c=3"]},
            "body":{"encoding":"ASCII-8BIT","base64_string":"aGVs\nbG8=\n"},"http_version":null},"recorded_at":"Tue, 05 Feb 2013 16:19:25 GMT"}],"recorded_with":"VCR 2.4.0"}
            """#
        #expect(
            try interactions(text) == [
                Interaction(
                    request: Interaction.Request(
                        method: "POST",
                        url: "http://example.com/?a",
                        headers: ["Accept": "*/*", "X": "1", "X": "2"],
                        body: Interaction.Body("x=1")
                    ),
                    outcome: .response(
                        Interaction.Response(
                            status: 302,
                            headers: ["Set-Cookie": "a=1, b=2", "Set-Cookie": "c=3"],
                            body: Interaction.Body("hello")
                        )
                    ),
                    startedAt: Date(timeIntervalSince1970: 1_360_081_165)
                )
            ]
        )
    }

    @Test(
        "Text has the encoding of the recorded string, whatever the header says",
        arguments: [
            ("GBK", "中", [0xD6, 0xD0]), ("Shift_JIS", "テ", [0x83, 0x65]), ("Windows-31J", "①", [0x87, 0x40]),
            ("EUC-JP", "日", [0xC6, 0xFC]), ("ISO-8859-1", "é", [0xE9]), ("UTF-8", "é", [0xC3, 0xA9]),
            ("utf-8", "é", [0xC3, 0xA9]), ("ASCII-8BIT", "é", [0xC3, 0xA9]), ("BINARY", "é", [0xC3, 0xA9]),
            ("US-ASCII", "e", [0x65]), ("x-unheard", "e", [0x65]), ("", "é", [0xC3, 0xA9]),
        ] as [(String, String, [UInt8])]
    )
    func encodings(_ name: String, _ text: String, _ bytes: [UInt8]) throws {
        let body =
            #", "headers": {"Content-Type": ["text/plain; charset=koi8-r"]}, "body": {"encoding": "\#(name)", "string": "\#(text)"}"#
        let interaction = try #require(interactions(json(request: body, response: body)).first)
        #expect(interaction.response?.body.data == Data(bytes))
        #expect(interaction.request.body?.data == Data(bytes))
    }

    @Test(
        "Text that its encoding cannot represent never answers",
        arguments: [
            ("GBK", "😀", "the charset GBK of the body cannot represent U+1F600"),
            ("x-unheard", "é", "the charset x-unheard of the body is not supported"),
        ]
    )
    func foreignText(_ name: String, _ text: String, _ reason: String) throws {
        let body = #", "body": {"encoding": "\#(name)", "string": "\#(text)"}"#
        #expect(try interactions(json(response: body)).map(\.outcome) == [.unknown(reason: reason)])
    }

    @Test("YAML of VCR, vcrpy and go-vcr results in the same interaction", arguments: FormatSamples.vcrYAML)
    func yaml(_ text: String) throws {
        let interaction = try #require(interactions(text).first)
        #expect(interaction.request.method == "POST")
        #expect(interaction.request.url == "https://example.com/a?b=1")
        #expect(interaction.request.headers == ["Accept": "*/*", "X-List": "1", "X-List": "2"])
        #expect(interaction.request.body == Interaction.Body("up: \"1\"\n"))
        #expect(interaction.response?.status == 404)
        #expect(interaction.response?.statusText == "Not Found")
        #expect(interaction.response?.headers == ["Content-Type": "text/plain"])
        #expect(interaction.response?.body == Interaction.Body("né\n\n  down\n"))
    }

    @Test("Members that only one tool writes are read")
    func particular() throws {
        let all = try FormatSamples.vcrYAML.map { try #require(interactions($0).first) }
        #expect(
            all.map(\.startedAt) == [Date(timeIntervalSince1970: 1_360_081_165), .distantPast, .distantPast]
        )
        #expect(all.map(\.timing.wait) == [0, 0, 62_500.25])
        #expect(all.map { $0.response?.httpVersion } == ["HTTP/1.1", "HTTP/1.1", "HTTP/2.0"])
    }

    @Test("JSON of early vcrpy is read with its split URL")
    func python() throws {
        let text = #"""
            [{"request": {"body": null, "protocol": "http", "method": "GET", "headers": {"accept": "*/*"}, "host": "example.com", "path": "/ip?x", "port": 80},
              "response": {"status": {"message": "OK", "code": 200}, "headers": ["a: 1\r\n", "b:x: y\r\n"], "body": {"string": "hi"}}},
             {"request": {"body": "up", "protocol": "https", "method": "PUT", "headers": null, "host": "[::1]", "path": "/", "port": 80},
              "response": {"status": {"message": null, "code": 204}, "headers": [], "body": {"string": ""}}}]
            """#
        let interactions = try interactions(text)
        #expect(interactions.map(\.request.url) == ["http://example.com/ip?x", "https://[::1]:80/"])
        #expect(interactions.map(\.request.body) == [nil, Interaction.Body("up")])
        #expect(interactions.first?.response?.headers == ["a": "1", "b": "x: y"])
        #expect(interactions.map { $0.response?.body } == [Interaction.Body("hi"), Interaction.Body()])
    }

    @Test(
        "A request of early vcrpy with an unknown part of its URL never answers",
        arguments: ["protocol", "host", "path"]
    )
    func pythonWithoutURL(_ name: String) throws {
        let text = #"""
            [{"request": {"method": "GET", "host": "h", "protocol": "https", "path": "/"},
              "response": {"status": {"code": 200}, "headers": [], "body": {"string": "hi"}}},
             {"request": {"method": "GET", "host": "h", "protocol": "https", "path": "/", "\#(name)": null},
              "response": {"status": {"code": 200}, "headers": [], "body": {"string": "hi"}}}]
            """#
        #expect(try interactions(text).map(\.isReplayable) == [true, false])
    }

    @Test(
        "A body is read in the format of each tool",
        arguments: [
            (#""body": null"#, nil), (#""body": """#, nil), (#""body": {"string": ""}"#, nil),
            (#""body": {}"#, nil), (#""body": {"encoding": "UTF-8", "string": null}"#, nil),
            (#""body": {"base64_string": null}"#, nil), (#""body": 7.50"#, Data("7.50".utf8)),
            (#""body": "x""#, Data("x".utf8)),
            (#""content": "x""#, Data("x".utf8)),
            (#""body": {"encoding": "ISO-8859-1", "string": "é"}"#, Data([0xE9])),
            (#""body": {"encoding": "US-ASCII", "string": "é"}"#, Data("é".utf8)),
            (#""body": {"encoding": "ASCII-8BIT", "string": "é"}"#, Data("é".utf8)),
            (#""body": {"encoding": null, "base64_string": "/w=="}"#, Data([0xFF])),
        ] as [(String, Data?)]
    )
    func bodies(_ members: String, _ expected: Data?) throws {
        let interaction = try #require(
            interactions(json(request: "," + members, response: "," + members)).first
        )
        #expect(interaction.request.body?.data == expected)
        #expect(interaction.response?.body.data == expected ?? Data())
    }

    @Test("A body in an unknown format is not read as an empty body")
    func otherKinds() throws {
        let outcomes = try interactions(json(response: #", "body": {"type": "text", "content": "x"}"#)).map(
            \.outcome
        )
        #expect(outcomes == [.unknown(reason: "the body has an unknown format")])
    }

    @Test("Invalid base64 in a VCR file affects only its interaction")
    func brokenBase64() throws {
        let broken = #", "body": {"base64_string": "!"}"#
        #expect(
            try interactions(json(response: broken)).map(\.outcome) == [
                .unknown(reason: "the body is not valid base64")
            ]
        )
        let interaction = try #require(interactions(json(request: broken, response: #", "body": null"#)).first)
        #expect(interaction.request.bodyAbsence == "the request body is not valid base64")
        #expect(interaction.response?.status == 200)
        let yaml =
            "interactions:\n- request: {method: GET, uri: x}\n  response:\n    status: 200\n    body: {string: !!binary '!'}\nversion: 1\n"
        #expect(try interactions(yaml).map(\.outcome) == [.unknown(reason: "the body is not valid base64")])
    }

    @Test(
        "The status is an object, a status line with a code, or a number",
        arguments: [
            ("status: {code: 404, message: Gone}", 404, "Gone"),
            ("status: {code: 404, message: null}", 404, ""),
            ("status: 404 Gone Away\n    code: 404", 404, "Gone Away"),
            ("status_code: 404", 404, ""), ("status: 404", 404, ""), ("status: ''\n    code: 404", 404, ""),
            ("status: {status_code: '404', message: Gone}", 404, "Gone"), ("status: {code: '404'}", 404, ""),
            ("status: 404 Gone Away", 404, "Gone Away"), ("status: '404'", 404, ""), ("code: 404", 404, ""),
            ("status: {code: 404, message: [1]}", 404, ""),
        ]
    )
    func statuses(_ text: String, _ status: Int, _ phrase: String) throws {
        let response = try interactions(
            "interactions:\n- request: {method: GET, uri: x}\n  response:\n    \(text)\n    body: ''\nversion: 1\n"
        ).first?.response
        #expect(response == Interaction.Response(status: status, statusText: phrase))
    }

    @Test(
        "An invalid cassette is an error with its line and path",
        arguments: [
            (
                "interactions:\n- request: {method: GET}\n  response: {status: 200}\nversion: 1",
                "entry 1 (line 2)",
                "no interaction can be read: this member is missing (entry 1 (line 2), `request.uri`)"
            ),
            ("version: 3\ninteractions: []", "line 1, `version`", "expected version 1 or 2"),
            ("interactions: 7", "line 1, `interactions`", "expected a list"),
            ("interactions: !!set {}", "line 1, `interactions`", "the tag `!!set` is not supported"),
            (
                "- request: 1", "line 1",
                "expected a mapping with interactions; YAML of vcrpy 0 and PHP-VCR is not supported"
            ),
            (
                #"{"http_interactions": [{"request": 1, "response": {}}]}"#, "entry 1 (line 1)",
                "no interaction can be read: expected an object (entry 1 (line 1), `request`)"
            ),
            (#"{"http_interactions": {}}"#, "`http_interactions`", "expected an array"),
            (#"{"version": 9, "interactions": []}"#, "`version`", "expected version 1 or 2"),
        ]
    )
    func errors(_ text: String, _ place: String, _ cause: String) {
        #expect(throws: CassetteError.Problem.structure(place: place, cause: cause)) { try interactions(text) }
    }

    @Test("Objects of Python are rejected by their tag")
    func tags() throws {
        let problem = try #require(throws: CassetteError.Problem.self) {
            try interactions("- request: !!python/object:vcr.request.Request\n    body: null\n")
        }
        guard case .syntax(1, 12, let cause) = problem else {
            Issue.record("\(problem)")
            return
        }
        #expect(cause.contains("`!!python/object:vcr.request.Request`"))
    }
}
