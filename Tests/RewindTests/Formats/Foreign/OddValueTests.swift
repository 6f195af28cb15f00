import Foundation
import Rewind
import RewindTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One odd value in a file of another system costs at most its interaction.
struct OddValueTests {
    /// A file with an odd interaction for `http://odd.invalid/`, and one that answers for `http://good.invalid/`.
    struct Sample: Sendable, CustomTestStringConvertible {
        enum Result: Sendable {
            /// The body, and the header field `X` if there is one.
            case answers(String, header: String?)
            /// A part of the reason.
            case neverAnswers(String)
        }

        let file: String
        let name: String
        let contents: String
        let result: Result

        var testDescription: String { "\(file): \(name)" }

        private static func dvr(_ name: String, _ request: String, _ response: String, _ result: Result)
            -> Sample
        {
            let good =
                #"{"recorded_at": 1, "request": {"method": "GET", "url": "http://good.invalid/"}, "response": "#
                + #"{"url": "http://good.invalid/", "status": 200, "headers": {"Content-Type": "text/plain"}, "body": "ok"}}"#
            return Sample(
                file: "dvr.json",
                name: name,
                contents:
                    #"{"name": "a", "interactions": [{"request": {\#(request)}, "response": {\#(response)}}, \#(good)]}"#,
                result: result
            )
        }

        private static func vinyl(_ name: String, _ odd: String, _ result: Result) -> Sample {
            let good =
                #"{"request": {"url": "http://good.invalid/"}, "response": "#
                + #"{"url": "http://good.invalid/", "status": 200, "headers": {}, "body": "ok"}}"#
            return Sample(file: "vinyl.json", name: name, contents: "[\(odd), \(good)]", result: result)
        }

        private static func laserDisc(_ name: String, _ response: String, _ result: Result) -> Sample {
            func entry(_ host: String, _ response: String) -> String {
                #"{"request": {"method": "GET", "url": "http://\#(host).invalid/", "headers": {}}, "response": {\#(response)}}"#
            }
            let good =
                #""status": "200 OK", "headers": {}, "body": "ok", "bodyEncodingRaw": 4, "elapsedTime": 0"#
            return Sample(
                file: "laserdisc.json",
                name: name,
                contents: #"{"entries": [\#(entry("odd", response)), \#(entry("good", good))]}"#,
                result: result
            )
        }

        private static func jszvcr(
            _ name: String,
            _ response: KeyValuePairs<String, String>,
            data: String = "<data>aGk=</data>",
            _ result: Result
        ) -> Sample {
            func recording(_ host: String, _ response: KeyValuePairs<String, String>, _ data: String) -> String
            {
                let url: KeyValuePairs<String, String> = ["URL": "<string>http://\(host).invalid/</string>"]
                return FormatSamples.dictionary([
                    "request": FormatSamples.dictionary([
                        "currentRequest": FormatSamples.dictionary(url),
                        "originalRequest": FormatSamples.dictionary(url),
                    ]),
                    "response": FormatSamples.dictionary(["response": FormatSamples.dictionary(response)]),
                    "data": FormatSamples.dictionary(["data": data]),
                ])
            }
            let good = recording("good", ["statusCode": "<integer>200</integer>"], "<data>b2s=</data>")
            return Sample(
                file: "jszvcr.plist",
                name: name,
                contents: FormatSamples.jszvcr([recording("odd", response, data), good]),
                result: result
            )
        }

        private static func beKindRewind(_ name: String, _ frames: [String], _ result: Result) -> Sample {
            func scene(_ host: String, _ frames: [String]) -> String {
                let url: KeyValuePairs<String, String> = ["URL": "<string>http://\(host).invalid/</string>"]
                return FormatSamples.scene([FormatSamples.frame("OriginalRequest", at: 1, url)] + frames)
            }
            let good = scene(
                "good",
                [
                    FormatSamples.frame("Response", at: 2, ["statusCode": "<integer>200</integer>"]),
                    FormatSamples.frame("Data", at: 3, ["data": "<data>b2s=</data>"]),
                ]
            )
            return Sample(
                file: "bekindrewind.plist",
                name: name,
                contents: FormatSamples.beKindRewind([scene("odd", frames), good]),
                result: result
            )
        }

