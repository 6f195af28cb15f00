import Foundation
import Rewind
import Testing

@Suite("What a stubber decides")
struct StubberDecisionTests {
    @Test("The mode and the cassette decide about every request", arguments: DecisionRow.all)
    func table(_ row: DecisionRow) throws {
        let studio = try Studio()
        if row.hasCassette { try studio.put([.page("https://h/known", "played")]) }
        let stubber = try studio.stubber(row.mode)
        #expect(stubber.decision(on: "https://h/known") == row.known)
        #expect(stubber.decision(on: "https://h/known") == row.knownAgain)
        #expect(stubber.decision(on: "https://h/new") == row.new)
        #expect(stubber.isRecording == (row.new == .records))
    }

    @Test(
        "Hosts that are let through go to the network in every mode and are not recorded",
        arguments: RecordingMode.allCases
    )
    func passthrough(_ mode: RecordingMode) throws {
        let studio = try Studio()
        try studio.put([.page("https://local.example/known")])
        let untouched = try studio.contents
        var configuration = Configuration()
        configuration.passthroughHosts = ["local.example"]
        let stubber = try studio.stubber(mode, configuration: configuration)
        #expect(stubber.decision(on: "https://local.example/known") == .passes)
        #expect(stubber.decision(on: "http://LOCAL.example:8080/new?a#b") == .passes)
        #expect(stubber.decision(on: "https://other.local.example/new") != .passes || mode == .live)
        try stubber.eject(testFailed: true)
        #expect(try studio.contents == untouched)
    }

    @Test("A cassette that is there but empty is a cassette")
    func emptyCassette() throws {
        let studio = try Studio()
        try studio.put([])
        #expect(try studio.stubber(.once).decision(on: "https://h/") == .findsNoMatch)
        #expect(try studio.stubber(.none).decision(on: "https://h/") == .findsNoMatch)
    }

    @Test("A missing cassette is no error before the first request")
    func missingCassette() throws {
        let studio = try Studio()
        let stubber = try studio.stubber(.none)
        #expect(stubber.decision(on: "https://h/") == .hasNoCassette)
        try stubber.eject()
        #expect(studio.folder.files == [])
    }

    @Test("Repeats are allowed by the configuration")
    func repeats() throws {
        let studio = try Studio()
        try studio.put([.page("https://h/", "1"), .page("https://h/", "2")])
        var configuration = Configuration()
        configuration.repeats = .last
        let stubber = try studio.stubber(.newEpisodes, configuration: configuration)
        let decisions = (0..<4).map { _ in stubber.decision(on: "https://h/") }
        #expect(decisions == [.replays("1"), .replays("2"), .replays("2"), .replays("2")])
    }

    @Test("What is being recorded is not played in the same test")
    func recordingIsNotPlayed() throws {
        let studio = try Studio()
        let stubber = try studio.stubber(.once)
        try stubber.record("https://h/", "1")
        #expect(stubber.decision(on: "https://h/") == .records)
    }

    @Test("The matchers of the configuration decide what is the same request")
    func matchers() throws {
        let studio = try Studio()
        try studio.put([.page("https://h/a?page=1", "1")])
        var configuration = Configuration()
        configuration.matching = [.path]
        let stubber = try studio.stubber(.none, configuration: configuration)
        #expect(Decision(stubber.answer(to: Request(method: "PUT", url: "http://g/a"))) == .replays("1"))
    }

    @Test("Header fields are asked for only when something reads them")
    func completion() throws {
        let studio = try Studio()
        let asked = Locked(0)
        func decision(_ mode: RecordingMode, _ matching: [Matcher]) throws -> Decision {
            var configuration = Configuration()
            configuration.matching = matching
            let answer = try studio.stubber(mode, configuration: configuration)
                .answer(
                    to: IncomingRequest(Request(url: "https://h/")) {
                        asked.withLock { $0 += 1 }
                        return Request(url: "https://h/", headers: ["X-Tenant": "a"])
                    }
                )
            return Decision(answer)
        }
        let tenant = Matcher.custom("tenant") { $0.headers["X-Tenant"] ?? "" }
        #expect(try decision(.live, [tenant]) == .passes)
        try studio.put([.page("https://h/", "nobody's")])
        #expect(try decision(.once, .default) == .replays("nobody's"))
        #expect(asked.withLock { $0 } == 0)
        // Once by the matcher, and once by the story of the miss.
        #expect(try decision(.once, .default + [tenant]) == .findsNoMatch)
        #expect(asked.withLock { $0 } == 2)
        #expect(try decision(.all, .default) == .records)
        #expect(asked.withLock { $0 } == 3)
    }

