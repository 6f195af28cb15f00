import Foundation
import RewindTestSupport
import RewindTesting
import Testing

/// Tests like those of a user that sweep. `TraitSweepTests` runs them in child processes, where they may fail.
@Suite(
    .enabled(if: FixtureSetting.server != nil, "run by TraitSweepTests in a child process"),
    .cassettes(in: FixtureSetting.folder)
)
struct SweepFixtures {
    private func ask() async -> Outcome {
        await Outcome(of: FixtureSetting.server?.appendingPathComponent("json") ?? FixtureSetting.folder)
    }

    @Test func expectations() async throws {
        try await Stubber.sweep(.faults([.status500, .html, .timeout])) { _ in
            let outcome = await ask()
            #expect(!outcome.text.contains("<"), "a page")
            let failure = outcome.failure
            try #require(failure == nil)
            withKnownIssue { Issue.record("known") }
        }
    }

    @Test func crash() async throws {
        try await Stubber.sweep(.faults([.status500, .html, .timeout])) { _ in
            let outcome = await ask()
            precondition(outcome.status == 200 || outcome.failure != nil, "a planted crash")
        }
    }

    @Test func abortion() async throws {
        try await Stubber.sweep(.faults([.html, .timeout])) { _ in
            if await ask().failure != nil { abort() }
        }
    }

    @Test @MainActor func onTheMainActor() async throws {
        var statuses: [Int] = []
        try await Stubber.sweep(.faults([.status500])) { _ in
            MainActor.assertIsolated()
            statuses.append(await ask().status)
        }
        print("ANSWER \(statuses)")
    }

    @Test func nested() async throws {
        try await withCassette("inner", in: FixtureSetting.folder) { _ in
            try await Stubber.sweep(.faults([.status500])) { _ in
                let status = await ask().status
                #expect(status == 200)
            }
        }
    }
}
