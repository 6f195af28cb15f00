import Foundation
import Rewind
import Testing

struct HARReadingTests {
    private func response(_ text: String, members: String = "") throws -> Interaction.Outcome {
        try HARSamples.interaction(HARSamples.entry(response: text, members: members)).outcome
    }

    private func text(_ outcome: Interaction.Outcome) -> String? {
        guard case .response(let response) = outcome else { return nil }
        return String(data: response.body.data, encoding: .utf8)
    }

    @Test("A complete archive of a browser is read")
    func foreign() throws {
        let interactions = try HARFormat.read(HARSamples.foreign).interactions
        #expect(
            interactions.first
                == Interaction(
                    request: Interaction.Request(
                        method: "POST",
                        url: "https://example.com/login?next=%2f",
                        headers: [":method": "POST", "Cookie": "id=7", "Content-Type": "text/plain"],
                        body: Interaction.Body("hello"),
                        httpVersion: "h2"
                    ),
                    outcome: .response(
                        Interaction.Response(
                            statusText: "",
                            headers: ["set-cookie": "t=1; SameSite=Lax", "content-type": "text/javascript"],
                            body: Interaction.Body("alert(1)"),
                            httpVersion: "h2"
                        )
                    ),
                    startedAt: Date(timeIntervalSince1970: 1_714_979_289.25),
                    timing: .init(wait: 30, receive: 8.5)
                )
        )
        #expect(interactions.map(\.outcome).last == .unknown(reason: "the body was not recorded"))
    }

    @Test("Missing fields are accepted")
    func missing() throws {
        let interaction = try HARSamples.interaction(HARSamples.entry())
        #expect(interaction.request == Interaction.Request(url: "https://example.com/", httpVersion: ""))
        #expect(interaction.outcome == .response(Interaction.Response(statusText: "", httpVersion: "")))
        #expect(interaction.timing == .init())
        #expect(interaction.startedAt == .distantPast)
    }

    @Test("Null fields are treated as missing")
    func null() throws {
        let interaction = try HARSamples.interaction(
            HARSamples.entry(
                request: """
                    { "method": "GET", "url": "https://example.com/", "httpVersion": null, "headers": null,
                      "postData": null, "cookies": null, "queryString": null }
                    """,
                response: """
                    { "status": 200, "statusText": null, "httpVersion": null, "headers": null, "content": null }
                    """,
                members: #""startedDateTime": null, "timings": null, "_rewind": null, "cache": null"#
            )
        )
        #expect(try interaction == HARSamples.interaction(HARSamples.entry()))
    }

    @Test("Cookies, sizes and query strings are ignored, even with wrong types")
    func derived() throws {
        let interaction = try HARSamples.interaction(
            HARSamples.entry(
                request: """
                    { "method": "GET", "url": "https://example.com/", "cookies": 1, "queryString": "a=b",
                      "bodySize": "large", "headersSize": true }
                    """,
                response: #"{ "status": 200, "cookies": {}, "redirectURL": 7, "bodySize": [] }"#,
                members: #""time": "long", "cache": [], "pageref": 1"#
            )
        )
        #expect(try interaction == HARSamples.interaction(HARSamples.entry()))
    }

    @Test("An archive without entries is an empty cassette")
    func noEntries() throws {
        #expect(try HARFormat.read(HARSamples.archive([])).interactions == [])
        #expect(try HARFormat.read(Data(#"{"log":{"entries":[]}}"#.utf8)).interactions == [])
    }

    @Test(
        "Versions 1.x and missing versions are accepted",
        arguments: [
            #""version": "1.1""#, #""version": "1.2""#, #""version": "1.3""#, #""version": "1""#,
            #""version": """#, #""version": null"#, #""version": 1.2"#, #""comment": """#,
        ]
    )
    func version(_ members: String) throws {
        let data = HARSamples.archive([HARSamples.entry()], members: members)
        #expect(try HARFormat.read(data).interactions.count == 1)
    }

    @Test("An entry that can never answer keeps its position")
    func order() throws {
        let entries = [
            HARSamples.entry(response: #"{ "status": 0 }"#), #"{ "comment": "no request" }"#,
            HARSamples.entry(response: #"{ "status": 404 }"#), #"{}"#, HARSamples.entry(response: "null"),
        ]
        let interactions = try HARFormat.read(HARSamples.archive(entries)).interactions
        #expect(interactions.map(\.isReplayable) == [false, false, true, false, false])
        #expect(interactions[1].request == Interaction.Request(method: "", url: "", httpVersion: "HTTP/1.1"))
    }

    @Test(
        "An entry without a usable response has a reason",
        arguments: [
            (#"{}"#, "the response has no status"), (#"null"#, "the entry has no response"),
            (#"{ "status": 0 }"#, "the status is 0"), (#"{ "status": -2 }"#, "the status is -2"),
            (#"{ "status": null }"#, "the status is null"), (#"{ "status": 99 }"#, "the status is 99"),
            (#"{ "status": 1000 }"#, "the status is 1000"), (#"{ "status": "OK" }"#, "the status is \"OK\""),
            (#"{ "status": 1e300 }"#, "the status is 1e300"), (#"{ "status": [200] }"#, "the status is [200]"),
            (#"{ "status": 200, "content": { "size": 1 } }"#, "the body was not recorded"),
            (#"{ "status": 200, "content": { "size": 1, "text": null } }"#, "the body was not recorded"),
            (
                #"{ "status": 200, "content": { "text": "!", "encoding": "base64" } }"#,
                "the body is not valid base64"
            ),
        ]
    )
    func unknown(_ text: String, _ reason: String) throws {
        #expect(try response(text) == .unknown(reason: reason))
    }

    @Test(
        "Numbers are read in every spelling",
        arguments: [
            ("200", 200), ("200.0", 200), ("2e2", 200), ("200.9", 200), ("2.04E+2", 204), ("599", 599),
            ("\"200\"", 200),
        ]
    )
    func status(_ text: String, _ status: Int) throws {
        guard case .response(let response) = try response(#"{ "status": \#(text) }"#) else {
            Issue.record("there is no response")
            return
        }
        #expect(response.status == status)
    }

    @Test(
        "Dates are read with any time zone and precision, to the millisecond",
        arguments: [
            ("2024-05-06T07:08:09.250Z", 0.25), ("2024-05-06T09:08:09.250+02:00", 0.25),
            ("2024-05-06T01:38:09.250-05:30", 0.25), ("2024-05-06T07:08:09Z", 0),
            ("2024-05-06T07:08:09+00:00", 0), ("2024-05-06T07:08:09.5Z", 0.5),
            ("2024-05-06T07:08:09.123456+00:00", 0.123), ("2024-05-06T09:08:09.1234567+02:00", 0.123),
            ("2024-05-06T07:08:09.999Z", 0.999), ("2024-05-06T07:08:09.001Z", 0.001),
        ]
    )
    func date(_ text: String, _ fraction: Double) throws {
        let entry = HARSamples.entry(members: #""startedDateTime": "\#(text)""#)
        let expected = Date(timeIntervalSince1970: 1_714_979_289 + fraction).roundedToMilliseconds
        #expect(try HARSamples.interaction(entry).startedAt == expected)
    }

    @Test("An invalid date does not invalidate a cassette", arguments: ["", "yesterday", "2024-13-45"])
    func noDate(_ text: String) throws {
        let entry = HARSamples.entry(members: #""startedDateTime": "\#(text)""#)
        #expect(try HARSamples.interaction(entry).startedAt == .distantPast)
    }

    @Test("Negative times become zero")
    func timings() throws {
        let entry = HARSamples.entry(members: #""timings": { "send": 3, "wait": -1, "receive": 2.5 }"#)
        #expect(try HARSamples.interaction(entry).timing == .init(wait: 0, receive: 2.5))
    }

    @Test(
        "Header fields are read from objects or pairs",
        arguments: [
            (#"[{ "name": "A", "value": "1" }, { "value": "2", "name": "a" }]"#, ["A": "1", "a": "2"]),
            (#"[["A", "1"], ["a", "2"], { "name": "B", "value": "" }]"#, ["A": "1", "a": "2", "B": ""]),
            (#"[{ "name": "A", "value": "1", "comment": "", "_x": [] }]"#, ["A": "1"]),
            (#"[{ "name": "A" }, { "value": "1" }, {}]"#, ["A": "", "": "1", "": ""]), ("[]", [:]),
        ] as [(String, HeaderList)]
    )
    func headers(_ text: String, _ headers: HeaderList) throws {
        let interaction = try HARSamples.interaction(
            HARSamples.entry(
                request: #"{ "method": "GET", "url": "https://example.com/", "headers": \#(text) }"#,
                response: #"{ "status": 200, "headers": \#(text) }"#
            )
        )
        #expect(interaction.request.headers == headers)
        #expect(interaction.response?.headers == headers)
    }

    @Test(
        "A response body is read from text or base64",
        arguments: [
            (#"{ "text": "héllo" }"#, "héllo"), (#"{ "text": "" }"#, ""), (#"{ "size": 0 }"#, ""),
            (#"{ "size": -1 }"#, ""), ("{}", ""), ("null", ""), (#"{ "size": 999, "text": "short" }"#, "short"),
            (#"{ "text": "aGVsbG8=", "encoding": "base64" }"#, "hello"),
            (#"{ "text": "aGVs\r\nbG8=\n", "encoding": "Base64" }"#, "hello"),
            (#"{ "text": "", "encoding": "base64" }"#, ""), (#"{ "text": "aGk=", "encoding": null }"#, "aGk="),
            (#"{ "text": "aGk=", "encoding": "utf-8" }"#, "aGk="),
            (#"{ "text": "\u0000\u001b\ud83d\ude00" }"#, "\0\u{1B}😀"),
        ]
    )
    func responseBody(_ content: String, _ expected: String) throws {
        #expect(text(try HARSamples.responseBody(content)) == expected)
    }

    @Test(
        "A request body is read from text, base64 or form parameters",
        arguments: [
            (#"{ "text": "a=1&b=2" }"#, "a=1&b=2"), (#"{ "text": "" }"#, ""), ("{}", nil), ("null", nil),
            (#"{ "mimeType": "text/plain", "params": [] }"#, nil), (#"{ "params": null, "text": null }"#, nil),
            (#"{ "text": "aGVsbG8=", "_encoding": "base64" }"#, "hello"),
            (#"{ "text": "aGVsbG8=", "encoding": "base64" }"#, "hello"), (#"{ "text": "aGk=" }"#, "aGk="),
            (#"{ "text": "t", "params": [{ "name": "a", "value": "1" }] }"#, "t"),
            (#"{ "params": [{ "name": "a", "value": "1" }, { "name": "b", "value": "2" }] }"#, "a=1&b=2"),
            (#"{ "params": [{ "name": "a b", "value": "ä&=" }] }"#, "a%20b=%C3%A4%26%3D"),
            (#"{ "params": [{ "name": "a" }, { "name": "b", "value": "" }, { "value": "c" }] }"#, "a&b=&=c"),
        ] as [(String, String?)]
    )
    func requestBody(_ postData: String, _ expected: String?) throws {
        #expect(try HARSamples.requestBody(postData) == expected.map { Interaction.Body($0) })
    }

    @Test(
        "A failure is read with a default domain and code",
        arguments: [
            (
                #"{ "domain": "D", "code": -7, "message": "m" }"#,
                Interaction.Failure(domain: "D", code: -7, message: "m")
            ),
            (#"{ "code": -1001.0 }"#, Interaction.Failure(code: -1001)),
            ("{}", Interaction.Failure(code: NSURLErrorUnknown)),
        ]
    )
    func failure(_ text: String, _ failure: Interaction.Failure) throws {
        let members = #""_rewind": { "failure": \#(text) }"#
        #expect(try response(#"{ "status": 0 }"#, members: members) == .failure(failure, after: nil))
        #expect(try response("null", members: members) == .failure(failure, after: nil))
        let partial = try response(#"{ "status": 206, "content": { "text": "half" } }"#, members: members)
        let half = Interaction.Response(
            status: 206,
            statusText: "",
            body: Interaction.Body("half"),
            httpVersion: ""
        )
        #expect(partial == .failure(failure, after: half))
    }

    @Test(
        "Chunks are read if their sizes add up, and ignored otherwise",
        arguments: [
            ("[[0, 2], [10.5, 3]]", [.init(offset: 0, count: 2), .init(offset: 10.5, count: 3)]),
            ("[[0, 2], [10.5, 4]]", []), ("[[0, 5]]", []), ("[]", []), ("null", []), ("[[0, -2], [1, 7]]", []),
        ] as [(String, [Interaction.Body.Chunk])]
    )
    func chunks(_ text: String, _ chunks: [Interaction.Body.Chunk]) throws {
        let outcome = try response(
            #"{ "status": 200, "content": { "text": "hello" } }"#,
            members: #""_rewind": { "chunks": \#(text) }"#
        )
        let body = Interaction.Body(Data("hello".utf8), chunks: chunks)
        #expect(outcome == .response(Interaction.Response(statusText: "", body: body, httpVersion: "")))
    }

    @Test(
        "An object is recognized as HAR after white space and a byte order mark",
        arguments: [
            ("{", true), (" \t\r\n{", true), ("\u{FEFF}{", true), ("\u{FEFF} {}", true), ("", false),
            (" ", false),
            ("[{", false), ("\u{FEFF}", false), ("\"{", false), ("<html>", false),
            ("http_interactions: {}", false),
            ("\u{A0}{", false),
        ]
    )
    func recognition(_ text: String, _ isRecognized: Bool) {
        #expect(HARFormat.recognizes(Data(text.utf8)) == isRecognized)
        #expect(HARFormat.recognizes(Data(("xx" + text).utf8)[2...]) == isRecognized)
    }

    @Test("A byte order mark, line ends and data slices do not matter")
    func encodings() throws {
        let expected = try HARFormat.read(HARSamples.foreign)
        let text = String(decoding: HARSamples.foreign, as: UTF8.self)
        let marked = Data(("\u{FEFF}" + text).utf8)
        let carriageReturns = Data(text.replacingOccurrences(of: "\n", with: "\r\n").utf8)
        let slice = Data(("xyz" + text).utf8)[3...]
        for data in [marked, carriageReturns, slice] {
            #expect(try HARFormat.read(data) == expected)
        }
    }
}
