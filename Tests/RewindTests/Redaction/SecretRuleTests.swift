import Foundation
import Testing

@testable import Rewind

struct SecretRuleTests {
    private func redactor(_ rules: Redaction.Rule...) -> Redactor {
        var redaction = Redaction.off
        for rule in rules { redaction.add(rule) }
        return Redactor(redaction)
    }

    private func body(
        _ text: String,
        _ type: String = "application/json",
        by redactor: Redactor,
        host: String = "h"
    ) -> String {
        let request = Interaction.Request(
            url: "https://\(host)/",
            headers: ["Content-Type": type],
            body: Interaction.Body(text)
        )
        return redactor.redact(request).body.map { String(decoding: $0.data, as: UTF8.self) } ?? ""
    }

    @Test("A header rule redacts a field by name or pattern")
    func header() {
        let redactor = redactor(.header("X-Account-*"))
        let request = Interaction.Request(
            url: "https://h/",
            headers: ["x-account-key": "k1", "X-Account": "open", "Cookie": "a=1"]
        )
        #expect(
            redactor.redact(request).headers.map(\.value) == ["REDACTEDxAccountKeyN1X", "open", "a=1"]
        )
    }

    @Test("A field rule redacts queries, forms, JSON, multipart and XML, ignoring case and separators")
    func field() {
        let redactor = redactor(.field("pin_code"), .field("tax*r"))
        #expect(
            redactor.redact(Interaction.Request(url: "https://h/?pinCode=1&x=2")).url
                == "https://h/?pinCode=REDACTEDpinCodeN1X&x=2"
        )
        #expect(
            body("PIN-CODE=7", "application/x-www-form-urlencoded", by: redactor)
                == "PIN-CODE=REDACTEDpinCodeN2X"
        )
        #expect(
            body(#"{"user":{"tax_number":"12"},"tax":"34"}"#, by: redactor)
                == #"{"user":{"tax_number":"REDACTEDtaxNumberN1X"},"tax":"34"}"#
        )
        #expect(
            body("<a><pinCode>5</pinCode></a>", "text/xml", by: redactor)
                == "<a><pinCode>REDACTEDpinCodeN3X</pinCode></a>"
        )
    }

    @Test("A JSON path rule redacts selected values and values inside them")
    func jsonPath() {
        let redactor = redactor(.jsonPath("$.users[*].keys"))
        #expect(
            body(#"{"users":[{"keys":["a",{"x":"b"}]},{"keys":3}],"keys":"c"}"#, by: redactor)
                == #"{"users":[{"keys":["REDACTEDkeysN1X",{"x":"REDACTEDxN1X"}]},{"keys":0}],"keys":"c"}"#
        )
    }

    @Test("A pattern rule redacts its first group, or the whole match, in URLs, headers and text")
    func pattern() {
        let redactor = redactor(
            .pattern("cust_([0-9]{6})", name: "customer"),
            .pattern("order-[a-f]+[0-9]+", name: "order")
        )
        let request = Interaction.Request(
            url: "https://h/cust_123456/order-abc123",
            headers: ["X-Note": "for cust_654321"],
            body: Interaction.Body("cust_123456 and order-abc123, cust_12")
        )
        let redacted = redactor.redact(request)
        #expect(redacted.url == "https://h/cust_123456/REDACTEDorderN1X")
        #expect(redacted.headers["X-Note"] == "for cust_654321")
        #expect(
            redacted.body.map { String(decoding: $0.data, as: UTF8.self) }
                == "cust_123456 and REDACTEDorderN1X, cust_12"
        )
    }

    @Test("A closure rule redacts the values it finds")
    func values() {
        let redactor = redactor(
            .values(name: "word") { text in text.contains("swordfish") ? ["swordfish"] : [] }
        )
        #expect(body("the word is swordfish", "text/plain", by: redactor) == "the word is REDACTEDwordN1X")
    }

    @Test("A rule can be limited to hosts")
    func hosts() {
        let redactor = redactor(.field("pin").on(host: "*.example.com"))
        #expect(body(#"{"pin":"1"}"#, by: redactor, host: "api.example.com") == #"{"pin":"REDACTEDpinN1X"}"#)
        #expect(body(#"{"pin":"1"}"#, by: redactor, host: "example.org") == #"{"pin":"1"}"#)
    }

    /// An invalid change of a redaction, and a part of the error.
    struct Fault: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var change: @Sendable (inout Redaction) -> Void

        static let all = [
            Fault(testDescription: "users[") { $0.add(.jsonPath("users[")) },
            Fault(testDescription: "regular expression") { $0.add(.pattern("(", name: "x")) },
            Fault(testDescription: "no placeholder") { $0.replace("x", with: "no placeholder") },
        ]
    }

    @Test("An invalid rule is an error when the stubber is created", arguments: Fault.all)
    func problems(_ fault: Fault) throws {
        var configuration = Stubber.Configuration()
        fault.change(&configuration.redaction)
        let studio = try Studio()
        let error = #expect(throws: Stubber.ConfigurationError.self) {
            try studio.stubber(.once, configuration: configuration)
        }
        #expect(error?.description.contains(fault.testDescription) == true)
    }

    @Test("Kept names are not redacted, and all others are")
    func keptNames() {
        var redaction = Redaction.default
        redaction.keep("Session-ID", "x-api-key")
        let redactor = Redactor(redaction)
        #expect(
            body(#"{"sessionId":"abcdef123456","api_key":"k1"}"#, by: redactor)
                == #"{"sessionId":"abcdef123456","api_key":"REDACTEDapiKeyN1X"}"#
        )
        let request = Interaction.Request(url: "https://h/", headers: ["X-API-Key": "k2", "Api-Key": "k3"])
        #expect(redactor.redact(request).headers.map(\.value) == ["k2", "REDACTEDapiKeyN2X"])
    }

    @Test("Rules extend the default secret names")
    func additions() {
        var redaction = Redaction.default
        redaction.add(.field("pin"))
        #expect(
            body(#"{"pin":"1","password":"2"}"#, by: Redactor(redaction))
                == #"{"pin":"REDACTEDpinN1X","password":"REDACTEDpasswordN1X"}"#
        )
    }
}