        private static let url = #""url": "http://odd.invalid/""#
        private static let plain =
            #""status": 200, "url": "http://odd.invalid/", "headers": {"Content-Type": "text/plain"}"#

        private static func headers(_ value: String) -> String {
            #""status": 200, "headers": {"Content-Type": "text/plain", "X": \#(value)}, "body": "hi""#
        }

        private static let dvrSamples = [
            dvr("header that is a number", url, headers("12"), .answers("hi", header: "12")),
            dvr("header that is a large number", url, headers("1.50e3"), .answers("hi", header: "1.50e3")),
            dvr("header that is a Boolean", url, headers("true"), .answers("hi", header: "true")),
            dvr("header with several values", url, headers(#"["a", 2]"#), .answers("hi", header: "a, 2")),
            dvr("header that is an object", url, headers("{}"), .neverAnswers("`response.headers.X`")),
            dvr(
                "headers that are an empty array",
                url,
                #""status": 200, "headers": [], "body": "aGk=""#,
                .answers("hi", header: nil)
            ),
            dvr(
                "request header that is a number",
                #"\#(url), "headers": {"X": 1}"#,
                headers(#""a""#),
                .answers("hi", header: "a")
            ),
            dvr("status as text", url, #""status": "200", "body": "aGk=""#, .answers("hi", header: nil)),
            dvr("status as a fraction", url, #""status": 200.0, "body": "aGk=""#, .answers("hi", header: nil)),
            dvr(
                "status out of range",
                url,
                #""status": 99, "body": "aGk=""#,
                .neverAnswers("the status is 99")
            ),
            dvr(
                "status that is no number",
                url,
                #""status": "OK", "body": "aGk=""#,
                .neverAnswers("the status is OK")
            ),
            dvr(
                "status that is an object",
                url,
                #""status": {}, "body": "aGk=""#,
                .neverAnswers("the status is neither")
            ),
            dvr("no status", url, #""body": "aGk=""#, .neverAnswers("no status code")),
            dvr("method that is a number", #"\#(url), "method": 1"#, plain, .neverAnswers("`request.method`")),
            dvr(
                "trailing commas",
                #"\#(url),"#,
                #""status": 200, "body": "aGk=","#,
                .answers("hi", header: nil)
            ),
            dvr(
                "request body that is not base64",
                #"\#(url), "body": "!""#,
                #""status": 200, "body": "aGk=""#,
                .answers("hi", header: nil)
            ),
            dvr(
                "request body of another type than its media type",
                #"\#(url), "headers": {"Content-Type": "text/plain"}, "body": {}"#,
                #""status": 200, "body": "aGk=""#,
                .answers("hi", header: nil)
            ),
            dvr("no body", url, plain, .answers("", header: nil)),
            dvr("body that is null", url, #"\#(plain), "body": null"#, .answers("", header: nil)),
            dvr(
                "body that DVR could not represent",
                url,
                #""status": 200, "headers": {"Content-Type": "application/json", "Content-Length": "5"}"#,
                .neverAnswers("the body of 5 bytes was not recorded")
            ),
            dvr(
                "text body that is an object",
                url,
                #"\#(plain), "body": {"a": 1}"#,
                .neverAnswers("`response.body`")
            ),
            dvr(
                "base64 body that is a number",
                url,
                #""status": 200, "body": 7"#,
                .neverAnswers("`response.body`")
            ),
            dvr(
                "invalid base64",
                url,
                #""status": 200, "body": "!""#,
                .neverAnswers("the body is not valid base64")
            ),
        ]

        private static let otherSamples = [
            vinyl(
                "header that is a number",
                #"{"response": {\#(url), \#(headers("12"))}}"#,
                .answers("hi", header: "12")
            ),
            vinyl(
                "status as text",
                #"{"response": {\#(url), "status": "200", "headers": {}, "body": "hi"}}"#,
                .answers("hi", header: nil)
            ),
            vinyl(
                "body that Vinyl could not represent",
                #"{"response": {\#(url), "status": 200, "headers": {"Content-Length": "5"}}}"#,
                .neverAnswers("the body of 5 bytes was not recorded")
            ),
            vinyl(
                "status alone after a trailing comma",
                #"{"response": {\#(url), "status": 200, "headers": {}, "body": "hi",},}"#,
                .answers("hi", header: nil)
            ),
            laserDisc(
                "header that is a number",
                #""status": "200 OK", "headers": {"X": 12}, "body": "hi""#,
                .answers("hi", header: "12")
            ),
            laserDisc(
                "status as a number",
                #""status": 200, "headers": {}, "body": "hi""#,
                .answers("hi", header: nil)
            ),
            laserDisc(
                "no status code",
                #""status": "OK", "headers": {}, "body": "hi""#,
                .neverAnswers("`response.status`")
            ),
            laserDisc(
                "time as text",
                #""status": "200", "elapsedTime": "1s", "body": "hi""#,
                .answers("hi", header: nil)
            ),
            laserDisc("no body", #""status": "200 OK", "headers": {}"#, .neverAnswers("`response.body`")),
            laserDisc("body that is null", #""status": "200", "body": null"#, .neverAnswers("`response.body`")),
            laserDisc(
                "body that is a number",
                #""status": "200", "body": 1"#,
                .neverAnswers("`response.body`")
            ),
            laserDisc(
                "image, which LaserDisc writes as an empty text",
                #""status": "200 OK", "headers": {"Content-Type": "image/png"}, "body": """#,
                .neverAnswers("LaserDisc does not record bodies that are not text")
            ),
            laserDisc(
                "unknown text encoding",
                #""status": "200", "body": "hi", "bodyEncodingRaw": "x""#,
                .neverAnswers("`response.bodyEncodingRaw`")
            ),
            jszvcr(
                "header that is a number",
                [
                    "statusCode": "<integer>200</integer>",
                    "allHeaderFields": "<dict><key>X</key><integer>12</integer></dict>",
                ],
                .answers("hi", header: "12")
            ),
            jszvcr("status as text", ["statusCode": "<string>200</string>"], .answers("hi", header: nil)),
            jszvcr(
                "status out of range",
                ["statusCode": "<integer>1</integer>"],
                .neverAnswers("the status is 1")
            ),
            beKindRewind(
                "data frame without data",
                [
                    FormatSamples.frame("Response", at: 2, ["statusCode": "<integer>200</integer>"]),
                    FormatSamples.frame("Data", at: 3, ["data": "<data>aGk=</data>"]),
                    FormatSamples.frame("Data", at: 4),
                ],
                .neverAnswers("frames.3.data`")
            ),
            beKindRewind(
                "redirect without a status",
                [
                    FormatSamples.frame(
                        "Redirect",
                        at: 2,
                        ["response": FormatSamples.dictionary([:]), "request": FormatSamples.dictionary([:])]
                    ), FormatSamples.frame("Response", at: 3, ["statusCode": "<integer>200</integer>"]),
                ],
                .neverAnswers("the redirect has no response")
            ),
            jszvcr(
                "data that is text",
                ["statusCode": "<integer>200</integer>"],
                data: "<string>hi</string>",
                .neverAnswers("`data.data`")
            ),
            beKindRewind(
                "header that is a number",
                [
                    FormatSamples.frame(
                        "Response",
                        at: 2,
                        [
                            "statusCode": "<integer>200</integer>",
                            "allHeaderFields": "<dict><key>X</key><real>1.5</real></dict>",
                        ]
                    ), FormatSamples.frame("Data", at: 3, ["data": "<data>aGk=</data>"]),
                ],
                .answers("hi", header: "1.5")
            ),
            beKindRewind(
                "times that are not numbers",
                [
                    FormatSamples.frame("Response", at: .nan, ["statusCode": "<integer>200</integer>"]),
                    FormatSamples.frame("Data", at: .nan, ["data": "<data>aGk=</data>"]),
                ],
                .answers("hi", header: nil)
            ),
            beKindRewind(
                "data that is text",
                [
                    FormatSamples.frame("Response", at: 2, ["statusCode": "<integer>200</integer>"]),
                    FormatSamples.frame("Data", at: 3, ["data": "<string>hi</string>"]),
                ],
                .neverAnswers("frames.2.data`")
            ),
            beKindRewind(
                "frame without a class",
                [
                    "<dict/>", FormatSamples.frame("Response", at: 2, ["statusCode": "<integer>200</integer>"]),
                    FormatSamples.frame("Data", at: 3, ["data": "<data>aGk=</data>"]),
                ],
                .neverAnswers("frames.1.class`")
            ),
        ]

        static let all = dvrSamples + otherSamples
    }

    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// What a request for a host gets, and the diagnosis of a miss.
    private func play(_ host: String, in file: String) async throws -> (outcome: Outcome, miss: String) {
        let misses = Locked<[String]>([])
        var configuration = Stubber.Configuration()
        configuration.matching = [.method, .url]
        configuration.unplayed = .ignore
        configuration.requestMatchingFailed = { miss in misses.withLock { $0.append("\(miss)") } }
        let url = try #require(URL(string: "http://\(host).invalid/"))
        let outcome = try await withCassette(file, in: folder.url, mode: .never, configuration: configuration) {
            _ in
            await Outcome(of: url)
        }
        return (outcome, misses.withLock { $0.joined() })
    }

    @Test("An odd value costs at most its interaction, which says why it never answers", arguments: Sample.all)
    func odd(_ sample: Sample) async throws {
        try Data(sample.contents.utf8).write(to: folder[sample.file])
        try Cassette(contentsOf: folder[sample.file]).write(to: folder["archive.har"])
        for file in [sample.file, "archive.har"] {
            let good = try await play("good", in: file).outcome
            #expect(good.text == "ok")
            #expect(good.status == 200)
            let (outcome, miss) = try await play("odd", in: file)
            switch sample.result {
            case .answers(let text, let header):
                #expect(outcome.failure == nil, "\(file)")
                #expect(outcome.status == 200)
                #expect(outcome.text == text)
                #expect(outcome.headers["X"] == header)
            case .neverAnswers(let reason):
                #expect(outcome.failure == "Rewind 2", "\(file)")
                #expect(miss.contains(reason), "\(file)")
            }
        }
    }

    @Test(
        "An interaction of a wrong type or without a URL is preserved without an answer",
        arguments: [
            ("7", "expected an object (entry 1 (line 1))"), ("null", "expected an object (entry 1 (line 1))"),
            (#"{"request": {}, "response": {}}"#, "this member is missing (entry 1 (line 1), `request.url`)"),
            (
                #"{"request": {"url": ""}, "response": {}}"#,
                "the URL is empty (entry 1 (line 1), `request.url`)"
            ),
            (
                #"{"request": 1, "response": {"url": "http://h/"}}"#,
                "expected an object (entry 1 (line 1), `request`)"
            ),
            (#"{"request": {"url": "http://h/"}}"#, "this member is missing (entry 1 (line 1), `response`)"),
        ]
    )
    func entries(_ entry: String, _ reason: String) throws {
        let good =
            #"{"request": {"url": "http://h/"}, "response": {"url": "http://h/", "status": 204, "headers": {}}}"#
        for text in ["[\(entry), \(good)]", #"{"interactions": [\#(entry), \#(good)]}"#] {
            let format = text.hasPrefix("[") ? CassetteFormat.vinyl : .dvr
            let cassette = try format.reader.read(Data(text.utf8))
            #expect(cassette.interactions.map(\.isReplayable) == [false, true])
            #expect(cassette.interactions.first?.outcome == .unknown(reason: reason))
            let archive = try HARFormat.read(HARFormat.write(cassette))
            #expect(archive.interactions.map(\.isReplayable) == [false, true])
        }
    }

    @Test(
        "An unreadable date is no date",
        arguments: [
            ("1.5", 1.5), (#""1.5""#, 1.5), (#""1970-01-01T00:00:02Z""#, 2), (#""yesterday""#, nil),
            ("{}", nil),
            ("null", nil),
        ] as [(String, Double?)]
    )
    func dates(_ value: String, _ seconds: Double?) throws {
        let text =
            #"{"interactions": [{"recorded_at": \#(value), "request": {"url": "http://h/"}, "response": {"status": 204}}]}"#
        let interaction = try #require(DVRFormat.read(Data(text.utf8)).interactions.first)
        #expect(interaction.startedAt == seconds.map { Date(timeIntervalSince1970: $0) } ?? .distantPast)
        #expect(interaction.isReplayable)
    }

    @Test(
        "A file without any URL is not a cassette",
        arguments: [#"[{"response": {}}]"#, #"{"interactions": [1]}"#]
    )
    func noCassette(_ text: String) throws {
        let format = try #require(text.hasPrefix("[") ? CassetteFormat.vinyl : .dvr)
        #expect(throws: CassetteError.Problem.self) { try format.reader.read(Data(text.utf8)) }
    }
}
