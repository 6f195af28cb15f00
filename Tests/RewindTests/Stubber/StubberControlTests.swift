import Foundation
import Rewind
import Testing

struct StubberControlTests {
    private let studio: Studio

    init() throws {
        studio = try Studio()
    }

    @Test("While paused, requests go to the network and only what happened between is on the cassette")
    func pausedRecording() throws {
        let stubber = try studio.stubber(.once)
        stubber.pause()
        #expect(stubber.isPaused)
        #expect(stubber.decision(on: "https://h/before") == .passes)
        stubber.resume()
        try stubber.record("https://h/between", "between")
        stubber.pause()
        #expect(stubber.decision(on: "https://h/after") == .passes)
        try stubber.eject()
        #expect(try studio.texts == ["between"])
    }

    @Test("While paused, nothing is played", arguments: [RecordingMode.once, .newEpisodes, .all, .live])
    func pausedPlaying(_ mode: RecordingMode) throws {
        try studio.put([.page("https://h/a", "1")])
        let stubber = try studio.stubber(mode)
        stubber.pause()
        #expect(stubber.decision(on: "https://h/a") == .passes)
        stubber.resume()
        let expected: Decision = mode == .live ? .passes : mode == .all ? .records : .replays("1")
        #expect(stubber.decision(on: "https://h/a") == expected)
    }

    @Test("In the mode that never touches the network, a request while paused is a miss")
    func pausedWithoutNetwork() throws {
        try studio.put([.page("https://h/a", "1")])
        let stubber = try studio.stubber(.never)
        stubber.pause()
        guard case .refuse(let miss) = stubber.answer(to: Interaction.Request(url: "https://h/a")) else {
            Issue.record("it went to the network")
            return
        }
        #expect(miss.reason == .paused)
    }

    @Test("A change of mode holds for the requests that follow, and keeps what was not recorded anew")
    func changeOfMode() throws {
        try studio.put([
            .page("https://h/a", "old a"), .page("https://h/b", "old b"), .page("https://h/c", "old c"),
        ])
        let stubber = try studio.stubber(.never)
        #expect(stubber.decision(on: "https://h/a") == .replays("old a"))
        stubber.isRecording = true
        #expect(stubber.mode == .all)
        try stubber.record("https://h/b", "new b")
        try stubber.record("https://h/d", "new d")
        stubber.isRecording = false
        #expect(stubber.decision(on: "https://h/c") == .replays("old c"))
        try stubber.eject()
        #expect(try studio.texts == ["old a", "old c", "new b", "new d"])
    }

    @Test("A recording mode that is left again without a recording writes nothing")
    func changeForNothing() throws {
        try studio.put([.page("https://h/a", "1")])
        let untouched = try studio.contents
        let stubber = try studio.stubber(.never)
        stubber.mode = .newEpisodes
        stubber.mode = .never
        let report = try stubber.eject()
        #expect(report.cassetteURL == nil)
        #expect(try studio.contents == untouched)
    }

    @Test("A mode that the environment names cannot be changed")
    func environmentWins() throws {
        try studio.put([.page("https://h/a", "1")])
        let stubber = try studio.stubber(.once, variables: ["REWIND_MODE": "none"])
        stubber.isRecording = true
        #expect(!stubber.isRecording)
        #expect(stubber.decision(on: "https://h/a") == .replays("1"))
    }

    @Test("Another cassette is inserted; the first is written")
    func insert() throws {
        let stubber = try studio.stubber(.once)
        try stubber.record("https://h/a", "1")
        let report = try stubber.insert("other")
        #expect(report.cassetteURL == studio.file)
        #expect(try studio.texts == ["1"])
        #expect(stubber.location.source.lastPathComponent == "other.har")
        try stubber.record("https://h/a", "2")
        try stubber.eject()
        let other = studio.folder.url.appendingPathComponent("other.har")
        #expect(try Cassette(contentsOf: other).interactions.map(\.text) == ["2"])
        #expect(try studio.texts == ["1"])
    }

    @Test("The cassette that was just recorded can be inserted again, and is played")
    func insertSame() throws {
        let stubber = try studio.stubber(.once)
        try stubber.record("https://h/a", "1")
        try stubber.insert("talk")
        #expect(!stubber.isRecording)
        #expect(stubber.decision(on: "https://h/a") == .replays("1"))
        try stubber.eject()
        #expect(try studio.texts == ["1"])
    }

    @Test("A cassette that cannot be inserted leaves the present one in place")
    func insertFails() throws {
        try Data("no cassette".utf8).write(to: studio.folder.url.appendingPathComponent("broken.har"))
        let stubber = try studio.stubber(.once)
        try stubber.record("https://h/a", "1")
        #expect(throws: CassetteError.self) { try stubber.insert("broken") }
        #expect(throws: Stubber.ConfigurationError.invalidCassetteName("../x")) { try stubber.insert("../x") }
        #expect(stubber.location == studio.location)
        try stubber.record("https://h/b", "2")
        try stubber.eject()
        #expect(try studio.texts == ["1", "2"])
    }

    @Test("What is recorded for a cassette that was ejected comes too late for the next one")
    func insertInFlight() throws {
        let stubber = try studio.stubber(.once)
        let recording = try stubber.begin(Interaction.Request(url: "https://h/slow"))
        let report = try stubber.insert("other")
        #expect(report.requestsInFlight.map(\.url) == ["https://h/slow"])
        recording.finish("late")
        try stubber.record("https://h/a", "1")
        try stubber.eject()
        let other = studio.folder.url.appendingPathComponent("other.har")
        #expect(try Cassette(contentsOf: other).interactions.map(\.text) == ["1"])
    }

    @Test("An empty cassette is left behind only where it is asked for", arguments: [true, false])
    func emptyCassette(_ isSaved: Bool) throws {
        var configuration = Stubber.Configuration()
        configuration.savesEmptyCassettes = isSaved
        let report = try studio.stubber(.once, configuration: configuration).eject()
        #expect((report.cassetteURL != nil) == isSaved)
        #expect(studio.folder.files == (isSaved ? ["talk.har"] : []))
        if isSaved { #expect(try studio.cassette.interactions == []) }
    }

    @Test("A test that only plays leaves no empty cassette behind")
    func emptyCassetteOfPlaying() throws {
        var configuration = Stubber.Configuration()
        configuration.savesEmptyCassettes = true
        try studio.stubber(.never, configuration: configuration).eject()
        #expect(studio.folder.files == [])
    }
}
