import Foundation
import Testing

/// Runs each test on its own thread.
///
/// Tests that block on sockets would otherwise occupy the few threads of the concurrency pool, which all tests share.
struct OwnThreads: TestTrait, SuiteTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *), testCase != nil {
            try await withTaskExecutorPreference(ThreadExecutor.shared) { try await function() }
        } else {
            try await function()
        }
    }
}

extension Trait where Self == OwnThreads {
    /// Runs each test case on its own thread.
    static var ownThreads: OwnThreads { OwnThreads() }
}

/// Runs each job on a new thread.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class ThreadExecutor: TaskExecutor {
    static let shared = ThreadExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
