import Foundation
import Rewind

/// Passes the misses of one test from the threads that load to the main thread, where XCTest records failures.
final class MissReports: @unchecked Sendable {
    // Sound as @unchecked Sendable: the reference is set once, the test is used on the main thread only, and a lock
    // protects the state.
    private weak var test: CassetteTestCase?
    private let state = Locked(State())

    private struct State {
        var due: [Miss] = []
        var descriptions: [Description] = []
        var isOver = false
    }

    private struct Description {
        let text: String
        /// The text that replaces the description after one failure has contained it.
        let reminder: String
        var wasReported = false
    }

    init(test: CassetteTestCase) { self.test = test }

    func add(_ miss: Miss) {
        let isLate = state.withLock { state in
            guard !state.isOver else { return true }
            state.due.append(miss)
            let description = Description(text: miss.description, reminder: miss.reminder)
            if !state.descriptions.contains(where: { $0.text == description.text }) {
                state.descriptions.append(description)
            }
            return false
        }
        // XCTest crashes if a failure is recorded after the end of its test.
        if isLate { return Note.print("request after the end of its test: \(miss.description)") }
        DispatchQueue.main.async { self.deliver() }
    }

    /// Reports the remaining misses; later ones are printed. Called on the main thread.
    func end() {
        state.withLock { $0.isOver = true }
        deliver()
    }

    /// Reports the remaining misses. Called on the main thread.
    func deliver() {
        let due = state.withLock { state in
            defer { state.due = [] }
            return state.due
        }
        for miss in due { test?.requestMatchingFailed(miss) }
    }

    /// Whether a text may contain the description of a miss.
    static func mayDescribeMiss(_ text: String) -> Bool { text.contains("\n  request: ") }

    /// Replaces, in the text of a failure, the descriptions of misses that earlier failures contain.
    ///
    /// Without this, a test that throws the error of a request would print the description twice. On the main thread, the
    /// remaining misses are reported first. Another thread does not wait for that, as the main thread may be waiting for it.
    func shortened(_ text: String) -> String {
        if Thread.isMainThread { deliver() }
        return state.withLock { state in
            state.descriptions.indices.reduce(text) { text, index in
                let description = state.descriptions[index]
                guard text.contains(description.text) else { return text }
                state.descriptions[index].wasReported = true
                guard description.wasReported else { return text }
                return text.replacingOccurrences(of: description.text, with: description.reminder)
            }
        }
    }
}
