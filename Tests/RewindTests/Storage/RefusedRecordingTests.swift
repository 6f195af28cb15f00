import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct RefusedRecordingTests {
    private let studio: Studio
    private let key = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"
    private let rule: Redaction.Rule = .field("label")

    init() throws { studio = try Studio() }

    private var refused: URL { studio.location.refusedRecording }
    private var isRefused: Bool { FileManager.default.fileExists(atPath: refused.path) }

    private func record(
        _ urls: [String],
        _ mode: RecordingMode = .all,
        failed: Bool = false,
        _ configuration: Stubber.Configuration = Stubber.Configuration()
    ) throws {
        let stubber = try studio.stubber(mode, configuration: configuration)
        for url in urls { try stubber.record(url, #"{"label": "\#(key)", "url": "\#(url)"}"#) }
        try stubber.eject(testFailed: failed)
    }

    private func configuration(_ change: (inout Redaction) -> Void) -> Stubber.Configuration {
        var configuration = Stubber.Configuration()
        change(&configuration.redaction)
        return configuration
    }

    /// Replays a request without the network.
    private func replay(_ url: String, _ configuration: Stubber.Configuration) throws -> Decision {
        let stubber = try studio.stubber(.once, configuration: configuration)
        defer { _ = try? stubber.eject() }
        return Decision(stubber.answer(to: Interaction.Request(url: url)))
    }

    @Test("The next run with a rule saves the recording and replays it")
    func allowed() throws {
        #expect(throws: CassetteError.self) {
            try record(["https://h/a", "https://h/b?access_token=4f9a7c21e0b84d5f"])
        }
        #expect(studio.folder.files == ["talk.refused"])
        let rules = configuration { $0.allow(CredentialFinding.fingerprint(of: key.utf8)) }
        let text = #"{"label": "\#(key)", "url": "https://h/a"}"#
        #expect(try replay("https://h/a", rules) == .replays(text))
        #expect(studio.folder.files == ["talk.har"])
        #expect(try !studio.contents.contains("4f9a7c21e0b84d5f"))
    }

    @Test("A rule for a secret saves the recording without it")
    func redacted() throws {
        #expect(throws: CassetteError.self) { try record(["https://h/a"]) }
        guard case .replays = try replay("https://h/a", configuration { $0.add(rule) }) else {
            Issue.record("not replayed")
            return
        }
        #expect(try !studio.contents.contains(key))
        #expect(!isRefused)
    }

    @Test("The file of rules beside the cassette decides too")
    func rulesFile() throws {
        #expect(throws: CassetteError.self) { try record(["https://h/a"]) }
        try Data("redact field:label\n".utf8).write(to: studio.folder["redaction.rules"])
        _ = try studio.stubber(.never)
        #expect(studio.folder.files == ["redaction.rules", "talk.har"])
    }

    @Test("Without a rule, the recording stays until one is chosen")
    func undecided() throws {
        #expect(throws: CassetteError.self) { try record(["https://h/a"]) }
        let notes = Locked<[String]>([])
        try Note.withReader({ note in notes.withLock { $0.append(note) } }) {
            for _ in 0..<2 { _ = try studio.stubber(.never) }
        }
        #expect(isRefused)
        #expect(notes.withLock { $0 }.allSatisfy { $0.contains("rewind redact --check \(refused.path)") })
        #expect(notes.withLock { $0 }.count == 2)
    }

    @Test("A recording that adds to the cassette adds to what was refused")
    func added() throws {
        #expect(throws: CassetteError.self) { try record(["https://h/a"], .newEpisodes) }
        #expect(throws: CassetteError.self) { try record(["https://h/b"], .newEpisodes) }
        let recording = try RefusedRecording(contentsOf: refused)
        #expect(recording.count == 2)
        _ = try recording.save(configuration { $0.add(rule) }.redaction, matchers: .default)
        #expect(try studio.cassette.interactions.map(\.request.url) == ["https://h/a", "https://h/b"])
    }

    @Test("A complete recording of the cassette replaces what was refused")
    func replaced() throws {
        #expect(throws: CassetteError.self) { try record(["https://h/a"]) }
        let stubber = try studio.stubber(.all)
        try stubber.record("https://h/a", "fine")
        try stubber.eject()
        #expect(studio.folder.files == ["talk.har"])
        #expect(try studio.texts == ["fine"])
    }

    @Test("The recording of a failed test is saved beside the cassette")
    func failed() throws {
        try studio.put([.page("https://h/old")])
        #expect(throws: CassetteError.self) { try record(["https://h/a"], failed: true) }
        _ = try studio.stubber(.never, configuration: configuration { $0.add(rule) })
        #expect(studio.folder.files == ["talk.failed.har", "talk.har"])
        #expect(try studio.cassette.interactions.map(\.request.url) == ["https://h/old"])
    }

    @Test("The file contains nothing of the recording in clear")
    func encrypted() throws {
        #expect(throws: CassetteError.self) { try record(["https://h/path-of-the-request"]) }
        let data = try Data(contentsOf: refused)
        for text in [key, "path-of-the-request", "label"] { #expect(data.range(of: Data(text.utf8)) == nil) }
    }

    @Test("A damaged file, or one from another machine, is an error")
    func damaged() throws {
        #expect(throws: CassetteError.self) { try record(["https://h/a"]) }
        let data = try Data(contentsOf: refused)
        let end = try #require(data.firstIndex(of: 0x0A))
        var header = String(decoding: data[..<end], as: UTF8.self)
        for damaged in [data.prefix(20), data.dropLast(), data.prefix(end + 1)] {
            try Data(damaged).write(to: refused)
            #expect(throws: CassetteError.self) { try RefusedRecording(contentsOf: refused) }
        }
        let name = try #require(header.range(of: "[0-9a-f]{32}", options: .regularExpression))
        header.replaceSubrange(name, with: String(repeating: "0", count: 32))
        try (Data(header.utf8) + data[end...]).write(to: refused)
        let error = #expect(throws: CassetteError.self) { try RefusedRecording(contentsOf: refused) }
        #expect(error?.description.contains("its key is not on this machine") == true)
    }
}
