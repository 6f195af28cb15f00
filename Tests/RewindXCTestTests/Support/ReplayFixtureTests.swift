import Foundation
import RewindTestSupport
import RewindXCTest
import XCTest

/// Tests of a tool in another process, like those of a user. `ReplayAssertionTests` runs them in child processes, where they
/// may fail.
final class ReplayFixtureTests: XCTestCase {
    private func run(_ arguments: [String], withRewind: Bool = true) throws {
        let setting = FixtureTests.Setting.self
        guard let server = setting[setting.server], let folder = setting[setting.folder] else {
            throw XCTSkip("run by ReplayAssertionTests in a child process")
        }
        let cassette = try ProcessCassette("weather", in: URL(fileURLWithPath: folder))
        let end = try WeatherProcess.run([server] + arguments, withRewind ? cassette.environment : [:])
        print(end.text.split(separator: "\n").map { "ANSWER \($0)" }.joined(separator: "\n"))
        XCTAssertReplayed(cassette, unplayed: true)
    }

    func testForecast() throws { try run([]) }
    func testOtherForecast() throws { try run(["forecast", "Linz"]) }
    func testWithoutReport() throws { try run(["get", "/json"], withRewind: false) }
}
