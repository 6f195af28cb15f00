import Foundation
import Rewind
import Testing

struct PlaceholderSearchTests {
    @Test(
        "A placeholder in any spelling loses its number and keeps the spelling",
        arguments: [
            ("<user:1>", "<user>"), ("<user>", "<user>"), ("%3Cuser%3A1%3E", "%3Cuser%3E"),
            ("%3cuser%3a1%3e", "%3cuser%3e"), ("%3Cuser:1%3E", "%3Cuser%3E"),
            ("%253Cuser%253A1%253E", "%253Cuser%253E"), ("%253cuser%3A1%253e", "%253cuser%253e"),
            ("&lt;user:1&gt;", "&lt;user&gt;"), ("<<user:1>>", "<<user>>"), ("<<<user:1>", "<<<user>"),
            ("a=<user:1>&b", "a=<user>&b"), ("&lt&lt;user:1&gt;", "&lt&lt;user&gt;"),
            ("%%3Cuser%3E", "%%3Cuser%3E"),
        ]
    )
    func spellings(_ text: String, _ bare: String) {
        let names = Placeholder.placeholders(in: text).map(\.name)
        #expect(names == ["user"])
        #expect(Placeholder.withoutNumbers(text) == bare)
        #expect(Placeholder.withoutNumbers("é\(text)…") == "é\(bare)…")
        #expect(Placeholder.withoutNumbers(bare) == bare)
    }

    @Test(
        "Text that only resembles a placeholder stays unchanged",
        arguments: [
            "", "<", "<user", "<user:1", "<user:", "%3Cuser", "%3Cuser>", "<user%3E", "&lt;user>",
            "&lt;user:1;",
            "<user:01>", "<:1>", "</user>", "<user:1 >", "%3", "%", "&", "&lt", "eyJ", "eyJ..", "eyJh.eyJh.x",
            "%3C%3E", "<user:99999999999999999999>", "%3Cuser%3A%3E",
        ]
    )
    func near(_ text: String) {
        #expect(Placeholder.placeholders(in: text).isEmpty)
        #expect(Placeholder.withoutNumbers(text) == text)
    }

    @Test("Placeholders are found in order, including repetitions")
    func order() {
        let text = "<a:1>%3Cb%3A2%3E&lt;c&gt;<a:1> \(Placeholder(name: "d", number: 4).jwtText()) <a:3>"
        let expected: [(String, Int?)] = [("a", 1), ("b", 2), ("c", nil), ("a", 1), ("d", 4), ("a", 3)]
        #expect(Placeholder.placeholders(in: text) == expected.map { Placeholder(name: $0, number: $1) })
    }

    @Test("A data slice is searched from its start")
    func slice() {
        let data = Data("<no:1>\u{0}<a:1>\u{0}".utf8).dropFirst(6)
        #expect(Placeholder.placeholders(in: data) == [Placeholder(name: "a", number: 1)])
        #expect(Placeholder.withoutNumbers(data) == Data("\u{0}<a>\u{0}".utf8))
    }

    @Test("Binary bytes around placeholders are preserved")
    func binary() {
        let data = Data([0xFF, 0x00, 0xC3]) + Data("<a:1>".utf8) + Data([0x80, 0xFE])
        #expect(
            Placeholder.withoutNumbers(data) == Data([0xFF, 0x00, 0xC3]) + Data("<a>".utf8)
                + Data([0x80, 0xFE])
        )
    }

    @Test("A long text is searched in linear time")
    func long() {
        let text = String(repeating: "eyJeyJ<a&lt;%3C", count: 100_000)
        #expect(Placeholder.placeholders(in: text).isEmpty)
    }
}
