import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

/// The rule that the error prints for each value that stopped a save: added as it is printed, it saves the recording
/// without the value.
struct SuggestedRuleTests {
    private static let key = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"
    private static let token =
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI4ODEyMzQ1Njc4OTAiLCJuYW1lIjoiQSJ9.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg"

    /// A request and a response with one value that looks like a credential.
    struct Place: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let secret: String
        var request = Interaction.Request(url: "https://h/a")
        var response = Interaction.Response(body: Interaction.Body("fine"))
        /// A part of the expected rule; `nil` for any.
        var rule: String?

        init(
            _ name: String,
            _ secret: String = SuggestedRuleTests.key,
            _ rule: String? = nil,
            _ change: (inout Place) -> Void
        ) {
            (testDescription, self.secret, self.rule) = (name, secret, rule)
            change(&self)
        }

        mutating func send(_ type: String, _ body: String) {
            request.method = "POST"
            request.headers = ["Content-Type": type]
            request.body = Interaction.Body(body)
        }

        mutating func receive(_ type: String, _ body: String) {
            response = Interaction.Response(headers: ["Content-Type": type], body: Interaction.Body(body))
        }

        static let all: [Place] = [
            Place("request header", key, "header:X-Acme-Auth") {
                $0.request.headers = ["X-Acme-Auth": "user \(key)"]
            },
            Place("response header", key, "header:X-Note") { $0.response.headers = ["X-Note": "see \(key)"] },
            Place("cookie", key, "field:prefs") {
                $0.request.headers = ["Cookie": "a=b; prefs=light|\(key)|x y"]
            },
            Place("set cookie", key, "field:prefs") {
                $0.response.headers = ["Set-Cookie": "prefs=light|\(key)|x y; Path=/"]
            },
            Place("path") { $0.request.url = "https://h/labels/\(key)/x" },
            Place("query item", key, "field:label") { $0.request.url = "https://h/a?label=\(key)&b=1" },
            Place("percent-encoded query item", key, "field:a label") {
                $0.request.url = "https://h/a?a%20label=\(key)"
                $0.rule = nil
            },
            Place("fragment", key, "field:label") { $0.request.url = "https://h/a#label=\(key)" },
            Place("form field", key, "field:label") {
                $0.send("application/x-www-form-urlencoded", "label=\(key)&b=1")
            },
            Place("multipart part", key, "field:label") {
                let part = "Content-Disposition: form-data; name=\"label\"\r\n\r\n\(key)"
                $0.send("multipart/form-data; boundary=b0", "--b0\r\n\(part)\r\n--b0--\r\n")
            },
            Place("text in a multipart part") {
                let part = "Content-Disposition: form-data; name=\"label\"\r\n\r\nsee \(key) now"
                $0.send("multipart/form-data; boundary=b0", "--b0\r\n\(part)\r\n--b0--\r\n")
            },
            Place("JSON member", key, "field:label") {
                $0.receive("application/json", #"{"a": {"label": "\#(key)"}}"#)
            },
            Place("element of a JSON array") {
                $0.receive("application/json", #"{"labels": ["\#(key)", "b"]}"#)
            },
            Place("root of JSON") { $0.receive("application/json", #""\#(key)""#) },
            Place("text in a JSON member") { $0.receive("application/json", #"{"note": "see \#(key) now"}"#) },
            Place("JSON member with a name of spaces") {
                $0.receive("application/json", #"{"a b": "\#(key)"}"#)
            },
            Place("XML element", key, "field:label") { $0.receive("text/xml", "<a><label>\(key)</label></a>") },
            Place("XML attribute") { $0.receive("text/xml", "<a label=\"\(key)\"/>") },
            Place("plain text") { $0.receive("text/plain", "export NOTE=1; \(key);") },
            Place("JSON Web Token", token) { $0.receive("text/plain", "see \(token) now") },
            Place("long JSON Web Token", longToken) { $0.receive("text/plain", "see \(longToken) now") },
            Place("PEM", pem) { $0.receive("text/plain", "\(pem)\n") },
            Place("PEM in JSON", pem.replacingOccurrences(of: "\n", with: "\\n")) {
                $0.receive(
                    "application/json",
                    #"{"note": "\#(pem.replacingOccurrences(of: "\n", with: "\\n"))"}"#
                )
            },
            Place("UTF-16") {
                $0.response.headers = ["Content-Type": "text/plain; charset=utf-16le"]
                $0.response.body = Interaction.Body("see \(key)".data(using: .utf16LittleEndian) ?? Data())
            },
        ]

        private static let longToken =
            "eyJhbGciOiJIUzI1NiJ9.eyJhIjoi" + String(repeating: "YWJj", count: 200)
            + "In0.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg"
        private static let pem =
            "-----BEGIN "
            + "PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n"
            + "MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu\n-----END PRIVATE KEY-----"
    }

    private func record(_ place: Place, in studio: Studio, _ redaction: Redaction) throws {
        var configuration = Stubber.Configuration()
        configuration.redaction = redaction
        let stubber = try studio.stubber(.all, configuration: configuration)
        try stubber.begin(place.request).finish(.response(place.response), timing: .init())
        stubber.waitForJournal()
        try stubber.eject()
    }

    private func finding(_ place: Place, in studio: Studio) throws -> CassetteError.Finding? {
        do {
            try record(place, in: studio, .default)
        } catch let error as CassetteError {
            guard case .unredactedCredentials(let findings) = error.problem else { throw error }
            return findings.distinctValues.first?.finding
        }
        return nil
    }

    @Test("The printed rule saves the recording without the value", arguments: Place.all)
    func rules(_ place: Place) throws {
        let studio = try Studio()
        let finding = try #require(try finding(place, in: studio), "nothing was found")
        let rule = try #require(finding.rule, "no rule was suggested")
        if let expected = place.rule { #expect(rule.text == expected) }
        // As an option of the command, and as a line of the file.
        for text in [
            try RuleText(redacting: rule.text), try #require(try RuleText(line: "redact \(rule.text)")),
        ] {
            let studio = try Studio()
            var redaction = Redaction.default
            redaction.add(text)
            try record(place, in: studio, redaction)
            #expect(try !studio.contents.contains(place.secret))
            // Text with wide characters is in base64 in the file.
            let text = try studio.cassette.interactions.map { "\($0.request) \($0)" }.joined()
            #expect(!text.contains(place.secret))
            #expect(try studio.cassette.interactions.allSatisfy { !$0.redactedPlaces.isEmpty })
        }
    }

    @Test("The rule in Swift is that of the option")
    func code() {
        let rules: [(SuggestedRule, code: String, text: String)] = [
            (.header("X-Acme-Auth"), #".header("X-Acme-Auth")"#, "header:X-Acme-Auth"),
            (.field("label"), #".field("label")"#, "field:label"),
            (.path("$.a[0]"), #".jsonPath("$.a[0]")"#, "path:$.a[0]"),
            (.pattern(#"a\d"#), ##".pattern(#"a\d"#, name: "secret")"##, #"pattern:a\d"#),
        ]
        for (rule, code, text) in rules {
            #expect(rule.code == code)
            #expect(rule.text == text)
        }
    }
}
