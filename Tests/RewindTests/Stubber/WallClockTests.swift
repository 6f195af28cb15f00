import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

/// A clock that somebody sets forward and back.
final class SetClock: Sendable {
    private let dates: Locked<[Date]>

    /// Shows some dates one after the other, and then the last one for ever.
    init(_ dates: [Date]) {
        self.dates = Locked(dates)
    }

    /// A clock that was set an hour back, a day forward, to the first day that computers know, and far into the future.
    convenience init() {
        let start = 1_800_000_000.0
        self.init(
            [start, start - 3600, start + 86_400, 0, start + 3e9].map { Date(timeIntervalSince1970: $0) }
        )
    }

    /// Runs code by this clock.
    func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        try WallClock.$current.withValue(clock, operation: body)
    }

    /// Runs code by this clock.
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
        "A recording has its requests in their order, whatever their dates, and plays",
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
        #expect(dates != dates.sorted(), "they are told as they were")
        let player = try studio.stubber(.never)
        for url in urls { #expect(player.decision(on: url) == .replays(url)) }
        try player.eject()
    }

    @Test("Recordings of a real server take the time they took, and not that which the clock was set by")
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
        // The clock was set by no less than an hour.
        #expect(interactions.allSatisfy { 0...1_800_000 ~= $0.timing.wait + $0.timing.receive })
        try await withCassette("talk", in: studio.folder.url, mode: .never) { _ in
            for _ in 0..<5 { #expect(await Outcome(of: server["json"]).failure == nil) }
        }
    }

    @Test("What runs recorded before and after the clock was set is all recovered")
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
        "A cassette and a journal from the future, or from before there were clocks, are read as any",
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

    @Test("A cassette grows old by the clock that shows the present, and one from the future is young")
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

    @Test("Dates are refreshed to what the clock shows when they are played, back as well as forward")
    func refreshed() throws {
        var page = Interaction.page("https://h/a", "a")
        page.changeResponse { $0.headers.append("Expires", "Tue, 14 Nov 2023 23:13:20 GMT") }
        try studio.put([page, page, page])
        var configuration = Stubber.Configuration()
        configuration.refreshesDates = true
        let dates = [1_700_000_000.0, 1_699_996_400, 1_800_000_000].map { Date(timeIntervalSince1970: $0) }
        let stubber = try SetClock(dates).run { try studio.stubber(.never, configuration: configuration) }
        let expiries = dates.map { _ -> TimeInterval? in
            guard case .play(let track, _) = stubber.answer(to: Interaction.Request(url: "https://h/a")) else {
                return nil
            }
            let expires = track.interaction.response?.headers["Expires"]
            return expires.flatMap(HTTPDate.date)?.timeIntervalSince1970
        }
        // An hour after the recording, and so an hour after each answer.
        #expect(expiries == dates.map { $0.timeIntervalSince1970 + 3600 })
    }

    @Test("A run that begins while the clock is wrong is told as it was, and read")
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

    @Test("Who waits for a lock waits as long whatever the clock shows, and gets it when it is free")
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
        "A wait has an end, however long it is to be",
        arguments: [Double.infinity, .nan, 1e300, 0, -1, -.infinity]
    )
    func deadline(_ seconds: Double) {
        #expect(Deadline(after: seconds).isOver == (seconds <= 0))
    }
}
