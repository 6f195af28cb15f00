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

    @Test("Each miss is reported once, with the error of the request")
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

    @Test("The miss for a missing cassette contains its path and the mode of `REWIND_MODE`")
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
        "Replayed, recorded and passed-through requests are not reported",
        arguments: [RecordingMode.newEpisodes, .all, .live]
    )
    func answered(_ mode: RecordingMode) throws {
        try studio.put([.page("https://h/a")])
        let stubber = try studio.stubber(mode, configuration: configuration)
        for url in ["https://h/a", "https://h/a", "https://h/b"] { _ = stubber.decision(on: url) }
        // The recorded requests never end.
        stubber.settle(.callback)
        #expect(misses.withLock { $0.isEmpty })
    }

    @Test(
        "Requests after the end are refused and not reported",
        arguments: RecordingMode.allCases
    )
    func ended(_ mode: RecordingMode) throws {
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

    @Test("A miss from the server reaches the test only while it runs")
    func server() throws {
        let stubber = try studio.stubber(.never, configuration: configuration)
        let miss = Miss(.unreadableBody("no such file"), request: Interaction.Request(url: "https://h/"))
        stubber.report(miss)
        stubber.settle()
        #expect(misses.withLock { $0.map(\.reason) } == [.unreadableBody("no such file")])
        try stubber.eject()
        stubber.report(miss)
        #expect(misses.withLock { $0.count } == 1)
    }

    @Test("The stubber of an ended test refuses every request")
    func endedStubber() {
        let stubber = Stubber.ended(testName: "UserTests.testList")
        #expect(stubber.isEjected)
        #expect(!stubber.isRecording)
        #expect(stubber.decision(on: "https://h/") == .isOver)
    }

    @Test("Each call of eject returns the same report")
    func unplayed() throws {
        try studio.put([.page("https://h/a", "1"), .page("https://h/b", "2"), .page("https://h/a", "3")])
        let stubber = try studio.stubber(.once)
        _ = stubber.decision(on: "https://h/a")
        let report = try stubber.eject()
        #expect(report.unplayed.map(\.text) == ["2", "3"])
        #expect(report.recordedCount == 0)
        #expect(report.cassetteURL == nil)
        #expect(try stubber.eject().unplayed.map(\.text) == ["2", "3"])
    }

    @Test("A re-recorded cassette has no unplayed interactions")
    func reRecorded() throws {
        try studio.put([.page("https://h/a")])
        #expect(try studio.stubber(.all).eject().unplayed == [])
    }
}
