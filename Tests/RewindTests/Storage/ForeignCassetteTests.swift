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

    /// The bodies on the archive that stands beside it.
    private func recorded() throws -> [String] {
        try Cassette(contentsOf: folder["talk.har"]).interactions.map(\.text)
    }

    @Test("What was played alone is not rewritten")
    func playing() throws {
        let stubber = try stubber(.newEpisodes)
        #expect(stubber.decision(on: "http://a/") == .replays("hi"))
        #expect(try stubber.eject().cassetteURL == nil)
        #expect(folder.files == ["talk.json"])
    }

    @Test("New episodes go to an archive beside it, after all that it holds, and that is played from then on")
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

    @Test("To record everything anew leaves nothing of it in the archive, and leaves the file")
    func all() throws {
        let recorder = try stubber(.all)
        try recorder.record("http://a/", "new")
        try recorder.eject()
        #expect(try recorded() == ["new"])
        #expect(try Data(contentsOf: folder["talk.json"]) == Data(FormatSamples.dvr.utf8))
    }

    @Test("Once it is there nothing is recorded, and once it is not there an archive is")
    func once() throws {
        #expect(try stubber(.once).decision(on: "http://c/") == .findsNoMatch)
        try FileManager.default.removeItem(at: folder["talk.json"])
        let recorder = try stubber(.once)
        try recorder.record("http://c/", "new")
        #expect(try recorder.eject().cassetteURL == folder["talk.har"])
        #expect(folder.files == ["talk.har"])
        #expect(try stubber(.once).decision(on: "http://c/") == .replays("new"))
    }

    @Test("The recording of a failed test stands beside both")
    func failed() throws {
        let recorder = try stubber(.newEpisodes)
        try recorder.record("http://c/", "new")
        #expect(try recorder.eject(testFailed: true).failedRecording == folder["talk.failed.har"])
        #expect(folder.files == ["talk.failed.har", "talk.json"])
        #expect(try stubber(.never).decision(on: "http://a/") == .replays("hi"))
    }

    @Test("One that is broken is an error that names it, and nothing is recorded over it")
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

    @Test("Its secrets are compared as those of live requests are, and do not get into the archive")
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

    @Test("Who reads it and who plays its archive use one cassette")
    func use() throws {
        let foreign = try CassetteLocation(name: "talk.json", in: folder.url)
        #expect(foreign.destination == CassetteLocation(folder["talk.har"]).destination)
        #expect(foreign.current == folder["talk.json"])
    }
}
