import Foundation
import Rewind
import Testing

struct SecretReplacerTests {
    private static let secret = "S3cr+t/v\u{E9}&1"
    private static let replacer = SecretReplacer([
        (secret, Placeholder(name: "key", number: 1)), ("hunter22", Placeholder(chosen: "<password>")),
        ("hunter22and", Placeholder(chosen: "<longer>")), ("user", Placeholder(name: "user", number: 1)),
    ])

    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    @Test(
        "A secret is replaced everywhere",
        arguments: [
            ("hunter22", "<password>"), ("a hunter22.", "a <password>."),
            ("hunter22hunter22", "<password><password>"),
            ("xhunter22and", "x<longer>"), ("hunter22an", "<password>an"), (secret, "REDACTEDkeyN1X"),
            ("?k=S3cr%2Bt%2Fv%C3%A9%261&x", "?k=REDACTEDkeyN1X&x"),
            ("\"S3cr+t\\/v\\u00e9&1\"", "\"REDACTEDkeyN1X\""),
            ("<a>S3cr+t/vé&amp;1</a>", "<a>REDACTEDkeyN1X</a>"),
        ]
    )
    func plain(_ text: String, _ expected: String) {
        #expect(Self.replacer.replacing(in: text) == expected)
        #expect(Self.replacer.replacing(in: Data(text.utf8)) == Data(expected.utf8))
    }

    @Test(
        "A text without secrets stays unchanged",
        arguments: [
            "", "h", "hunter2", "Hunter22", "hunter2 2", "REDACTEDuserN1X", "REDACTEDuserN1X",
            "REDACTEDuserN1X",
            "<password>",
            "100% \\ & +", "%68unter2", "aHVudGVyMg==", "%ZZ \\u12 &#;", "REDACTEDuserN1X",
        ]
    )
    func none(_ text: String) {
        #expect(Self.replacer.replacing(in: text) == nil)
        #expect(Self.replacer.replacing(in: Data(text.utf8)) == nil)
    }

    @Test(
        "A secret inside base64 is replaced, preserving alphabet and padding"
    )
    func insideBase64() {
        for before in ["", "a", "ab", "abc", "user:"] {
            for after in ["", "x", "xy", "xyz"] {
                let text = Self.base64("\(before)hunter22\(after)")
                let clean = before == "user:" ? "REDACTEDuserN1X:" : before
                let expected = Self.base64("\(clean)<password>\(after)")
                #expect(Self.replacer.replacing(in: "Basic \(text), x") == "Basic \(expected), x")
                let bare = text.replacingOccurrences(of: "=", with: "")
                if bare != text {
                    let expectedBare = expected.replacingOccurrences(of: "=", with: "")
                    #expect(Self.replacer.replacing(in: "{\"a\":\"\(bare)\"}") == "{\"a\":\"\(expectedBare)\"}")
                }
            }
        }
    }

    @Test("Base64 is found after characters of its alphabet")
    func base64InPath() {
        let text = "/files/b/\(Self.base64("a:hunter22"))"
        #expect(Self.replacer.replacing(in: text) == "/files/b/\(Self.base64("a:<password>"))")
    }

    @Test(
        "Nested encodings are searched",
        arguments: [
            ("hunter%32%32", "%3Cpassword%3E"), ("a=1&p=%68unter22%26&q=%2B", "a=1&p=%3Cpassword%3E%26&q=%2B"),
            ("a%2520%2568unter22", "a%2520%253Cpassword%253E"),
            ("\"a\\/\\u0068unter22\\n\"", "\"a\\/<password>\\n\""),
            ("&#104;unter22 &amp; &lt;", "&lt;password&gt; &amp; &lt;"),
            ("p=S3cr%2bt/v%C3%A9%261", "p=REDACTEDkeyN1X"),
            ("{\"b\":\"{\\\"p\\\":\\\"\\\\u0068unter22\\\"}\"}", "{\"b\":\"{\\\"p\\\":\\\"<password>\\\"}\"}"),
            ("a=\(base64("1:hunter22").replacingOccurrences(of: "=", with: "%3D"))", "a=MTo8cGFzc3dvcmQ%2B"),
            ("\\\"\(base64("1:hunter22"))\\\"", "\\\"\(base64("1:<password>"))\\\""),
            (base64("p=S3cr%2Bt%2Fv%C3%A9%261"), base64("p=REDACTEDkeyN1X")),
            (base64("\"S3cr+t\\/v\u{E9}&1\""), base64("\"REDACTEDkeyN1X\"")),
            ("aHVudGVyMj-/aHVudGVyMjI=", "aHVudGVyMj-/PHBhc3N3b3JkPg=="),
        ]
    )
    func layers(_ text: String, _ expected: String) {
        #expect(Self.replacer.replacing(in: text) == expected)
    }

