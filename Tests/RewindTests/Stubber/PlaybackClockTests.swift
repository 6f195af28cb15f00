import Foundation
import Rewind
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PlaybackClockTests {
    private let clock = PlaybackClock()
    private let diary = Diary()

    /// Starts a task that sleeps several times and notes at which second it wakes.
    private func sleeper(_ name: String, _ pauses: Int...) -> Task<Void, any Error> {
        Task { [clock, diary] in
            for pause in pauses {
                try await clock.sleep(for: .seconds(pause))
                diary.note("\(name)\(clock.now.offset.components.seconds)")
            }
        }
    }

    /// Cancels all tasks, including those that would sleep forever.
    private func end(_ tasks: [Task<Void, any Error>]) async {
        for task in tasks {
            task.cancel()
            _ = await task.result
        }
    }

    @Test("The clock stands still until it is advanced")
    func still() async {
        #expect(clock.now == PlaybackClock.Instant())
        await clock.advance(by: .seconds(2))
        await clock.advance(by: .milliseconds(500))
        #expect(clock.now.offset == .milliseconds(2500))
        await clock.advance(to: .init(offset: .seconds(7)))
        #expect(clock.now.offset == .seconds(7))
        #expect(clock.minimumResolution == .zero)
    }

    @Test("The clock never goes back")
    func neverBack() async {
        await clock.advance(by: .seconds(5))
        await clock.advance(by: .seconds(-2))
        await clock.advance(to: .init(offset: .seconds(1)))
        #expect(clock.now.offset == .seconds(5))
    }

    @Test("A sleep until now or earlier ends at once")
    func noSleep() async throws {
        await clock.advance(by: .seconds(5))
        for offset in [5, 4, 0, -1] { try await clock.sleep(until: .init(offset: .seconds(offset))) }
        try await clock.sleep(for: .zero)
        #expect(clock.now.offset == .seconds(5))
    }

    @Test("A sleeper wakes at its deadline and not before")
    func deadline() async throws {
        let task = sleeper("a", 10)
        await clock.waitForSleepers()
        await clock.advance(by: .milliseconds(9999))
        #expect(diary.text == [])
        await clock.advance(by: .milliseconds(1))
        try await task.value
        #expect(diary.text == ["a10"])
    }

    @Test("Advancing far wakes each sleeper at its own deadline in order")
    func order() async throws {
        let tasks = [sleeper("a", 30), sleeper("b", 10), sleeper("c", 20), sleeper("d", 99)]
        await clock.waitForSleepers(4)
        await clock.advance(by: .seconds(60))
        #expect(diary.text == ["b10", "c20", "a30"])
        #expect(clock.now.offset == .seconds(60))
        await clock.run()
        #expect(diary.text.last == "d99")
        await end(tasks)
    }

    @Test("A task that sleeps again during an advance wakes again")
    func again() async throws {
        let tasks = [sleeper("a", 2, 2, 2, 2), sleeper("b", 3, 3)]
        await clock.waitForSleepers(2)
        await clock.advance(by: .seconds(7))
        #expect(diary.text == ["a2", "b3", "a4", "a6", "b6"] || diary.text == ["a2", "b3", "a4", "b6", "a6"])
        await clock.advance(by: .seconds(1))
        #expect(diary.text.last == "a8")
        await end(tasks)
    }

    @Test("`run` advances from deadline to deadline until no task sleeps")
    func run() async throws {
        let tasks = [sleeper("a", 1, 10, 100), sleeper("b", 5, 50)]
        await clock.waitForSleepers(2)
        await clock.run()
        #expect(diary.text == ["a1", "b5", "a11", "b55", "a111"])
        #expect(clock.now.offset == .seconds(111))
        await clock.run()
        #expect(clock.now.offset == .seconds(111))
        await end(tasks)
    }

    @Test("An endless `run` can be cancelled")
    func endless() async throws {
        let work = Task { [clock] in
            while true { try await clock.sleep(for: .seconds(1)) }
        }
        await clock.waitForSleepers()
        let run = Task { [clock] in await clock.run() }
        while clock.now.offset < .seconds(3) { await Task.yield() }
        run.cancel()
        await run.value
        work.cancel()
        await #expect(throws: CancellationError.self) { try await work.value }
    }

    @Test("A cancelled sleeper throws, and the others sleep on")
    func cancellation() async throws {
        let cancelled = sleeper("a", 10)
        let other = sleeper("b", 10)
        await clock.waitForSleepers(2)
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(clock.now.offset == .zero)
        await clock.advance(by: .seconds(10))
        try await other.value
        #expect(diary.text == ["b10"])
    }

    @Test("A cancelled task does not sleep")
    func cancelledBefore() async {
        let task = Task { [clock] in
            while !Task.isCancelled { await Task.yield() }
            for pause in [0, 10] {
                await #expect(throws: CancellationError.self) { try await clock.sleep(for: .seconds(pause)) }
            }
        }
        task.cancel()
        await task.value
    }

    @Test("`waitForSleepers` waits for the requested number", arguments: [1, 2, 5])
    func sleepers(_ count: Int) async throws {
        let watcher = Task { [clock, diary] in
            await clock.waitForSleepers(count)
            diary.note("enough")
        }
        var tasks: [Task<Void, any Error>] = []
        for number in 1..<count {
            tasks.append(sleeper("a", 10))
            await clock.waitForSleepers(number)
        }
        for _ in 0..<50 { await Task.yield() }
        #expect(diary.text == [])
        tasks.append(sleeper("a", 10))
        await watcher.value
        #expect(diary.text == ["enough"])
        await clock.waitForSleepers(0)
        await clock.run()
        await end(tasks)
    }

    @Test("`waitForSleepers` can be cancelled")
    func cancelledWatcher() async {
        let watchers = ["one", "other"].map { name in
            Task { [clock, diary] in
                await clock.waitForSleepers()
                diary.note(name)
            }
        }
        for _ in 0..<50 { await Task.yield() }
        #expect(diary.text == [])
        watchers[0].cancel()
        await watchers[0].value
        for _ in 0..<50 { await Task.yield() }
        #expect(diary.text == ["one"])
        let task = sleeper("a", 10)
        await watchers[1].value
        #expect(diary.text == ["one", "other"])
        await clock.run()
        await end([task])
    }
}

/// What happened, in order.
final class Diary: Sendable {
    private let lines = Locked([String]())

    var text: [String] { lines.withLock { $0 } }

    func note(_ line: String) {
        lines.withLock { $0.append(line) }
    }
}
