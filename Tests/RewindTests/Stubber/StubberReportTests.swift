import Foundation
import Rewind
import Testing

struct StubberReportTests {
    private let studio: Studio
    private let misses = Locked<[Miss]>([])

    init() throws { studio = try Studio() }

    private var configuration: Stubber.Configuration {
        var configuration = Stubber.Configuration()
        configuration.requestMatchingFailed = { [misses] miss in misses.withLock { $0.append(miss) } }
        return configuration
    }

    @Test("Each request that nothing answers is reported once, with the error it fails with")
    func once() throws {
        try studio.put([.page("https://h/a")])
        let stubber = try studio.stubber(.never, configuration: configuration, testName: "UserTests.testList")
        #expect(stubber.decision(on: "https://h/a") == .replays("page"))
        stubber.settle()
        #expect(misses.withLock { $0.isEmpty })
        guard case .refuse(let again) = stubber.answer(to: Interaction.Request(url: "https://h/a")),
            case .refuse(let other) = stubber.answer(to: Interaction.Request(url: "https://h/b"))
        else {
            Issue.record("the requests were not refused")
            return
        }
        stubber.settle()
        let reported = misses.withLock { $0 }
        #expect(reported.map(\.reason) == [.alreadyPlayed(count: 1), .noMatch])
        #expect(reported.map(\.description) == [again.description, other.description])
        for miss in reported {
            #expect(miss.testName == "UserTests.testList")
            #expect(miss.cassettePath == studio.file.path)
            #expect(miss.mode == "never")
        }
        #expect(other.description.contains("nearest:  #1 GET https://h/a"))
        #expect(other.description.contains("cassette: \(studio.file.path)"))
    }

    @Test("A missing cassette is named by its path, with the mode that `REWIND_MODE` put in force")
    func missingCassette() throws {
        let stubber = try studio.stubber(
            .once,
            configuration: configuration,
            variables: ["REWIND_MODE": "none"]
        )
        #expect(stubber.decision(on: "https://h/a") == .hasNoCassette)
        stubber.settle()
        let reported = misses.withLock { $0 }
        #expect(reported.map(\.reason) == [.noCassette(path: studio.file.path)])
        #expect(reported.first?.description.contains("mode `never` does not record") == true)
    }

    @Test(
        "What is replayed, recorded or let through is not reported",
        arguments: [RecordingMode.newEpisodes, .all, .live]
    )
    func answered(_ mode: RecordingMode) throws {
        try studio.put([.page("https://h/a")])
        let stubber = try studio.stubber(mode, configuration: configuration)
        for url in ["https://h/a", "https://h/a", "https://h/b"] { _ = stubber.decision(on: url) }
        stubber.settle()
        #expect(misses.withLock { $0.isEmpty })
    }

    @Test(
        "After the end every request is refused as one of a test that is over, and none is reported",
        arguments: RecordingMode.allCases
    )
    func over(_ mode: RecordingMode) throws {
        try studio.put([.page("https://h/known")])
        var configuration = configuration
        configuration.passthroughHosts = ["local"]
        let stubber = try studio.stubber(mode, configuration: configuration, testName: "UserTests.testList")
        #expect(!stubber.isEjected)
        try stubber.eject()
        #expect(stubber.isEjected)
        let untouched = try studio.contents
        for url in ["https://h/known", "https://h/new", "https://local/"] {
            guard case .refuse(let miss) = stubber.answer(to: Interaction.Request(url: url)) else {
                Issue.record("\(url) was not refused")
                continue
            }
            #expect(miss.reason == .testEnded)
            #expect(miss.testName == "UserTests.testList")
        }
        stubber.settle()
        #expect(misses.withLock { $0.isEmpty })
        #expect(try stubber.eject().recordedCount == 0)
        #expect(try studio.contents == untouched)
    }

    @Test("A miss that a door reports reaches the test while it runs, and not afterwards")
    func doors() throws {
        let stubber = try studio.stubber(.never, configuration: configuration)
        let miss = Miss(.unreadableBody("no such file"), request: Interaction.Request(url: "https://h/"))
        stubber.report(miss)
        stubber.settle()
        #expect(misses.withLock { $0.map(\.reason) } == [.unreadableBody("no such file")])
        try stubber.eject()
        stubber.report(miss)
        #expect(misses.withLock { $0.count } == 1)
    }

    @Test("A stubber made for a test that is over refuses everything")
    func madeOver() {
        let stubber = Stubber.over(testName: "UserTests.testList")
        #expect(stubber.isEjected)
        #expect(!stubber.isRecording)
        #expect(stubber.decision(on: "https://h/") == .isOver)
    }

    @Test("The end tells what was not played, and a second end tells nothing")
    func unplayed() throws {
        try studio.put([.page("https://h/a", "1"), .page("https://h/b", "2"), .page("https://h/a", "3")])
        let stubber = try studio.stubber(.once)
        _ = stubber.decision(on: "https://h/a")
        let report = try stubber.eject()
        #expect(report.unplayed.map(\.text) == ["2", "3"])
        #expect(report.recordedCount == 0)
        #expect(report.cassetteURL == nil)
        #expect(try stubber.eject().unplayed == [])
    }

    @Test("A cassette that is recorded anew has nothing unplayed")
    func recordedAnew() throws {
        try studio.put([.page("https://h/a")])
        #expect(try studio.stubber(.all).eject().unplayed == [])
    }
}