    @Test("Requests from many threads are each answered once")
    func threads() throws {
        let studio = try Studio()
        try studio.put((0..<200).map { .page("https://h/", "\($0)") })
        let stubber = try studio.stubber(.none)
        let played = Locked<[Decision]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<25 {
                let decision = stubber.decision(on: "https://h/")
                played.withLock { $0.append(decision) }
            }
        }
        #expect(Set(played.withLock { $0 }) == Set((0..<200).map { .replays("\($0)") }))
        #expect(stubber.decision(on: "https://h/") == .hasPlayedAll)
    }
}

/// One row of the table of modes.
struct DecisionRow: Sendable, CustomTestStringConvertible {
    var mode: RecordingMode
    var hasCassette: Bool
    var known: Decision
    var knownAgain: Decision
    var new: Decision

    var testDescription: String { "\(mode) with\(hasCassette ? "" : "out") a cassette" }

    private init(
        _ mode: RecordingMode,
        _ hasCassette: Bool,
        _ known: Decision,
        _ again: Decision,
        _ new: Decision
    ) {
        (self.mode, self.hasCassette) = (mode, hasCassette)
        (self.known, self.knownAgain, self.new) = (known, again, new)
    }

    static let all = [
        DecisionRow(.none, false, .hasNoCassette, .hasNoCassette, .hasNoCassette),
        DecisionRow(.none, true, .replays("played"), .hasPlayedAll, .findsNoMatch),
        DecisionRow(.once, false, .records, .records, .records),
        DecisionRow(.once, true, .replays("played"), .hasPlayedAll, .findsNoMatch),
        DecisionRow(.newEpisodes, false, .records, .records, .records),
        DecisionRow(.newEpisodes, true, .replays("played"), .records, .records),
        DecisionRow(.all, false, .records, .records, .records),
        DecisionRow(.all, true, .records, .records, .records),
        DecisionRow(.verify, false, .hasNoCassette, .hasNoCassette, .hasNoCassette),
        DecisionRow(.verify, true, .verifies, .verifies, .verifies),
        DecisionRow(.live, false, .passes, .passes, .passes),
        DecisionRow(.live, true, .passes, .passes, .passes),
    ]
}

@Suite("What a stubber records")
struct StubberRecordingTests {
    private let studio: Studio

    init() throws { studio = try Studio() }

    @Test("Interactions stand in the order their requests were started, not in that of the answers")
    func order() throws {
        let stubber = try studio.stubber(.once)
        let recordings = try ["a", "b", "c"].map { try stubber.begin(Request(url: "https://h/\($0)")) }
        for position in [2, 0, 1] { recordings[position].finish("answer \(position)") }
        let report = try stubber.eject()
        #expect(report.recordedCount == 3)
        #expect(report.cassette == studio.file)
        #expect(report.failedRecording == nil)
        #expect(
            try studio.cassette.interactions.map(\.request.url) == [
                "https://h/a", "https://h/b", "https://h/c",
            ]
        )
        #expect(try studio.texts == ["answer 0", "answer 1", "answer 2"])
    }

    @Test("The request is recorded with its header fields, the answer with its times and failure")
    func contents() throws {
        let stubber = try studio.stubber(.once)
        let request = Request(method: "PUT", url: "https://h/a?b=1", headers: ["Accept": "a"], body: Body("x"))
        let light = Request(method: "PUT", url: "https://h/a?b=1", body: Body("x"))
        let answer = stubber.answer(to: IncomingRequest(light) { request })
        guard case .forward(let recording?, _) = answer else {
            Issue.record("the request is not recorded")
            return
        }
        let failure = Failure(code: NSURLErrorNetworkConnectionLost, message: "lost")
        let partial = Response(status: 206, headers: ["A": "b"], body: Body("half"))
        recording.finish(.failure(failure, after: partial), timing: .init(wait: 1.5, receive: 2.25))
        try stubber.eject()
        let interaction = try #require(try studio.cassette.interactions.first)
        #expect(interaction.request == request)
        #expect(interaction.outcome == .failure(failure, after: partial))
        #expect(interaction.timing == .init(wait: 1.5, receive: 2.25))
        #expect(interaction.startedAt == recording.startedAt.roundedToMilliseconds)
    }

    @Test("Only the first end of a recording counts")
    func firstEnd() throws {
        let ends = Locked(0)
        var configuration = Configuration()
        configuration.didEndRecording = { _ in ends.withLock { $0 += 1 } }
        let stubber = try studio.stubber(.once, configuration: configuration)
        let recording = try stubber.begin(Request(url: "https://h/"))
        recording.finish("first")
        recording.finish("second")
        try stubber.eject()
        #expect(try studio.texts == ["first"])
        stubber.settle()
        #expect(ends.withLock { $0 } == 1)
    }

    @Test("The callbacks tell of every recording when it begins and when it ends")
    func callbacks() throws {
        let story = Locked<[String]>([])
        var configuration = Configuration()
        configuration.didBeginRecording = { request in story.withLock { $0.append("begin \(request.url)") } }
        configuration.didEndRecording = { interaction in
            story.withLock { $0.append("end \(interaction.request.url) \(interaction.text)") }
        }
        let stubber = try studio.stubber(.once, configuration: configuration)
        let first = try stubber.begin(Request(url: "https://h/a"))
        try stubber.record("https://h/b", "2")
        first.finish("1")
        stubber.settle()
        #expect(
            story.withLock { $0 }
                == ["begin https://h/a", "begin https://h/b", "end https://h/b 2", "end https://h/a 1"]
        )
    }

    @Test("What has no answer yet is in flight, and what is on its way keeps the stubber from being settled")
    func inFlight() throws {
        let stubber = try studio.stubber(.once)
        #expect(stubber.isSettled)
        let pending = stubber.pendingWork.begin()
        #expect(!stubber.isSettled)
        let recording = try stubber.begin(Request(url: "https://h/a"))
        pending.end()
        pending.end()
        #expect(!stubber.isSettled)
        #expect(stubber.requestsInFlight.map(\.url) == ["https://h/a"])
        recording.finish("1")
        #expect(stubber.isSettled)
        #expect(stubber.requestsInFlight == [])
    }

    @Test("An answer that comes after the end is neither written nor told")
    func late() throws {
        let ends = Locked(0)
        var configuration = Configuration()
        configuration.didEndRecording = { _ in ends.withLock { $0 += 1 } }
        let stubber = try studio.stubber(.once, configuration: configuration)
        let recording = try stubber.begin(Request(url: "https://h/a"))
        #expect(try stubber.eject().inFlight.map(\.url) == ["https://h/a"])
        recording.finish("late")
        #expect(studio.folder.files == [])
        #expect(ends.withLock { $0 } == 0)
    }

    @Test("Many threads record without loss")
    func threads() throws {
        let stubber = try studio.stubber(.once)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for number in 0..<20 {
                #expect(throws: Never.self) { try stubber.record("https://h/\(thread)/\(number)", "\(thread)") }
            }
        }
        #expect(try stubber.eject().recordedCount == 160)
        #expect(Set(try studio.cassette.interactions.map(\.request.url)).count == 160)
    }
}

