import Foundation

/// A clock that your test advances, so that delays take no time.
///
/// ```swift
/// let clock = PlaybackClock()
/// configuration.clock = clock
/// …
/// async let user = client.user(42)          // its stub answers after 30 seconds
/// await clock.waitForSleepers()
/// await clock.advance(by: .seconds(30))
/// ```
///
/// If only the order of events matters, let time advance automatically: `PlaybackClock(advancesItself: true)`.
///
/// Advancing the clock first lets ready tasks run, so that they can start to sleep. The clock does not know of other
/// work, such as a request on a queue. Wait for it, or for its sleep with ``waitForSleepers(_:)``.
public final class PlaybackClock: Clock, Sendable {
    /// A point in time, relative to the creation of the clock.
    public struct Instant: InstantProtocol {
        /// The time since the creation of the clock.
        package let offset: Duration

        /// Creates an instant.
        /// - Parameter offset: The time since the creation of the clock; zero by default.
        package init(offset: Duration = .zero) { self.offset = offset }

        /// Returns the instant that is a duration later.
        /// - Parameter duration: The duration.
        /// - Returns: The later instant.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// Returns the duration from this instant to another.
        /// - Parameter other: The other instant.
        /// - Returns: The duration; negative if the other instant is earlier.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Returns whether an instant is earlier than another.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    /// Whether time advances to the next deadline as soon as a task sleeps.
    let advancesItself: Bool
    private let state = Locked(PlaybackClockState())

    /// Creates a clock.
    /// - Parameter advancesItself: Whether each sleep advances time to the earliest deadline at once; `false` by default.
    public init(advancesItself: Bool = false) { self.advancesItself = advancesItself }

    /// The current instant.
    public var now: Instant { state.withLock { $0.now } }
    /// The smallest step of the clock: zero, as it has no step.
    public var minimumResolution: Duration { .zero }

    /// Sleeps until the clock reaches an instant.
    /// - Parameters:
    ///   - deadline: The instant at which to wake up.
    ///   - tolerance: Ignored, as this clock is never late.
    /// - Throws: `CancellationError` if the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = state.withLock { $0.makeID() }
        let hasSlept = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // A later cancellation waits for the lock and then finds the sleeper.
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

    /// Advances the time by a duration, and wakes each sleeper at its deadline, the earliest first.
    /// - Parameter duration: The duration. A negative one has no effect.
    public func advance(by duration: Duration) async { await advance(to: now.advanced(by: duration)) }

    /// Advances the time to an instant, and wakes each sleeper at its deadline, the earliest first.
    /// - Parameter deadline: The instant. An earlier one has no effect.
    package func advance(to deadline: Instant) async {
        await move { $0.wakeNext(until: deadline) }
        state.withLock { $0.now = max($0.now, deadline) }
    }

    /// Advances the time from deadline to deadline until no task sleeps, or the calling task is cancelled.
    public func run() async { await move { Task.isCancelled ? nil : $0.wakeNext() } }

    /// Waits until enough tasks sleep on the clock at the same time, or the calling task is cancelled.
    /// - Parameter count: The number of sleeping tasks; 1 by default.
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

    /// Whether a task sleeps until an instant or an earlier one.
    package func hasSleeper(until deadline: Instant) -> Bool {
        state.withLock { $0.hasSleeper(until: deadline) }
    }

    private func drive() async { repeat { await run() } while !state.withLock { $0.endDriving() } }

    private func move(_ wakeNext: (inout PlaybackClockState) -> PlaybackClockState.Resumption?) async {
        await settle()
        while let woken = state.withLock(wakeNext) {
            woken.resume()
            await settle(untilFallenAsleep: woken.expectedCount)
        }
    }

    /// Lets ready work run until the given number of tasks sleep, or none seems about to.
    private func settle(untilFallenAsleep count: Int = .max) async {
        let start = ContinuousClock.now
        var rounds = 0
        while true {
            await Self.passThreadPoolRound()
            rounds += 1
            let (isWaking, isComplete) = state.withLock { ($0.wakingCount > 0, $0.fallenAsleepCount >= count) }
            let passed = ContinuousClock.now - start
            // A woken task may be delayed, so this wait is limited.
            if isWaking, passed < .seconds(1) { continue }
            if rounds >= 3, isComplete || passed >= .milliseconds(1) { return }
        }
    }

    /// Waits until all ready work has run up to its next suspension.
    ///
    /// A task at the end of the queue only shows that those before it started. While our tasks occupy every thread at the same
    /// time, no other task runs. Threads that are occupied for long, or missing, are not waited for.
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

/// The state of the clock. It resumes no task, which must not happen while it is locked.
private struct PlaybackClockState {
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
        /// How many tasks have started to sleep when all woken tasks sleep again.
        fileprivate(set) var expectedCount = Int.max

        func resume() {
            for action in actions { action() }
        }
    }

    mutating func makeID() -> Int {
        lastID += 1
        return lastID
    }

    /// Adds a sleeper, unless the deadline is past or the task is cancelled. The continuation receives whether it slept.
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

    /// Adds a task that waits for sleepers, unless there are enough or it is cancelled.
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

    func hasSleeper(until limit: PlaybackClock.Instant) -> Bool { sleepers.contains { $0.deadline <= limit } }

    /// Advances the time to the earliest deadline up to a limit and wakes its sleepers; `nil` if there is no such deadline.
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

    /// Makes the caller the one task that advances time; `false` if there is one already or no task sleeps.
    mutating func beginDriving() -> Bool {
        guard !isDriven, !sleepers.isEmpty else { return false }
        isDriven = true
        return true
    }

    /// Ends that role, unless a task sleeps again.
    mutating func endDriving() -> Bool {
        isDriven = !sleepers.isEmpty
        return !isDriven
    }
}
