import Foundation
import RewindTestSupport
import XCTest

/// Failures on many threads at once, tested in child processes.
final class FailureReportTests: FixtureProcessTestCase {
    func testEachMissIsAFailureOfItsOwnTest() throws {
        let classes = ["FirstFailingFixtureTests", "SecondFailingFixtureTests"]
        let result = try run(classes.map { "\($0)/testManyMisses" })
        for (name, line) in zip(classes, try lines(of: "func testManyMisses")) {
            let start =
                "FailureFixtures.swift:\(line): error: \(name).testManyMisses : failed - No cassette exists"
            XCTAssertEqual(count(start, in: result), FailingFixture.count, result.output)
            for number in 0..<FailingFixture.count {
                let request = "GET https://failing.example/\(name)/\(number)/\n"
                XCTAssertEqual(count(request, in: result), 1, result.output)
            }
        }
        XCTAssertEqual(count("error: ", in: result), 2 * FailingFixture.count, result.output)
        XCTAssertTrue(result.output.contains("with \(2 * FailingFixture.count) failures"), result.output)
    }

    func testFailuresOnManyThreadsAreAllCounted() throws {
        let result = try run(["FirstFailingFixtureTests/testManyFailures"])
        let lines = result.output.split(separator: "\n").compactMap {
            $0.components(separatedBy: "failed - number ").dropFirst().first
        }
        XCTAssertEqual(lines.sorted(), (0..<FailingFixture.manyCount).map { "\($0)." }.sorted())
        XCTAssertTrue(result.output.contains("with \(FailingFixture.manyCount) failures"), "counted")
    }

    func testAFailureOnAnotherThreadDoesNotWaitForTheMainThread() throws {
        let result = try run(["FirstFailingFixtureTests/testFailuresWhileTheMainThreadWaits"])
        for number in 0..<FailingFixture.count {
            XCTAssertEqual(count("failed - number \(number).", in: result), 1, result.output)
            let url = "https://failing.example/FirstFailingFixtureTests/\(number)/"
            XCTAssertEqual(count("GET \(url)\n", in: result), 1, result.output)
            XCTAssertEqual(
                count("GET \(url); the details are in an earlier failure.", in: result),
                1,
                result.output
            )
        }
        XCTAssertTrue(result.output.contains("with \(2 * FailingFixture.count) failures"), result.output)
    }

    private func run(_ tests: [String]) throws -> ChildProcess {
        try FixtureRunner(server: server.url, folder: folder.url).run(tests)
    }

    private func count(_ text: String, in result: ChildProcess) -> Int {
        result.output.components(separatedBy: text).count - 1
    }

    private func lines(of text: String) throws -> [Int] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Support/FailureFixtures.swift")
        let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
        return lines.indices.filter { lines[$0].contains(text) }.map { $0 + 1 }
    }
}
