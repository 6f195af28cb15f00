import Foundation
import Rewind
import RewindTestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SelfAdvancingClockTests {
    @Test("PlaybackClock works as a generic clock")
    func anyClock() async throws {
        let clock: any Clock<Duration> = PlaybackClock(advancesItself: true)
        try await clock.sleep(for: .seconds(3600))
        let measured = try await PlaybackClock(advancesItself: true).measured {
            try await $0.sleep(for: .seconds(5))
        }
        #expect(measured == .seconds(5))
    }

    @Test(
        "A self-advancing clock wakes all sleepers in order",
        arguments: 0..<5 as Range<UInt64>
    )
    func byItself(_ seed: UInt64) async throws {
        var generator = SplitMix64(seed: seed)
        let pauses = (1...40).shuffled(using: &generator)
        let clock = PlaybackClock(advancesItself: true)
        let diary = Diary()
        await withThrowingTaskGroup(of: Void.self) { group in
            for pause in pauses {
                group.addTask {
                    try await clock.sleep(for: .seconds(pause))
                    diary.note("\(clock.now.offset.components.seconds)")
                }
            }
        }
        #expect(diary.text == (1...40).map { "\($0)" })
    }

    @Test(
        "A self-advancing clock orders a timeout and work by their durations",
        arguments: [(5, "late"), (2, "done")]
    )
    func timeout(_ work: Int, _ outcome: String) async throws {
        let clock = PlaybackClock(advancesItself: true)
        let first = try await withThrowingTaskGroup(of: String.self) { group in
            group.addTask {
                for _ in 0..<work { try await clock.sleep(for: .seconds(1)) }
                return "done"
            }
            group.addTask {
                try await clock.sleep(for: .milliseconds(3500))
                return "late"
            }
            defer { group.cancelAll() }
            return try await group.next()
        }
        #expect(first == outcome)
        #expect(clock.now.offset <= .milliseconds(3500))
    }

    @Test("Concurrent sleeps and cancellations lose no sleeper", arguments: 0..<4 as Range<UInt64>)
    func stress(_ seed: UInt64) async {
        var generator = SplitMix64(seed: seed)
        let clock = PlaybackClock(advancesItself: seed % 2 == 0)
        let tasks = (0..<200).map { _ in
            let pauses = (0..<3).map { _ in Int.random(in: 0...9, using: &generator) }
            return Task {
                for pause in pauses { try await clock.sleep(for: .seconds(pause)) }
            }
        }
        let moving = Task {
            while !Task.isCancelled { await clock.advance(by: .seconds(1)) }
        }
        for task in tasks where Bool.random(using: &generator) {
            task.cancel()
            await Task.yield()
        }
        for task in tasks { _ = await task.result }
        moving.cancel()
        await moving.value
        #expect(clock.now.offset <= .seconds(100_000))
    }
}

extension PlaybackClock {
    /// The time that work takes on this clock.
    fileprivate func measured(_ work: (PlaybackClock) async throws -> Void) async rethrows -> Duration {
        let start = now
        try await work(self)
        return start.duration(to: now)
    }
}
