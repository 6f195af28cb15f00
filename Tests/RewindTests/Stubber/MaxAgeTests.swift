import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct MaxAgeTests {
    private let studio: Studio
    private let now = Date()

    init() throws {
        studio = try Studio()
    }

    private func put(daysOld days: Double...) throws {
        try studio.put(
            days.enumerated().map { position, days in
                var page = Interaction.page("https://h/\(position)", "old \(position)")
                page.startedAt = now.addingTimeInterval(-days * 86_400)
                return page
            }
        )
    }

    private func stubber(_ mode: RecordingMode, _ policy: Stubber.Configuration.MaxAge.Policy) throws -> Stubber
    {
        var configuration = Stubber.Configuration()
        configuration.maxAge = .days(30, policy)
        return try studio.stubber(mode, configuration: configuration)
    }

    @Test("The age is that of the oldest interaction, and a cassette without dates has none")
    func excess() throws {
        func excess(_ days: [Double]) -> Int? {
            let pages = days.map { days in
                var page = Interaction.page("https://h/")
                page.startedAt = now.addingTimeInterval(-days * 86_400)
                return page
            }
            return Stubber.Configuration.MaxAge.days(30).excess(of: pages, at: now)
        }
        #expect(excess([29.9]) == nil)
        #expect(excess([1, 31.5, 2]) == 31)
        #expect(excess([-5]) == nil)
        #expect(excess([]) == nil)
        var undated = Interaction.page("https://h/")
        undated.startedAt = .distantPast
        #expect(Stubber.Configuration.MaxAge.days(30).excess(of: [undated], at: now) == nil)
    }

    @Test(
        "A cassette that is too old is still replayed",
        arguments: [Stubber.Configuration.MaxAge.Policy.warn, .fail]
    )
    func played(_ policy: Stubber.Configuration.MaxAge.Policy) throws {
        try put(daysOld: 40)
        let stubber = try stubber(.once, policy)
        #expect(stubber.decision(on: "https://h/0") == .replays("old 0"))
        let end = stubber.end(testFailed: false)
        #expect((end.report.ageProblem != nil) == (policy == .fail))
        #expect(end.problems.count == (policy == .fail ? 1 : 0))
    }

    @Test(
        "A cassette within its age limit is not reported",
        arguments: Stubber.Configuration.MaxAge.Policy.allCases
    )
    func young(_ policy: Stubber.Configuration.MaxAge.Policy) throws {
        try put(daysOld: 29)
        let stubber = try stubber(.once, policy)
        #expect(!stubber.isRecording)
        #expect(try stubber.eject().ageProblem == nil)
    }

    @Test(
        "A cassette that is too old is recorded again in modes that record",
        arguments: RecordingMode.allCases
    )
    func reRecord(_ mode: RecordingMode) throws {
        try put(daysOld: 40, 1)
        let stubber = try stubber(mode, .reRecord)
        let decision = stubber.decision(on: "https://h/0")
        switch mode {
        case .once, .newEpisodes, .all: #expect(decision == .records)
        case .never: #expect(decision == .replays("old 0"))
        case .verify: #expect(decision == .verifies)
        case .live: #expect(decision == .passes)
        }
    }

    @Test("Recording an old cassette again replaces all its interactions")
    func reRecorded() throws {
        try put(daysOld: 40, 41)
        let stubber = try stubber(.once, .reRecord)
        try stubber.record("https://h/0", "new 0")
        try stubber.eject()
        #expect(try studio.texts == ["new 0"])
    }

    @Test("Without a network the old cassette is replayed from the current position")
    func offline() throws {
        try put(daysOld: 40, 40, 40)
        let untouched = try studio.contents
        let stubber = try stubber(.once, .reRecord)
        try stubber.record("https://h/0", "new 0")
        let recording = try stubber.begin(Interaction.Request(url: "https://h/1"))
        let replacement = recording.replacement(
            for: Interaction.Failure(code: NSURLErrorNotConnectedToInternet)
        )
        #expect(replacement?.text == "old 1")
        recording.finish("never")
        #expect(stubber.decision(on: "https://h/0") == .hasPlayedAll)
        #expect(stubber.decision(on: "https://h/2") == .replays("old 2"))
        #expect(stubber.takeMisses().count == 1)
        let report = try stubber.eject()
        #expect(report.recordedCount == 0)
        #expect(report.unplayed == [])
        #expect(try studio.contents == untouched)
    }

    @Test("Only an unreachable network falls back to the old cassette, and not in mode `all`")
    func otherFailures() throws {
        try put(daysOld: 40)
        let renewing = try stubber(.once, .reRecord).begin(Interaction.Request(url: "https://h/0"))
        #expect(renewing.replacement(for: Interaction.Failure(code: NSURLErrorTimedOut)) == nil)
        #expect(
            renewing.replacement(for: Interaction.Failure(domain: "other", code: NSURLErrorCannotFindHost))
                == nil
        )
        let recording = try studio.stubber(.all).begin(Interaction.Request(url: "https://h/0"))
        #expect(recording.replacement(for: Interaction.Failure(code: NSURLErrorNotConnectedToInternet)) == nil)
    }

    @Test("A note says what happens to a cassette that is too old")
    func notes() throws {
        func notes(_ policy: Stubber.Configuration.MaxAge.Policy, _ body: (Stubber) throws -> Void) throws
            -> [String]
        {
            let notes = Locked<[String]>([])
            try put(daysOld: 40.5)
            try Note.withReader({ note in notes.withLock { $0.append(note) } }) {
                let stubber = try stubber(.once, policy)
                try body(stubber)
                _ = stubber.end(testFailed: false)
            }
            return notes.withLock { $0 }
        }
        let path = studio.file.path
        let warned = try notes(.warn) { _ in }
        #expect(
            warned == ["Rewind: the cassette \(path) is 40 days old; re-record it with REWIND_MODE=all\n"]
        )
        #expect(try notes(.fail) { _ in } == [], "the test fails instead")
        let renewed = try notes(.reRecord) { stubber in
            let failure = Interaction.Failure(code: NSURLErrorNotConnectedToInternet)
            let recording = try stubber.begin(Interaction.Request(url: "https://h/0"))
            _ = recording.replacement(for: failure)
            recording.finish("never")
        }
        #expect(
            renewed == [
                "Rewind: the cassette \(path) is 40 days old and is recorded again\n",
                "Rewind: the network cannot be reached, so the old cassette \(path) is replayed\n",
            ]
        )
    }
}