@Suite("What a stubber reports")
struct StubberReportTests {
    private let studio: Studio
    private let misses = Locked<[Miss]>([])

    init() throws { studio = try Studio() }

    private var configuration: Configuration {
        var configuration = Configuration()
        configuration.requestMatchingFailed = { [misses] miss in misses.withLock { $0.append(miss) } }
        return configuration
    }

    @Test("Each request that nothing answers is reported once, with the error it fails with")
    func once() throws {
        try studio.put([.page("https://h/a")])
        let stubber = try studio.stubber(.none, configuration: configuration, testName: "UserTests.testList")
        #expect(stubber.decision(on: "https://h/a") == .replays("page"))
        stubber.settle()
        #expect(misses.withLock { $0.isEmpty })
        guard case .refuse(let again) = stubber.answer(to: Request(url: "https://h/a")),
            case .refuse(let other) = stubber.answer(to: Request(url: "https://h/b"))
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
            #expect(miss.mode == "none")
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
        #expect(reported.first?.description.contains("mode `none` forbids") == true)
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
        #expect(!stubber.isOver)
        try stubber.eject()
        #expect(stubber.isOver)
        let untouched = try studio.contents
        for url in ["https://h/known", "https://h/new", "https://local/"] {
            guard case .refuse(let miss) = stubber.answer(to: Request(url: url)) else {
                Issue.record("\(url) was not refused")
                continue
            }
            #expect(miss.reason == .testOver)
            #expect(miss.testName == "UserTests.testList")
        }
        stubber.settle()
        #expect(misses.withLock { $0.isEmpty })
        #expect(try stubber.eject().recordedCount == 0)
        #expect(try studio.contents == untouched)
    }

    @Test("A miss that a door reports reaches the test while it runs, and not afterwards")
    func doors() throws {
        let stubber = try studio.stubber(.none, configuration: configuration)
        let miss = Miss(.unreadableBody("no such file"), request: Request(url: "https://h/"))
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
        #expect(stubber.isOver)
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
        #expect(report.cassette == nil)
        #expect(try stubber.eject().unplayed == [])
    }

    @Test("A cassette that is recorded anew has nothing unplayed")
    func recordedAnew() throws {
        try studio.put([.page("https://h/a")])
        #expect(try studio.stubber(.all).eject().unplayed == [])
    }
}
