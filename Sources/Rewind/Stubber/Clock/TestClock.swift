import Foundation

/// A clock whose time a test moves by hand, so that a pause of half a minute takes no time.
///
/// ```swift
/// let clock = TestClock()
/// configuration.clock = clock
/// …
/// async let user = client.user(42)          // its stub answers after 30 seconds
/// await clock.waitForSleepers()
/// await clock.advance(by: .seconds(30))
/// ```
///
/// Where only the order of things matters and not the time between them, let it move on by itself:
/// `TestClock(advancesItself: true)`.
///
/// On its way it lets all tasks that are ready run on, which may fall asleep in good time. Work outside of tasks, such as
/// a request on a queue, it cannot know of: wait for it, or for whom it lets sleep: ``waitForSleepers(_:)``.
public final class TestClock: Clock, Sendable {
    /// A moment, by its distance from the clock's beginning.
    public struct Instant: InstantProtocol {
        /// The time since the clock's beginning.
        public let offset: Duration

        /// Creates a moment.
        /// - Parameter offset: The time since the clock's beginning; none by default.
        public init(offset: Duration = .zero) {
            self.offset = offset
        }

        /// The moment that is some time later.
        public func advanced(by duration: Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        /// The time from this moment to another.
        public func duration(to other: Instant) -> Duration {
            other.offset - offset
        }

        /// Whether a moment is before another.
        public static func < (left: Instant, right: Instant) -> Bool {
            left.offset < right.offset
        }
    }

    /// Whether time jumps to the next deadline as soon as somebody sleeps.
    public let advancesItself: Bool
    private let state = Locked(TestClockState())

    /// Creates a clock that stands at its beginning.
    /// - Parameter advancesItself: Whether each sleep ends at once and takes time on with it, the one with the earliest
    ///   deadline first; `false` by default.
    public init(advancesItself: Bool = false) {
        self.advancesItself = advancesItself
    }

    /// The moment at which the clock stands.
    public var now: Instant { state.withLock { $0.now } }

    /// The shortest time the clock can tell: there is none.
    public var minimumResolution: Duration { .zero }

    /// Sleeps until the clock stands at a moment or beyond it.
    /// - Parameters:
    ///   - deadline: The moment.
    ///   - tolerance: Of no meaning here, as this clock is never late.
    /// - Throws: `CancellationError` when the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = state.withLock { $0.makeID() }
        let hasSlept = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // Whoever cancels after this look at it waits for the lock, and finds the sleeper.
                let (ended, drives) = state.withLock { state in
                    let ended = state.sleep(id, until: deadline, continuation, isCancelled: Task.isCancelled)
                    return (ended, advancesItself && state.beginDriving())
                }
                ended.resume()
                if drives { Task.detached(priority: Task.currentPriority) { await self.drive() } }
            }
        } onCancel: {
            state.withLock { $0.cancel(id) }.resume()
        }
        if hasSlept { state.withLock { $0.wakingCount -= 1 } }
    }

    /// Moves time on, and on its way wakes each sleeper at its deadline, the earliest first.
    /// - Parameter duration: How far; time never goes back.
    public func advance(by duration: Duration) async {
        await advance(to: now.advanced(by: duration))
    }

    /// Moves time on to a moment, and on its way wakes each sleeper at its deadline, the earliest first.
    /// - Parameter deadline: The moment; time never goes back.
    public func advance(to deadline: Instant) async {
        await move { $0.wakeNext(until: deadline) }
        state.withLock { $0.now = max($0.now, deadline) }
    }

    /// Moves time on from deadline to deadline, in order, until nobody sleeps.
    ///
    /// Work that sleeps again and again keeps it running for as long; it stops when its task is cancelled.
    public func run() async {
        await move { Task.isCancelled ? nil : $0.wakeNext() }
    }

    /// Waits until so many sleep on the clock at once, or the task is cancelled.
    /// - Parameter count: The number of sleepers; 1 by default.
    public func waitForSleepers(_ count: Int = 1) async {
        let id = state.withLock { $0.makeID() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.wait(id, for: count, continuation, isCancelled: Task.isCancelled) }.resume()
            }
        } onCancel: {
            state.withLock { $0.cancel(id) }.resume()
        }
    }

    private func drive() async {
        repeat { await run() } while !state.withLock { $0.endDriving() }
    }

    private func move(_ wakeNext: (inout TestClockState) -> TestClockState.Resumption?) async {
        await settle()
        while let woken = state.withLock(wakeNext) {
            woken.resume()
            await settle(untilFallenAsleep: woken.expectedCount)
        }
    }

    /// Lets work that is ready run on, until so many fell asleep or nobody seems about to.
    private func settle(untilFallenAsleep count: Int = .max) async {
        let start = ContinuousClock.now
        var rounds = 0
        while true {
            await ThreadPoolRound.pass()
            rounds += 1
            let (isWaking, isComplete) = state.withLock { ($0.wakingCount > 0, $0.fallenAsleepCount >= count) }
            let passed = ContinuousClock.now - start
            // Somebody who was woken may be held up, but we are not for ever.
            if isWaking, passed < .seconds(1) { continue }
            if rounds >= 3, isComplete || passed >= .milliseconds(1) { return }
        }
    }
}
