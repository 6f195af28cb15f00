import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

/// A clock that somebody sets forward and back.
final class SetClock: Sendable {
    private let dates: Locked<[Date]>

    /// Returns a list of dates one after the other, and then the last one forever.
    init(_ dates: [Date]) {
        self.dates = Locked(dates)
    }

    /// A clock that is set back an hour, forward a day, to the epoch, and far into the future.
    convenience init() {
        let start = 1_800_000_000.0
        self.init(
            [start, start - 3600, start + 86_400, 0, start + 3e9].map { Date(timeIntervalSince1970: $0) }
        )
    }

    /// Runs code with this clock.
    func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        try WallClock.$current.withValue(clock, operation: body)
    }

    /// Runs code with this clock.
    func run<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await WallClock.$current.withValue(clock, operation: body)
    }

    private var clock: WallClock {
        WallClock { [dates] in
            dates.withLock { dates in
                dates.count > 1 ? dates.removeFirst() : dates.first ?? Date(timeIntervalSince1970: 0)
            }
        }
    }
}

struct WallClockTests {
    private let studio: Studio

    init() throws { studio = try Studio() }

    private let urls = (1...6).map { "https://h/\($0)" }

    @Test(
        "A recording has its requests in order with any dates",
        arguments: [true, false]
    )
    func recorded(_ isJournaled: Bool) throws {
        try SetClock().run {
            if isJournaled { return try studio.leaveJournal(urls.map { ($0, $0) }, .once) }
            let recorder = try studio.stubber(.once)
            for url in urls { try recorder.record(url, url) }
            try recorder.eject()
        }
        if isJournaled {
            _ = try studio.stubber(.never)
            try FileManager.default.moveItem(at: studio.location.recoveredRecording, to: studio.file)
        }
        let interactions = try studio.cassette.interactions
        #expect(interactions.map(\.request.url) == urls)
        #expect(interactions.map(\.timing) == urls.map { _ in .init(wait: 2, receive: 1) })
        let dates = interactions.map(\.startedAt)
        #expect(dates != dates.sorted(), "the dates are recorded unchanged")
        let player = try studio.stubber(.never)
        for url in urls { #expect(player.decision(on: url) == .replays(url)) }
        try player.eject()
    }

    @Test("Recorded times do not depend on changes of the system clock")
    func measured() async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        try await SetClock().run {
            try await withCassette("talk", in: studio.folder.url, mode: .once) { _ in
                for _ in 0..<5 { _ = await Outcome(of: server["json"]) }
            }
        }
        let interactions = try studio.cassette.interactions
        #expect(interactions.count == 5)
        // The clock was changed by at least an hour.
        #expect(interactions.allSatisfy { 0...1_800_000 ~= $0.timing.wait + $0.timing.receive })
        try await withCassette("talk", in: studio.folder.url, mode: .never) { _ in
            for _ in 0..<5 { #expect(await Outcome(of: server["json"]).failure == nil) }
        }
    }

    @Test("Journals from before and after a clock change are recovered")
    func journals() throws {
        let clock = SetClock()
        for number in 1...3 {
            try clock.run { try studio.leaveJournal([("https://h/\(number)", "\(number)")], .once) }
        }
        _ = try studio.stubber(.never)
        #expect(studio.journals == [])
        #expect(try Set(studio.recovered.interactions.map(\.text)) == ["1", "2", "3"])
    }

    @Test(
        "Cassettes and journals with dates in the future or distant past are read",
        arguments: ["2999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z", "0001-01-01T00:00:00.000Z"]
    )
    func future(_ text: String) throws {
        let date = try #require(HARDate.date(text))
        try SetClock([date]).run {
            let recorder = try studio.stubber(.once)
            try recorder.record("https://h/a", "a")
            try recorder.eject()
            try studio.leaveJournal([("https://h/b", "b")])
        }
        #expect(try studio.contents.contains(text))
        var configuration = Stubber.Configuration()
        configuration.refreshesDates = true
        configuration.maxAge = .days(30, .fail)
        let player = try studio.stubber(.once, configuration: configuration)
        #expect(player.decision(on: "https://h/a") == .replays("a"))
        #expect(try studio.recovered.interactions.map(\.text) == ["b"])
        #expect(try player.eject().ageProblem == nil)
    }

    @Test("A cassette's age is measured with the current clock, and one from the future is not old")
    func age() throws {
        let recorded = Date(timeIntervalSince1970: 1_700_000_000)
        try studio.put([.page("https://h/a", "old")])
        var configuration = Stubber.Configuration()
        configuration.maxAge = .days(30, .reRecord)
        for (days, isRecording) in [(29.0, false), (31, true), (-1, false), (-9000, false)] {
            let now = recorded.addingTimeInterval(days * 86_400)
            let stubber = try SetClock([now]).run { try studio.stubber(.once, configuration: configuration) }
            #expect(stubber.isRecording == isRecording, "after \(days) days")
        }
    }

    @Test("Dates are refreshed to the current time, also backward")
    func refreshed() throws {
        var page = Interaction.page("https://h/a", "a")
        page.changeResponse { $0.headers.append("Expires", "Tue, 14 Nov 2023 23:13:20 GMT") }
        try studio.put([page, page, page])
        var configuration = Stubber.Configuration()
        configuration.refreshesDates = true
        let dates = [1_700_000_000.0, 1_699_996_400, 1_800_000_000].map { Date(timeIntervalSince1970: $0) }
        let stubber = try SetClock(dates).run { try studio.stubber(.never, configuration: configuration) }
        let expiries = dates.map { _ -> TimeInterval? in
            guard case .play(let played, _) = stubber.answer(to: Interaction.Request(url: "https://h/a")) else {
                return nil
            }
            let expires = played.interaction.response?.headers["Expires"]
            return expires.flatMap(HTTPDate.date)?.timeIntervalSince1970
        }
        // The replay is an hour after the recording.
        #expect(expiries == dates.map { $0.timeIntervalSince1970 + 3600 })
    }

    @Test("The manifest of a run with a wrong clock is written and read")
    func manifest() throws {
        let clock = SetClock()
        let file = studio.folder["played"]
        try studio.put([.page("https://h/a", "a")])
        try clock.run {
            let stubber = try studio.stubber(.never, variables: ["REWIND_MANIFEST": file.path])
            #expect(stubber.decision(on: "https://h/a") == .replays("a"))
            try stubber.eject()
        }
        ManifestRun.of(file.path).end()
        let manifest = try Manifest(contentsOf: [file])
        #expect(manifest.start == Date(timeIntervalSince1970: 1_800_000_000))
        #expect(manifest.uses.count == 1)
    }

    // MARK: Waiting

    @Test("Waiting for a lock does not depend on the system clock")
    func lock() throws {
        let day = Locked(0.0)
        let clock = WallClock {
            Date(
                timeIntervalSince1970: day.withLock { day in
                    day = -2 * day + 86_400
                    return 1_800_000_000 + day
                }
            )
        }
        let url = studio.folder.url
        let held = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            let lock = try? DirectoryLock(url)
            held.signal()
            Thread.sleep(forTimeInterval: 0.05)
            lock?.release()
        }
        held.wait()
        try WallClock.$current.withValue(clock) { try DirectoryLock(url, patience: 300).release() }
        #expect(throws: SystemCallError.self) {
            let lock = try DirectoryLock(url)
            defer { lock.release() }
            try WallClock.$current.withValue(clock) { try DirectoryLock(url, patience: 0.02) }
        }
    }

    @Test(
        "Every wait ends, however long it is",
        arguments: [Double.infinity, .nan, 1e300, 0, -1, -.infinity]
    )
    func deadline(_ seconds: Double) {
        #expect(Deadline(after: seconds).isOver == (seconds <= 0))
    }
}
