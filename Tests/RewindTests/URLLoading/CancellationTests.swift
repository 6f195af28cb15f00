import Foundation
import Rewind
import RewindTestSupport
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A cancelled task ends as in URLSession, and other tasks continue.
final class CancellationTests: XCTestCase {
    private let cancelled = "\(NSURLErrorDomain) \(NSURLErrorCancelled)"

    func testATaskCancelledBeforeItsResponseFailsTheSameOnReplay() async throws {
        let result = try await RecordAndReplay { servers in
            await Self.outcome(of: servers[0]["slow/600"]) { task in
                DispatchQueue.global().asyncAfter(deadline: .now() + 0.1) { task.cancel() }
            }
        }
        XCTAssertEqual(result.live.failure, cancelled)
        XCTAssertEqual(result.live, result.replayed)
        XCTAssertEqual(result.cassette.interactions.first?.failure?.code, NSURLErrorCancelled)
    }

    func testASwiftTaskCancelledBeforeTheResponseFailsTheSameOnReplay() async throws {
        let result = try await RecordAndReplay { servers in
            let url = servers[0]["slow/600"]
            let task = Task { await Outcome(of: url) }
            // A task that is cancelled before it starts makes no request.
            try await Stubber.current?.waitForRequests(.path("/slow/600"))
            task.cancel()
            return await task.value
        }
        XCTAssertEqual(result.live.failure, cancelled)
        XCTAssertEqual(result.live, result.replayed)
    }

    func testATaskCancelledDuringItsBodyIsRecordedWithTheReceivedPart() async throws {
        let result = try await RecordAndReplay { servers in
            let count = Locked(0)
            let observer = TaskObserver { task in
                let isSecond = count.withLock { count in
                    count += 1
                    return count == 2
                }
                if isSecond { task.cancel() }
            }
            let session = URLSession(configuration: .default, delegate: observer, delegateQueue: nil)
            _ = await observer.outcome(of: session.dataTask(with: servers[0]["chunks/20"]))
            return observer.events
        }
        XCTAssertEqual(result.live.first, "response 200")
        XCTAssertEqual(result.live.last, "failed \(NSURLErrorCancelled)")
        XCTAssertEqual(result.replayed.last, "failed \(NSURLErrorCancelled)")
        XCTAssertEqual(result.replayed.prefix(3), ["response 200", "data 15", "data 15"])
        let body = try XCTUnwrap(result.cassette.interactions.first?.response?.body)
        XCTAssertGreaterThanOrEqual(body.count, 30)
        XCTAssertLessThan(body.count, 300)
    }

    func testManyCancellationsEndEachTaskOnce() async throws {
        let result = try await RecordAndReplay { servers in
            await withTaskGroup(of: Outcome.self) { group in
                for number in 0..<300 {
                    let url = servers[0]["slow/20?n=\(number)"]
                    group.addTask {
                        await Self.outcome(of: url) { task in if number % 2 == 0 { task.cancel() } }
                    }
                }
                return await group.reduce(into: 0) { $0 += $1.failure == nil ? 1 : 0 }
            }
        }
        XCTAssertEqual(result.live, 150)
        XCTAssertEqual(result.replayed, 150)
    }

    func testATaskCancelledBeforeItIsResumedMakesNoRequest() async throws {
        let folder = try TemporaryDirectory()
        let server = try ConversationServer()
        defer { server.stop() }
        let outcome = try await withCassette("talk", in: folder.url, mode: .once) { _ in
            await withCheckedContinuation { continuation in
                let task = URLSession.shared.dataTask(with: server["json"]) { data, response, error in
                    continuation.resume(returning: Outcome(data, response, error))
                }
                task.cancel()
                task.resume()
            }
        }
        XCTAssertEqual(outcome.failure, cancelled)
    }

    private static func outcome(of url: URL, _ body: @Sendable (URLSessionTask) -> Void) async -> Outcome {
        await withCheckedContinuation { continuation in
            let task = URLSession.shared.dataTask(with: url) { data, response, error in
                continuation.resume(returning: Outcome(data, response, error))
            }
            task.resume()
            body(task)
        }
    }
}