    @Test(
        "The placeholder of an unencoded secret is escaped for its context",
        arguments: [
            (EscapeLayer.percent, "?p=%3Cpassword%3E"), (.html, "?p=&lt;password&gt;"),
            (nil, "?p=<password>"),
        ]
    )
    func surroundings(_ layer: EscapeLayer?, _ expected: String) {
        #expect(Self.replacer.replacing(in: "?p=hunter22", escapedBy: layer) == expected)
    }

    @Test("Placeholders are not searched, even if their name is a secret")
    func kept() {
        let replacer = SecretReplacer([("password", Placeholder(name: "password", number: 3))])
        #expect(
            replacer.replacing(in: "password REDACTEDpasswordN3X") == "REDACTEDpasswordN3X REDACTEDpasswordN3X"
        )
        #expect(
            replacer.replacing(
                in: "REDACTEDpasswordN3X REDACTEDpasswordN3X \(Self.base64("REDACTEDpasswordN3X"))"
            ) == nil
        )
    }

    @Test("A JSON Web Token is replaced with a token placeholder, and stays replaced")
    func token() throws {
        let token = "eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjE3MDAwMDAwMDAsInN1YiI6Im1lIn0.c2lnbmF0dXJl"
        let placeholder = Placeholder(name: "id_token", number: 1)
        let replacer = SecretReplacer([(token, placeholder)])
        let clean = try #require(replacer.replacing(in: "Bearer \(token)"))
        #expect(clean == "Bearer \(placeholder.text(for: token))")
        #expect(replacer.replacing(in: clean) == nil)
        #expect(Placeholder.placeholders(in: clean) == [placeholder])
    }

    @Test("No secrets or too short values replace nothing")
    func useless() {
        #expect(SecretReplacer([]).replacing(in: "anything") == nil)
        let replacer = SecretReplacer([
            ("", Placeholder(chosen: "<a>")), ("x", Placeholder(chosen: "<b>")),
            ("yz", Placeholder(chosen: "<c>")),
        ])
        #expect(replacer.replacing(in: "xyz") == "x<c>")
    }

    @Test("Of equal secrets, the first one counts")
    func equal() {
        let replacer = SecretReplacer([
            ("same-one", Placeholder(chosen: "<a>")), ("same-one", Placeholder(chosen: "<b>")),
        ])
        #expect(replacer.replacing(in: "same-one") == "<a>")
    }

    @Test("A data slice is searched from its start, and binary content is preserved")
    func slice() {
        let data = Data([0xFF, 0x00]) + Data("hunter22".utf8) + Data([0xC3, 0x28])
        #expect(
            Self.replacer.replacing(in: data.dropFirst()) == Data([0x00]) + Data("<password>".utf8)
                + Data([0xC3, 0x28])
        )
    }

    @Test("Adversarial text is searched completely in reasonable time")
    func slow() {
        let core = String(Self.base64("hunter22").prefix(10))
        for text in ["%25", "\\\\", "&amp;", "%", "\\", "&", core, core + "-/", "aHVudGVyMjJ", "<user:"] {
            let long = String(repeating: text, count: 5_000)
            let isClean = Self.replacer.replacing(in: Self.replacer.replacing(in: long) ?? long) == nil
            #expect(isClean, "\(text)")
        }
    }
}
