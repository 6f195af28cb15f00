import Foundation
import RewindTestSupport
import RewindTesting
import Testing

/// Makes one request. `TestCommandTests` runs these tests with the commands that their misses print.
private func visit() async {
    guard let url = FixtureSetting.server?.appendingPathComponent("visit") else { return }
    _ = await Outcome(of: url)
}

extension Trait where Self == ConditionTrait {
    fileprivate static var inChildProcess: Self {
        .enabled(if: FixtureSetting.server != nil, "run by TestCommandTests in a child process")
    }
}

@Suite(.inChildProcess, .cassettes) struct ExactFixtures {
    @Test func t1() async { await visit() }
    @Test func t10() async { await visit() }
    @Test(arguments: 1...2) func t1(number: Int) async { await visit() }
    @Test(arguments: 1...2) func t1(_: Int) async { await visit() }

    struct Inner {
        @Test func t1() async { await visit() }

        #if compiler(>=6.2)
            @Test func `it's (only) "$HOME" a.b*+?`() async { await visit() }
            @Test func `it's (only) "$HOME" axb*+?`() async { await visit() }
        #endif
    }
}

@Suite(.inChildProcess, .cassettes) struct InexactFixtures {
    @Test func t1() async { await visit() }
    @Test(.cassette("a name")) func named() async { await visit() }
    @Test func inAScope() async throws { try await withCassette("a scope") { _ in await visit() } }
}

@Test(.inChildProcess, .cassette) func exactFixture() async { await visit() }
@Test(.inChildProcess, .cassette) private func hiddenFixture() async { await visit() }
