import Foundation
import Rewind
import Testing

struct HARWritingTests {
    private static let started = Date(timeIntervalSince1970: 1_714_979_289.25)

    /// The entry of a written interaction.
    private func entry(_ request: Interaction.Request, _ outcome: Interaction.Outcome) throws -> JSON {
        let interaction = Interaction(request: request, outcome: outcome, startedAt: Self.started)
        let document = try JSON(parsing: HARFormat.write(Cassette(interactions: [interaction])))
        return try #require(document["log"]?["entries"]?[0])
    }

    private func entry(
        url: String = "https://example.com/",
        _ response: Interaction.Response = Interaction.Response()
    ) throws -> JSON {
        try entry(Interaction.Request(url: url), .response(response))
    }

    @Test("The same cassette always results in the same bytes")
    func determinism() {
        var source = RandomSource(seed: 11)
        let cassette = Cassette(interactions: (0..<5).map { _ in source.interaction() })
        let first = HARFormat.write(cassette)
        #expect((0..<5).allSatisfy { _ in HARFormat.write(cassette) == first })
        #expect(first.suffix(2) == Data("}\n".utf8))
        #expect(!first.contains(UInt8(ascii: "\r")))
        #expect(!first.contains(UInt8(ascii: "\t")))
    }

    @Test(
        "A readable body is written as text, others as base64",
        arguments: [
            ("", nil, ""), ("hello", nil, "hello"), ("é😀\u{FEFF}", nil, "é😀\u{FEFF}"),
            ("a\tb\r\nc", nil, "a\tb\r\nc"), ("\u{FFFD}", nil, "\u{FFFD}"), ("\u{85}", nil, "\u{85}"),
            ("\0", "base64", "AA=="), ("a\u{1B}[0m", "base64", "YRtbMG0="), ("\u{7F}", "base64", "fw=="),
            ("\u{C}", "base64", "DA=="),
        ] as [(String, String?, String)]
    )
    func text(_ body: String, _ encoding: String?, _ text: String) throws {
        let entry = try entry(
            Interaction.Request(method: "POST", url: "https://example.com/", body: Interaction.Body(body)),
            .response(Interaction.Response(body: Interaction.Body(body)))
        )
        let content = try #require(entry["response"]?["content"])
        #expect(content["text"]?.stringValue == text)
        #expect(content["encoding"]?.stringValue == encoding)
        #expect(content["size"] == JSON(body.utf8.count))
        let postData = try #require(entry["request"]?["postData"])
        #expect(postData["text"]?.stringValue == text)
        #expect(postData["_encoding"]?.stringValue == encoding)
        #expect(postData["params"] == [])
    }

    @Test(
        "Bytes that are not UTF-8 are written as base64",
        arguments: [
            ([0xFF], "/w=="), ([0xC3], "ww=="), ([0xC0, 0x80], "wIA="), ([0xED, 0xA0, 0x80], "7aCA"),
            ([0x61, 0xF0, 0x9F, 0x98], "YfCfmA=="),
        ] as [([UInt8], String)]
    )
    func bytes(_ bytes: [UInt8], _ text: String) throws {
        let content = try entry(Interaction.Response(body: Interaction.Body(Data(bytes))))["response"]?[
            "content"
        ]
        #expect(content?["text"]?.stringValue == text)
        #expect(content?["encoding"] == "base64")
        #expect(content?["size"] == JSON(bytes.count))
    }

