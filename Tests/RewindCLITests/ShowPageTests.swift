import Foundation
import Rewind
import RewindTestSupport
import Testing

@testable import RewindCLI

struct ShowPageTests {
    private func page(_ interactions: [Interaction], path: String = "talk.har", limit: TextLimit? = nil)
        -> String
    {
        let cassette = RecordedCassetteSample(interactions).recorded
        let shown = cassette.map { ShownCassette($0, path: path, positions: 0..<interactions.count) }
        var text = ""
        if let shown { HTMLPage(cassette: shown, limit: limit).write { text += $0 } }
        return text
    }

    /// A cassette, written and read back.
    private struct RecordedCassetteSample {
        let recorded: RecordedCassette?

        init(_ interactions: [Interaction]) {
            let data = HARFormat.write(Cassette(interactions: interactions))
            recorded = try? RecordedCassette(data, path: "talk.har", in: FileManager.default.temporaryDirectory)
        }
    }

    private static func interaction(
        _ url: String = "https://a/",
        type: String = "text/plain",
        _ body: Data = Data("body".utf8)
    ) -> Interaction {
        Interaction(
            request: Interaction.Request(url: url),
            outcome: .response(
                Interaction.Response(headers: ["Content-Type": type], body: Interaction.Body(body))
            ),
            startedAt: Date(timeIntervalSince1970: 1_700_000_000)
        )
    }

    /// The tags of a page, without its style and script.
    private func tags(_ page: String) throws -> [Substring] {
        let style = "<style>\(PageStyle.text)</style>"
        let script = "<script>\(PageScript.text)</script>"
        #expect(page.contains(style) && page.contains(script))
        let rest = page.replacing(style, with: "<style>").replacing(script, with: "<script>")
        return rest.split(separator: "<").dropFirst().map { $0.prefix { $0 != ">" } }
    }

    @Test("Text of a cassette cannot become a tag, an attribute or a script")
    func escapesText() throws {
        let evil = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>&lt;"
        let harmless = [Self.interaction("https://a/b", type: "text/plain", Data("plain".utf8))]
        let expected = Set(try tags(page(harmless)).map { $0.prefix { $0.isLetter || $0 == "/" } })
        var types = ["text/plain", "application/json", "application/xml", "text/html", "image/svg+xml"]
        types += ["application/x-www-form-urlencoded", "text/\(evil)", "image/png\(evil)"]
        for type in types {
            for body in [
                evil, "{\"\(evil.replacing("\"", with: ""))\": \"<b>\"}", "<a>\(evil)</a>", "a=%3Cscript%3E",
            ] {
                var interaction = Self.interaction("https://a/\(evil)", type: type, Data(body.utf8))
                interaction.request.method = evil
                interaction.request.headers = ["\(evil)": evil, "Content-Type": type]
                interaction.request.body = Interaction.Body(body)
                interaction.redactedPlaces = [evil]
                var failed = interaction
                failed.outcome = .failure(Interaction.Failure(domain: evil, code: 1, message: evil), after: nil)
                let text = page([interaction, failed], path: "a/\(evil).har")
                let found = try tags(text)
                let names = Set(found.map { $0.prefix { $0.isLetter || $0 == "/" } })
                #expect(names.subtracting(expected).subtracting(["i", "/i", "br", "p"]).isEmpty)
                #expect(names.isDisjoint(with: ["img", "iframe", "a", "object", "link", "base"]))
                // Outside quotes there are only names of elements and attributes.
                let bare = found.flatMap { tag in
                    tag.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
                        .filter { $0.offset.isMultiple(of: 2) }.map(\.element)
                }
                #expect(
                    bare.allSatisfy { $0.allSatisfy { $0.isLetter || $0.isNumber || " =-/!".contains($0) } }
                )
                #expect(!bare.contains { $0.contains(" on") })
                #expect(text.components(separatedBy: "<script").count == 2)
            }
        }
    }

    @Test("The content security policy allows only the style and script of the page")
    func policy() throws {
        let text = page([Self.interaction()])
        let scratch = try TemporaryDirectory()
        for (name, content) in [("style", PageStyle.text), ("script", PageScript.text)] {
            try Data(content.utf8).write(to: scratch[name])
            let command = "openssl dgst -sha256 -binary < '\(scratch[name].path)' | base64"
            let digest = try ChildProcess(URL(fileURLWithPath: "/bin/sh"), ["-c", command])
            let value = digest.output.trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(text.contains("\(name)-src 'sha256-\(value)';"))
        }
        #expect(text.contains("content=\"default-src 'none'; "))
        for word in ["unsafe", "http-equiv=\"refresh", "src=\"http", "href=", "@import", "url("] {
            #expect(!text.contains(word))
        }
        #expect(!text.contains(" style=\""))
    }

    @Test("Images are embedded with the media type of their bytes")
    func images() {
        let gif = Data("GIF89a".utf8) + Data([1, 0, 1, 0])
        let text = page([Self.interaction(type: "text/html;\"><script>", gif)])
        #expect(text.contains("src=\"data:image/gif;base64,\(gif.base64EncodedString())\""))
        #expect(text.contains("alt=\"GIF image, 1 × 1 pixels, 10 B\""))
        let large = page([Self.interaction(type: "image/gif", gif + Data(count: 6_000_000))], limit: .page)
        #expect(!large.contains("<img"))
        #expect(large.contains("GIF image"))
    }

    @Test("A row says that it opens, and the legend explains every part of the bars")
    func legend() throws {
        let text = page([Self.interaction()])
        #expect(text.contains("Select a row to see its request and response."))
        #expect(PageStyle.text.contains("summary.row::before { content: \"▸\""))
        #expect(PageStyle.text.contains("details[open] > summary.row::before { content: \"▾\""))
        let parts = text.matches(of: #/<rect class="(\w+)"[^>]* height="(\d+)"/#)
        #expect(parts.count == 2)
        for part in parts {
            let (name, height) = (part.1, part.2)
            #expect(text.contains("<span class=\"key \(name)\"></span>"))
            let key = "height: \(height)px; background: var(--\(name))"
            #expect(PageStyle.text.contains(".key.\(name) { \(key) }"), "the key looks like the part")
        }
        #expect(!page([]).contains("class=\"legend\""))
    }

    @Test("Each interaction has a row, a bar and both messages; JSON is highlighted, long text is cut")
    func rows() {
        let json = Self.interaction("https://a/x?y=1", type: "application/json", Data("{\"a\":[1,true]}".utf8))
        let long = Self.interaction(type: "text/plain", Data(String(repeating: "x", count: 600_000).utf8))
        let text = page([json, long], limit: .page)
        for mark in [
            "<details class=\"interaction\"", "<svg class=\"waterfall\"", "<h2>Request</h2>",
            "<h2>Response</h2>",
        ] {
            #expect(text.components(separatedBy: mark).count == 3)
        }
        #expect(
            text.contains("<i class=\"n\">&quot;a&quot;</i>: [<i class=\"w\">1</i>, <i class=\"w\">true</i>]")
        )
        #expect(text.contains("… 100 kB more; to show everything, use --full"))
        #expect(text.contains("<span class=\"origin\">https://a</span><span class=\"path\">/x?y=1</span>"))
        #expect(text.contains("<title>talk.har – Rewind</title>"))
    }
}
