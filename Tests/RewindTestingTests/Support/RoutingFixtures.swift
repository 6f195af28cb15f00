import Foundation
import RewindTestSupport
import RewindTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Tests whose requests leave their task while others run. `RoutingProcessTests` runs them in child processes.
@Suite(
    .enabled(if: FixtureSetting.server != nil, "run by RoutingProcessTests in a child process"),
    .cassettes(in: FixtureSetting.folder)
)
struct RoutingFixtures {
    @Test(arguments: 0..<8) func leaves(number: Int) async throws {
        await Meeting.shared.attend(number)
        let stubber = try #require(Stubber.current)
        let url = try #require(FixtureSetting.server?.appendingPathComponent("echo/\(number)"))
        let outcome = await Task.detached {
            switch ProcessInfo.processInfo.environment["REWIND_FIXTURE_REMEDY"] {
            case "session": await Outcome(of: url, in: stubber.session)
            case "run": await stubber.run { await Outcome(of: url) }
            default: await Outcome(of: url)
            }
        }.value
        print("ANSWER \(number) \(outcome.failure ?? "\(outcome.status)")")
        await Meeting.shared.leave(number)
    }
}

/// The same tests, one after another.
@Suite(
    .enabled(if: FixtureSetting.server != nil, "run by RoutingProcessTests in a child process"),
    .cassettes(in: FixtureSetting.folder),
    .serialized
)
struct SerializedFixtures {
    @Test(arguments: 0..<3) func leaves(number: Int) async throws {
        let url = try #require(FixtureSetting.server?.appendingPathComponent("echo/\(number)"))
        let outcome = await Task.detached { await Outcome(of: url) }.value
        print("ANSWER \(number) \(outcome.failure ?? "\(outcome.status)")")
    }

    @Suite struct Inner {
        @Test func leaves() async throws {
            let url = try #require(FixtureSetting.server?.appendingPathComponent("echo/inner"))
            let outcome = await Task.detached { await Outcome(of: url) }.value
            print("ANSWER inner \(outcome.failure ?? "\(outcome.status)")")
        }
    }
}

/// Makes parallel tests run at the same time. A test that runs alone does not wait long.
private actor Meeting {
    static let shared = Meeting()
    private var present: Set<Int> = []
    private var left: Set<Int> = []

    func attend(_ number: Int) async {
        present.insert(number)
        await wait { present.count > 1 }
    }

    func leave(_ number: Int) async {
        left.insert(number)
        await wait { left.isSuperset(of: present) }
    }

    private func wait(until isDone: () -> Bool) async {
        for _ in 0..<50 where !isDone() { try? await Task.sleep(for: .milliseconds(10)) }
    }
}
