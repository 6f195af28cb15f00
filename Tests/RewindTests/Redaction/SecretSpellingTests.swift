import Foundation
import RewindTestSupport
import Rewind
import Testing

struct SecretSpellingTests {
    private static func spellings(_ value: String) -> [String: String] {
        let all = SecretSpelling.all(of: value, placeholder: Placeholder(name: "p", number: 1))
        let pairs = all.map {
            (String(decoding: $0.text, as: UTF8.self), String(decoding: $0.replacement, as: UTF8.self))
        }
        return Dictionary(pairs) { first, _ in first + "twice" }
    }

    @Test(
        "A spelling is replaced by the placeholder in the same spelling",
        arguments: [
            ("a b/é", "a b/é", "<p:1>"), ("a b/é", "a%20b%2F%C3%A9", "%3Cp%3A1%3E"),
            ("a b/é", "a%20b%2f%c3%a9", "%3Cp%3A1%3E"), ("a b/é", "a%20b/%C3%A9", "%3Cp%3A1%3E"),
            ("a b/é", "a+b%2F%C3%A9", "%3Cp%3A1%3E"), ("a b/é", "a%2520b%252F%25C3%25A9", "%253Cp%253A1%253E"),
            ("a b/é", "a b\\/é", "<p:1>"), ("a b/é", "a b/\\u00e9", "<p:1>"),
            ("a b/é", "a b\\/\\u00E9", "<p:1>"),
            ("a\"b\\", "a\\\"b\\\\", "<p:1>"), ("a\"b\\", "a\\\\\\\"b\\\\\\\\", "<p:1>"),
            ("<a&'b>", "\\u003ca\\u0026\\u0027b\\u003e", "<p:1>"),
            ("<a&'b>", "\\u003Ca\\u0026\\u0027b\\u003E", "<p:1>"),
            ("<a&'b>", "&lt;a&amp;'b&gt;", "&lt;p:1&gt;"), ("<a&'b>", "&lt;a&amp;&#39;b&gt;", "&lt;p:1&gt;"),
            ("<a&'b>", "&lt;a&amp;&#x27;b>", "&lt;p:1&gt;"), ("a\"b", "a&quot;b", "&lt;p:1&gt;"),
            ("a\"b", "a&#34;b", "&lt;p:1&gt;"), ("a\nb\t", "a\\nb\\t", "<p:1>"),
            ("😀key", "\\ud83d\\ude00key", "<p:1>"),
            ("it's(1)!*", "it's(1)!*", "<p:1>"), ("it's(1)!*", "it%27s%281%29%21%2A", "%3Cp%3A1%3E"),
            ("it's(1)!*", "it%27s%281%29%21*", "%3Cp%3A1%3E"), ("a=b&c", "a%3Db%26c", "%3Cp%3A1%3E"),
            ("secret", "c2VjcmV0", "PHA6MT4="), ("secrets", "c2VjcmV0cw==", "PHA6MT4="),
            ("secrets", "c2VjcmV0cw", "PHA6MT4"), ("a??b>>", "YT8/Yj4+", "PHA6MT4="),
            ("a??b>>", "YT8_Yj4-", "PHA6MT4="),
        ]
    )
    func replacement(_ value: String, _ text: String, _ replacement: String) {
        #expect(Self.spellings(value)[text] == replacement)
    }

    @Test(
        "A plain secret has few spellings, and no text comes twice",
        arguments: ["abcdefgh1", "a b", "é/\"<&'+😀"]
    )
    func distinct(_ value: String) {
        let all = SecretSpelling.all(of: value, placeholder: Placeholder(name: "p"))
        #expect(Set(all.map(\.text)).count == all.count)
        #expect(value != "abcdefgh1" || all.count == 2)
        #expect(all.first?.encoding == .raw)
    }

    @Test("No value has no spelling")
    func empty() {
        #expect(SecretSpelling.all(of: "", placeholder: Placeholder(name: "p")).isEmpty)
    }

    @Test("A token is replaced by one of its shape")
    func token() throws {
        let token = "eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjF9.c2ln"
        let placeholder = Placeholder(name: "p", number: 1)
        let expected = try #require(placeholder.jwtText(replacing: token))
        #expect(Self.spellings(token)[token] == expected)
        #expect(
            Self.spellings(token)[Data(token.utf8).base64EncodedString()]
                == Data(expected.utf8).base64EncodedString()
        )
    }

    @Test("A core stands in the base64 of every text that has the value")
    func cores() {
        var random = SplitMix64(seed: 7)
        for _ in 0..<300 {
            let value = random.text(Int.random(in: 4...20, using: &random), of: "abcXYZ019?>~é ")
            let text =
                random.text(Int.random(in: 0...9, using: &random), of: "xy>?") + value
                + random.text(Int.random(in: 0...9, using: &random), of: "xy>?")
            for alphabet in [Base64Alphabet.standard, .url] {
                let encoded = String(decoding: alphabet.encoded(text.utf8, padded: true), as: UTF8.self)
                let found = Base64Core.cores(of: Array(value.utf8)).contains { core in
                    encoded.ranges(of: String(decoding: core.text, as: UTF8.self)).contains {
                        encoded.distance(from: encoded.startIndex, to: $0.lowerBound) % 4 == core.place
                    }
                }
                #expect(found, "\(value) in \(text)")
            }
        }
    }

    @Test("A value too short to be told from others has no core", arguments: ["", "a", "abc"])
    func shortCores(_ value: String) {
        #expect(Base64Core.cores(of: Array(value.utf8)).isEmpty)
    }
}
