import Foundation
import Testing

@testable import Rewind

struct CredentialCheckTests {
    private let studio: Studio
    private let key = "AK" + "IA" + "IOSFODNN7QRSTUVW"

    init() throws {
        studio = try Studio()
    }

    private func record(
        _ text: String,
        failed: Bool = false,
        _ configure: (inout Stubber.Configuration) -> Void = { _ in }
    ) throws -> EjectReport {
        var configuration = Stubber.Configuration()
        configure(&configuration)
        let stubber = try studio.stubber(.all, configuration: configuration)
        try stubber.record("https://h/a", "nothing here")
        try stubber.record("https://h/b", text)
        return try stubber.eject(testFailed: failed)
    }

    @Test("Findings in a long recording are in recorded order")
    func order() {
        let interactions = (0..<1500).map { number -> Interaction in
            let text = number % 500 == 3 ? "export KEY=\(key);" : "nothing here"
            return Interaction(
                request: Interaction.Request(
                    url: "https://h/\(number)",
                    headers: ["X-Note": number == 700 ? key : "none"]
                ),
                outcome: .response(Interaction.Response(body: Interaction.Body(text)))
            )
        }
        let findings = CredentialCheck().findings(in: interactions)
        #expect(findings.map(\.number) == [4, 504, 701, 1004])
        #expect(findings.map(\.place).filter { $0 == "response body at byte 11" }.count == 3)
        #expect(findings[2].place == "request header X-Note at byte 8")
        #expect(findings[2].request == "GET https://h/700")
        #expect(CredentialCheck().findings(in: []).isEmpty)
    }

    @Test(
        "The error names the interaction, the place and the fingerprint, but not the value",
        arguments: [true, false]
    )
    func stops(_ testFailed: Bool) throws {
        try studio.put([.page("https://h/old")])
        let untouched = try studio.contents
        let error = #expect(throws: CassetteError.self) {
            try record("export KEY=\(key);", failed: testFailed)
        }
        guard case .unredactedCredentials(let findings) = error?.problem else {
            Issue.record("\(String(describing: error))")
            return
        }
        let finding = try #require(findings.first)
        #expect(finding.number == 2)
        #expect(finding.request == "GET https://h/b")
        #expect(finding.place == "response body at byte 11")
        #expect(finding.fingerprint == CredentialFinding.fingerprint(of: key.utf8))
        let text = try #require(error?.description)
        #expect(!text.contains(key))
        #expect(text.contains(#"configuration.redaction.allow("\#(finding.fingerprint)")"#))
        #expect(text.contains(studio.folder.url.path))
        #expect(try studio.contents == untouched)
        #expect(studio.folder.files == ["talk.har", "talk.refused"])
        let refused = studio.folder["talk.refused"]
        #expect(try Data(contentsOf: refused).range(of: Data(key.utf8)) == nil)
        #expect(text.contains("The recording is in \(refused.path), encrypted"))
    }

    @Test(
        "An allowed fingerprint, a redaction rule or a disabled scan lets the save succeed"
    )
    func settled() throws {
        let fingerprint = CredentialFinding.fingerprint(of: key.utf8)
        #expect(try record(key) { $0.redaction.allow(fingerprint.uppercased()) }.cassetteURL != nil)
        #expect(try studio.contents.contains(key))
        #expect(try record(key) { $0.redaction.add(.pattern("AKIA[A-Z0-9]+", name: "aws")) }.cassetteURL != nil)
        #expect(try !studio.contents.contains(key))
        #expect(try record(key) { $0.redaction.scansForCredentials = false }.cassetteURL != nil)
        #expect(try record(key) { $0.redaction = .off }.cassetteURL != nil)
    }

    @Test("A value that only its name makes suspicious is allowed by excluding the name")
    func excludedName() throws {
        let body = #"{"my_credential": "q8Zk3mX7vB2nR9tY5wL1cF6h", "note": "\#(key)"}"#
        let interaction = Interaction(
            request: Interaction.Request(url: "https://h/a"),
            outcome: .response(Interaction.Response(body: Interaction.Body(body)))
        )
        let all = CredentialCheck().findings(in: [interaction])
        #expect(all.map(\.kind) == [CredentialCheck.namedKind, "aws-access-key"])
        #expect(all.map(\.rule) == [.field("my_credential"), .field("note")])
        let rest = CredentialCheck(excluding: ["mycredential", "note"]).findings(in: [interaction])
        #expect(rest.map(\.kind) == ["aws-access-key"])
    }

    @Test("A value in several places is listed once, with the rule of a name if there is one")
    func distinct() throws {
        let interactions = ["https://h/keys/\(key)", "https://h/a?label=\(key)", "https://h/keys/\(key)/x"].map
        {
            Interaction(request: Interaction.Request(url: $0), outcome: .response(Interaction.Response()))
        }
        let values = CredentialCheck().findings(in: interactions).distinctValues
        #expect(values.map(\.placeCount) == [3])
        #expect(values.map(\.finding.number) == [2])
        #expect(values.map(\.finding.rule) == [.field("label")])
    }

    @Test("The error does not contain a credential in the URL")
    func inURL() throws {
        let stubber = try studio.stubber(.all)
        try stubber.record("https://h/keys/\(key)?x=1", "a")
        let error = #expect(throws: CassetteError.self) { try stubber.eject() }
        #expect(error?.description.contains(key) == false)
    }

    @Test("A recording with a credential fails its test")
    func failsTheTest() throws {
        let key = key
        let error = #expect(throws: CassetteError.self) {
            try withCassette("other", in: studio.folder.url, mode: .once) { stubber in
                try stubber.begin(Interaction.Request(url: "https://h/a")).finish(key)
            }
        }
        #expect(error?.description.contains("looks like") == true)
        #expect(studio.folder.files == ["other.refused"])
    }
}
