import Foundation
import RewindTestSupport
import XCTest

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A miss whose error the app ignores fails the scope of the stubber that refused the request.
final class IgnoredMissTests: XCTestCase {
    private struct Failing: Error {}

    private let url = URL(string: "http://nowhere.invalid/users")!

    private func misses(of body: () async throws -> Void) async throws -> [Miss] {
        do {
            try await body()
            return []
        } catch Stubber.ScopeError.misses(let misses) {
            return misses
        }
    }

    func testAScopeThrowsMissesThatTheAppIgnores() async throws {
        let folder = try TemporaryDirectory()
        let scopes: [(String, Miss.Reason, () async throws -> Void)] = [
            ("withStubs", .noStub, { try await withStubs { _ in _ = await Outcome(of: self.url) } }),
            (
                "withCassette", .noCassette(path: folder["a.har"].path),
                {
                    try await withCassette("a", in: folder.url, mode: .never) { _ in
                        _ = await Outcome(of: self.url)
                    }
                }
            ),
            (
                "forbidNetwork", .networkForbidden,
                {
                    try await withCassette("b", in: folder.url, mode: .once) { stubber in
                        stubber.forbidNetwork()
                        _ = await Outcome(of: self.url)
                    }
                }
            ),
            (
                "eject", .noStub,
                {
                    let stubber = Stubber(stubsOnly: Stubber.Configuration())
                    _ = await Outcome(of: self.url, in: stubber.session)
                    try stubber.eject()
                }
            ),
        ]
        for (name, reason, scope) in scopes {
            let misses = try await misses(of: scope)
            XCTAssertEqual(misses.map(\.reason), [reason], name)
            XCTAssertEqual(misses.map(\.request.url), [url.absoluteString], name)
        }
    }

    func testTheErrorHasTheTextThatATestCaseReports() async throws {
        let texts = Locked<[String]>([])
        var configuration = Stubber.Configuration()
        configuration.requestMatchingFailed = { miss in texts.withLock { $0.append(miss.description) } }
        try await withStubs(configuration: configuration, testName: "UserTests.testList") { _ in
            _ = await Outcome(of: self.url)
        }
        do {
            try await withStubs(testName: "UserTests.testList") { _ in
                for _ in 0..<3 { _ = await Outcome(of: self.url) }
            }
            XCTFail("no error is thrown")
        } catch let error as Stubber.ScopeError {
            let text = try XCTUnwrap(texts.withLock { $0.first })
            XCTAssertTrue(error.localizedDescription.hasPrefix(text), "\(error)")
            XCTAssertEqual("\(error)".components(separatedBy: text).count, 2, "equal texts are shown once")
            XCTAssertTrue("\(error)".contains("3 requests"))
            XCTAssertTrue("\(error)".contains("takeMisses()"))
        }
    }

    func testAMissThatCodeReceivesDoesNotFailTheScope() async throws {
        try await withStubs { stubber in
            do {
                _ = try await URLSession.shared.data(from: url)
                XCTFail("it was answered")
            } catch {}
            XCTAssertEqual(stubber.takeMisses().map(\.reason), [.noStub])
            XCTAssertEqual(stubber.takeMisses().map(\.reason), [])
        }
        var configuration = Stubber.Configuration()
        let count = Locked(0)
        configuration.requestMatchingFailed = { _ in count.withLock { $0 += 1 } }
        try await withStubs(configuration: configuration) { stubber in
            _ = await Outcome(of: url)
            XCTAssertEqual(stubber.takeMisses().count, 0)
        }
        XCTAssertEqual(count.withLock { $0 }, 1)
    }

    func testTheErrorOfTheTestIsThrownAndOtherMissesArePrinted() async throws {
        let other = URL(string: "http://nowhere.invalid/posts")!
        let notes = Locked<[String]>([])
        try await Note.withReader({ note in notes.withLock { $0.append(note) } }) {
            do {
                try await withStubs { _ in
                    _ = await Outcome(of: other)
                    _ = try await URLSession.shared.data(from: url)
                }
                XCTFail("no error is thrown")
            } catch {
                XCTAssertEqual((error as NSError).code, 11)
            }
            do {
                try await withStubs { _ in
                    _ = await Outcome(of: other)
                    throw Failing()
                }
            } catch is Failing {}
        }
        let printed = notes.withLock { $0 }
        XCTAssertEqual(printed.count, 2, "\(printed)")
        XCTAssertTrue(printed.allSatisfy { $0.contains("/posts") && !$0.contains("/users") }, "\(printed)")
    }

    func testTheScopeWhoseStubberRefusedReportsTheMissOnce() async throws {
        let outer = Locked<[String]>([])
        var configuration = Stubber.Configuration()
        configuration.requestMatchingFailed = { miss in outer.withLock { $0.append(miss.request.url) } }
        try await withStubs(configuration: configuration) { stubber in
            let inner = try await misses { try await withStubs { _ in _ = await Outcome(of: url) } }
            XCTAssertEqual(inner.count, 1)
            XCTAssertEqual(stubber.takeMisses().count, 0)
        }
        XCTAssertEqual(outer.withLock { $0 }, [])
    }

    func testARequestAfterTheEndDoesNotFailAScope() async throws {
        let stubber = try withStubs { $0 }
        _ = await Outcome(of: url, in: stubber.session)
        XCTAssertEqual(stubber.takeMisses().count, 0)
        XCTAssertEqual(try stubber.eject().stubErrors.count, 0)
    }
}
