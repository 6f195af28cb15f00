import Foundation
import RewindTestSupport
import RewindXCTest
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Tests like those of a user that sweep. `CassetteTestCaseSweepTests` runs them in child processes, where they may fail.
final class SweepCaseFixtures: CassetteTestCase {
    override func setUp() async throws {
        guard FixtureTests.Setting[FixtureTests.Setting.server] != nil else {
            throw XCTSkip("run by CassetteTestCaseSweepTests in a child process")
        }
    }

    override var cassetteDirectory: URL {
        guard let folder = FixtureTests.Setting[FixtureTests.Setting.folder] else {
            return super.cassetteDirectory
        }
        return URL(fileURLWithPath: folder)
    }

    private var url: URL {
        URL(string: (FixtureTests.Setting[FixtureTests.Setting.server] ?? "") + "/json") ?? cassetteDirectory
    }

    func testAnAsyncTest() async throws {
        try await Stubber.sweep(.faults([.status500, .html, .timeout])) { variation in
            let outcome = await Outcome(of: self.url)
            print("ANSWER \(variation.id) \(outcome.failure == nil ? "answer" : "error")")
            XCTAssertFalse(outcome.text.contains("<"), "a page")
            XCTAssertNil(outcome.failure)
        }
    }

    func testACompletionHandler() throws {
        try Stubber.sweep(.faults([.status500, .timeout])) { variation in
            let done = expectation(description: "\(variation)")
            URLSession.shared.dataTask(with: url) { _, response, _ in
                print("ANSWER \(variation.id) \((response as? HTTPURLResponse)?.statusCode ?? 0)")
                XCTAssertNotNil(response)
                done.fulfill()
            }.resume()
            wait(for: [done], timeout: 60)
        }
    }
}
