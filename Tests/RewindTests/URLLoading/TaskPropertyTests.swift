import Foundation
import Rewind
import RewindTestSupport
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What an app reads from its task is what it reads live.
final class TaskPropertyTests: XCTestCase {
    private struct Properties: Equatable, Sendable {
        var original: String?
        var current: String?
        var status: Int?
        var state: Int
        var received: Int64
        var sent: Int64
        var expected: Int64
        var fraction: Double
        var hasIdentifier: Bool
    }

    func testItsRequestsResponseStateAndCounts() async throws {
        let twice = try await Twice { servers in
            var outcomes: [Properties] = []
            for (path, body) in [("json", ""), ("redirect/2", ""), ("binary/70000", ""), ("echo", "four")] {
                let observer = TaskObserver()
                let session = URLSession(configuration: .default, delegate: observer, delegateQueue: nil)
                var request = URLRequest(url: servers[0][path])
                if !body.isEmpty { request.httpMethod = "POST" }
                let task =
                    body.isEmpty
                    ? session.dataTask(with: request) : session.uploadTask(with: request, from: Data(body.utf8))
                _ = await observer.outcome(of: task)
                for _ in 0..<200 where task.state != .completed { try await Task.sleep(nanoseconds: 1_000_000) }
                outcomes.append(
                    Properties(
                        original: task.originalRequest?.url?.path,
                        current: task.currentRequest?.url?.path,
                        status: (task.response as? HTTPURLResponse)?.statusCode,
                        state: task.state.rawValue,
                        received: task.countOfBytesReceived,
                        sent: task.countOfBytesSent,
                        expected: task.countOfBytesExpectedToReceive,
                        fraction: task.progress.fractionCompleted,
                        hasIdentifier: task.taskIdentifier > 0
                    )
                )
            }
            return outcomes
        }
        XCTAssertEqual(twice.live, twice.replayed)
        let completed = URLSessionTask.State.completed.rawValue
        // On Linux, Foundation counts no bytes that a data task receives.
        func properties(_ path: String, _ current: String, expected: Int64, sent: Int64 = 0) -> Properties {
            Properties(
                original: path,
                current: current,
                status: 200,
                state: completed,
                received: 0,
                sent: sent,
                expected: expected,
                fraction: 1,
                hasIdentifier: true
            )
        }
        XCTAssertEqual(
            twice.live,
            [
                properties("/json", "/json", expected: 44), properties("/redirect/2", "/json", expected: 44),
                properties("/binary/70000", "/binary/70000", expected: 70_000),
                properties("/echo", "/echo", expected: 4, sent: 4),
            ]
        )
    }

    func testASuspendedTaskIsGivenNothingUntilItIsResumed() async throws {
        let twice = try await Twice { servers in
            let observer = TaskObserver()
            let session = URLSession(configuration: .default, delegate: observer, delegateQueue: nil)
            let task = session.dataTask(with: servers[0]["chunks/6"])
            task.resume()
            try await Task.sleep(nanoseconds: 60_000_000)
            task.suspend()
            try await Task.sleep(nanoseconds: 50_000_000)
            let before = observer.events.count
            try await Task.sleep(nanoseconds: 100_000_000)
            let during = observer.events.count - before
            let outcome = await observer.outcome(of: task)
            return ["\(outcome.body.count)", "\(during)", observer.events.last ?? ""]
        }
        XCTAssertEqual(twice.live, ["90", "0", "complete"])
        XCTAssertEqual(twice.replayed, ["90", "0", "complete"])
        XCTAssertEqual(twice.cassette.interactions.count, 1)
    }

    func testATaskThatIsOverIsLetGo() async throws {
        let folder = try TemporaryDirectory()
        let server = try ConversationServer()
        defer { server.stop() }
        for (mode, path) in [(RecordingMode.once, "redirect/1"), (.never, "redirect/1"), (.live, "json")] {
            let task = try await withCassette("talk", in: folder.url, mode: mode) { _ in
                await Self.finishedTask(server[path])
            }
            for _ in 0..<500 where task.value != nil { try await Task.sleep(nanoseconds: 2_000_000) }
            XCTAssertNil(task.value, mode.rawValue)
        }
    }

    private final class WeakTask: @unchecked Sendable {
        // Sound as @unchecked Sendable: a weak reference is read and written atomically.
        private(set) weak var value: URLSessionTask?
        init(_ value: URLSessionTask) { self.value = value }
    }

    private static func finishedTask(_ url: URL) async -> WeakTask {
        await withCheckedContinuation { continuation in
            let reference = Locked<WeakTask?>(nil)
            let task = URLSession.shared.dataTask(with: url) { _, _, _ in
                if let reference = reference.withLock({ $0 }) { continuation.resume(returning: reference) }
            }
            reference.withLock { $0 = WeakTask(task) }
            task.resume()
        }
    }

    func testPrioritiesAndDescriptionsAreTheApps() async throws {
        let twice = try await Twice { servers in
            let observer = TaskObserver()
            let session = URLSession(configuration: .default, delegate: observer, delegateQueue: nil)
            let task = session.dataTask(with: servers[0]["json"])
            task.priority = URLSessionTask.highPriority
            task.taskDescription = "mine"
            _ = await observer.outcome(of: task)
            return "\(task.priority) \(task.taskDescription ?? "")"
        }
        XCTAssertEqual(twice.live, "\(URLSessionTask.highPriority) mine")
        XCTAssertEqual(twice.live, twice.replayed)
    }

    func testServerSentEventsComeEventByEventAtOnceOrAtTheirPace() async throws {
        for timing in [Stubber.Configuration.Timing.immediate, .recorded] {
            var configuration = Stubber.Configuration()
            configuration.timing = timing
            let twice = try await Twice(configuration: configuration) { servers in
                let start = Date()
                let observer = TaskObserver()
                let session = URLSession(configuration: .default, delegate: observer, delegateQueue: nil)
                _ = await observer.outcome(of: session.dataTask(with: servers[0]["chunks/5"]))
                return (observer.events, Date().timeIntervalSince(start))
            }
            let events = ["response 200"] + Array(repeating: "data 15", count: 5) + ["complete"]
            XCTAssertEqual(twice.live.0, events)
            XCTAssertEqual(twice.replayed.0, events)
            // Only a lower bound is sure: nothing may come before its time.
            XCTAssertGreaterThanOrEqual(twice.replayed.1, 0.12 * timing.factor)
        }
    }
}
