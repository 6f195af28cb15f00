import Foundation
import RewindTestSupport
import Rewind
import Testing

struct CredentialScannerTests {
    private static let value = "q7Rk2" + "Zx9Lm4Tn8Vb1Wc5"
    private static let hexadecimal = "9f86d081884c7d659a2feaa0" + "c55ad015a3bf4f1b"
    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
    private static func findings(_ text: String) -> [CredentialFinding] {
        CredentialScanner().findings(in: Data(text.utf8))
    }

    @Test(
        "A random value after a secret name is a finding",
        arguments: [
            "\"secret\": \"\(value)\"", "{\"client_secret\":\"\(value)\"}", "token=\(value)",
            "?access_token=\(value)&a",
            "apiKey: \(value)", "X-Api-Key: \(value)\r\n", "API_KEY=\(value)", "api-key = '\(value)'",
            "{\\\"password\\\":\\\"\(value)\\\"}", "passwd=\(value);", "private_key=\(value)",
            "<token>\(value)</token>",
            "{\"name\": \"X-Auth-Token\", \"value\": \"\(value)\"}",
            "{\"name\":\"apikey\",\n\t\"value\":\"\(value)\"}",
            "auth%3D\(value)%26", "\"credentials\":\"\(value)\"", "SecretAccessKey: \(value)",
            "refreshToken=\(value)",
            "\"token\":\"\(hexadecimal)\"", "\"secret\" => \"\(value)\"",
        ]
    )
    func named(_ text: String) {
        let findings = Self.findings(text)
        #expect(findings.map(\.rule) == ["named-secret"])
        let values = [Self.value, Self.hexadecimal].map { CredentialFinding.fingerprint(of: $0.utf8) }
        #expect(findings.first.map { values.contains($0.fingerprint) } == true)
    }

    @Test(
        "Other values after a secret name are not findings",
        arguments: [
            "\"token\": \"REDACTEDaccessTokenN1X\"", "token=REDACTEDaccessTokenN1X", "\"token\": \"\"", "token",
            "token=", "token:",
            "\"token\": \"short1A2b3C\"", "\"token\": \"aaaaaaaaaaaaaaaaaaaaaaa1\"",
            "\"secret\": \"some-words-joined-by-2-signs\"",
            "\"token\": \"f47ac10b-58cc-4372-a567-0e02b2c3d479\"",
            "\"auth\": \"https://example.com/a1B2c3D4e5F6g7H8i9\"",
            "\"token\": \"2024-01-02T03:04:05.678901Z\"", "\"token\": \"0123456789abcdef01234567\"",
            "token=12345678901234567890123",
            "a.token=this.options.base64EncodedTokenProvider2;", "token=n.getAccessToken2(e,t)",
            "nextPageToken=\(value)",
            "\"next_token\": \"\(value)\"", "\"key\": \"\(value)\"", "\"public_key\": \"\(value)\"",
            "\"keyboard\": \"\(value)\"",
            "\"author\": \"\(value)\"", "\"tokens\": [\"\(value)\"]",
            "\"password\": \"\(value) and a sentence\"",
            "\"token_type\": \"\(value)\"", "{\"name\": \"token\", \"other\": \"\(value)\"}",
            "secret_name_of_the_thing_2024_01_02",
        ]
    )
    func notNamed(_ text: String) {
        #expect(Self.findings(text).isEmpty)
    }

    @Test(
        "Digests, images and code are not findings",
        arguments: [
            "ETag: \"\(hexadecimal)\"", "\"etag\":\"W/\\\"\(hexadecimal)\\\"\"", "\"sha\": \"\(hexadecimal)\"",
            "integrity=\"sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC\"",
            "\"id\": \"f47ac10b-58cc-4372-a567-0e02b2c3d479\"",
            "/static/js/main.\(hexadecimal.prefix(20)).chunk.js",
            "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
            "!function(e,t){var n=t.token=e.auth||t.key2;for(var r=0;r<n.length;r++)e.secret=n[r].password=t(r,0x1f,a1b2)}(a,b)",
            "-----BEGIN CERTIFICATE-----\n\(base64(hexadecimal))\n-----END CERTIFICATE-----",
            "Bearer realm=\"a\", error=\"b\"",
            "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
            "-----BEGIN PRIVATE KEY-----REDACTEDprivateKeyN1X",
            "-----BEGIN ", "Basic ", "Bearer ", "://", "://a:b@", ":AA", "eyJ", "AccountKey=", "Basic realm",
            "",
            "https://example.com:8080/a@b", "mailto:a@b.c", "https://user@host.net/",
            "https://REDACTEDuserN1X:REDACTEDpasswordN1X@host.net",
            "postgres://user:password@localhost/db", "https://u:${PASSWORD}@host.net",
            "Basic \(base64("REDACTEDuserN1X:REDACTEDpasswordN1X"))",
            "https://u:p4ss@example.com", "Bearer abcdefghijklmnopqrstuvwxyz", "Basic information about things",
        ]
    )
    func innocent(_ text: String) {
        #expect(Self.findings(text).isEmpty)
        #expect(Self.findings(text + " ").isEmpty)
    }

