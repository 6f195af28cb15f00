import Foundation
import Rewind
import RewindTestSupport
import Testing

/// Files in `Files` that imitate those of browsers, proxies and other recorders, with the peculiarities of each tool.
struct ProducerFilesTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Files")

    private static func cassette(_ name: String) throws -> Cassette {
        try Cassette(contentsOf: folder.appendingPathComponent(name))
    }

    /// A file and its interactions: each request with its body, and its answer.
    struct File: Sendable, CustomTestStringConvertible {
        let name: String
        let interactions: [String]

        init(_ name: String, _ interactions: String...) {
            (self.name, self.interactions) = (name, interactions)
        }

        var testDescription: String { name }
    }

    private static let archives = [
        File(
            "chrome.har",
            #"POST https://shop.example/cart?id=1 {"pcs":2} → 200 {"sum": 12}"#,
            "GET https://expired.example/a.css → nothing: the status is 0",
            "GET https://shop.example/logo.png → nothing: the body was not recorded"
        ),
        File(
            "firefox.har",
            "HEAD http://books.example/all → 200",
            "GET http://books.example/gone → nothing: the status is 0"
        ),
        File(
            "firebug.har",
            "GET http://blog.example/a → 200 only a beginning",
            "GET http://blog.example/b → 200 two"
        ),
        File(
            "safari.har",
            " data:text/css;charset=utf-8,a%7bcolor%3ared%7d → nothing: the request has no method or no URL"
        ),
        File(
            "proxy.har",
            "GET http://down.example/ → nothing: the status is 0",
            "POST https://forms.example/ a=1&b=2 → 405 <p>no</p",
            "GET http://zip.example/ → nothing: the gzip body is damaged: a compressed block is invalid"
        ),
        File(
            "playwright.har",
            "GET http://play.example/ → 200 <h1>Hi</h1>\n",
            "GET http://play.example/old → 301"
        ),
        File("polly.har", "GET https://todos.example/1 → 200 {\n  \"id\": 1\n}\n"),
        File("polly-1.har", "GET https://orders.example/all → 200 {}"),
        File(
            "polly-node-2.har",
            "GET https://orders.example/all → 200 {\"orders\": [1, 2, 3], \"note\": \"grün\"}",
            "GET https://orders.example/logo.png → 200 iVBORw0KGgoA/w==",
            "GET https://orders.example/hash → 200 89508950895089508950"
        ),
        File(
            "polly-node-5.har",
            "GET https://orders.example/all → 200 {\"orders\": [1, 2, 3], \"note\": \"grün\"}",
            "GET https://orders.example/logo.png → 200 iVBORw0KGgoA/w==",
            "GET https://orders.example/plain → 200 abcdef",
            "GET https://orders.example/empty → 200",
            "POST https://orders.example/upload (the request body was not recorded) → 200 ok",
            "GET https://orders.example/cut → nothing: the body is not valid hex"
        ),
        File(
            "polly-node-6.har",
            "GET https://orders.example/all → 200 {\"orders\": [1, 2, 3], \"note\": \"grün\"}",
            "GET https://orders.example/logo.png → 200 iVBORw0KGgoA/w==",
            "GET https://orders.example/deflated → 200 deflated text, deflated text",
            #"GET https://orders.example/list → 200 ["ab","cd"]"#
        ),
        File(
            "raw-proxy.har",
            "GET http://raw.example/gzip → 200 {\"orders\": [1, 2, 3], \"note\": \"grün\"}",
            "GET http://raw.example/image → nothing: the body was recorded as text, which is not what was sent",
            "GET http://raw.example/latin → nothing: the body was recorded as text, which is not what was sent",
            "GET http://raw.example/text → 200 a \u{FFFD} b",
            "GET http://raw.example/hex → 200 abc",
            "GET http://raw.example/utf8 → 200 abc",
            "GET http://raw.example/none → 200 abc",
            "GET http://raw.example/quoted → nothing: the body has the unknown encoding 'quoted-printable'",
            "GET http://raw.example/gzipped → nothing: the body has the unknown encoding 'gzip'",
            "GET http://raw.example/brotli.wasm → 200 \0asm\u{1}\0\0\0"
        ),
        File(
            "validator.json",
            "POST https://forms.example/upload foo=bar&b%20c=%26 → 200 {}",
            "GET https://forms.example/ → 200",
            "GET https://forms.example/ → 200 again"
        ),
        File(
            "requests-only.har",
            "GET http://load.example/path → nothing: the entry has no response",
            "POST http://load.example/login a=1&b=2 → nothing: the entry has no response",
            "CUSTOM load.example → nothing: the entry has no response",
            "CUSTOM  → nothing: the request has no method or no URL"
        ),
        File(
            "capture.har",
            "PUT http://localhost:3030/books/1 AAH/ → 201 {\"id\": 1}",
            "GET http://localhost:3030/redirect/2 → 302",
            "GET http://localhost:3030/broken → nothing: the body is not valid base64",
            "GET http://localhost:3030/after → 200 ok"
        ),
        File("empty.har"),
    ]

    private static let message =
        #"{"content": "I am a model.\n  Ask \"me\": 1, 2, 3.\n", "role": "assistant"}"#

    private static let cassettes = [
        File(
            "betamax.json",
            #"GET https://jar.example/set?b=2&a=1 → 302 <a href="/jar">/jar</a>"#,
            "POST https://jar.example/jar a=1 → 200 {\n  \"a\": 1\n}\n"
        ),
        File(
            "ruby.json",
            "HEAD https://code.example/archive/master → 302",
            #"GET https://code.example/search?per_page=1&q=user:ann%20user:bob → 200 {"total":3}"#
        ),
        File("vcrpy.yaml", #"GET https://zip.example/gzip → 200 {"gzipped": true}"#),
        File(
            "vcrpy-parsed.yaml",
            #"POST https://chat.example/v1/chat {"messages": [{"content": "Wie hei\u00dft du?", "role": "user"}], "stream": false}"#
                + #" → 200 {"choices": [{"finish_reason": "stop", "message": \#(message)}], "created": 1736850000,"#
                + #" "first": \#(message), "price": 1e-05, "usage": null}"#,
            "GET https://chat.example/v1/models → nothing: no body was recorded"
        ),
        File(
            "r-1.yml",
            #"GET https://r.example/get?apples=56 → 200 {"apples": 56}"#,
            "GET https://r.example/packages → 502",
            "GET https://r.example/large → nothing: the body is in the file `../files/large.json`, which is not read"
        ),
        File(
            "r-2.yml",
            "GET https://r.example/logo.png → 200 iVBORw0KGgoA/w==",
            "GET https://r.example/nothing → 200"
        ),
        File("ruby-1.yml", "POST http://old.example:80/form a=1 → 201 <p>\n  Done\n</p>\n"),
        File("vcrpy-0.json", "GET https://ip.example:8443/ip?v=4 → 200 {\n  \"ip\": \"192.0.2.9\"\n}"),
        File(
            "go-1.yaml",
            #"GET https://api.example/v4/images?page=1 → 400 {"errors": [{"reason": "no foo"}]}"#
        ),
        File("go-2.yaml", #"PATCH https://api.example/anything {"name": "x"} → 200 {\#n  "a": "é"\#n}\#n"#),
        File(
            "dvr.json",
            "GET http://dvr.example → 200 hello",
            "GET http://dvr.example → 200 hello again",
            "POST https://dvr.example/post --cut\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\ntext\n\r\n--cut--\r\n"
                + " → 200 { \"args\": {}, \"file\": \"text\\n\", \"none\": null }",
            "GET http://dvr.example/a.png → 200 iVBORw0KGgoA/w==",
            "DELETE http://dvr.example/empty → 204"
        ),
        File(
            "vinyl.json",
            #"POST http://vinyl.example/login { "name": "ann", "age": 7 } → 200 { "greeting": "hello" }"#,
            "GET http://vinyl.example → 200 hello"
        ),
        File(
            "laserdisc.json",
            #"POST https://disc.example/login?b=2&a=1 {"user":"ann"} → 200 {"page":1}"#,
            "GET https://disc.example/latin → 404 Y2Fm6Q=="
        ),
        File(
            "mocktail.tail",
            "GET .*/users → 200 {\n\"id\":    \"ann1\",\n\"state\": \"FINE\"\n}",
            "POST .*/users → 200 {\n\"id\":    \"ann1\",\n\"state\": \"FINE\"\n}"
        ),
        File(
            "bekindrewind.plist",
            "GET https://scenes.example/time → 200 first",
            "GET https://scenes.example/slow → 200 second in two",
            "GET https://scenes.example/time → 200 later",
            "POST https://scenes.example/post {\n \"foo\" : \"bar\"\n} → 201 posted",
            "GET https://scenes.example/delay → NSURLErrorDomain -999 cancelled"
        ),
        File("bekindrewind-early.plist", "GET https://scenes.example/early → 200 early"),
        File("bekindrewind-empty.plist"),
        File(
            "jszvcr.plist",
            "GET https://scenes.example/get?test=test → 200 {\n  \"args\": {\"test\": \"test\"},\n  \"url\": \"https://scenes.example/get\"\n}\n",
            "GET https://scenes.example/get?c=3&b=2&a=1 → 200 {}"
        ),
    ]

    /// A body as text, or as base64 if it is not text.
    private static func text(_ body: Interaction.Body?) -> String {
        guard let data = body?.data, !data.isEmpty else { return "" }
        return " " + (String(bytes: data, encoding: .utf8) ?? data.base64EncodedString())
    }

    private static func line(_ interaction: Interaction) -> String {
        let request = interaction.request
        let answer =
            switch interaction.outcome {
            case .response(let response): "\(response.status)\(text(response.body))"
            case .failure(let failure, _): "\(failure.domain) \(failure.code) \(failure.message)"
            case .unknown(let reason): "nothing: \(reason)"
            }
        let body = request.bodyAbsence.map { " (\($0))" } ?? text(request.body)
        return "\(request.method) \(request.url)\(body) → \(answer)"
    }

    @Test(
        "A file of each tool is read with all bodies, and unusable entries have reasons",
        arguments: archives + cassettes
    )
    func interactions(_ file: File) throws {
        let lines = try Self.cassette(file.name).interactions.map(Self.line)
        #expect(lines.count == file.interactions.count)
        for (line, expected) in zip(lines, file.interactions) { #expect(line == expected) }
    }

    @Test("A file of each tool survives conversion to HAR", arguments: archives + cassettes)
    func kept(_ file: File) throws {
        let cassette = try Self.cassette(file.name)
        let kept = try HARFormat.read(HARFormat.write(cassette)).interactions
        #expect(kept.map(\.request) == cassette.interactions.map(\.request))
        #expect(kept.map(Self.line) == file.interactions)
    }

    @Test(
        "A file with nothing to replay is rejected with the place",
        arguments: [
            ("callback.har", "is not in a format that Rewind reads"), ("cut.har", "cut.har:5:1 is invalid"),
            ("list.plist", "is not in a format that Rewind reads"), ("no-entries.har", "`log.entries`"),
            ("not-json.har", "not-json.har:5:5 is invalid"),
            ("one-entry.har", "is invalid at `log`"),
            ("one-request.json", "is invalid at `log`"),
            ("trailing-comma.json", "is not in a format that Rewind reads"),
            ("vcrpy-0.yaml", "python/object"),
        ]
    )
    func refused(_ name: String, _ cause: String) throws {
        let error = try #require(throws: CassetteError.self) { try Self.cassette("refused/" + name) }
        #expect(error.description.contains(cause), "\(error)")
        #expect(error.description.contains("The file was not changed."))
    }

    @Test("Header fields are read in order, with all values of a name")
    func headers() throws {
        func fields(_ name: String, _ number: Int) throws -> [String] {
            try #require(try Self.cassette(name).interactions[number].response).headers
                .map { "\($0.name): \($0.value)" }
        }
        #expect(
            try fields("chrome.har", 0) == [
                "content-encoding: br", "content-length: 6", "content-type: application/json",
                "set-cookie: cart=7; Path=/", "set-cookie: seen=1",
            ]
        )
        #expect(try Self.cassette("chrome.har").interactions[0].request.headers.map(\.name).count == 6)
        #expect(try fields("polly.har", 0) == ["x-list: a", "x-list: b"])
        #expect(
            try fields("betamax.json", 0) == [
                "set-cookie: a=1; Path=/", "set-cookie: b=2; Path=/", "location: /jar",
                "content-type: text/html; charset=utf-8",
            ]
        )
        #expect(
            try fields("vcrpy-0.json", 0) == [
                "content-type: application/json", "set-cookie: a=1", "set-cookie: b=2",
            ]
        )
        #expect(
            try fields("go-1.yaml", 0).last == "X-Oauth-Scopes: account:read_write databases:read_write "
                + "domains:read_write events:read_write firewall:read_write images:read_write"
        )
    }

    @Test("Times come from the recording, and an invalid date does not invalidate an interaction")
    func times() throws {
        let scenes = try Self.cassette("bekindrewind.plist").interactions
        #expect(scenes.map(\.timing.wait) == [375, 3000, 500, 1000, 500])
        #expect(
            scenes[1].response?.body.chunks == [
                Interaction.Body.Chunk(offset: 250, count: 7), Interaction.Body.Chunk(offset: 500, count: 6),
            ]
        )
        #expect(scenes[1].startedAt == Date(timeIntervalSince1970: 1_459_383_240.5))
        #expect(try Self.cassette("laserdisc.json").interactions.map(\.timing.wait) == [250, 100])
        #expect(try Self.cassette("go-2.yaml").interactions[0].timing.wait == 502.5)
        let cart = try Self.cassette("chrome.har").interactions[0]
        #expect(cart.timing == .init(wait: 30.5, receive: 0.5))
        #expect(cart.startedAt == Date(timeIntervalSince1970: 1_709_287_200.25))
        let dates = try ["firebug.har", "validator.json"].map {
            try Self.cassette($0).interactions.map(\.startedAt)
        }
        #expect(dates[0] == [.distantPast, Date(timeIntervalSince1970: 1_390_757_863.813)])
        #expect(
            dates[1].first == .distantPast && dates[1].last == Date(timeIntervalSince1970: 1_637_678_145.082)
        )
    }
}
