import Foundation
import Testing

@testable import Rewind

@Suite("Rules of one's own")
struct SecretRuleTests {
    private func redactor(_ rules: SecretRule...) -> Redactor {
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
        let request = Request(url: "https://\(host)/", headers: ["Content-Type": type], body: Body(text))
        return redactor.redact(request).body.map { String(decoding: $0.data, as: UTF8.self) } ?? ""
    }

    @Test("A header field by its name or a pattern")
    func header() {
        let redactor = redactor(.header("X-Tenant-*"))
        let request = Request(
            url: "https://h/",
            headers: ["x-tenant-key": "k1", "X-Tenant": "open", "Cookie": "a=1"]
        )
        #expect(
            redactor.redact(request).headers.map(\.value) == ["<x-tenant-key:1>", "open", "a=1"]
        )
    }

    @Test("A field in queries, forms, JSON, multipart and XML, without case and separators")
    func field() {
        let redactor = redactor(.field("pin_code"), .field("tax*r"))
        #expect(
            redactor.redact(Request(url: "https://h/?pinCode=1&x=2")).url
                == "https://h/?pinCode=%3CpinCode%3A1%3E&x=2"
        )
        #expect(
            body("PIN-CODE=7", "application/x-www-form-urlencoded", by: redactor)
                == "PIN-CODE=%3CPIN-CODE%3A1%3E"
        )
        #expect(
            body(#"{"user":{"tax_number":"12"},"tax":"34"}"#, by: redactor)
                == #"{"user":{"tax_number":"<tax_number:1>"},"tax":"34"}"#
        )
        #expect(
            body("<a><pinCode>5</pinCode></a>", "text/xml", by: redactor)
                == "<a><pinCode>&lt;pinCode:2&gt;</pinCode></a>"
        )
    }

    @Test("A path in JSON, and what is inside of what it selects")
    func jsonPath() {
        let redactor = redactor(.jsonPath("$.users[*].keys"))
        #expect(
            body(#"{"users":[{"keys":["a",{"x":"b"}]},{"keys":3}],"keys":"c"}"#, by: redactor)
                == #"{"users":[{"keys":["<keys:1>",{"x":"<x:1>"}]},{"keys":0}],"keys":"c"}"#
        )
    }

    @Test("A regular expression, its first group or all of it, in URLs, header values and text")
    func pattern() {
        let redactor = redactor(
            .pattern("cust_([0-9]{6})", name: "customer"),
            .pattern("order-[a-f]+[0-9]+", name: "order")
        )
        let request = Request(
            url: "https://h/cust_123456/order-abc123",
            headers: ["X-Note": "for cust_654321"],
            body: Body("cust_123456 and order-abc123, cust_12")
        )
        let redacted = redactor.redact(request)
        #expect(redacted.url == "https://h/cust_123456/%3Corder%3A1%3E")
        #expect(redacted.headers["X-Note"] == "for cust_654321")
        #expect(
            redacted.body.map { String(decoding: $0.data, as: UTF8.self) }
                == "cust_123456 and <order:1>, cust_12"
        )
    }

    @Test("A closure finds the values")
    func values() {
        let redactor = redactor(
            .values(name: "word") { text in text.contains("swordfish") ? ["swordfish"] : [] }
        )
        #expect(body("the word is swordfish", "text/plain", by: redactor) == "the word is <word:1>")
    }

    @Test("Rules hold for their hosts only")
    func hosts() {
        let redactor = redactor(.field("pin").on(host: "*.example.com"))
        #expect(body(#"{"pin":"1"}"#, by: redactor, host: "api.example.com") == #"{"pin":"<pin:1>"}"#)
        #expect(body(#"{"pin":"1"}"#, by: redactor, host: "example.org") == #"{"pin":"1"}"#)
    }

    /// A change of a redaction that cannot be followed, and a word of the error.
    struct Fault: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var change: @Sendable (inout Redaction) -> Void

        static let all = [
            Fault(testDescription: "users[") { $0.add(.jsonPath("users[")) },
            Fault(testDescription: "regular expression") { $0.add(.pattern("(", name: "x")) },
            Fault(testDescription: "no placeholder") { $0.replace("x", with: "no placeholder") },
        ]
    }

    @Test("A rule that cannot be followed is an error when the stubber is made", arguments: Fault.all)
    func problems(_ fault: Fault) throws {
        var configuration = Configuration()
        fault.change(&configuration.redaction)
        let studio = try Studio()
        let error = #expect(throws: ConfigurationError.self) {
            try studio.stubber(.once, configuration: configuration)
        }
        #expect(error?.description.contains(fault.testDescription) == true)
    }

    @Test("Names that are no secret here are kept, and all others stay secret")
    func keptNames() {
        var redaction = Redaction.default
        redaction.keep("Session-ID", "x-api-key")
        let redactor = Redactor(redaction)
        #expect(
            body(#"{"sessionId":"abcdef123456","api_key":"k1"}"#, by: redactor)
                == #"{"sessionId":"abcdef123456","api_key":"<api_key:1>"}"#
        )
        let request = Request(url: "https://h/", headers: ["X-API-Key": "k2", "Api-Key": "k3"])
        #expect(redactor.redact(request).headers.map(\.value) == ["k2", "<api-key:1>"])
    }

    @Test("Rules add to what is secret by default, and none is lost")
    func additions() {
        var redaction = Redaction.default
        redaction.add(.field("pin"))
        #expect(
            body(#"{"pin":"1","password":"2"}"#, by: Redactor(redaction))
                == #"{"pin":"<pin:1>","password":"<password:1>"}"#
        )
    }
}