    @Test(
        "Entries written in parallel are in order",
        arguments: [1, 255, 256, 257, 512, 700]
    )
    func writesInParts(_ count: Int) throws {
        let interactions = (0..<count).map { number in
            Interaction(
                request: Interaction.Request(url: "https://h/\(number)"),
                outcome: .response(Interaction.Response(body: Interaction.Body("answer \(number)")))
            )
        }
        let text = HARFormat.write(Cassette(interactions: interactions))
        #expect(try JSON(parsing: text).serialized() == text)
        let read = try HARFormat.read(text)
        #expect(read.interactions.map(\.request.url) == interactions.map(\.request.url))
        // Changed, added and unchanged entries are mixed.
        var changed = read
        changed.interactions[count / 2].request.method = "POST"
        changed.interactions.append(interactions[0])
        let rewritten = HARFormat.write(changed)
        #expect(try JSON(parsing: rewritten).serialized() == rewritten)
        #expect(try HARFormat.read(rewritten).interactions.count == count + 1)
        #expect(try HARFormat.read(rewritten).interactions[count / 2].request.method == "POST")
    }

    @Test("A request without a body has no post data, unlike one with an empty body")
    func postData() throws {
        let none = try entry()["request"]
        #expect(none?["postData"] == nil)
        #expect(none?["bodySize"] == 0)
        let empty = try entry(
            Interaction.Request(url: "x:", body: Interaction.Body()),
            .response(Interaction.Response())
        )["request"]
        #expect(empty?["postData"] == ["mimeType": "application/octet-stream", "params": [], "text": ""])
        #expect(empty?["bodySize"] == 0)
    }

    @Test("The media type comes from the headers, in any letter case")
    func mediaType() throws {
        let headers: HeaderList = ["content-TYPE": "text/plain; charset=utf-8"]
        let entry = try entry(
            Interaction.Request(url: "x:", headers: headers, body: Interaction.Body("a")),
            .response(Interaction.Response(headers: headers))
        )
        #expect(entry["request"]?["postData"]?["mimeType"] == "text/plain; charset=utf-8")
        #expect(entry["response"]?["content"]?["mimeType"] == "text/plain; charset=utf-8")
        let plain = try self.entry()["response"]?["content"]?["mimeType"]
        #expect(plain == "application/octet-stream")
    }

    @Test(
        "The decoded query is listed, and the URL is unchanged",
        arguments: [
            ("https://a.b/", []), ("https://a.b/?", []), ("https://a.b/?a", [["name": "a", "value": ""]]),
            ("https://a.b/?a=b=c", [["name": "a", "value": "b=c"]]),
            ("https://a.b/?%61%20=%2f", [["name": "a ", "value": "/"]]),
            ("https://a.b/?a=1&a=2", [["name": "a", "value": "1"], ["name": "a", "value": "2"]]),
            ("https://a.b/?a=%ff&b=%", [["name": "a", "value": "%FF"], ["name": "b", "value": "%"]]),
            ("https://a.b/?&", [["name": "", "value": ""], ["name": "", "value": ""]]),
        ] as [(String, JSON)]
    )
    func queryString(_ url: String, _ items: JSON) throws {
        let request = try entry(url: url)["request"]
        #expect(request?["url"] == .string(url))
        #expect(request?["queryString"] == items)
    }

    @Test(
        "The cookies of a request are listed",
        arguments: [
            ("a=1", [["name": "a", "value": "1"]]), ("a", [["name": "a", "value": ""]]),
            ("a=1; b=2=3", [["name": "a", "value": "1"], ["name": "b", "value": "2=3"]]),
            ("a=1;b=;", [["name": "a", "value": "1"], ["name": "b", "value": ""]]), ("", []),
        ] as [(String, JSON)]
    )
    func sentCookies(_ field: String, _ cookies: JSON) throws {
        let request = Interaction.Request(url: "x:", headers: ["cookie": field])
        #expect(try entry(request, .response(Interaction.Response()))["request"]?["cookies"] == cookies)
    }

    @Test("Several cookie fields of a request become one list")
    func severalCookieFields() throws {
        let request = Interaction.Request(
            url: "x:",
            headers: ["Cookie": "a=1", "Accept": "*/*", "cookie": "b=2"]
        )
        let cookies = try entry(request, .response(Interaction.Response()))["request"]?["cookies"]
        #expect(cookies == [["name": "a", "value": "1"], ["name": "b", "value": "2"]])
    }

