import Foundation
import Rewind
import RewindTestSupport
import Testing

@testable import RewindCLI

struct ShowTextTests {
    private func text(_ data: Data, _ type: String?) -> String {
        let text = BodyText(data, contentType: type)
        return text.text ?? "[\(text.title)]"
    }

    private func text(_ string: String, _ type: String?) -> String { text(Data(string.utf8), type) }

    @Test("JSON keeps the order of members and the text of numbers")
    func json() {
        let body = #"{"b":1.0,"a":1e2,"a":-0,"deep":[{"x":[]}],"s":"\u00e9\n"}"#
        let members = [#""b": 1.0"#, #""a": 1e2"#, #""a": -0"#, #""deep": ["#]
        for type in ["application/json", "application/problem+json; charset=utf-8", nil, "text/plain"] {
            let shown = text(body, type)
            #expect(shown.hasPrefix("{\n  " + members.joined(separator: ",\n  ")))
            #expect(shown.hasSuffix(",\n  \"s\": \"é\\n\"\n}"))
        }
        #expect(text("7", "application/json") == "7")
        #expect(text("{broken", "application/json") == "{broken")
    }

    @Test(
        "The title of a body names its kind and size",
        arguments: [
            ("{}", "application/json", "JSON, 2 B"),
            ("a=1&b", "application/x-www-form-urlencoded", "form, 2 fields, 5 B"),
            ("{\"query\":\"mutation Add { add }\"}", "application/json", "GraphQL mutation Add, 32 B"),
            (
                "[{\"query\":\"{a}\"},{\"query\":\"query B {b}\"}]", "application/json",
                "GraphQL query, query B, 41 B"
            ),
            ("<a/>", "image/svg+xml", "XML, 4 B"), ("plain", nil, "text, 5 B"),
            ("%PDF-1.7 \u{0}", nil, "PDF document, 10 B"),
            ("\u{0}\u{1}", "application/x-thing", "binary (application/x-thing), 2 B"),
            ("\u{0}", nil, "binary, 1 B"),
            ("", "text/plain", "empty"), ("{\"a\": 1", "application/x-www-form-urlencoded", "text, 7 B"),
        ]
    )
    func titles(_ body: String, _ type: String?, _ title: String) {
        #expect(BodyText(Data(body.utf8), contentType: type).title == title)
    }

    @Test("A form is shown as a table of decoded fields")
    func forms() {
        let body = "user=J%C3%B6rg+P.&long_name=%0A&flag&empty="
        let lines = ["user        Jörg P.", "long_name   \\u000A", "flag", "empty"]
        #expect(text(body, "application/x-www-form-urlencoded") == lines.joined(separator: "\n"))
    }

    @Test("Multipart bodies are nested up to a maximum depth")
    func nesting() {
        var body = Data("innermost".utf8)
        var type = "text/plain"
        for depth in 0..<12 {
            let head = "--b\(depth)\r\nContent-Type: \(type)\r\n\r\n"
            body = Data(head.utf8) + body + Data("\r\n--b\(depth)--\r\n".utf8)
            type = "multipart/mixed; boundary=b\(depth)"
        }
        let shown = text(body, type)
        #expect(shown.contains("innermost"))
        #expect(shown.split(separator: "\n").count { $0.hasPrefix("── part 1") } == 4)
    }

    @Test(
        "XML has a line for each element, and mixed content is unchanged",
        arguments: [
            ("<a><b>1</b><c/></a>", "<a>\n  <b>1</b>\n  <c/>\n</a>"),
            ("<a>x <b>1</b></a>", "<a>x <b>1</b></a>"), ("<a>\n <b>\n</b> </a>", "<a>\n  <b>\n</b>\n</a>"),
            (
                "<?xml version='1.0'?>\n<!DOCTYPE a [<!ENTITY x '>'>]><a y=\">\"><!-- <z> --><b/></a>",
                "<?xml version='1.0'?>\n<!DOCTYPE a [<!ENTITY x '>'>]>\n<a y=\">\">\n  <!-- <z> -->\n  <b/>\n</a>"
            ),
            ("<a><![CDATA[ <b> ]]></a>", "<a><![CDATA[ <b> ]]></a>"),
            ("<a><b></a></b>", nil), ("<a>", nil), ("</a>", nil), ("<a", nil), ("<!-- ", nil), ("", nil),
            ("text", nil), ("<", nil),
        ]
    )
    func xml(_ text: String, _ indented: String?) {
        #expect(XMLText.indented(text) == indented)
    }

    @Test("Deep XML and random bytes are handled")
    func fuzz() {
        let deep = String(repeating: "<a>", count: 50_000) + String(repeating: "</a>", count: 50_000)
        #expect(XMLText.indented(deep) != nil)
        var source = SplitMix64(seed: 7)
        for _ in 0..<3000 {
            let bytes = Data(
                source.bytes(upTo: 60, from: "<>/!-[]?ab\"'= &%\n\\{}:,GIF89aRIFFWEBPVP8X\u{FF}\u{D8}")
            )
            for type in [
                nil, "text/xml", "application/json", "multipart/mixed; boundary=a",
                "text/plain; charset=utf-16",
            ] {
                let shown = text(bytes, type)
                #expect(VisibleText.lines(shown) == shown)
                #expect(JSONSpans(shown).all.map(\.text).joined() == shown)
            }
            for format in [ImageFormat.png, .jpeg, .gif, .webp] { _ = ImageSize(bytes, format) }
        }
    }

    @Test("The size of an image is read from its header")
    func images() {
        func check(_ bytes: [UInt8], _ title: String) {
            #expect(BodyText(Data(bytes), contentType: "text/html").title == title)
            // The indices of a slice do not start at 0.
            #expect(BodyText(Data([1, 2] + bytes).dropFirst(2), contentType: nil).title == title)
        }
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13] + Array("IHDR".utf8)
        check(png + [0, 0, 2, 1, 0, 0, 0, 9], "PNG image, 513 × 9 pixels, 24 B")
        check(png + [0, 0, 2], "PNG image, 19 B")
        check(Array("GIF89a".utf8) + [0x40, 1, 0xC8, 0], "GIF image, 320 × 200 pixels, 10 B")
        let jpeg: [UInt8] = [
            0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xFF, 0xC4, 0, 3, 9, 0xFF, 0xC2, 0, 17, 8,
        ]
        check(jpeg + [1, 0, 2, 0], "JPEG image, 512 × 256 pixels, 23 B")
        check([0xFF, 0xD8, 0xFF, 0xDA, 0, 0, 0, 0], "JPEG image, 8 B")
        check([0xFF, 0xD8, 0xFF, 0xE0, 0, 0, 0, 0], "JPEG image, 8 B")
        let webp = Array("RIFF....WEBP".utf8)
        check(
            webp + Array("VP8X........".utf8) + [0x3F, 1, 0, 0xC7, 0, 0],
            "WebP image, 320 × 200 pixels, 30 B"
        )
        check(
            webp + Array("VP8L....".utf8) + [0x2F, 0x3F, 0xC1, 0x31, 0],
            "WebP image, 320 × 200 pixels, 25 B"
        )
        check(
            webp + Array("VP8 ....".utf8) + [0, 0, 0, 0x9D, 1, 0x2A, 0x40, 1, 0xC8, 0],
            "WebP image, 320 × 200 pixels, 30 B"
        )
    }

