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
/// Where only the order matters, let time move by itself: `PlaybackClock(advancesItself: true)`.
///
/// Moving time lets all ready tasks run, so that they can fall asleep. The clock does not know of work outside of
/// tasks, such as a request on a queue: wait for it, or for the sleeper it causes: ``waitForSleepers(_:)``.
public final class PlaybackClock: Clock, Sendable {
    /// A moment, by its distance from the clock's beginning.
    public struct Instant: InstantProtocol {
        /// The time since the clock's beginning.
        package let offset: Duration

        /// Creates a moment.
        /// - Parameter offset: The time since the clock's beginning; none by default.
        package init(offset: Duration = .zero) { self.offset = offset }

        /// The moment that is some time later.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// The time from this moment to another.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Whether a moment is before another.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    /// Whether time jumps to the next deadline as soon as a task sleeps.
    let advancesItself: Bool
    private let state = Locked(TestClockState())

    /// Creates a clock at its beginning.
    /// - Parameter advancesItself: Whether each sleep moves time to the earliest deadline at once; `false` by default.
    public init(advancesItself: Bool = false) { self.advancesItself = advancesItself }

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
                // A later cancellation waits for the lock, and finds the sleeper.
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
    public func advance(by duration: Duration) async { await advance(to: now.advanced(by: duration)) }

    /// Moves time on to a moment, and on its way wakes each sleeper at its deadline, the earliest first.
    /// - Parameter deadline: The moment; time never goes back.
    package func advance(to deadline: Instant) async {
        await move { $0.wakeNext(until: deadline) }
        state.withLock { $0.now = max($0.now, deadline) }
    }

    /// Moves time from deadline to deadline until no task sleeps, or the caller's task is cancelled.
    public func run() async { await move { Task.isCancelled ? nil : $0.wakeNext() } }

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

    private func drive() async { repeat { await run() } while !state.withLock { $0.endDriving() } }

    private func move(_ wakeNext: (inout TestClockState) -> TestClockState.Resumption?) async {
        await settle()
        while let woken = state.withLock(wakeNext) {
            woken.resume()
            await settle(untilFallenAsleep: woken.expectedCount)
        }
    }

    /// Lets ready work run until the given number of tasks fell asleep or none seems about to.
    private func settle(untilFallenAsleep count: Int = .max) async {
        let start = ContinuousClock.now
        var rounds = 0
        while true {
            await Self.passThreadPoolRound()
            rounds += 1
            let (isWaking, isComplete) = state.withLock { ($0.wakingCount > 0, $0.fallenAsleepCount >= count) }
            let passed = ContinuousClock.now - start
            // A task that was woken may be delayed, so this wait is limited.
            if isWaking, passed < .seconds(1) { continue }
            if rounds >= 3, isComplete || passed >= .milliseconds(1) { return }
        }
    }

    /// Waits until all work that was ready has run up to its next suspension.
    ///
    /// A task behind all others in the queue only shows that they started. When our tasks occupy every thread at the
    /// same time, no other task is still running. Threads that are occupied for long, or missing, are not waited for.
    private static func passThreadPoolRound() async {
        let count = ProcessInfo.processInfo.activeProcessorCount
        let taken = Locked(0)
        let end = ContinuousClock.now + .milliseconds(2)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    taken.withLock { $0 += 1 }
                    while taken.withLock({ $0 < count }), ContinuousClock.now < end { sched_yield() }
                }
            }
        }
    }
}

/// The time, the sleepers and the tasks that wait for them; resumes no task, as that must not happen under a lock.
private struct TestClockState {
    var now = PlaybackClock.Instant()
    private(set) var fallenAsleepCount = 0
    var wakingCount = 0
    private var sleepers: [Sleeper] = []
    private var watchers: [Watcher] = []
    private var lastID = 0
    private var isDriven = false

    private struct Sleeper {
        let id: Int
        let deadline: PlaybackClock.Instant
        let continuation: CheckedContinuation<Bool, any Error>
    }

    private struct Watcher {
        let id: Int
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    struct Resumption {
        fileprivate var actions: [() -> Void] = []
        /// How many tasks will have fallen asleep when all that are woken sleep again.
        fileprivate(set) var expectedCount = Int.max

        func resume() {
            for action in actions { action() }
        }
    }

    mutating func makeID() -> Int {
        lastID += 1
        return lastID
    }

    /// Adds a sleeper, unless the deadline is past or the task is cancelled; the continuation gets whether it slept.
    mutating func sleep(
        _ id: Int,
        until deadline: PlaybackClock.Instant,
        _ continuation: CheckedContinuation<Bool, any Error>,
        isCancelled: Bool
    ) -> Resumption {
        if isCancelled { return Resumption(actions: [{ continuation.resume(throwing: CancellationError()) }]) }
        guard deadline > now else { return Resumption(actions: [{ continuation.resume(returning: false) }]) }
        fallenAsleepCount += 1
        sleepers.append(Sleeper(id: id, deadline: deadline, continuation: continuation))
        let count = sleepers.count
        return endWatch { $0.count <= count }
    }

    /// Adds a task that waits for sleepers, unless there are enough or the task is cancelled.
    mutating func wait(
        _ id: Int,
        for count: Int,
        _ continuation: CheckedContinuation<Void, Never>,
        isCancelled: Bool
    ) -> Resumption {
        guard !isCancelled, sleepers.count < count
        else { return Resumption(actions: [{ continuation.resume() }]) }
        watchers.append(Watcher(id: id, count: count, continuation: continuation))
        return Resumption()
    }

    mutating func cancel(_ id: Int) -> Resumption {
        let cancelled = sleepers.filter { $0.id == id }
        sleepers.removeAll { $0.id == id }
        var resumption = endWatch { $0.id == id }
        resumption.actions += cancelled.map { sleeper in
            { sleeper.continuation.resume(throwing: CancellationError()) }
        }
        return resumption
    }

    private mutating func endWatch(where isOver: (Watcher) -> Bool) -> Resumption {
        let ended = watchers.filter(isOver)
        watchers.removeAll(where: isOver)
        return Resumption(actions: ended.map { watcher in { watcher.continuation.resume() } })
    }

    /// Moves time to the earliest deadline up to a limit and wakes its sleepers; `nil` where there is no such deadline.
    mutating func wakeNext(until limit: PlaybackClock.Instant? = nil) -> Resumption? {
        guard let deadline = sleepers.map(\.deadline).min(), limit.map({ deadline <= $0 }) ?? true
        else { return nil }
        now = max(now, deadline)
        let woken = sleepers.filter { $0.deadline <= now }
        sleepers.removeAll { $0.deadline <= now }
        wakingCount += woken.count
        return Resumption(
            actions: woken.map { sleeper in { sleeper.continuation.resume(returning: true) } },
            expectedCount: fallenAsleepCount + woken.count
        )
    }

    /// Claims the role of the task that moves time, which is free where no task has it and one sleeps.
    mutating func beginDriving() -> Bool {
        guard !isDriven, !sleepers.isEmpty else { return false }
        isDriven = true
        return true
    }

    /// Gives the role up, unless a task sleeps again.
    mutating func endDriving() -> Bool {
        isDriven = !sleepers.isEmpty
        return !isDriven
    }
}
