import Foundation
import Rewind
import RewindTestSupport
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The properties of a task are the same live and on replay.
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

    func testPropertiesOfATask() async throws {
        let result = try await RecordAndReplay { servers in
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
        XCTAssertEqual(result.live, result.replayed)
        let completed = URLSessionTask.State.completed.rawValue
        // On Linux, Foundation does not count the bytes that a data task receives.
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
            result.live,
            [
                properties("/json", "/json", expected: 44), properties("/redirect/2", "/json", expected: 44),
                properties("/binary/70000", "/binary/70000", expected: 70_000),
                properties("/echo", "/echo", expected: 4, sent: 4),
            ]
        )
    }

    func testASuspendedTaskReceivesNothingUntilItIsResumed() async throws {
        let result = try await RecordAndReplay { servers in
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
        XCTAssertEqual(result.live, ["90", "0", "complete"])
        XCTAssertEqual(result.replayed, ["90", "0", "complete"])
        XCTAssertEqual(result.cassette.interactions.count, 1)
    }

    func testDelegatesAndHandlersAreCalledOnTheQueueOfTheirSession() async throws {
        let result = try await RecordAndReplay { servers in
            let queue = OperationQueue()
            queue.name = "queue of the app"
            queue.maxConcurrentOperationCount = 1
            let observer = QueueObserver()
            let session = URLSession(configuration: .default, delegate: observer, delegateQueue: queue)
            defer { session.finishTasksAndInvalidate() }
            for path in ["chunks/3", "redirect/1"] {
                await observer.run(session.dataTask(with: servers[0][path]))
            }
            let ofHandler = await withCheckedContinuation { continuation in
                session.dataTask(with: servers[0]["json"]) { _, _, _ in
                    continuation.resume(returning: OperationQueue.current?.name)
                }.resume()
            }
            return observer.names + [ofHandler]
        }
        XCTAssertEqual(result.live.count, 10)
        XCTAssertEqual(Set(result.live), ["queue of the app"])
        XCTAssertEqual(result.replayed, result.live)
    }

    func testAFinishedTaskIsReleased() async throws {
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

    func testPriorityAndDescriptionAreThoseOfTheApp() async throws {
        let result = try await RecordAndReplay { servers in
            let observer = TaskObserver()
            let session = URLSession(configuration: .default, delegate: observer, delegateQueue: nil)
            let task = session.dataTask(with: servers[0]["json"])
            task.priority = URLSessionTask.highPriority
            task.taskDescription = "mine"
            _ = await observer.outcome(of: task)
            return "\(task.priority) \(task.taskDescription ?? "")"
        }
        XCTAssertEqual(result.live, "\(URLSessionTask.highPriority) mine")
        XCTAssertEqual(result.live, result.replayed)
    }

    func testServerSentEventsArriveOneByOneWithEveryTiming() async throws {
        for timing in [Stubber.Configuration.Timing.immediate, .recorded] {
            var configuration = Stubber.Configuration()
            configuration.timing = timing
            let result = try await RecordAndReplay(configuration: configuration) { servers in
                let start = Date()
                let observer = TaskObserver()
                let session = URLSession(configuration: .default, delegate: observer, delegateQueue: nil)
                _ = await observer.outcome(of: session.dataTask(with: servers[0]["chunks/5"]))
                return (observer.events, Date().timeIntervalSince(start))
            }
            let events = ["response 200"] + Array(repeating: "data 15", count: 5) + ["complete"]
            XCTAssertEqual(result.live.0, events)
            XCTAssertEqual(result.replayed.0, events)
            // Only a lower bound is reliable: nothing may arrive early.
            XCTAssertGreaterThanOrEqual(result.replayed.1, 0.12 * timing.factor)
        }
    }
}

/// Remembers the queues on which it is called.
private final class QueueObserver: NSObject, URLSessionDataDelegate, Sendable {
    private let seen = Locked<[String?]>([])
    private let end = Locked<CheckedContinuation<Void, Never>?>(nil)

    var names: [String?] { seen.withLock { $0 } }

    /// Resumes a task and waits for its end.
    func run(_ task: URLSessionTask) async {
        await withCheckedContinuation { continuation in
            end.withLock { $0 = continuation }
            task.resume()
        }
    }

    private func note() { seen.withLock { $0.append(OperationQueue.current?.name) } }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        note()
        completionHandler(request)
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        note()
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) { note() }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        note()
        end.withLock { $0.take() }?.resume()
    }
}
