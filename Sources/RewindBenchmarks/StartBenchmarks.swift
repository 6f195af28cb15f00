import Foundation
import Rewind
import RewindTestSupport
import RewindXCTest
import XCTest

enum StartBenchmarks {
    static let all = [test]

    private static let count = 200

    /// The time that an empty `CassetteTestCase` takes in addition to an empty `XCTestCase`, relative to a millisecond.
    private static let test = Benchmark("start/test", .atMost(1), isShort: true) {
        let folder = try TemporaryDirectory()
        return Benchmark.Sides(
            numerator: {
                try ChildSample.cassetteTestSeconds.number(folder.url)
                    - ChildSample.plainTestSeconds.number(folder.url)
            },
            denominator: { Double(count) * 0.001 }
        )
    }

    // MARK: In a separate process

    /// The seconds that many empty tests take, run like a test bundle but without its report.
    @MainActor
    static func seconds(ofTestsIn folder: URL, withCassettes: Bool) throws -> Double {
        EmptyCassetteTest.folder.withLock { $0 = folder }
        let tests: [XCTestCase] = (0...count).map { number in
            let name = "test\(number)"
            return withCassettes
                ? EmptyCassetteTest(name: name, testClosure: { _ in })
                : EmptyTest(name: name, testClosure: { _ in })
        }
        // The first test includes what is created once in a process.
        tests[0].run()
        let start = ContinuousClock.now
        for test in tests.dropFirst() { test.run() }
        let seconds = start.duration(to: .now) / .seconds(1)
        guard tests.allSatisfy({ $0.testRun?.hasSucceeded == true }) else {
            throw BenchmarkError("a test failed")
        }
        return seconds
    }
}

private final class EmptyTest: XCTestCase {}

private final class EmptyCassetteTest: CassetteTestCase {
    static let folder = Locked<URL?>(nil)

    override var cassetteDirectory: URL { Self.folder.withLock { $0 } ?? super.cassetteDirectory }
}
