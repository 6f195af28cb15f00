import Foundation
import Rewind
import Testing

struct StubberDecisionTests {
    @Test("Each mode replays, records or refuses as documented", arguments: DecisionRow.all)
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
        "Passthrough hosts use the network in every mode and are not recorded",
        arguments: RecordingMode.allCases
    )
    func passthrough(_ mode: RecordingMode) throws {
        let studio = try Studio()
        try studio.put([.page("https://local.example/known")])
        let untouched = try studio.contents
        var configuration = Stubber.Configuration()
        configuration.passthroughHosts = ["local.example"]
        // The recorded request never ends.
        configuration.inFlightTimeout = 0
        let stubber = try studio.stubber(mode, configuration: configuration)
        #expect(stubber.decision(on: "https://local.example/known") == .passes)
        #expect(stubber.decision(on: "http://LOCAL.example:8080/new?a#b") == .passes)
        #expect(stubber.decision(on: "https://other.local.example/new") != .passes || mode == .live)
        try stubber.eject(testFailed: true)
        #expect(try studio.contents == untouched)
    }

    @Test("An empty cassette counts as existing")
    func emptyCassette() throws {
        let studio = try Studio()
        try studio.put([])
        #expect(try studio.stubber(.once).decision(on: "https://h/") == .findsNoMatch)
        #expect(try studio.stubber(.never).decision(on: "https://h/") == .findsNoMatch)
    }

    @Test("A missing cassette is not an error before the first request")
    func missingCassette() throws {
        let studio = try Studio()
        let stubber = try studio.stubber(.never)
        #expect(stubber.decision(on: "https://h/") == .hasNoCassette)
        #expect(stubber.takeMisses().count == 1)
        try stubber.eject()
        #expect(studio.folder.files == [])
    }

    @Test("The configuration can allow repeats")
    func repeats() throws {
        let studio = try Studio()
        try studio.put([.page("https://h/", "1"), .page("https://h/", "2")])
        var configuration = Stubber.Configuration()
        configuration.repeats = .last
        let stubber = try studio.stubber(.newEpisodes, configuration: configuration)
        let decisions = (0..<4).map { _ in stubber.decision(on: "https://h/") }
        #expect(decisions == [.replays("1"), .replays("2"), .replays("2"), .replays("2")])
    }

    @Test("A recording is not replayed in the same test")
    func recordingIsNotPlayed() throws {
        let studio = try Studio()
        let stubber = try studio.stubber(.once)
        try stubber.record("https://h/", "1")
        #expect(stubber.decision(on: "https://h/") == .records)
    }

    @Test("The configured matchers decide which requests are equal")
    func matchers() throws {
        let studio = try Studio()
        try studio.put([.page("https://h/a?page=1", "1")])
        var configuration = Stubber.Configuration()
        configuration.matching = [.path]
        let stubber = try studio.stubber(.never, configuration: configuration)
        #expect(
            Decision(stubber.answer(to: Interaction.Request(method: "PUT", url: "http://g/a"))) == .replays("1")
        )
    }

    @Test("Header fields are read only if needed")
    func completion() throws {
        let studio = try Studio()
        let reads = Locked(0)
        func decision(_ mode: RecordingMode, _ matching: [RequestMatcher]) throws -> Decision {
            var configuration = Stubber.Configuration()
            configuration.matching = matching
            let answer = try studio.stubber(mode, configuration: configuration)
                .answer(
                    to: IncomingRequest(Interaction.Request(url: "https://h/")) {
                        reads.withLock { $0 += 1 }
                        return Interaction.Request(url: "https://h/", headers: ["X-Owner": "a"])
                    }
                )
            return Decision(answer)
        }
        let owner = RequestMatcher.custom("owner") { $0.headers["X-Owner"] ?? "" }
        #expect(try decision(.live, [owner]) == .passes)
        try studio.put([.page("https://h/", "nobody's")])
        #expect(try decision(.once, .default) == .replays("nobody's"))
        #expect(reads.withLock { $0 } == 0)
        #expect(try decision(.once, .default + [owner]) == .findsNoMatch)
        #expect(reads.withLock { $0 } == 1)
        #expect(try decision(.all, .default) == .records)
        #expect(reads.withLock { $0 } == 2)
    }

    @Test("Concurrent requests are each answered once")
    func threads() throws {
        let studio = try Studio()
        try studio.put((0..<200).map { .page("https://h/", "\($0)") })
        let stubber = try studio.stubber(.never)
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
        DecisionRow(.never, false, .hasNoCassette, .hasNoCassette, .hasNoCassette),
        DecisionRow(.never, true, .replays("played"), .hasPlayedAll, .findsNoMatch),
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