    @Test(
        "The cookies of a response are listed with their attributes",
        arguments: [
            ("a=1", ["name": "a", "value": "1"]), ("a=", ["name": "a", "value": ""]),
            ("a=1; PATH=/x; domain=b.c", ["name": "a", "value": "1", "path": "/x", "domain": "b.c"]),
            ("a=1;Secure;HttpOnly", ["name": "a", "value": "1", "secure": true, "httpOnly": true]),
            ("a=b=c; Max-Age=3; SameSite=Lax", ["name": "a", "value": "b=c"]), ("", ["name": "", "value": ""]),
        ] as [(String, JSON)]
    )
    func receivedCookies(_ field: String, _ cookie: JSON) throws {
        let headers: HeaderList = ["Set-Cookie": field, "set-cookie": "z=9"]
        let cookies = try entry(Interaction.Response(headers: headers))["response"]?["cookies"]
        #expect(cookies == .array([cookie, ["name": "z", "value": "9"]]))
    }

    @Test(
        "Only a redirect that can be followed has a redirect URL",
        arguments: [
            (301, "/a"), (302, "/a"), (303, "/a"), (307, "/a"), (308, "/a"), (200, ""), (201, ""), (304, ""),
        ]
    )
    func redirectURL(_ status: Int, _ target: String) throws {
        let response = Interaction.Response(status: status, headers: ["location": "/a"])
        #expect(try entry(response)["response"]?["redirectURL"] == .string(target))
        #expect(try entry(Interaction.Response(status: status))["response"]?["redirectURL"] == "")
    }

    @Test("The total time is the sum of its parts")
    func timings() throws {
        var interaction = Interaction(
            request: Interaction.Request(url: "x:"),
            outcome: .response(Interaction.Response())
        )
        interaction.timing = .init(wait: 0.1, receive: 0.2)
        let document = try JSON(parsing: HARFormat.write(Cassette(interactions: [interaction])))
        let entry = document["log"]?["entries"]?[0]
        #expect(entry?["time"] == 0.3)
        #expect(entry?["timings"] == ["send": 0, "wait": 0.1, "receive": 0.2])
    }

    @Test(
        "The start is written in UTC with milliseconds",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_714_979_289.25, "2024-05-06T07:08:09.250Z"),
            (1_714_979_289.999, "2024-05-06T07:08:09.999Z"), (1_714_979_289.9996, "2024-05-06T07:08:10.000Z"),
            (-0.001, "1969-12-31T23:59:59.999Z"), (1_700_000_000.001, "2023-11-14T22:13:20.001Z"),
        ]
    )
    func start(_ seconds: Double, _ text: String) throws {
        let interaction = Interaction(
            request: Interaction.Request(url: "x:"),
            outcome: .response(Interaction.Response()),
            startedAt: Date(timeIntervalSince1970: seconds)
        )
        let document = try JSON(parsing: HARFormat.write(Cassette(interactions: [interaction])))
        #expect(document["log"]?["entries"]?[0]?["startedDateTime"] == .string(text))
    }

    @Test("An interaction without failure and chunks has no custom members")
    func nothingOfOurOwn() throws {
        let names = try entry(Interaction.Response(body: Interaction.Body("hello"))).objectValue?.members.map(
            \.name
        )
        #expect(names == ["startedDateTime", "time", "request", "response", "cache", "timings"])
    }

    @Test("A failure without a response is written with status 0")
    func failure() throws {
        let entry = try entry(
            Interaction.Request(url: "x:"),
            .failure(Interaction.Failure(code: -1001, message: "m"), after: nil)
        )
        #expect(entry["response"]?["status"] == 0)
        #expect(entry["response"]?["headers"] == [])
        let failure: JSON = ["domain": .string(NSURLErrorDomain), "code": -1001, "message": "m"]
        #expect(entry["_rewind"] == ["failure": failure])
    }
}
