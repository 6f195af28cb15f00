import Foundation
import Testing

@testable import Rewind

/// Redaction of texts that repeat what a format looks for, without ever ending it.
struct EditorGrowthTests {
    private static let units = [
        "token=", "key=", "a=b=", "password=x&", "?token=", "code=1&", "card[number]=1&", "token: ",
        "password: x\n",
        "name: password\nvalue: x\n", "password: |\n  x\n", "password: \"", "password='", "--token ", " -u a",
        "password",
        "{Authorization: Bearer a, ", "$a: String = ", "<a ", "<a b=\"", "<a b=", "</a", "</", "<a>", "<!--",
        "<![CDATA[",
        "<password>", "<password>a</password>", "<key>password</key><string>x</string>", "<!-- <a>x</a> -->",
        "<?", "&lt;a",
        "{\"a\":", "[", "{\"value\":\"a\"},", "\"value\":\"a\",", "\"code\":\"a\",", "\"name\":\"password\",",
        "{\"d\":\"a\",",
        "\"a\\n\",", "\"\\\"", "\"eyJhIjoiYiJ9\",", "eyJhIjoi", "{\"password\":{", "\"token\":[", "/reset/",
        "/reset/a/",
        "hooks.slack.com/services/", "/bot1:", "://a:b@", "//", "%7B%22", "%25", "\\u0026token=", "REDACTED",
        "REDACTEDaN1X",
        "UkVEQUNURUQ", "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0", "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.", "Basic ",
        "Bearer ",
        "a,password\n", "a,b\n", "\"a\",\"", "é", "\u{0}a",
    ]

    private static func redact(_ unit: String, _ count: Int, _ type: String) {
        let text = Data(String(repeating: unit, count: max(1, count / unit.utf8.count)).utf8)
        let request = Interaction.Request(
            method: "POST",
            url: "https://h/",
            headers: ["Content-Type": type],
            body: Interaction.Body(text)
        )
        _ = Redactor(.default).redact(request)
        _ = Placeholder.withoutNumbers(text)
    }

    @Test("Redaction is linear in a text that repeats one unit", arguments: units)
    func repeating(_ unit: String) {
        for type in ["text/plain", "application/x-www-form-urlencoded", "text/csv"] {
            let ratio = Growth.ratio(6_000) { Self.redact(unit, $0, type) }
            #expect(ratio <= Growth.limit, "\(type)")
        }
    }

    @Test("Redaction is linear in the number of different secrets")
    func secrets() {
        let ratio = Growth.ratio(500) { count in
            let members = (0..<count).map { "{\"token\": \"ghp0a1b2c3d4e5f6\($0)z9y8x7\"}" }
            Self.redact("[\(members.joined(separator: ","))]", 1, "application/json")
        }
        #expect(ratio <= Growth.limit)
    }
}
