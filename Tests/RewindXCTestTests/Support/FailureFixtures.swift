import Foundation
import RewindTestSupport
import RewindXCTest
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Tests that fail on many threads at once.
class FailingFixture: CassetteTestCase {
    static let count = 40
    static let manyCount = 2_000

    override var recordingMode: RecordingMode { .never }

    override func setUp() async throws {
        guard FixtureTests.Setting[FixtureTests.Setting.server] != nil else {
            throw XCTSkip("run by FailureReportTests in a child process")
        }
    }

    fileprivate func misses() async {
        let name = "\(type(of: self))"
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<Self.count {
                guard let url = URL(string: "https://failing.example/\(name)/\(number)/") else { continue }
                group.addTask { _ = await Outcome(of: url) }
            }
        }
    }
}

final class FirstFailingFixtureTests: FailingFixture {
    func testManyMisses() async {
        await misses()
    }

    func testManyFailures() async {
        await withTaskGroup(of: Void.self) { group in
            for start in stride(from: 0, to: Self.manyCount, by: 100) {
                group.addTask { for number in start..<(start + 100) { XCTFail("number \(number).") } }
            }
        }
    }

    /// Fails on other threads while the main thread is blocked.
    func testFailuresWhileTheMainThreadWaits() {
        let name = "\(type(of: self))"
        let stubber = stubber
        DispatchQueue.concurrentPerform(iterations: Self.count) { number in
            guard let url = URL(string: "https://failing.example/\(name)/\(number)/") else { return }
            let done = DispatchSemaphore(value: 0)
            stubber.run {
                URLSession.shared.dataTask(with: url) { _, _, error in
                    XCTFail("number \(number). \(error?.localizedDescription ?? "no error")")
                    done.signal()
                }.resume()
            }
            done.wait()
        }
    }
}

final class SecondFailingFixtureTests: FailingFixture {
    func testManyMisses() async {
        await misses()
    }
}