    @Test(
        "Base64 is searched completely, with any length and padding",
        arguments: 0..<12
    )
    func base64Run(_ length: Int) {
        let digits = Self.base64(
            "A key: AKIAQ3EGRIU7XZB2LMN4 and some more" + String(repeating: ".", count: length)
        )
        .filter { $0 != "=" }
        for end in ["", "=", " ", "\n", "é", "\"}"] {
            let finding = Self.findings("data " + digits + end).first
            #expect(finding?.range == 5..<(5 + digits.utf8.count), "before \(end.debugDescription)")
        }
    }

    @Test(
        "Credentials in header fields, URLs and keys are findings",
        arguments: [
            ("Bearer \(value)", "bearer-token", value),
            ("\"authorization: bearer \(value)\"", "bearer-token", value),
            ("Basic \(base64("aladdin:open sesame"))", "basic-credentials", base64("aladdin:open sesame")),
            ("https://me:hunter22@host.net/a", "url-password", "hunter22"),
            ("redis://u:p%40ss@h:1", "url-password", "p%40ss"),
            (
                "AccountKey=\(String(repeating: value, count: 4))==;", "azure-key",
                String(repeating: value, count: 4) + "=="
            ),
        ]
    )
    func formatted(_ text: String, _ rule: String, _ value: String) {
        let findings = Self.findings(text)
        #expect(findings.map(\.rule) == [rule])
        #expect(findings.map(\.fingerprint) == [CredentialFinding.fingerprint(of: value.utf8)])
    }

    @Test(
        "A private key is a finding, with real or escaped line breaks",
        arguments: ["\n", "\\n", "\\r\\n", "\r\n"]
    )
    func privateKey(_ line: String) {
        let key = Self.base64("the content of a key, which is long 0123 enough")
        for kind in ["RSA ", "", "EC ", "OPENSSH "] {
            let label = "\(kind)PRIVATE" + " KEY-----"
            let text = "\"-----BEGIN \(label)\(line)\(key)\(line)-----END \(label)\""
            #expect(Self.findings(text).map(\.rule) == ["private-key"])
            #expect(Self.findings(String(text.prefix(60))).isEmpty)
        }
    }

    @Test("A fingerprint allows only its own value")
    func allowed() throws {
        let text = Data("token=\(Self.value) secret=\(Self.hexadecimal)".utf8)
        let all = CredentialScanner().findings(in: text)
        #expect(all.count == 2)
        let first = try #require(all.first)
        #expect(first.fingerprint.count == 12)
        #expect(CredentialScanner(allowing: [first.fingerprint]).findings(in: text) == Array(all.dropFirst()))
        #expect(CredentialScanner(allowing: [Self.value]).findings(in: text) == all)
    }

    @Test("Offsets count from the start of the data")
    func slice() {
        let data = Data("xxxxxtoken=\(Self.value)".utf8).dropFirst(5)
        #expect(CredentialScanner().findings(in: data).map(\.range) == [6..<26])
    }

    @Test("Random bytes never trap", arguments: 1...30)
    func fuzz(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let parts = [
            "eyJ", ".", "://", ":", "@", "-----BEGIN ", "PRIVATE KEY-----", "token", "=", "\"", "\\", "Basic ",
            "é", "\0", "AA", "12345678:AA", "%3D", ",",
        ]
        for _ in 0..<200 {
            let text = (0..<Int.random(in: 0...12, using: &random)).compactMap { _ in
                parts.randomElement(using: &random)
            }
            #expect(Self.findings(text.joined()).allSatisfy { $0.range.upperBound <= text.joined().utf8.count })
        }
    }
}
