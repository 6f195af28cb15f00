import Foundation
import Rewind

/// Brings the misses of one test from the threads that load to the main thread, where XCTest records failures.
final class MissReports: @unchecked Sendable {
    // Sound as @unchecked Sendable: the state is behind a lock, and the test is used on the main thread only.
    private weak var test: CassetteTestCase?
    private let state = Locked(State())

    private struct State {
        /// What is not reported yet.
        var due: [Miss] = []
        /// The stories that were told in full, each with what stands in their place from then on.
        var told: [(story: String, reminder: String)] = []
        var isOver = false
    }

    init(test: CassetteTestCase) {
        self.test = test
    }

    /// Takes a miss on any thread.
    func add(_ miss: Miss) {
        let isLate = state.withLock { state in
            if !state.isOver { state.due.append(miss) }
            return state.isOver
        }
        // A test that has ended takes no failures: XCTest would end the process.
        if isLate { return Note.print("after the end of its test, \(miss.description)") }
        DispatchQueue.main.async { self.deliver() }
    }

    /// Reports what is not reported yet, and prints from now on what comes too late; on the main thread.
    func end() {
        state.withLock { $0.isOver = true }
        deliver()
    }

    /// Reports what is not reported yet; on the main thread.
    func deliver() {
        let due = state.withLock { state in
            defer { state.due = [] }
            return state.due
        }
        for miss in due { test?.requestMatchingFailed(miss) }
    }

    /// Notes that the whole story of a miss was told.
    func note(_ miss: Miss) {
        state.withLock { $0.told.append((miss.description, miss.reminder)) }
    }

    /// The text of a failure, without the stories that were told before; on the main thread.
    ///
    /// A test that throws the error of a request would tell all of it twice.
    func shortened(_ text: String) -> String {
        deliver()
        return state.withLock { state in
            state.told.reduce(text) { $0.replacingOccurrences(of: $1.story, with: $1.reminder) }
        }
    }
}
