import Foundation
import Rewind
import Testing

struct PlaceholderSearchTests {
    private static let placeholder = Placeholder(name: "user", number: 1)

    @Test(
        "A placeholder loses its number",
        arguments: [
            ("REDACTEDuserN1X", "REDACTEDuser"), ("REDACTEDREDACTEDuserN1X", "REDACTEDREDACTEDuser"),
            ("a=REDACTEDuserN1X&b", "a=REDACTEDuser&b"), ("%3CREDACTEDuserN1X%3E", "%3CREDACTEDuser%3E"),
            ("\\u003cREDACTEDuserN1X", "\\u003cREDACTEDuser"),
        ]
    )
    func plain(_ text: String, _ bare: String) {
        #expect(Placeholder.placeholders(in: text) == [Self.placeholder])
        #expect(Placeholder.withoutNumbers(text) == bare)
        #expect(Placeholder.withoutNumbers("é\(text)…") == "é\(bare)…")
        #expect(Placeholder.withoutNumbers(bare) == bare)
    }

    @Test(
        "A placeholder in base64 loses its number at every position",
        arguments: ["", "a", "ab", "abc", "user:", "ä\n"],
        ["", "x", "xy", "{}"]
    )
    func base64(_ before: String, _ after: String) {
        func encoded(_ text: String) -> String { Data("\(before)\(text)\(after)".utf8).base64EncodedString() }
        let text = encoded(Self.placeholder.text)
        #expect(Placeholder.placeholders(in: "Basic \(text), b") == [Self.placeholder])
        let other = encoded(Placeholder(name: "user", number: 42).text)
        #expect(
            Placeholder.withoutNumbers("Basic \(text), b") == Placeholder.withoutNumbers("Basic \(other), b")
        )
        #expect(Placeholder.withoutNumbers(text) != Placeholder.withoutNumbers(encoded("REDACTEDotherN1X")))
    }

    @Test("A token placeholder is found with encoded full stops", arguments: [".", "%2E", "%2e", "%252E"])
    func token(_ dot: String) {
        let text = Self.placeholder.jwtText().replacingOccurrences(of: ".", with: dot)
        #expect(text.utf8.allSatisfy { $0 < 0x80 && !"-_+/=".utf8.contains($0) })
        #expect(Placeholder.placeholders(in: "Bearer \(text) x") == [Self.placeholder])
        #expect(Placeholder.withoutNumbers("Bearer \(text) x") == "Bearer REDACTEDuser x")
    }

    @Test(
        "Text that only resembles a placeholder stays unchanged",
        arguments: [
            "", "REDACTED", "REDACTEDuser", "REDACTEDuserN1", "eyJ", "eyJ..", "eyJh.eyJh.x", "UkVEQUNURUQ",
            "UkVEQUNURURhYmM=", "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.e30.cmVkYWN0ZWQ",
        ]
    )
    func near(_ text: String) {
        #expect(Placeholder.placeholders(in: text).isEmpty)
        #expect(Placeholder.withoutNumbers(text) == text)
    }

    @Test("Placeholders are found in order, including repetitions")
    func order() {
        let texts = [("a", 1), ("b", 2), ("a", 1), ("d", 4), ("a", 3)].map { Placeholder(name: $0, number: $1) }
        let inBase64 = Data("\(texts[0].text) \(texts[1].text)".utf8).base64EncodedString()
        let text = "\(inBase64) \(texts[2].text) \(texts[3].jwtText()) \(texts[4].text)"
        #expect(Placeholder.placeholders(in: text) == texts)
    }

    @Test("A data slice is searched from its start, and binary bytes are preserved")
    func slice() {
        let data =
            Data("REDACTEDnoN1X".utf8) + Data([0xFF, 0x00]) + Data("REDACTEDuserN1X".utf8) + Data([0x80])
        #expect(Placeholder.placeholders(in: data.dropFirst(13)) == [Self.placeholder])
        #expect(
            Placeholder.withoutNumbers(data.dropFirst(13)) == Data([0xFF, 0x00]) + Data("REDACTEDuser".utf8)
                + Data([0x80])
        )
    }
}
