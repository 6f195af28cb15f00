import Foundation
import Rewind
import XCTest

@testable import RewindXCTest

/// Misses come from threads that load, at any time.
final class MissReportsTests: XCTestCase {
    private final class Listening: CassetteTestCase, @unchecked Sendable {
        // Sound as @unchecked Sendable: it is used on the main thread only.
        var stories: [String] = []

        override func requestMatchingFailed(_ miss: Miss) {
            stories.append(miss.description)
        }
    }

    private enum MissReportsError: Error {
        case wasAnswered
    }

    private func miss(_ path: String) throws -> Miss {
        let stubber = Stubber(stubsOnly: Stubber.Configuration(), testName: "Listening.test")
        let request = Interaction.Request(url: "https://h/\(path)")
        guard case .refuse(let miss) = stubber.answer(to: IncomingRequest(request)) else {
            throw MissReportsError.wasAnswered
        }
        return miss
    }

    func testWhatComesInTimeIsReportedOnce() throws {
        let test = Listening(name: "test") { _ in }
        let reports = MissReports(test: test)
        reports.add(try miss("a"))
        reports.add(try miss("b"))
        reports.deliver()
        reports.end()
        XCTAssertEqual(test.stories.count, 2)
        XCTAssertTrue(test.stories[0].contains("https://h/a"), test.stories[0])
    }

    func testWhatIsNotDeliveredAtTheEndIsReportedThere() throws {
        let test = Listening(name: "test") { _ in }
        let reports = MissReports(test: test)
        reports.add(try miss("a"))
        reports.end()
        XCTAssertEqual(test.stories.count, 1)
    }

    func testWhatComesAfterTheEndIsPrintedAndFailsNoTestThatIsOver() throws {
        let test = Listening(name: "test") { _ in }
        let reports = MissReports(test: test)
        reports.end()
        let late = try miss("late")
        let printed = Locked<[String]>([])
        Note.$reader.withValue({ line in printed.withLock { $0.append(line) } }) { reports.add(late) }
        // What was left to the main thread would be delivered here.
        _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05))
        XCTAssertEqual(test.stories, [])
        XCTAssertEqual(printed.withLock { $0.count }, 1)
        XCTAssertTrue(printed.withLock { $0[0] }.contains("after the end of its test"))
        XCTAssertTrue(printed.withLock { $0[0] }.contains("https://h/late"))
    }
}
