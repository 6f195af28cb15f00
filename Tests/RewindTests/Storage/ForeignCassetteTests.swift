import Foundation
import Rewind
import RewindTestSupport
import Testing

struct ForeignCassetteTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        try Data(FormatSamples.dvr.utf8).write(to: folder["talk.json"])
    }

    private func stubber(_ mode: RecordingMode) throws -> Stubber {
        let location = try CassetteLocation(name: "talk.json", in: folder.url)
        return try Stubber(at: location, mode: mode, environment: Environment([:]))
    }

    /// The response bodies in the archive beside the file.
    private func recorded() throws -> [String] {
        try Cassette(contentsOf: folder["talk.har"]).interactions.map(\.text)
    }

    @Test("A file of another tool is not rewritten by replay")
    func playing() throws {
        let stubber = try stubber(.newEpisodes)
        #expect(stubber.decision(on: "http://a/") == .replays("hi"))
        #expect(try stubber.eject().cassetteURL == nil)
        #expect(folder.files == ["talk.json"])
    }

    @Test("New episodes go to an archive with all its interactions, which is played from then on")
    func newEpisodes() throws {
        let recorder = try stubber(.newEpisodes)
        #expect(recorder.decision(on: "http://a/") == .replays("hi"))
        try recorder.record("http://c/", "new")
        #expect(try recorder.eject().cassetteURL == folder["talk.har"])
        #expect(try Data(contentsOf: folder["talk.json"]) == Data(FormatSamples.dvr.utf8))
        #expect(folder.files == ["talk.har", "talk.json"])
        #expect(try recorded() == ["hi", "", "new"])

        try Data("no longer read".utf8).write(to: folder["talk.json"])
        let player = try stubber(.never)
        #expect(player.decision(on: "http://c/") == .replays("new"))
        #expect(player.decision(on: "http://a/") == .replays("hi"))

        let again = try stubber(.newEpisodes)
        try again.record("http://d/", "newer")
        try again.eject()
        #expect(try recorded() == ["hi", "", "new", "newer"])
    }

    @Test("Recording everything again creates an archive without the old interactions")
    func all() throws {
        let recorder = try stubber(.all)
        try recorder.record("http://a/", "new")
        try recorder.eject()
        #expect(try recorded() == ["new"])
        #expect(try Data(contentsOf: folder["talk.json"]) == Data(FormatSamples.dvr.utf8))
    }

    @Test("In mode once, nothing is recorded if the file exists")
    func once() throws {
        #expect(try stubber(.once).decision(on: "http://c/") == .findsNoMatch)
        try FileManager.default.removeItem(at: folder["talk.json"])
        let recorder = try stubber(.once)
        try recorder.record("http://c/", "new")
        #expect(try recorder.eject().cassetteURL == folder["talk.har"])
        #expect(folder.files == ["talk.har"])
        #expect(try stubber(.once).decision(on: "http://c/") == .replays("new"))
    }

    @Test("A failed recording is stored beside the file of another tool")
    func failed() throws {
        let recorder = try stubber(.newEpisodes)
        try recorder.record("http://c/", "new")
        #expect(try recorder.eject(testFailed: true).failedRecording == folder["talk.failed.har"])
        #expect(folder.files == ["talk.failed.har", "talk.json"])
        #expect(try stubber(.never).decision(on: "http://a/") == .replays("hi"))
    }

    @Test("An invalid file of another tool is an error, and is not overwritten")
    func broken() throws {
        try Data("{\"interactions\": [}".utf8).write(to: folder["talk.json"])
        let error = try #require(throws: CassetteError.self) { try stubber(.newEpisodes) }
        #expect(error.path == folder["talk.json"].path)
        #expect(folder.files == ["talk.json"])
    }

    @Test("A miss names the file that is played")
    func miss() throws {
        for file in ["talk.json", "talk.har"] {
            let refusing = try stubber(.never)
            guard case .refuse(let miss) = refusing.answer(to: Interaction.Request(url: "http://x/")) else {
                Issue.record("it was not refused")
                return
            }
            #expect(miss.description.contains(folder[file].path))
            let recorder = try stubber(.newEpisodes)
            try recorder.record("http://\(file)/", "new")
            try recorder.eject()
        }
    }

    @Test("Secrets in a file of another tool are compared redacted, and not copied to the archive")
    func secrets() throws {
        let url = "http://a/list?api_key=planted-in-the-file-1"
        let text = FormatSamples.dvr.replacingOccurrences(of: "http://a/", with: url)
        try Data(text.utf8).write(to: folder["talk.json"])
        let recorder = try stubber(.newEpisodes)
        #expect(recorder.decision(on: url) == .replays("hi"))
        try recorder.record("http://c/", "new")
        try recorder.eject()
        #expect(!(try String(contentsOf: folder["talk.har"], encoding: .utf8)).contains("planted-in-the-file"))
        #expect(try stubber(.never).decision(on: url) == .replays("hi"))
    }

    @Test("The file and its archive are the same cassette")
    func use() throws {
        let foreign = try CassetteLocation(name: "talk.json", in: folder.url)
        #expect(foreign.destination == CassetteLocation(folder["talk.har"]).destination)
        #expect(foreign.current == folder["talk.json"])
    }

    @Test("A note says that the archive is played from now on, once")
    func note() throws {
        let notes = Locked<[String]>([])
        try Note.withReader({ note in notes.withLock { $0.append(note) } }) {
            for url in ["http://c/", "http://d/"] {
                let recorder = try stubber(.newEpisodes)
                try recorder.record(url, "new")
                try recorder.eject()
            }
        }
        #expect(notes.withLock { $0.count } == 1)
        let note = try #require(notes.withLock { $0.first })
        #expect(
            note.contains(
                "recorded \(folder["talk.har"].path), which is now played instead of \(folder["talk.json"].path); commit it"
            )
        )
    }
}
