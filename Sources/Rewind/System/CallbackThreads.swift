import Foundation

/// Threads for the code of tests, which may wait as long as it likes.
///
/// Dispatch limits the number of its threads. If all of them ran closures that wait for requests, none would be left to
/// answer these requests. Here, each closure that finds no idle thread gets a new one.
final class CallbackThreads: Sendable {
    static let shared = CallbackThreads()

    private struct State: Sendable {
        var work: [@Sendable () -> Void] = []
        /// The number of threads that wait for work, including those that are just waking up.
        var idleCount = 0
    }

    private static let threadName = "rewind.callback"
    private static let idleLimit = 8
    private let state = Locked(State())
    private let wakeUp = DispatchSemaphore(value: 0)

    /// Runs work on another thread. Threads take up work in order, but do not wait for each other.
    func perform(_ work: @escaping @Sendable () -> Void) {
        let hasThread = state.withLock { state in
            state.work.append(work)
            return state.work.count <= state.idleCount
        }
        if hasThread {
            wakeUp.signal()
        } else {
            let thread = Thread { [self] in runThread() }
            thread.name = Self.threadName
            thread.start()
        }
    }

    /// Whether the current thread is one of these.
    static var isCurrent: Bool { Thread.current.name == threadName }

    private enum Turn: Sendable {
        case work(@Sendable () -> Void)
        case wait
        case end
    }

    private func runThread() {
        while true {
            let turn = state.withLock { state -> Turn in
                if !state.work.isEmpty { return .work(state.work.removeFirst()) }
                guard state.idleCount < Self.idleLimit else { return .end }
                state.idleCount += 1
                return .wait
            }
            switch turn {
            case .work(let work): Self.drained(work)
            case .wait:
                wakeUp.wait()
                state.withLock { $0.idleCount -= 1 }
            case .end: return
            }
        }
    }

    private static func drained(_ work: () -> Void) {
        #if canImport(ObjectiveC)
            autoreleasepool(invoking: work)
        #else
            work()
        #endif
    }
}
