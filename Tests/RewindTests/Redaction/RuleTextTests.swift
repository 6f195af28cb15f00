import Foundation
import Testing

@testable import Rewind

struct RuleTextTests {
    private static func redacted(_ lines: [String], _ interaction: Interaction) throws -> String {
        var redaction = Redaction.default
        for line in lines { redaction.add(try #require(try RuleText(line: line))) }
        return text(Redactor(redaction).redact([interaction]))
    }

    private static func text(_ interactions: [Interaction]) -> String {
        String(decoding: HARFormat.write(Cassette(interactions: interactions)), as: UTF8.self)
    }

    private static let interaction = Interaction(
        request: Interaction.Request(
            url: "https://api.example.com/a?pin=4711-0815",
            headers: ["X-Acme-Auth": "acme-credential-1", "X-Other": "other-value-1"]
        ),
        outcome: .response(
            Interaction.Response(
                headers: ["Content-Type": "application/json"],
                body: Interaction.Body(
                    #"{"user": {"ssn": "078-05-1120"}, "order": "cust_12345678", "session": "a1b2c3d4e5f6"}"#
                )
            )
        )
    )

    @Test(
        "A line redacts what it names and nothing else",
        arguments: [
            ("redact header:X-Acme-Auth", "acme-credential-1"), ("redact header:x-acme-*", "acme-credential-1"),
            ("redact field:pin", "4711-0815"), ("  redact   field:PIN  ", "4711-0815"),
            ("redact path:$.user.ssn", "078-05-1120"), ("redact pattern:cust_[0-9]{8}", "cust_12345678"),
            ("redact field:pin on host:*.example.com", "4711-0815"),
        ]
    )
    func redacts(_ line: String, _ value: String) throws {
        #expect(Self.text([Self.interaction]).contains(value))
        let text = try Self.redacted([line], Self.interaction)
        #expect(!text.contains(value))
        #expect(text.contains("other-value-1"))
    }

    @Test("A limit to hosts, keep and allow are respected")
    func others() throws {
        let elsewhere = try Self.redacted(["redact field:pin on host:example.org"], Self.interaction)
        #expect(elsewhere.contains("4711-0815"))
        #expect(try !Self.redacted([], Self.interaction).contains("a1b2c3d4e5f6"))
        #expect(try Self.redacted(["keep session"], Self.interaction).contains("a1b2c3d4e5f6"))
        var redaction = Redaction.default
        redaction.add(try RuleText(allowing: "0123456789AB"))
        #expect(redaction.allowedFingerprints == ["0123456789ab"])
    }

    @Test("Empty lines and comments are no rules", arguments: ["", "   ", "\t", "# redact field:pin", "  #"])
    func nothing(_ line: String) throws { #expect(try RuleText(line: line) == nil) }

    @Test(
        "A broken line is an error with its column",
        arguments: [
            ("hide field:pin", 1), ("  hide", 3), ("redact", 7), ("redact pin", 8), ("redact cookie:a", 8),
            ("redact header:", 15), ("redact header:X Acme", 15), ("redact field:a b", 14),
            ("redact path:user", 13), ("redact path:$.user[", 20), ("redact pattern:(", 16),
            ("redact field:pin on host:", 26), ("redact field:pin on host:a/b", 26), ("keep", 5),
            ("keep a b", 6),
            ("allow 0123", 7), ("allow 0123456789ax", 7),
        ]
    )
    func problems(_ line: String, _ column: Int) {
        let error = #expect(throws: RuleText.Problem.self) { try RuleText(line: line) }
        #expect(error?.column == column, "\(String(describing: error))")
        #expect(error?.cause.isEmpty == false)
    }

    @Test("A suggested rule can be read as an option and redacts the value")
    func suggestions() throws {
        let key = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"
        let places = [
            "https://h/a?label=\(key)&b=1", "https://h/keys/\(key)/x", "https://h/a?b=see%20\(key)",
        ].map { Interaction(request: Interaction.Request(url: $0), outcome: .response(Interaction.Response())) }
        let bodies: [(type: String, text: String)] = [
            ("application/json", #"{"a": [{"label": "\#(key)"}]}"#), ("application/json", #"["\#(key)", 1]"#),
            ("application/json", #"{"a b": "\#(key)"}"#), ("application/json", #"{"note": "see \#(key) now"}"#),
            ("application/x-www-form-urlencoded", "a=1&label=\(key)"),
            ("text/xml", "<a><b:label>\(key)</b:label></a>"),
            ("text/plain", "the key is \(key)."),
            (
                "multipart/form-data; boundary=x",
                "--x\r\nContent-Disposition: form-data; name=label\r\n\r\n\(key)\r\n--x--\r\n"
            ),
        ]
        let messages = bodies.map { type, text in
            Interaction(
                request: Interaction.Request(
                    method: "POST",
                    url: "https://h/b",
                    headers: ["Content-Type": type, "X-Own": "1"],
                    body: Interaction.Body(text)
                ),
                outcome: .response(Interaction.Response())
            )
        }
        let header = Interaction(
            request: Interaction.Request(url: "https://h/c", headers: ["X-Label": key]),
            outcome: .response(Interaction.Response())
        )
        for interaction in places + messages + [header] {
            let finding = try #require(CredentialCheck().findings(in: [interaction]).first)
            let rule = try #require(finding.rule, "\(interaction.request)")
            #expect(!rule.text.contains(key) && !rule.code.contains(key))
            var redaction = Redaction.default
            redaction.add(try RuleText(redacting: rule.text))
            let redacted = Redactor(redaction).redact([interaction])
            #expect(CredentialCheck().findings(in: redacted).isEmpty, "\(rule.text) in \(redacted)")
        }
    }
}