    @Test("JSON is split into names, strings and literals, even if it is cut off")
    func spans() {
        func kinds(_ text: String) -> String {
            JSONSpans(text).all.map { kind, text in
                switch kind {
                case .name: "N(\(text))"
                case .string: "S(\(text))"
                case .literal: "W(\(text))"
                case .mark: String(text)
                }
            }.joined()
        }
        #expect(
            kinds(#"{"a\"b": "x\\", "c": -1.5e+3, "d": null}"#)
                == #"{N("a\"b"): S("x\\"), N("c"): W(-1.5e+3), N("d"): W(null)}"#
        )
        #expect(kinds(#"["é", "cut"#) == #"[S("é"), S("cut)"#)
        #expect(kinds(#"["\"#) == #"[S("\)"#)
        #expect(kinds("") == "")
    }

    @Test("Pauses between interactions are cut short, and dates that are missing are no trap")
    func waterfall() {
        func interaction(_ start: Double?, _ wait: Double, _ receive: Double = 0) -> Interaction {
            var interaction = Interaction(
                request: Interaction.Request(url: "https://a/"),
                outcome: .response(Interaction.Response()),
                startedAt: start.map { Date(timeIntervalSince1970: $0 / 1000) } ?? .distantPast
            )
            interaction.timing.wait = wait
            interaction.timing.receive = receive
            return interaction
        }
        let together = Waterfall([interaction(1000, 50), interaction(1020, 10, 20), interaction(1060, 40)])
        #expect(together.bars.map { $0.start.rounded() } == [0, 20, 60])
        #expect(together.duration.rounded() == 100)
        #expect(together.busy.rounded() == 90)
        let apart = Waterfall([interaction(86_400_000, 30), interaction(0, 100)])
        #expect(apart.bars.map { $0.start.rounded() } == [200, 0])
        #expect(apart.duration.rounded() == 230)
        let dateless = Waterfall([interaction(nil, 5), interaction(nil, 7), interaction(100, 1)])
        #expect(dateless.bars.map(\.start) == [0, 5, 12])
        let odd = Waterfall([interaction(0, .infinity), interaction(1, -5, .nan), interaction(2, 1e300)])
        #expect(odd.duration.isFinite)
        #expect(Waterfall([Interaction]()).duration == 0)
    }

