import Foundation
import Rewind
import Testing

/// The credentials are joined from parts, so that scanners do not report this file.
struct CredentialPatternTests {
    private static let letters = "aB3dE5gH7jK9mN1pQ2sT4vW6xY8zA0cD9fG2hJ4kL6"
    private static let hexadecimal = "a3f09c1b7e5d2846f1b0c9d8e7a65432ab1290cd34ef5678a9b0c1d2e3f4a5b6"
    private static func some(_ count: Int) -> String { String(letters.prefix(count)) }

    private static let tokens: [(rule: String, text: String)] = [
        ("github-token", "gh" + "p_" + some(36)), ("github-token", "gh" + "s_" + some(36)),
        ("github-token", "github" + "_pat_" + some(22) + "_" + some(40)),
        ("anthropic-key", "sk-" + "ant-api03-" + some(40)),
        ("openai-key", "sk-" + "proj-" + some(40)), ("openai-key", "s" + "k-" + some(32)),
        ("stripe-key", "sk" + "_live_" + some(24)), ("stripe-key", "rk" + "_test_" + some(24)),
        ("stripe-key", "whs" + "ec_" + some(32)), ("slack-token", "xo" + "xb-123456789012-" + some(24)),
        ("slack-token", "xa" + "pp-1-" + some(30)), ("aws-access-key", "AK" + "IA" + "Q3EGRZ7LPWN5TKXB"),
        ("aws-access-key", "AS" + "IA" + "Q3EGRZ7LPWN5TKXB"), ("google-key", "AI" + "za" + some(35)),
        ("google-token", "ya" + "29." + some(40)), ("google-secret", "GOC" + "SPX-" + some(28)),
        ("gitlab-token", "gl" + "pat-" + some(20)), ("npm-token", "np" + "m_" + some(36)),
        ("pypi-token", "py" + "pi-AgEI" + some(40) + some(20)),
        ("sendgrid-key", "S" + "G." + some(22) + "." + some(42)),
        ("twilio-key", "S" + "K" + hexadecimal.prefix(32)),
        ("shopify-token", "shp" + "at_" + hexadecimal.prefix(32)),
        ("digitalocean-token", "dop" + "_v1_" + hexadecimal), ("huggingface-token", "h" + "f_" + some(34)),
        ("telegram-token", "123456789" + ":AA" + some(33)),
        ("json-web-token", "ey" + "JhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxIn0." + some(40)),
    ]

    private func rules(_ text: String) -> [String] {
        CredentialScanner().findings(in: Data(text.utf8)).map(\.rule)
    }

    @Test("A token is found in any context, with its exact range", arguments: tokens)
    func found(_ rule: String, _ token: String) throws {
        let surroundings = [
            ("", ""), ("a ", " b"), ("{\"x\":\"", "\"}"), ("?q=", "&r=1"), ("x%3D", "%26"), ("\\n", "\\n"),
            ("(", ")."),
            ("<a>", "</a>"), ("Authorization: Bearer ", "\r\n"), ("\"token\": \"", "\""),
            ("\\u003d", "\\u0026"),
        ]
        for (before, after) in surroundings where !(after == ")." && rule == "gitlab-token") {
            let data = Data((before + token + after).utf8)
            let findings = CredentialScanner().findings(in: data)
            #expect(findings.map(\.rule) == [rule], "\(before)")
            let finding = try #require(findings.first)
            #expect(String(decoding: data[finding.range], as: UTF8.self) == token)
            #expect(finding.fingerprint == CredentialFinding.fingerprint(of: token.utf8))
        }
    }

    @Test("A truncated token or a part of a longer word is not a finding", arguments: tokens)
    func cut(_ rule: String, _ token: String) {
        #expect(rules(String(token.prefix(12))).isEmpty)
        #expect(rules("q" + token).isEmpty || rule == "telegram-token")
        #expect(rules("_" + token).isEmpty || rule == "telegram-token")
        let endless = token + String(repeating: "aB3_", count: 2_000)
        #expect(rules(endless).isEmpty || ["json-web-token"].contains(rule))
    }

    @Test("A token inside base64 is found, with the range of the base64", arguments: tokens)
    func base64(_ rule: String, _ token: String) throws {
        let encoded = Data("{\"some\": \"\(token)\"}".utf8).base64EncodedString()
        let data = Data("{\"text\": \"\(encoded)\"}".utf8)
        let finding = try #require(CredentialScanner().findings(in: data).first)
        #expect(finding.rule == rule)
        #expect(finding.fingerprint == CredentialFinding.fingerprint(of: token.utf8))
        #expect(encoded.hasPrefix(String(decoding: data[finding.range], as: UTF8.self)))
    }

    @Test(
        "Examples from documentation are not findings",
        arguments: [
            "gh" + "p_" + String(repeating: "x", count: 36), "AK" + "IAIOSFODNN7EXAMPLE",
            "sk-" + "your_key_goes_here_please_1", "AI" + "za" + String(repeating: "0", count: 35),
            "sk-folding-cube-and-more-words-1", "SKIPPED0123456789abcdef0123456789",
            "SG.module.name.of.something.long.1",
            "hf_" + "some_name_of_a_function_in_a_file_1", "AKIAAAAAAAAAAAAAAAAA",
        ]
    )
    func manuals(_ text: String) {
        #expect(rules("a \(text) b").isEmpty)
    }

    @Test("A placeholder in JSON Web Token format is not a finding")
    func placeholder() {
        let text = Placeholder(name: "id_token", number: 1).jwtText(replacing: ["exp": 1_700_000_000])
        #expect(rules("Bearer \(text)").isEmpty)
        #expect(rules("\"access_token\": \"\(text)\"").isEmpty)
    }
}