@Suite("What happens to an interaction before it is recorded and before it is played")
struct InteractionHookTests {
    @Test("It is changed or dropped before it goes onto the cassette, and its secrets are taken out afterwards")
    func beforeRecord() throws {
        let studio = try Studio()
        var configuration = Configuration()
        configuration.beforeRecord = { interaction in
            guard !interaction.request.url.hasSuffix("/health") else { return nil }
            var interaction = interaction
            interaction.request.headers["X-Seen"] = "yes"
            interaction.request.url += "?api_key=added"
            return interaction
        }
        let ended = Locked<[String]>([])
        configuration.didEndRecording = { interaction in ended.withLock { $0.append(interaction.request.url) } }
        let stubber = try studio.stubber(.once, configuration: configuration)
        try stubber.record("https://h/health", "fine")
        try stubber.record("https://h/a", "1")
        stubber.settle()
        try stubber.eject()
        let requests = try studio.cassette.interactions.map(\.request)
        #expect(requests.map(\.url) == ["https://h/a?api_key=%3Capi_key%3A1%3E"])
        #expect(requests.first?.headers["X-Seen"] == "yes")
        #expect(ended.withLock { $0 } == ["https://h/a?api_key=%3Capi_key%3A1%3E"])
    }

    @Test("It is changed before it is played, and the cassette stays")
    func beforePlayback() throws {
        let studio = try Studio()
        try studio.put([.page("https://h/a", "1")])
        let untouched = try studio.contents
        var configuration = Configuration()
        configuration.beforePlayback = { interaction in
            var interaction = interaction
            interaction.outcome = .response(Response(status: 503))
            return interaction
        }
        let stubber = try studio.stubber(.none, configuration: configuration)
        guard case .play(let played, _) = stubber.answer(to: Request(url: "https://h/a")) else {
            Issue.record("it was not played")
            return
        }
        #expect(played.interaction.response?.status == 503)
        try stubber.eject()
        #expect(try studio.contents == untouched)
    }
}

@Suite("What still looks like a credential stops the save")
struct CredentialCheckTests {
    private let studio: Studio
    private let key = "AK" + "IA" + "IOSFODNN7QRSTUVW"

    init() throws {
        studio = try Studio()
    }

