import Foundation
import Testing

@testable import Rewind

/// One odd value costs at most its own interaction, never the file.
struct OddMemberTests {
    /// An entry with an odd value, and the reason that is given.
    struct Odd: Sendable, CustomTestStringConvertible {
        var entry: String
        var field: String
        var cause: String

        var testDescription: String { "\(field): \(cause) in \(entry)" }

        init(request: String, _ field: String, _ cause: String) {
            entry = HARSamples.entry(request: #"{ "method": "GET", "url": "x:", \#(request) }"#)
            (self.field, self.cause) = ("request." + field, cause)
        }

        init(response: String, _ field: String, _ cause: String) {
            entry = HARSamples.entry(response: #"{ "status": 200, \#(response) }"#)
            (self.field, self.cause) = ("response." + field, cause)
        }

        init(entry: String, _ field: String, _ cause: String) {
            (self.entry, self.field, self.cause) = (entry, field, cause)
        }
    }

    static let samples: [Odd] = [
        Odd(entry: HARSamples.entry(request: "[]"), "request", "expected an object"),
        Odd(
            entry: HARSamples.entry(request: #"{ "method": {}, "url": "x:" }"#),
            "request.method",
            "expected a string"
        ),
        Odd(
            entry: HARSamples.entry(request: #"{ "method": "GET", "url": { "raw": "x:" } }"#),
            "request.url",
            "expected a string"
        ),
        Odd(request: #""headers": "A: 1""#, "headers", "expected an array"),
        Odd(request: #""headers": [1]"#, "headers.0", "expected an object"),
        Odd(request: #""headers": [["A", "1"], ["A"]]"#, "headers.1", "expected a name and a value"),
        Odd(request: #""headers": [["A", {}]]"#, "headers.0.1", "expected a string"),
        Odd(request: #""headers": [{}, { "name": [] }]"#, "headers.1.name", "expected a string"),
        Odd(
            response: #""headers": [{ "name": "A", "value": { "a": 1 } }]"#,
            "headers.0.value",
            "expected a string"
        ),
        Odd(response: #""headers": { "A": { "a": 1 } }"#, "headers.A", "expected a string"),
        Odd(entry: HARSamples.entry(response: "200"), "response", "expected an object"),
        Odd(response: #""content": "text""#, "content", "expected an object"),
        Odd(response: #""content": { "text": { "a": 1 } }"#, "content.text", "expected a string"),
        Odd(response: #""content": { "text": "a", "encoding": 64 }"#, "content.encoding", "expected a string"),
        Odd(response: #""content": { "size": [] }"#, "content.size", "expected a number"),
        Odd(response: #""content": { "size": -1e999 }"#, "content.size", "expected a number"),
        Odd(
            entry: HARSamples.entry(members: #""_rewind": { "failure": -1 }"#),
            "_rewind.failure",
            "expected an object"
        ),
        Odd(
            entry: HARSamples.entry(members: #""_rewind": { "failure": { "code": "x" } }"#),
            "_rewind.failure.code",
            "expected a number"
        ),
    ]

    @Test("A member that cannot be understood leaves an interaction that never answers", arguments: samples)
    func unreadable(_ odd: Odd) throws {
        let data = HARSamples.archive([HARSamples.entry(), "\n" + odd.entry, HARSamples.entry()])
        let cassette = try HARFormat.read(data)
        let reason = "\(odd.cause) (entry 2 (line 5), `\(odd.field)`)"
        #expect(cassette.interactions.map(\.isReplayable) == [true, false, true])
        #expect(cassette.interactions[1].outcome == .unknown(reason: reason))
        try checkRewrite(cassette, preserving: odd.entry)
    }

    /// Checks that a changed cassette still contains the text of an entry.
    private func checkRewrite(_ cassette: Cassette, preserving text: String) throws {
        var cassette = cassette
        cassette.interactions.removeLast()
        cassette.interactions.append(.page("https://h/new"))
        let written = HARFormat.write(cassette)
        let entry = try #require(try JSON(parsing: written)["log"]?["entries"]?[1])
        #expect(try entry == JSON(parsing: Data(text.utf8)))
    }

    @Test("An entry that is not an object is one interaction", arguments: ["null", "[]", "1", "\"a\""])
    func noObject(_ entry: String) throws {
        let cassette = try HARFormat.read(HARSamples.archive([HARSamples.entry(), entry, HARSamples.entry()]))
        #expect(cassette.interactions.map(\.isReplayable) == [true, false, true])
        let reason = "expected an object (entry 2 (line 4))"
        #expect(cassette.interactions[1].outcome == .unknown(reason: reason))
        try checkRewrite(cassette, preserving: entry)
    }

    @Test("The line is that of the member")
    func line() throws {
        let entry = """
            {
              "request": { "method": "GET", "url": "https://h/" },
              "response": {
                "status": 200,
                "content": []
              }
            }
            """
        let interactions = try HARFormat.read(HARSamples.archive([HARSamples.entry(), entry])).interactions
        let reason = "expected an object (entry 2 (line 8), `response.content`)"
        #expect(interactions.last?.outcome == .unknown(reason: reason))
    }

    @Test(
        "Header fields are read in every form that has one meaning",
        arguments: [
            (#"[{ "name": "A", "value": ["1", "2"] }]"#, ["A": "1", "A": "2"]),
            (#"[{ "name": "A", "value": 7 }, { "name": "B", "value": true }]"#, ["A": "7", "B": "true"]),
            (#"[{ "name": "A", "value": 1.50 }, { "name": "B", "value": null }]"#, ["A": "1.50", "B": ""]),
            (#"[{ "name": "A", "value": [] }, null, "B: x: y"]"#, ["B": "x: y"]),
            (#"{ "A": "1", "B": ["2", 3], "C": null }"#, ["A": "1", "B": "2", "B": "3", "C": ""]),
            (#"[["A", 1], ["B", ["2", "3"]]]"#, ["A": "1", "B": "2", "B": "3"]),
            (#"{}"#, [:]),
        ] as [(String, HeaderList)]
    )
    func headers(_ text: String, _ headers: HeaderList) throws {
        let entry = HARSamples.entry(
            request: #"{ "method": "GET", "url": "https://h/", "headers": \#(text) }"#,
            response: #"{ "status": 200, "headers": \#(text) }"#
        )
        let interaction = try HARSamples.interaction(entry)
        #expect(interaction.request.headers == headers)
        #expect(interaction.response?.headers == headers)
    }

    @Test("Members that no answer depends on are read if they can be, and ignored otherwise")
    func unimportant() throws {
        let odd = #""httpVersion": 1.1, "statusText": [], "cookies": 1, "headersSize": "x""#
        let entry = HARSamples.entry(
            request: #"{ "method": "GET", "url": "https://h/", \#(odd) }"#,
            response: #"{ "status": "200", \#(odd), "content": { "text": "a", "size": {}, "mimeType": 1 } }"#,
            members:
                #""time": "1", "timings": { "wait": "1.5", "receive": {} }, "_rewind": { "chunks": [["0", 5]], "redacted": [1, "a"] }"#
        )
        let interaction = try HARSamples.interaction(entry)
        #expect(interaction.response?.status == 200)
        #expect(interaction.response?.body == Interaction.Body("a"))
        #expect(interaction.response?.statusText.isEmpty == true)
        #expect(interaction.response?.httpVersion == "1.1")
        #expect(interaction.timing == .init(wait: 1.5))
        #expect(interaction.redactedPlaces == ["a"])
        for members in [#""timings": []"#, #""timings": 1"#, #""_rewind": 1"#, #""_rewind": { "chunks": {} }"#]
        {
            #expect(try HARSamples.interaction(HARSamples.entry(members: members)).response?.status == 200)
        }
    }

    @Test(
        "A start is a date, or seconds or milliseconds since 1970",
        arguments: [
            (#""2023-11-14T22:13:20Z""#, 1_700_000_000), ("1700000000", 1_700_000_000),
            ("1700000000000", 1_700_000_000), ("[]", nil), (#""today""#, nil), ("1e300", nil),
        ] as [(String, Double?)]
    )
    func start(_ text: String, _ seconds: Double?) throws {
        let date = seconds.map { Date(timeIntervalSince1970: $0) } ?? .distantPast
        let entry = HARSamples.entry(members: #""startedDateTime": \#(text)"#)
        #expect(try HARSamples.interaction(entry).startedAt == date)
    }

    @Test(
        "A request body that cannot be understood leaves the answer",
        arguments: [
            (#""a=1""#, "expected an object (entry 1 (line 3), `request.postData`)"),
            (#"{ "text": {} }"#, "expected a string (entry 1 (line 3), `request.postData.text`)"),
            (#"{ "params": "a" }"#, "expected an array (entry 1 (line 3), `request.postData.params`)"),
            (
                #"{ "params": [{ "name": "a", "value": { "b": 1 } }] }"#,
                "expected a string (entry 1 (line 3), `request.postData.params.0.value`)"
            ),
        ]
    )
    func requestBody(_ postData: String, _ reason: String) throws {
        let request = #"{ "method": "POST", "url": "https://h/", "postData": \#(postData) }"#
        let interaction = try HARSamples.interaction(HARSamples.entry(request: request))
        #expect(interaction.request.bodyAbsence == reason)
        #expect(interaction.request.body == nil)
        #expect(interaction.response?.status == 200)
    }

    @Test("Parameters can be numbers, or an object, and are ignored if there is a text")
    func parameters() throws {
        let forms = [
            (
                #"{ "params": [{ "name": "a", "value": 1.50 }, { "name": "b", "value": false }] }"#,
                "a=1.50&b=false"
            ),
            (#"{ "params": { "a": "1", "b": 2 } }"#, "a=1&b=2"),
            (#"{ "text": "c=3", "params": [{ "name": "a", "value": { "b": 1 } }] }"#, "c=3"),
        ]
        for (postData, body) in forms {
            #expect(try HARSamples.requestBody(postData) == Interaction.Body(body))
        }
    }

    @Test("Secrets beside an odd member are redacted when the file is rewritten")
    func secrets() throws {
        let entry = HARSamples.entry(
            request:
                #"{ "method": "GET", "url": "https://h/?access_token=hush-4f9a7c21", "headers": [{ "name": "Authorization", "value": "Basic aHVzaC00ZjlhN2MyMQ==" }] }"#,
            response:
                #"{ "status": 200, "headers": [{ "name": "Set-Cookie", "value": "sid=hush-5e8b6d32" }, { "name": "A", "value": {} }], "content": { "text": {} } }"#
        )
        let cassette = try HARFormat.read(HARSamples.archive([entry, HARSamples.entry()]))
        let written = HARFormat.write(RedactedCassette(cassette, .default).cassette)
        let text = String(decoding: written, as: UTF8.self)
        for secret in ["hush-4f9a7c21", "aHVzaC00ZjlhN2MyMQ==", "hush-5e8b6d32"] {
            #expect(!text.contains(secret))
        }
        #expect(try HARFormat.read(written).interactions.map(\.isReplayable) == [false, true])
    }

    @Test("A miss names a near interaction that cannot be read")
    func miss() throws {
        let entry = HARSamples.entry(
            request: #"{ "method": "GET", "url": "https://h/users" }"#,
            response: #"{ "status": 200, "content": [] }"#
        )
        let studio = try Studio()
        try FileManager.default.createDirectory(
            at: studio.file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try HARSamples.archive([HARSamples.entry(), entry]).write(to: studio.file)
        let request = Interaction.Request(url: "https://h/users")
        guard case .refuse(let miss) = try studio.stubber(.never).answer(to: request) else {
            Issue.record("the request has an answer")
            return
        }
        #expect(miss.description.contains("nearest:  #2 GET https://h/users"))
        let reason = "cannot be replayed: expected an object (entry 2 (line 4), `response.content`)"
        #expect(miss.description.contains(reason))
    }

    @Test("Odd entries are read in linear time")
    func growth() throws {
        let entry = HARSamples.entry(response: #"{ "status": 200, "content": [] }"#)
        var times: [Duration] = []
        for count in [4_000, 16_000] {
            let data = HARSamples.archive(Array(repeating: entry, count: count))
            var best = Duration.seconds(3600)
            for _ in 0..<3 {
                let start = ContinuousClock.now
                let read = try HARFormat.read(data)
                best = min(best, ContinuousClock.now - start)
                #expect(read.interactions.count == count)
            }
            times.append(best)
        }
        #expect(times[1] < times[0] * 12)
    }
}
