import Foundation
import Rewind

/// Brings the misses of one test from the threads that load to the main thread, where XCTest records failures.
final class MissReports: @unchecked Sendable {
    // Sound as @unchecked Sendable: the reference is set once, the test is used on the main thread only, and the state is
    // behind a lock.
    private weak var test: CassetteTestCase?
    private let state = Locked(State())

    private struct State {
        /// What is not reported yet.
        var due: [Miss] = []
        /// The stories of all misses.
        var stories: [Story] = []
        var isOver = false
    }

    private struct Story {
        let text: String
        /// What is said in its place once a failure had all of it.
        let reminder: String
        var isTold = false
    }

    init(test: CassetteTestCase) {
        self.test = test
    }

    /// Takes a miss on any thread.
    func add(_ miss: Miss) {
        let story = Story(text: miss.description, reminder: miss.reminder)
        let isLate = state.withLock { state in
            if !state.isOver {
                state.due.append(miss)
                if !state.stories.contains(where: { $0.text == story.text }) { state.stories.append(story) }
            }
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

    /// Whether a text may have the story of a miss in it.
    static func mayTell(_ text: String) -> Bool { text.contains("Rewind ") }

    /// The text of a failure, without the stories that earlier failures have; on any thread.
    ///
    /// A test that throws the error of a request would tell all of it twice. On the main thread what is due is reported
    /// first. Another thread does not wait for that, for the main thread may be waiting for it.
    func shortened(_ text: String) -> String {
        if Thread.isMainThread { deliver() }
        return state.withLock { state in
            state.stories.indices.reduce(text) { text, index in
                let story = state.stories[index]
                guard text.contains(story.text) else { return text }
                state.stories[index].isTold = true
                return story.isTold ? text.replacingOccurrences(of: story.text, with: story.reminder) : text
            }
        }
    }
}
