import Foundation
import Rewind
import XCTest

@testable import RewindXCTest

/// When and where `MissReports` reports the misses of a test.
final class MissReportsTests: XCTestCase {
    private final class RecordingTestCase: CassetteTestCase, @unchecked Sendable {
        // Sound as @unchecked Sendable: it is used on the main thread only.
        var descriptions: [String] = []

        override func requestMatchingFailed(_ miss: Miss) {
            descriptions.append(miss.description)
        }
    }

    private enum MissReportsError: Error {
        case notRefused
    }

    private func miss(_ path: String) throws -> Miss {
        let stubber = Stubber(stubsOnly: Stubber.Configuration(), testName: "RecordingTestCase.test")
        let request = Interaction.Request(url: "https://h/\(path)")
        guard case .refuse(let miss) = stubber.answer(to: IncomingRequest(request)) else {
            throw MissReportsError.notRefused
        }
        return miss
    }

    func testAMissBeforeTheEndIsReportedOnce() throws {
        let test = RecordingTestCase(name: "test") { _ in }
        let reports = MissReports(test: test)
        reports.add(try miss("a"))
        reports.add(try miss("b"))
        reports.deliver()
        reports.end()
        XCTAssertEqual(test.descriptions.count, 2)
        XCTAssertTrue(test.descriptions[0].contains("https://h/a"), test.descriptions[0])
    }

    func testAMissThatIsNotDeliveredYetIsReportedAtTheEnd() throws {
        let test = RecordingTestCase(name: "test") { _ in }
        let reports = MissReports(test: test)
        reports.add(try miss("a"))
        reports.end()
        XCTAssertEqual(test.descriptions.count, 1)
    }

    func testAMissAfterTheEndIsPrinted() throws {
        let test = RecordingTestCase(name: "test") { _ in }
        let reports = MissReports(test: test)
        reports.end()
        let late = try miss("late")
        let printed = Locked<[String]>([])
        Note.withReader({ line in printed.withLock { $0.append(line) } }) { reports.add(late) }
        // A miss that was queued for the main thread would be delivered here.
        _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05))
        XCTAssertEqual(test.descriptions, [])
        XCTAssertEqual(printed.withLock { $0.count }, 1)
        XCTAssertTrue(printed.withLock { $0[0] }.contains("after the end of its test"))
        XCTAssertTrue(printed.withLock { $0[0] }.contains("https://h/late"))
    }
}
