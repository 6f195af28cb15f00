import Foundation
import Rewind
import RewindTestSupport
import RewindXCTest
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An expectation for answers is fulfilled after the app's completion handlers have returned.
final class AnswerExpectationTests: XCTestCase {
    private var url: URL { get throws { try XCTUnwrap(URL(string: "https://api.example.com/users/42")) } }

    func testItIsFulfilledAfterTheAnswersAndNotAfterTheRequests() throws {
        let url = try url
        try withStubs { stubber in
            stubber.stub(.any, respond: .text("late").delayed(by: .milliseconds(30)))
            let requested = stubber.expectation(forRequests: .path("/users/*"), count: 2)
            let answered = stubber.expectation(forAnswers: .path("/users/*"), count: 2)
            let count = Locked(0)
            for _ in 0..<2 {
                URLSession.shared.dataTask(with: url) { _, _, _ in
                    Thread.sleep(forTimeInterval: 0.01)
                    count.withLock { $0 += 1 }
                }.resume()
            }
            wait(for: [requested, answered], timeout: 60, enforceOrder: true)
            XCTAssertEqual(count.withLock { $0 }, 2)
            wait(for: [stubber.expectation(forAnswers: .any, count: 2)], timeout: 60)
        }
    }

    func testAnErrorFulfillsItAndACancellationDoesNot() throws {
        let url = try url
        try withStubs { stubber in
            stubber.stub(.path("/users/*"), respond: .failure(.notConnectedToInternet))
            stubber.stub(.path("/never"), respond: .timeout)
            URLSession.shared.dataTask(with: url) { _, _, _ in }.resume()
            wait(for: [stubber.expectation(forAnswers: .path("/users/*"))], timeout: 60)
            let never = try XCTUnwrap(URL(string: "/never", relativeTo: url))
            let cancelled = stubber.expectation(forAnswers: .path("/never"))
            cancelled.isInverted = true
            let task = URLSession.shared.dataTask(with: never) { _, _, _ in }
            task.resume()
            wait(for: [stubber.expectation(forRequests: .path("/never"))], timeout: 60)
            task.cancel()
            wait(for: [cancelled], timeout: 0.05)
        }
    }
}
