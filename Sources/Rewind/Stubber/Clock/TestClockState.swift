/// What a test clock knows: the time, who sleeps, and who waits for sleepers.
///
/// It resumes nobody itself, for that may not happen while a lock is held.
struct TestClockState {
    /// The moment at which the clock stands.
    var now = TestClock.Instant()
    /// How many fell asleep so far.
    private(set) var fallenAsleepCount = 0
    /// How many were woken and did not run on yet.
    var wakingCount = 0
    private var sleepers: [Sleeper] = []
    private var watchers: [Watcher] = []
    private var lastID = 0
    private var isDriven = false

    private struct Sleeper {
        let id: Int
        let deadline: TestClock.Instant
        let continuation: CheckedContinuation<Bool, any Error>
    }

    private struct Watcher {
        let id: Int
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    /// Those who are to be resumed when the lock is free.
    struct Resumption {
        fileprivate var woken: [CheckedContinuation<Bool, any Error>] = []
        fileprivate var cancelled: [CheckedContinuation<Bool, any Error>] = []
        fileprivate var awake: [CheckedContinuation<Bool, any Error>] = []
        fileprivate var told: [CheckedContinuation<Void, Never>] = []
        /// How many will have fallen asleep when all who are woken sleep again.
        fileprivate(set) var expectedCount = Int.max

        /// Resumes them, in order; a sleeper is told whether it slept at all.
        func resume() {
            for continuation in woken { continuation.resume(returning: true) }
            for continuation in awake { continuation.resume(returning: false) }
            for continuation in cancelled { continuation.resume(throwing: CancellationError()) }
            for continuation in told { continuation.resume() }
        }
    }

    /// A name for a sleeper or a watcher.
    mutating func makeID() -> Int {
        lastID += 1
        return lastID
    }

    /// Lets somebody sleep, unless the deadline is past or the task is cancelled.
    mutating func sleep(
        _ id: Int,
        until deadline: TestClock.Instant,
        _ continuation: CheckedContinuation<Bool, any Error>,
        isCancelled: Bool
    ) -> Resumption {
        if isCancelled { return Resumption(cancelled: [continuation]) }
        guard deadline > now else { return Resumption(awake: [continuation]) }
        fallenAsleepCount += 1
        sleepers.append(Sleeper(id: id, deadline: deadline, continuation: continuation))
        let satisfied = watchers.filter { $0.count <= sleepers.count }
        watchers.removeAll { $0.count <= sleepers.count }
        return Resumption(told: satisfied.map(\.continuation))
    }

    /// Lets somebody wait for sleepers, unless there are enough or the task is cancelled.
    mutating func wait(
        _ id: Int,
        for count: Int,
        _ continuation: CheckedContinuation<Void, Never>,
        isCancelled: Bool
    ) -> Resumption {
        guard !isCancelled, sleepers.count < count else { return Resumption(told: [continuation]) }
        watchers.append(Watcher(id: id, count: count, continuation: continuation))
        return Resumption()
    }

    /// Ends the sleep or the wait of a task that was cancelled.
    mutating func cancel(_ id: Int) -> Resumption {
        let resumption = Resumption(
            cancelled: sleepers.filter { $0.id == id }.map(\.continuation),
            told: watchers.filter { $0.id == id }.map(\.continuation)
        )
        sleepers.removeAll { $0.id == id }
        watchers.removeAll { $0.id == id }
        return resumption
    }

    /// Moves time to the earliest deadline, if it is not after a limit, and wakes whoever it is of.
    /// - Returns: Those to be resumed, or `nil` where there is no such deadline.
    mutating func wakeNext(until limit: TestClock.Instant? = nil) -> Resumption? {
        guard let deadline = sleepers.map(\.deadline).min(), limit.map({ deadline <= $0 }) ?? true else {
            return nil
        }
        now = max(now, deadline)
        let woken = sleepers.filter { $0.deadline <= now }
        sleepers.removeAll { $0.deadline <= now }
        wakingCount += woken.count
        return Resumption(woken: woken.map(\.continuation), expectedCount: fallenAsleepCount + woken.count)
    }

    /// Asks for the part of the one who moves time on, which is free where nobody has it and somebody sleeps.
    mutating func beginDriving() -> Bool {
        guard !isDriven, !sleepers.isEmpty else { return false }
        isDriven = true
        return true
    }

    /// Gives that part up, unless somebody sleeps again.
    mutating func endDriving() -> Bool {
        isDriven = !sleepers.isEmpty
        return !isDriven
    }
}
