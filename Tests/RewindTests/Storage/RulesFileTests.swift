import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct RulesFileTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func put(_ text: String, _ path: String) throws {
        let url = folder[path]
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: url)
    }

    private func record(_ configuration: Stubber.Configuration = Stubber.Configuration()) throws -> String {
        let url = folder["project/Cassettes/UserTests/login.har"]
        let stubber = try Stubber(
            at: CassetteLocation(url),
            mode: .all,
            configuration: configuration,
            environment: Environment([:])
        )
        let request = Interaction.Request(
            url: "https://h/a?pin=4711-0815&note=remember-me",
            headers: ["X-Acme-Auth": "acme-credential-1"]
        )
        try stubber.begin(request).finish("ok")
        try stubber.eject()
        return try String(contentsOf: url, encoding: .utf8)
    }

    @Test("The files in the folder of the cassette and above it, up to the root of the project, are merged")
    func merged() throws {
        try put("", "project/Package.swift")
        try put("redact field:note", "redaction.rules")
        try put("redact header:X-Acme-Auth", "project/redaction.rules")
        try put("\u{FEFF}# ours\r\n\r\nredact field:pin\r\n", "project/Cassettes/UserTests/redaction.rules")
        let text = try record()
        #expect(!text.contains("acme-credential-1"))
        #expect(!text.contains("4711-0815"))
        #expect(text.contains("remember-me"))
    }

    @Test("Without a project, only the file beside the cassette counts")
    func withoutProject() throws {
        try put("redact header:X-Acme-Auth", "project/redaction.rules")
        try put("redact field:pin", "project/Cassettes/UserTests/redaction.rules")
        let text = try record()
        #expect(text.contains("acme-credential-1"))
        #expect(!text.contains("4711-0815"))
    }

    @Test("A broken line stops the test before it starts, and names the place and what is expected")
    func broken() throws {
        try put("keep session\n  redact pin\n", "project/Cassettes/UserTests/redaction.rules")
        let error = #expect(throws: Stubber.ConfigurationError.self) { try record() }
        let text = try #require(error?.description)
        #expect(text.contains("/UserTests/redaction.rules:2:10: expected header:NAME, field:NAME"), "\(text)")
        #expect(text.contains("redact header:NAME"))
    }

    @Test("Files are not read if redaction is off")
    func off() throws {
        try put("nonsense", "project/Cassettes/UserTests/redaction.rules")
        var configuration = Stubber.Configuration()
        configuration.redaction = .off
        #expect(try record(configuration).contains("4711-0815"))
    }

    @Test("Another cassette of the same stubber has the rules of its own folder")
    func inserted() throws {
        try put("redact field:pin", "second/redaction.rules")
        let stubber = try Stubber(
            at: CassetteLocation(folder["first/a.har"]),
            mode: .all,
            environment: Environment([:])
        )
        let request = Interaction.Request(url: "https://h/a?pin=4711-0815")
        try stubber.begin(request).finish("ok")
        try stubber.insert("b", in: folder["second"])
        try stubber.begin(request).finish("ok")
        try stubber.eject()
        #expect(try String(contentsOf: folder["first/a.har"], encoding: .utf8).contains("4711-0815"))
        #expect(try !String(contentsOf: folder["second/b.har"], encoding: .utf8).contains("4711-0815"))
    }
}
