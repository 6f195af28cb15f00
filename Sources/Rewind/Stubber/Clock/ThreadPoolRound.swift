import Foundation

/// One round of the threads on which tasks run, after which all work that was ready has run until it had to wait.
///
/// A task behind all others in the queue shows only that they were begun. When a task of ours has every thread at the
/// same time, nobody is still at work on one.
enum ThreadPoolRound {
    /// How long threads are waited for that somebody keeps, or that are not there.
    private static let limit = Duration.milliseconds(2)

    /// Waits for a round to pass, for the tasks of the caller's priority.
    static func pass() async {
        let count = ProcessInfo.processInfo.activeProcessorCount
        let taken = Locked(0)
        let end = ContinuousClock.now + limit
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
