import Foundation
import Rewind
import Testing

struct StubberControlTests {
    private let studio: Studio

    init() throws {
        studio = try Studio()
    }

    @Test("Requests during a pause go to the network and are not recorded")
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

    @Test("Nothing is replayed during a pause", arguments: [RecordingMode.once, .newEpisodes, .all, .live])
    func pausedPlaying(_ mode: RecordingMode) throws {
        try studio.put([.page("https://h/a", "1")])
        let stubber = try studio.stubber(mode)
        stubber.pause()
        #expect(stubber.decision(on: "https://h/a") == .passes)
        stubber.resume()
        let expected: Decision = mode == .live ? .passes : mode == .all ? .records : .replays("1")
        #expect(stubber.decision(on: "https://h/a") == expected)
    }

    @Test("In mode `never` a request during a pause is a miss")
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

    @Test("A change of mode affects later requests and preserves interactions that are not re-recorded")
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

    @Test("Switching to a recording mode and back writes nothing without a request")
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

    @Test("The mode cannot be changed if `REWIND_MODE` is set")
    func environmentWins() throws {
        try studio.put([.page("https://h/a", "1")])
        let stubber = try studio.stubber(.once, variables: ["REWIND_MODE": "none"])
        stubber.isRecording = true
        #expect(!stubber.isRecording)
        #expect(stubber.decision(on: "https://h/a") == .replays("1"))
    }

    @Test("The end of the test writes a cassette that was replaced")
    func insert() throws {
        let stubber = try studio.stubber(.once)
        try stubber.record("https://h/a", "1")
        let report = try stubber.insert("other")
        #expect(report.cassetteURL == nil)
        #expect(report.recordedCount == 1)
        #expect(stubber.location.source.lastPathComponent == "other.har")
        try stubber.record("https://h/a", "2")
        try stubber.eject()
        let other = studio.folder.url.appendingPathComponent("other.har")
        #expect(try Cassette(contentsOf: other).interactions.map(\.text) == ["2"])
        #expect(try studio.texts == ["1"])
    }

    @Test("A recorded cassette can be inserted again, is replayed and continues")
    func insertSame() throws {
        let stubber = try studio.stubber(.once)
        try stubber.record("https://h/a", "1")
        try stubber.insert("talk")
        #expect(stubber.isRecording)
        #expect(stubber.decision(on: "https://h/a") == .replays("1"))
        try stubber.insert("talk", mode: .never)
        #expect(!stubber.isRecording)
        #expect(stubber.decision(on: "https://h/a") == .replays("1"))
        try stubber.eject()
        #expect(try studio.texts == ["1"])
    }

    @Test("The current cassette stays if another one cannot be inserted")
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

    @Test("A cassette with a request in flight is not replaced")
    func insertInFlight() throws {
        var configuration = Stubber.Configuration()
        configuration.inFlightTimeout = 0
        let stubber = try studio.stubber(.once, configuration: configuration)
        let recording = try stubber.begin(Interaction.Request(url: "https://h/slow"))
        #expect(throws: Stubber.ScopeError.self) { try stubber.insert("other") }
        recording.finish("late")
        stubber.settle()
        try stubber.insert("other")
        try stubber.record("https://h/a", "1")
        try stubber.eject()
        let other = studio.folder.url.appendingPathComponent("other.har")
        #expect(try Cassette(contentsOf: other).interactions.map(\.text) == ["1"])
        #expect(try studio.texts == ["late"])
    }

    @Test("An empty cassette is written only if configured", arguments: [true, false])
    func emptyCassette(_ isSaved: Bool) throws {
        var configuration = Stubber.Configuration()
        configuration.savesEmptyCassettes = isSaved
        let report = try studio.stubber(.once, configuration: configuration).eject()
        #expect((report.cassetteURL != nil) == isSaved)
        #expect(studio.folder.files == (isSaved ? ["talk.har"] : []))
        if isSaved { #expect(try studio.cassette.interactions == []) }
    }

    @Test("A replaying test writes no empty cassette")
    func emptyCassetteOfPlaying() throws {
        var configuration = Stubber.Configuration()
        configuration.savesEmptyCassettes = true
        try studio.stubber(.never, configuration: configuration).eject()
        #expect(studio.folder.files == [])
    }
}
