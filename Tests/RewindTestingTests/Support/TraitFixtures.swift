import Foundation
import RewindTestSupport
import RewindTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The settings that the parent process passes to the fixtures.
enum FixtureSetting {
    private static let environment = ProcessInfo.processInfo.environment
    static let server = environment["REWIND_FIXTURE_SERVER"].flatMap { URL(string: $0) }
    static let folder = URL(fileURLWithPath: environment["REWIND_FIXTURE_FOLDER"] ?? "/")
}

/// Tests like those of a user. `TraitProcessTests` runs them in child processes, where they may fail.
@Suite(
    .enabled(if: FixtureSetting.server != nil, "run by TraitProcessTests in a child process"),
    .cassettes(in: FixtureSetting.folder)
)
struct TraitFixtures {
    private func ask(_ path: String) async -> String {
        guard let url = FixtureSetting.server?.appendingPathComponent(path) else { return "" }
        let outcome = await Outcome(of: url)
        return outcome.failure ?? outcome.text
    }

    @Test func visits() async {
        print("ANSWER visits \(await ask("visit"))")
    }

    @Test(arguments: 1...5) func cases(number: Int) async {
        print("ANSWER case \(number) \(await ask("echo/\(number)").count)")
    }

    @Test func miss() async {
        let path = ProcessInfo.processInfo.environment["REWIND_FIXTURE_PATH"] ?? "json"
        print("ANSWER miss \(await ask(path))")
    }

    @Test(.cassette("strict", in: FixtureSetting.folder, configuration: .failingOnDrift)) func strict() async {
        print("ANSWER strict \(await ask("retyped"))")
    }

    @Test(.stubs) func stubbed() async throws {
        let stubber = try #require(Stubber.current)
        stubber.stub(.path("/visit"), respond: .text("stubbed"))
        print("ANSWER stubbed \(await ask("visit"))")
        print("ANSWER unstubbed \(await ask("json"))")
    }

    @Test(.stubs) func invalidStub() throws {
        let stubber = try #require(Stubber.current)
        stubber.stub(.path(matching: "("), respond: .status(204))
    }

    @Test func failsAnExpectation() async {
        let answer = await ask("visit")
        #expect(answer == "something else")
    }

    @Test func throwsAnError() async throws {
        _ = await ask("visit")
        throw CancellationError()
    }

    @Test func throwsItsMiss() async throws {
        let path = ProcessInfo.processInfo.environment["REWIND_FIXTURE_PATH"] ?? "json"
        let url = try #require(FixtureSetting.server?.appendingPathComponent(path))
        _ = try await URLSession.shared.data(from: url)
    }

    @Test func hasAKnownIssue() async {
        _ = await ask("visit")
        withKnownIssue { Issue.record("it is known") }
    }

    #if compiler(>=6.3)
        @Test func warns() async {
            _ = await ask("visit")
            Issue.record("it is only odd", severity: .warning)
        }
    #endif

    @Test func isSkipped() async throws {
        _ = await ask("visit")
        try Test.cancel("not today")
    }

    @Test(.timeLimit(.minutes(5))) func hasATimeLimit() async {
        print("ANSWER limited \(await ask("json").count)")
    }

    @Test(.cassette("one", in: FixtureSetting.folder)) func sharesACassette1() async {
        print("ANSWER shared \(await ask("slow/300"))")
    }

    @Test(.cassette("one", in: FixtureSetting.folder)) func sharesACassette2() async {
        print("ANSWER shared \(await ask("slow/300"))")
    }
}

extension Stubber.Configuration {
    /// A configuration with which drift fails the test.
    fileprivate static var failingOnDrift: Stubber.Configuration {
        var configuration = Stubber.Configuration()
        configuration.drift = .fail
        return configuration
    }
}
