import Foundation
import RewindTestSupport
import Rewind
import Testing

struct SecretSpellingTests {
    @Test(
        "An encoded secret is replaced with a placeholder in the same encoding",
        arguments: [
            ("a b/é", "a b/é", "REDACTEDpN1X"), ("a b/é", "a%20b%2F%C3%A9", "REDACTEDpN1X"),
            ("a b/é", "a%20b%2f%c3%a9", "REDACTEDpN1X"), ("a b/é", "a%20b/%C3%A9", "REDACTEDpN1X"),
            ("a b/é", "a+b%2F%C3%A9", "REDACTEDpN1X"), ("a b/é", "a%2520b%252F%25C3%25A9", "REDACTEDpN1X"),
            ("a b/é", "a b\\/é", "REDACTEDpN1X"), ("a b/é", "a b/\\u00e9", "REDACTEDpN1X"),
            ("a b/é", "a b\\/\\u00E9", "REDACTEDpN1X"),
            ("a\"b\\", "a\\\"b\\\\", "REDACTEDpN1X"), ("a\"b\\", "a\\\\\\\"b\\\\\\\\", "REDACTEDpN1X"),
            ("<a&'b>", "\\u003ca\\u0026\\u0027b\\u003e", "REDACTEDpN1X"),
            ("<a&'b>", "\\u003Ca\\u0026\\u0027b\\u003E", "REDACTEDpN1X"),
            ("<a&'b>", "&lt;a&amp;'b&gt;", "REDACTEDpN1X"), ("<a&'b>", "&lt;a&amp;&#39;b&gt;", "REDACTEDpN1X"),
            ("<a&'b>", "&lt;a&amp;&#x27;b>", "REDACTEDpN1X"), ("a\"b", "a&quot;b", "REDACTEDpN1X"),
            ("a\"b", "a&#34;b", "REDACTEDpN1X"), ("a\nb\t", "a\\nb\\t", "REDACTEDpN1X"),
            ("😀key", "\\ud83d\\ude00key", "REDACTEDpN1X"),
            ("it's(1)!*", "it's(1)!*", "REDACTEDpN1X"), ("it's(1)!*", "it%27s%281%29%21%2A", "REDACTEDpN1X"),
            ("it's(1)!*", "it%27s%281%29%21*", "REDACTEDpN1X"), ("a=b&c", "a%3Db%26c", "REDACTEDpN1X"),
            ("a b", "a+b", "REDACTEDpN1X"), ("a+b", "a&#43;b", "REDACTEDpN1X"),
            ("secret", "c2VjcmV0", "UkVEQUNURURwTjFY"), ("secrets", "c2VjcmV0cw==", "UkVEQUNURURwTjFY"),
            ("a??b>>", "YT8/Yj4+", "UkVEQUNURURwTjFY"), ("a??b>>", "YT8_Yj4-", "UkVEQUNURURwTjFY"),
        ]
    )
    func replacement(_ value: String, _ text: String, _ replacement: String) {
        let replacer = SecretReplacer([(value, Placeholder(name: "p", number: 1))])
        #expect(replacer.replacing(in: text) == replacement)
        #expect(replacer.replacing(in: "1 \(text) 2") == "1 \(replacement) 2")
    }

    @Test(
        "No encoding of a secret survives",
        arguments: ["abcdefgh1", "a b", "a-b c", "\u{E9}/\"<&'+\u{1F600}", "it's(1)!*"]
    )
    func none(_ value: String) {
        let replacer = SecretReplacer([(value, Placeholder(name: "p", number: 1))])
        for spelling in SecretSpellings.all(of: value) where spelling.utf8.count > 4 {
            let clean = replacer.replacing(in: spelling)
            #expect(clean != nil && replacer.replacing(in: clean ?? "") == nil, "\(spelling)")
        }
    }

    @Test(
        "No encoding of a secret survives inside base64",
        arguments: ["abcdefgh1", "pass word+1", "a-b.c/\"<\u{E9}&"]
    )
    func noneInBase64(_ value: String) {
        let replacer = SecretReplacer([(value, Placeholder(name: "p", number: 1))])
        for spelling in SecretSpellings.all(of: value, withBase64: false) {
            let text = Data("1: \(spelling)".utf8).base64EncodedString()
            let clean = replacer.replacing(in: text)
            #expect(clean != nil && replacer.replacing(in: clean ?? "") == nil, "\(spelling) in \(text)")
        }
    }

    @Test("A secret is replaced as a whole if another one is its prefix")
    func beginning() {
        let replacer = SecretReplacer([
            ("hunter22", Placeholder(chosen: "<a>")), ("hunter22/and|more", Placeholder(chosen: "<b>")),
        ])
        #expect(replacer.replacing(in: "x=hunter22%2Fand%7Cmore") == "x=%3Cb%3E")
        #expect(replacer.replacing(in: "hunter22/and|more, hunter22") == "<b>, <a>")
    }

    @Test("The base64 of every text with a value contains a core of the value")
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

    @Test("A value that is too short has no core", arguments: ["", "a", "abc"])
    func shortCores(_ value: String) {
        #expect(Base64Core.cores(of: Array(value.utf8)).isEmpty)
    }
}