    private func record(
        _ text: String,
        failed: Bool = false,
        _ configure: (inout Configuration) -> Void = { _ in }
    ) throws -> EjectReport {
        var configuration = Configuration()
        configure(&configuration)
        let stubber = try studio.stubber(.all, configuration: configuration)
        try stubber.record("https://h/a", "nothing here")
        try stubber.record("https://h/b", text)
        return try stubber.eject(testFailed: failed)
    }

    @Test("In a great recording, what is found is told in recorded order")
    func order() {
        let interactions = (0..<1500).map { number in
            let text = number % 500 == 3 ? "export KEY=\(key);" : "nothing here"
            return Interaction(
                request: Request(url: "https://h/\(number)", headers: ["X-Note": number == 700 ? key : "none"]),
                outcome: .response(Response(body: Body(text)))
            )
        }
        let findings = CredentialCheck().findings(in: interactions)
        #expect(findings.map(\.number) == [4, 504, 701, 1004])
        #expect(findings.map(\.place).filter { $0 == "response's body at byte 11" }.count == 3)
        #expect(findings[2].place == "request's header X-Note at byte 8")
        #expect(findings[2].request == "GET https://h/700")
        #expect(CredentialCheck().findings(in: []).isEmpty)
    }

    @Test(
        "The error names the interaction, the place and the fingerprint, and never the value",
        arguments: [true, false]
    )
    func stops(_ testFailed: Bool) throws {
        try studio.put([.page("https://h/old")])
        let untouched = try studio.contents
        let error = #expect(throws: UnredactedCredentials.self) {
            try record("export KEY=\(key);", failed: testFailed)
        }
        let finding = try #require(error?.findings.first)
        #expect(finding.number == 2)
        #expect(finding.request == "GET https://h/b")
        #expect(finding.place == "response's body at byte 11")
        #expect(finding.fingerprint == CredentialFinding.fingerprint(of: key.utf8))
        let text = try #require(error?.description)
        #expect(!text.contains(key))
        #expect(text.contains(#"configuration.redaction.allow("\#(finding.fingerprint)")"#))
        #expect(text.contains(studio.folder.url.path))
        #expect(try studio.contents == untouched)
        #expect(studio.filesWithoutJournals == ["talk.har"])
        let journal = studio.folder[try #require(studio.journals.first)]
        #expect(try !String(contentsOf: journal, encoding: .utf8).contains(key))
        #expect(text.contains("What was recorded is kept in \(journal.path), from which"))
    }

    @Test(
        "A fingerprint that is allowed, a rule that takes the value out, or the scan switched off let it pass"
    )
    func settled() throws {
        let fingerprint = CredentialFinding.fingerprint(of: key.utf8)
        #expect(try record(key) { $0.redaction.allow(fingerprint.uppercased()) }.cassette != nil)
        #expect(try studio.contents.contains(key))
        #expect(try record(key) { $0.redaction.add(.pattern("AKIA[A-Z0-9]+", name: "aws")) }.cassette != nil)
        #expect(try !studio.contents.contains(key))
        #expect(try record(key) { $0.redaction.scansForCredentials = false }.cassette != nil)
        #expect(try record(key) { $0.redaction = .off }.cassette != nil)
    }

    @Test("A credential in the URL is not told with it")
    func inURL() throws {
        let stubber = try studio.stubber(.all)
        try stubber.record("https://h/keys/\(key)?x=1", "a")
        let error = #expect(throws: UnredactedCredentials.self) { try stubber.eject() }
        #expect(error?.description.contains(key) == false)
    }

    @Test("The test that recorded it fails")
    func failsTheTest() throws {
        let key = key
        let error = #expect(throws: CassetteScopeProblem.self) {
            try withCassette("other", in: studio.folder.url, mode: .once) { stubber in
                try stubber.begin(Request(url: "https://h/a")).finish(key)
            }
        }
        #expect(error?.description.contains("looks like") == true)
        #expect(studio.filesWithoutJournals == [])
    }
}
