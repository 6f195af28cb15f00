import Foundation
import Testing

@testable import Rewind

struct JournalBacklogTests {
    private static func interaction(_ size: Int = 100) -> Interaction {
        .page("https://h/a", String(repeating: "x", count: size))
    }

    private static let start = ContinuousClock.now

    /// A backlog that has measured how long a byte takes.
    private static func backlog(
        secondsPerMegabyte seconds: Double,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { start }
    ) -> JournalBacklog {
        var backlog = JournalBacklog(now: now)
        let megabyte = interaction(1_000_000)
        _ = backlog.add(megabyte, at: 0)
        for _ in 0..<200 {
            _ = backlog.begin()
            backlog.end(after: seconds)
            _ = backlog.add(megabyte, at: 0)
        }
        _ = backlog.begin()
        backlog.end(after: seconds)
        return backlog
    }

    @Test("The first interaction is written soon, together with the next ones") func turns() {
        var backlog = Self.backlog(secondsPerMegabyte: 0.002)
        #expect(backlog.add(Self.interaction(), at: 1) == .soon)
        for place in 2..<10 { #expect(backlog.add(Self.interaction(), at: place) == .none) }
        #expect(backlog.begin().map(\.place) == Array(1..<10))
        #expect(backlog.begin().isEmpty)
        #expect(backlog.add(Self.interaction(), at: 10) == .soon, "a new batch")
    }

    @Test("Much is written now, and the small ones before it do not wait for it") func much() {
        var backlog = Self.backlog(secondsPerMegabyte: 0.002)
        #expect(backlog.add(Self.interaction(), at: 1) == .soon)
        #expect(backlog.add(Self.interaction(4_000_000), at: 2) == .now)
        #expect(backlog.add(Self.interaction(), at: 3) == .none)
        #expect(backlog.begin().map(\.place) == [1])
        backlog.end(after: 0)
        #expect(backlog.begin().map(\.place) == [2])
        #expect(backlog.add(Self.interaction(4_000_000), at: 4) == .atOnce, "while another one is written")
        backlog.end(after: 0.008)
        #expect(backlog.begin().map(\.place) == [3])
        backlog.end(after: 0)
        #expect(backlog.begin().map(\.place) == [4])
    }

    @Test("Before anything is measured, a byte takes as long as in a debug build") func first() {
        var backlog = JournalBacklog { Self.start }
        #expect(backlog.add(Self.interaction(), at: 0) == .now, "the file has to be created")
        #expect(backlog.add(Self.interaction(), at: 1) == .none)
        #expect(backlog.add(Self.interaction(100_000), at: 2) == .atOnce)
    }

    @Test("If the queue is late, what waits is written before the next end is delivered") func late() {
        let time = Locked(Self.start)
        var backlog = Self.backlog(secondsPerMegabyte: 0.002) { time.withLock { $0 } }
        #expect(backlog.add(Self.interaction(), at: 1) == .soon)
        time.withLock { $0 += .milliseconds(18) }
        #expect(backlog.add(Self.interaction(), at: 2) == .none)
        time.withLock { $0 += .milliseconds(2) }
        #expect(backlog.add(Self.interaction(), at: 3) == .atOnce)
        #expect(backlog.begin().map(\.place) == [1, 2, 3])
        backlog.end(after: 0)
        #expect(backlog.add(Self.interaction(), at: 4) == .soon, "nothing waits any more")
    }

    @Test("What takes too long is written before its end is delivered") func behind() {
        #expect(Self.backlog(secondsPerMegabyte: 0.002).isBehind(adding: 5_000_000) == false)
        #expect(Self.backlog(secondsPerMegabyte: 0.002).isBehind(adding: 10_000_000))
        #expect(Self.backlog(secondsPerMegabyte: 0.2).isBehind(adding: 100_000))
        #expect(Self.backlog(secondsPerMegabyte: 0.2).isBehind(adding: 10_000) == false)
        var backlog = Self.backlog(secondsPerMegabyte: 0.002)
        _ = backlog.begin()
        backlog.end(after: 0)
        _ = backlog.add(Self.interaction(1_000_000), at: 1)
        _ = backlog.begin()
        backlog.end(after: 0.2)
        #expect(backlog.isBehind(adding: 100_000), "the machine became slower")
    }

    @Test("While earlier lines are searched, those who add wait") func blocked() {
        var backlog = Self.backlog(secondsPerMegabyte: 0.002)
        backlog.isBlocked = true
        #expect(backlog.add(Self.interaction(), at: 0) == .atOnce)
        backlog.isBlocked = false
        #expect(backlog.add(Self.interaction(), at: 1) == .soon)
    }

    @Test("What was removed is not written") func removed() {
        var backlog = Self.backlog(secondsPerMegabyte: 0.002)
        _ = backlog.add(Self.interaction(), at: 0)
        backlog.removeWaiting()
        #expect(backlog.begin().isEmpty)
        #expect(backlog.add(Self.interaction(), at: 1) == .soon)
    }
}
