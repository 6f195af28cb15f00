import Foundation
import Rewind

/// Brings the misses of one test from the threads that load to the main thread, where XCTest records failures.
final class MissReports: @unchecked Sendable {
    // Sound as @unchecked Sendable: the list is behind a lock, and the test is used on the main thread only.
    private weak var test: CassetteTestCase?
    private let misses = Locked<[Miss]>([])

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
}