    @Test("Colors do not change the text")
    func colors() throws {
        let style = TextStyle(isTerminal: true, environment: Environment([:]))
        let types = [200, 304, 404, 503, 100]
        var interactions = types.map { status in
            Interaction(
                request: Interaction.Request(
                    method: "POST",
                    url: "https://a/\(status)",
                    body: Interaction.Body("{\"a\": [1, \"b\"]}")
                ),
                outcome: .response(
                    Interaction.Response(
                        status: status,
                        headers: ["Content-Type": "application/json"],
                        body: Interaction.Body("{\"a\": [1, \"b\", null, \"\u{1B}[0m\"]}")
                    )
                ),
                startedAt: Date(timeIntervalSince1970: 0)
            )
        }
        let (request, partial) = (
            Interaction.Request(url: "https://a/"), Interaction.Response(body: Interaction.Body("half"))
        )
        interactions += [
            Interaction(request: request, outcome: .failure(Interaction.Failure(code: -1005), after: partial)),
            Interaction(request: request, outcome: .unknown(reason: "no body was recorded")),
        ]
        let recorded = try RecordedCassette(
            HARFormat.write(Cassette(interactions: interactions)),
            path: "a.har",
            in: FileManager.default.temporaryDirectory
        )
        let cassette = ShownCassette(recorded, path: "a.har", positions: 0..<interactions.count)
        func check(_ text: (TextStyle) -> String) {
            let (plain, colored) = (text(.plain), text(style))
            #expect(!plain.contains("\u{1B}"))
            #expect(colored.replacing(#/\u{1B}\[[0-9]+m/#, with: "") == plain)
            #expect(colored != plain)
        }
        check { Timeline(cassette: cassette).text($0) }
        for (number, interaction) in cassette.interactions {
            check { InteractionText(style: $0, limit: nil).text(interaction, number: number, of: 7) }
        }
        let texts = cassette.interactions.map {
            InteractionText(style: .plain, limit: nil).text($0.interaction, number: 1, of: 1)
        }
        #expect(
            texts[5].contains(
                "Failed with NSURLErrorDomain -1005 (after the partial response below)\n\nHTTP/1.1 200 OK\n\nhalf"
            )
        )
        #expect(texts[6].contains("\n\nNo response to replay: "))
        let lines = Timeline(cassette: cassette).text(style).split(separator: "\n")
        for (mark, code) in [("200", 32), ("304", 36), ("404", 33), ("503", 31), ("failed", 31), ("?", 33)] {
            #expect(lines.contains { $0.contains("\u{1B}[\(code)m\(mark)") })
        }
    }
}
