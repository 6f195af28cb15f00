import Foundation
import Rewind
import RewindTestSupport
import Testing

/// `convert --inline`, which writes archives for tools that do not read body files.
struct ConvertInlineTests {
    private let folder: TemporaryDirectory
    private static let large = String(repeating: "x", count: 20_000)

    /// Writes a cassette with a body file, and two other files in its folder of bodies.
    init() throws {
        folder = try TemporaryDirectory()
        let interactions = [Interaction.text("https://h/large", Self.large), .text("https://h/a", "one")]
        try Cassette(interactions: interactions).write(to: folder["talk.json"], as: .vcr)
        #expect(try convert("talk.json", "--to", "har").status == 0)
        try folder.put("talk.bodies/009-GET-old.txt", "old")
        try folder.put("talk.bodies/mine.backup.txt", "mine")
    }

    private func convert(_ words: String...) throws -> CommandRun {
        try CommandRun(["convert"] + words, in: folder.url)
    }

    private func bodies(_ name: String) throws -> [String?] {
        try Cassette(contentsOf: folder[name]).interactions.map { interaction in
            interaction.response.map { String(decoding: $0.body.data, as: UTF8.self) }
        }
    }

    private func text(_ name: String) throws -> String { try String(contentsOf: folder[name], encoding: .utf8) }

    @Test("All bodies are in an archive elsewhere, and the body files stay")
    func elsewhere() throws {
        let before = folder.files
        #expect(try text("talk.har").contains("_file"))
        let run = try convert("talk.har", "--to", "har", "--inline", "--output", "out/")
        #expect(run.output == "talk.har → out/talk.har\n")
        #expect(folder.files == (before + ["out/talk.har"]).sorted())
        #expect(try !text("out/talk.har").contains("_file"))
        #expect(try bodies("out/talk.har") == [Self.large, "one"])
        let printed = try convert("talk.har", "--to", "har", "--inline", "--output", "-")
        #expect(try printed.output == text("out/talk.har"))
    }

    @Test("In place, body files that nothing names any more are deleted, and other files stay")
    func inPlace() throws {
        let run = try convert("talk.har", "--to", "har", "--inline")
        #expect(run.status == 1)
        #expect(run.errorOutput.contains("overwrite the file with --force"))
        #expect(try convert("talk.har", "--to", "har", "--inline", "--force").status == 0)
        #expect(folder.files == ["talk.bodies/mine.backup.txt", "talk.har", "talk.json"])
        #expect(try bodies("talk.har") == [Self.large, "one"])
        let again = try convert("talk.har", "--to", "har", "--inline")
        #expect(again.output == "talk.har is already in this format\n")
    }

    @Test("A folder is converted, and files of other formats get no body files")
    func folders() throws {
        try folder.put("in/")
        try Cassette(interactions: [.text("https://h/b", Self.large)]).write(to: folder["in/b.json"], as: .vcr)
        #expect(try convert("talk.har", "in", "--to", "har", "--inline", "--output", "out/").status == 0)
        #expect(folder.files.filter { $0.hasPrefix("out/") } == ["out/b.har", "out/talk.har"])
        #expect(try bodies("out/b.har") == [Self.large])
    }

    @Test("Secrets in body files are redacted in the archive")
    func redaction() throws {
        let secret = "4f9a7c21e0b84d5f"
        let key = Interaction(
            request: Interaction.Request(url: "https://h/key", headers: ["Authorization": "Bearer \(secret)"]),
            outcome: .response(Interaction.Response(body: Interaction.Body("\(secret) \(Self.large)")))
        )
        try Cassette(interactions: [key]).write(to: folder["key.json"], as: .vcr)
        #expect(try convert("key.json", "--to", "har", "--inline").status == 0)
        #expect(try !text("key.har").contains(secret))
        #expect(try bodies("key.har")[0]?.hasPrefix("REDACTEDauthorizationN1X xxx") == true)
        try folder.put("talk.bodies/001-GET-large.txt", "cust_12345678 \(Self.large)")
        let rule = "pattern:cust_[0-9]{8}"
        let run = try convert("talk.har", "--to", "har", "--inline", "--output", "red.har", "--redact", rule)
        #expect(run.status == 0)
        #expect(try !text("red.har").contains("cust_12345678"))
        #expect(try bodies("red.har")[0]?.hasSuffix(Self.large) == true)
    }

    @Test("A body file that is missing is named, and its path stays")
    func missing() throws {
        try FileManager.default.removeItem(at: folder["talk.bodies"])
        let run = try convert("talk.har", "--to", "har", "--inline", "--output", "out/")
        #expect(run.errorOutput.contains("#1 GET https://h/large: the body file talk.bodies/001-GET-large.txt"))
        #expect(try text("out/talk.har").contains("talk.bodies/001-GET-large.txt"))
        #expect(try bodies("out/talk.har") == [nil, "one"])
    }
}
