import Foundation
import Rewind
import RewindTestSupport
import XCTest

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Routes tasks to stubbers if the loading system calls protocols on its own threads, like Apple's.
final class TaskRoutingTests: XCTestCase, @unchecked Sendable {
    // Sound as @unchecked Sendable: it has no state.

    override func setUp() {
        // Another test of this process may have marked requests, which keeps interception on.
        StubberRegistry.shared.stopInterceptingForMarks()
    }

    func testASessionUsesTheStubberOfTheTestThatResumesItsTask() async throws {
        let session = URLSession(configuration: .ephemeral)
        let before = URLSession(configuration: .default)
        for text in ["first", "second"] {
            try await withStubs { stubber in
                stubber.stub(.any, respond: .text(text))
                for session in [session, before] {
                    let task = await Self.load("http://routing.invalid/", session)
                    XCTAssertEqual(task.loader, .stubber(stubber))
                    XCTAssertEqual(Self.text(of: task), text)
                }
            }
        }
        let task = await Self.load("http://routing.invalid/", session)
        XCTAssertEqual(task.loader, .network, "without a test, tasks use the network")
    }

    func testSixteenParallelTestsThroughOneSessionReceiveTheirOwnAnswers() async throws {
        let session = URLSession(configuration: .ephemeral)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for test in 0..<16 {
                group.addTask {
                    try await withStubs(testName: "test \(test)") { stubber in
                        stubber.stub(.any, respond: .text("\(test)"))
                        for number in 0..<20 {
                            let task = await Self.load("http://routing.invalid/\(number)", session)
                            XCTAssertEqual(task.loader, .stubber(stubber))
                            XCTAssertEqual(Self.text(of: task), "\(test)")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    func testATaskKeepsTheRouteOfItsFirstResume() async throws {
        let session = URLSession(configuration: .ephemeral)
        try await withStubs { outer in
            outer.stub(.any, respond: .text("outer"))
            let task = Self.task("http://routing.invalid/", session)
            task.resume()
            try withStubs { inner in
                inner.stub(.any, respond: .text("inner"))
                task.resume()
            }
            await task.waitForEnd()
            XCTAssertEqual(task.loader, .stubber(outer))
        }
    }

    func testProtocolClassesOfTheAppDoNotHideATaskFromItsStubber() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [OwnProtocol.self]
        let session = URLSession(configuration: configuration)
        try await withStubs { stubber in
            stubber.stub(.any, respond: .text("stub"))
            let task = await Self.load("http://routing.invalid/", session)
            XCTAssertEqual(task.loader, .stubber(stubber))
        }
        let task = await Self.load("http://routing.invalid/", session)
        XCTAssertEqual(task.loader, .other("OwnProtocol"))
    }

    func testTheSessionOfAStubberUsesThatStubberInAnotherTest() async throws {
        try await withStubs { outer in
            outer.stub(.any, respond: .text("outer"))
            let session = outer.session
            try await withStubs { inner in
                inner.stub(.any, respond: .text("inner"))
                let task = await Self.load("http://routing.invalid/", session)
                XCTAssertEqual(task.loader, .stubber(outer))
                XCTAssertEqual(Self.text(of: task), "outer")
            }
        }
    }

    func testAMarkedRequestUsesTheStubberOfItsMark() async throws {
        let session = URLSession(configuration: .ephemeral)
        try await withStubs { marked in
            marked.stub(.any, respond: .text("marked"))
            try await withStubs { inner in
                inner.stub(.any, respond: .text("inner"))
                var request = URLRequest(url: URL(fileURLWithPath: "/"))
                request.url = URL(string: "http://routing.invalid/")
                marked.route(&request)
                let task = SimulatedTask(session.dataTask(with: request), of: session)
                task.resume()
                await task.waitForEnd()
                XCTAssertEqual(task.loader, .stubber(marked))
                XCTAssertEqual(Self.text(of: task), "marked")
            }
        }
    }

    func testATaskThatMayBelongToSeveralTestsIsRefused() async throws {
        let session = URLSession(configuration: .ephemeral)
        let task = try await withStubs(testName: "one") { first in
            let route = Route(Stubber(stubsOnly: Stubber.Configuration(), testName: "two"))
            ActiveRoutes.shared.add(route, within: nil)
            defer { ActiveRoutes.shared.remove(route) }
            let task = Self.task("http://routing.invalid/", session)
            await Task.detached {
                task.resume()
                await task.waitForEnd()
            }.value
            return task
        }
        XCTAssertEqual(task.loader, .stubber(nil))
        XCTAssertTrue(task.transcript.lines.contains("caller: error Rewind 5"), "\(task.transcript.lines)")
    }

    func testATaskThatIsResumedAfterItsTestIsRefused() async throws {
        let session = URLSession(configuration: .ephemeral)
        let task = Self.task("http://routing.invalid/", session)
        let late = try withStubs { _ in
            Task {
                try? await Task.sleep(nanoseconds: 50_000_000)
                task.resume()
                await task.waitForEnd()
            }
        }
        await late.value
        XCTAssertTrue(task.transcript.lines.contains("caller: error Rewind 4"), "\(task.transcript.lines)")
    }

    func testTheInnerSessionIsExempt() {
        let routed: AnyClass = RoutedStandIn.self
        let inner: [AnyClass] = [InnerSessionProtocol.self, OwnProtocol.self]
        XCTAssertTrue(TaskRouting.classes(inner, with: routed).elementsEqual(inner, by: ==))
        let common = TaskRouting.classes([OwnProtocol.self, routed], with: routed)
        XCTAssertTrue(common.elementsEqual([routed, OwnProtocol.self], by: ==), "\(common)")
    }

    func testTheEndOfATestWaitsForResumedTasks() async throws {
        let session = URLSession(configuration: .ephemeral)
        let requests = try withStubs { stubber in
            stubber.stub(.any, respond: .text("late"))
            // The test does not wait for it.
            Self.task("http://routing.invalid/late", session).resume()
            return stubber
        }.requests
        XCTAssertEqual(requests.map(\.url), ["http://routing.invalid/late"])
    }

    func testRequestsWithBodiesKeepTheOrderInWhichTheirTasksWereStarted() async throws {
        let session = URLSession(configuration: .ephemeral)
        let thread = SimulatedThread()
        defer { thread.end() }
        let requests = try await withStubs { stubber in
            stubber.stub(.any, respond: .text("ok"))
            var tasks: [SimulatedTask] = []
            for number in 0..<30 {
                var request = URLRequest(url: URL(fileURLWithPath: "/"))
                request.url = URL(string: "http://routing.invalid/\(number)")
                let body = number % 2 == 0 ? Data(repeating: 65, count: number * 1000 + 1) : nil
                request.httpMethod = body == nil ? "GET" : "POST"
                // Like an app with a stream: only the stream has the bytes.
                if let body { request.httpBodyStream = InputStream(data: body) }
                let task = SimulatedTask(
                    session.dataTask(with: request),
                    of: session,
                    body: body.map { InputStream(data: $0) },
                    on: thread
                )
                task.resume()
                tasks.append(task)
            }
            for task in tasks { await task.waitForEnd() }
            return stubber.requests
        }
        XCTAssertEqual(requests.map(\.url), (0..<30).map { "http://routing.invalid/\($0)" })
        XCTAssertEqual(requests.map { $0.body?.count ?? 0 }, (0..<30).map { $0 % 2 == 0 ? $0 * 1000 + 1 : 0 })
    }

    func testAnUploadTaskSendsItsOwnBody() async throws {
        let session = URLSession(configuration: .ephemeral)
        let requests = try await withStubs { stubber in
            stubber.stub(.any, respond: .text("ok"))
            var request = URLRequest(url: URL(fileURLWithPath: "/"))
            request.url = URL(string: "http://routing.invalid/upload")
            request.httpMethod = "PUT"
            request.httpBody = Data("of the request".utf8)
            let body = Data("uploaded".utf8)
            let task = SimulatedTask(
                session.uploadTask(with: request, from: body),
                of: session,
                body: InputStream(data: body)
            )
            task.resume()
            await task.waitForEnd()
            return stubber.requests
        }
        XCTAssertEqual(requests.map { $0.body?.data }, [Data("uploaded".utf8)])
    }

    func testOtherURLSchemesHaveNoStubber() async throws {
        let session = URLSession(configuration: .ephemeral)
        try await withStubs { _ in
            let task = await Self.load("ftp://routing.invalid/", session)
            XCTAssertEqual(task.loader, .network)
        }
    }

    func testATaskCancelledBeforeItsLoadIsRecorded() async throws {
        let folder = try TemporaryDirectory()
        let server = try RawServer { _ in [.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")] }
        defer { server.stop() }
        let session = URLSession(configuration: .ephemeral)
        let request = URLRequest(url: server["once"])
        try withCassette("talk", in: folder.url, mode: .all) { _ in
            let route = TaskRoute(resuming: request)
            route.cancel(request)
            XCTAssertFalse(route.begin())
        }
        try await withCassette("talk", in: folder.url, mode: .never) { stubber in
            let early = TaskRoute(resuming: request)
            early.cancel(request)
            // The recorded interaction is played, so a second request is a miss.
            let task = SimulatedTask(session.dataTask(with: request), of: session)
            task.resume()
            await task.waitForEnd()
            XCTAssertTrue(task.transcript.lines.contains("caller: error Rewind 3"), "\(task.transcript.lines)")
            XCTAssertEqual(stubber.takeMisses().count, 1)
        } as Void
    }

    // MARK: Tasks that the loading system does not offer to protocols

    func testAWebSocketTaskIsRefusedInModesWithoutNetwork() async throws {
        let misses = Locked<[Miss]>([])
        var configuration = Stubber.Configuration()
        configuration.requestMatchingFailed = { miss in misses.withLock { $0.append(miss) } }
        let folder = try TemporaryDirectory()
        for kind in [UnsupportedTask.webSocket, .background] {
            try withCassette("none", in: folder.url, mode: .never, configuration: configuration) { _ in
                XCTAssertNotNil(Self.refusal(kind))
            }
            try withStubs(configuration: configuration) { _ in XCTAssertNotNil(Self.refusal(kind)) }
        }
        let reported = misses.withLock { $0 }
        XCTAssertEqual(reported.count, 4)
        XCTAssertEqual(reported.first?.reason, .unsupportedTask(kind: "WebSocket task"))
        let text = reported.first?.description ?? ""
        XCTAssertTrue(
            text.contains("A WebSocket task cannot be replayed, and mode `never` forbids the network"),
            text
        )
        XCTAssertTrue(text.contains("configuration.passthroughHosts.insert(\"chat.example.com\")"), text)
    }

    func testAWebSocketTaskUsesTheNetworkIfTheModeOrItsHostAllows() async throws {
        let folder = try TemporaryDirectory()
        for mode in [RecordingMode.all, .once, .newEpisodes, .live, .verify] {
            try withCassette("talk \(mode)", in: folder.url, mode: mode) { _ in
                XCTAssertNil(Self.refusal(.webSocket), "\(mode)")
            }
        }
        var configuration = Stubber.Configuration()
        configuration.passthroughHosts = ["chat.example.com"]
        try withCassette("none", in: folder.url, mode: .never, configuration: configuration) { _ in
            XCTAssertNil(Self.refusal(.webSocket))
        }
        XCTAssertNil(Self.refusal(.webSocket), "without a test, tasks use the network")
    }

    func testATaskOfABackgroundSessionIsNotPendingAndNotCancelled() async throws {
        let folder = try TemporaryDirectory()
        let request = URLRequest(url: try XCTUnwrap(URL(string: "http://background.invalid/")))
        var configuration = Stubber.Configuration()
        configuration.inFlightTimeout = 3600
        try withCassette("talk", in: folder.url, mode: .all, configuration: configuration) { stubber in
            let route = TaskRoute(resuming: request)
            XCTAssertNil(route.refusal(of: .background, for: request))
            route.cancel(request)
            XCTAssertTrue(stubber.isSettled)
        }
        XCTAssertEqual(folder.files, [])
    }

    func testAnUnsupportedTaskIsReportedOnce() async throws {
        let count = Locked(0)
        var configuration = Stubber.Configuration()
        configuration.requestMatchingFailed = { _ in count.withLock { $0 += 1 } }
        try withStubs(configuration: configuration) { _ in
            let request = URL(string: "wss://chat.example.com/").map { URLRequest(url: $0) }
            let route = TaskRoute(resuming: request)
            XCTAssertNotNil(route.refusal(of: .webSocket, for: request))
            XCTAssertNil(route.refusal(of: .webSocket, for: request))
        }
        XCTAssertEqual(count.withLock { $0 }, 1)
    }

    // MARK: -

    private static func refusal(_ kind: UnsupportedTask) -> Miss? {
        let request = URL(string: "wss://chat.example.com/live").map { URLRequest(url: $0) }
        return TaskRoute(resuming: request).refusal(of: kind, for: request)
    }

    private static func task(_ url: String, _ session: URLSession) -> SimulatedTask {
        let url = URL(string: url) ?? URL(fileURLWithPath: "/")
        return SimulatedTask(session.dataTask(with: url), of: session)
    }

    private static func load(_ url: String, _ session: URLSession) async -> SimulatedTask {
        let task = task(url, session)
        task.resume()
        await task.waitForEnd()
        return task
    }

    private static func text(of task: SimulatedTask) -> String? {
        task.transcript.lines.first { $0.hasPrefix("caller: data") }?.split(separator: " ").last.map(
            String.init
        )
    }
}

/// A protocol of an app.
private final class OwnProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func startLoading() {}
    override func stopLoading() {}
}
