import Foundation
import RewindTestSupport
import RewindTesting
import Testing

/// Tests of a tool in another process. `ReplayExpectationTests` runs them in child processes, where they may fail.
@Suite(.enabled(if: FixtureSetting.server != nil, "run by ReplayExpectationTests in a child process"))
struct ReplayFixtures {
    private func run(_ arguments: String...) throws {
        let server = try #require(FixtureSetting.server)
        let cassette = try ProcessCassette("weather", in: FixtureSetting.folder)
        let end = try WeatherProcess.run([server.absoluteString] + arguments, cassette.environment)
        print("ANSWER \(end.text)")
        expectReplayed(cassette)
    }

    @Test func forecast() throws { try run("forecast") }
    @Test func otherForecast() throws { try run("forecast", "Linz") }
}
