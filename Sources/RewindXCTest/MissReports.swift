import Foundation
import Rewind

/// Brings the misses of one test from the threads that load to the main thread, where XCTest records failures.
final class MissReports: @unchecked Sendable {
    // Sound as @unchecked Sendable: the list is behind a lock, and the test is used on the main thread only.
    private weak var test: CassetteTestCase?
    private let misses = Locked<[Miss]>([])
    /// The stories that were told in full, each with what stands in their place from then on.
    private let told = Locked<[(story: String, reminder: String)]>([])

    init(test: CassetteTestCase) {
        self.test = test
    }

    /// Takes a miss on any thread.
    func add(_ miss: Miss) {
        misses.withLock { $0.append(miss) }
        DispatchQueue.main.async { self.deliver() }
    }

    /// Reports what is not reported yet; on the main thread.
    func deliver() {
        let due = misses.withLock { misses in
            defer { misses = [] }
            return misses
        }
        for miss in due { test?.requestMatchingFailed(miss) }
    }

    /// Notes that the whole story of a miss was told.
    func note(_ miss: Miss) {
        told.withLock { $0.append((miss.description, miss.reminder)) }
    }

    /// The text of a failure, without the stories that were told before; on the main thread.
    ///
    /// A test that throws the error of a request would tell all of it twice.
    func shortened(_ text: String) -> String {
        deliver()
        return told.withLock { told in
            told.reduce(text) { $0.replacingOccurrences(of: $1.story, with: $1.reminder) }
        }
    }
}
