import Foundation
import Rewind
import RewindServer
import RewindTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `waitForAnswers` returns when the app has its answers, not when it makes its requests.
@Suite(.serialized)
struct WaitForAnswersTests {
    private static let url = URL(string: "https://api.example.com/users/42")!

    @Test("The completion handler of a delayed answer has returned")
    func handler() async throws {
        let session = URLSession(configuration: .default)
        let clock = PlaybackClock()
        var configuration = Stubber.Configuration()
        configuration.clock = clock
        try await withStubs(configuration: configuration) { stubber in
            stubber.stub(.any, respond: .text("late").delayed(by: .seconds(20)))
            for number in 1...5 {
                let events = Locked<[String]>([])
                session.dataTask(with: Self.url) { data, _, _ in
                    Thread.sleep(forTimeInterval: 0.02)
                    events.withLock { $0.append(String(decoding: data ?? Data(), as: UTF8.self)) }
                }.resume()
                try await stubber.waitForRequests(.any, count: number)
                await clock.waitForSleepers()
                #expect(events.withLock { $0.isEmpty })
                await clock.advance(by: .seconds(20))
                let answered = try await stubber.waitForAnswers(.path("/users/*"), count: number)
                #expect(events.withLock { $0 } == ["late"])
                #expect(answered.count == number && answered[0].url == Self.url.absoluteString)
            }
        }
        session.finishTasksAndInvalidate()
    }

    @Test("The last callback of a delegate has returned, for every kind of task")
    func delegate() async throws {
        try await withStubs { stubber in
            stubber.stub(.any, respond: .text("hello"))
            let delegate = SlowDelegate()
            let session = URLSession(configuration: .default, delegate: delegate, delegateQueue: nil)
            var request = URLRequest(url: Self.url)
            request.httpMethod = "POST"
            let tasks = [
                session.dataTask(with: Self.url), session.uploadTask(with: request, from: Data("a".utf8)),
                session.downloadTask(with: Self.url),
            ]
            for (number, task) in tasks.enumerated() {
                task.resume()
                try await stubber.waitForAnswers(.any, count: number + 1)
                #expect(delegate.completed == number + 1)
            }
            session.finishTasksAndInvalidate()
        }
    }

    @Test("Answers before the call count, and async calls have theirs")
    func earlier() async throws {
        try await withStubs { stubber in
            stubber.stub(.any, respond: .status(204))
            let none = try await stubber.waitForAnswers(.any, count: 0)
            #expect(none.isEmpty)
            for _ in 0..<3 { _ = await Outcome(of: Self.url) }
            let answered = try await stubber.waitForAnswers(.any, count: 3)
            #expect(answered.count == 3)
            let task = Task { await Outcome(of: Self.url).status }
            try await stubber.waitForAnswers(.any, count: 4)
            #expect(await task.value == 204)
        }
    }

    @Test("An error is an answer: of a stub, of a closure, of a miss")
    func errors() async throws {
        var configuration = Stubber.Configuration()
        configuration.requestMatchingFailed = { _ in }
        try await withStubs(configuration: configuration) { stubber in
            stubber.stub(.path("/failure"), respond: .failure(.timedOut))
            stubber.stub(.path("/thrown")) { _ in throw URLError(.cannotFindHost) }
            stubber.stub(.path("/cut"), respond: .text("hello").cut(afterBytes: 2))
            for path in ["/failure", "/thrown", "/cut"] {
                URLSession.shared.dataTask(with: Self.url.replacingPath(path)) { _, _, _ in }.resume()
                let answered = try await stubber.waitForAnswers(.path(path))
                #expect(answered.count == 1)
            }
        }
    }

    @Test("A redirect is answered when it is followed, and its target when the app has the response")
    func redirect() async throws {
        try await withStubs { stubber in
            stubber.stub(.path("/users/*"), respond: .redirect(to: "/moved"))
            stubber.stub(.path("/moved"), respond: .text("here"))
            URLSession.shared.dataTask(with: Self.url) { _, _, _ in }.resume()
            let answered = try await stubber.waitForAnswers(.host("api.example.com"), count: 2)
            #expect(Set(answered.map { URL(string: $0.url)?.path }) == ["/users/42", "/moved"])
        }
    }

    @Test("A cancelled request and one that still waits have no answer, and the error names them")
    func missing() async throws {
        try await withStubs { stubber in
            stubber.stub(.any, respond: .timeout)
            let task = URLSession.shared.dataTask(with: Self.url) { _, _, _ in }
            task.resume()
            try await stubber.waitForRequests(.any)
            let error = await #expect(throws: MissingRequestsError.self) {
                try await stubber.waitForAnswers(.path("/users/*"), within: .milliseconds(50))
            }
            let text = error?.description ?? ""
            #expect(text.contains("Expected 1 answer to requests matching"), "\(text)")
            #expect(text.contains("These requests have no answer yet:\n  GET https://api.example.com/users/42"))
            task.cancel()
            await #expect(throws: MissingRequestsError.self) {
                try await stubber.waitForAnswers(.any, within: .milliseconds(50))
            }
            let other = await #expect(throws: MissingRequestsError.self) {
                try await stubber.waitForAnswers(.path("/none"), within: .milliseconds(5))
            }
            #expect(other?.description.contains("but the app received 0. Other requests:") == true)
        }
    }

    @Test("Answers from the network count: recorded ones and those of a passthrough host")
    func network() async throws {
        let folder = try TemporaryDirectory()
        let server = try ConversationServer()
        defer { server.stop() }
        var configuration = Stubber.Configuration()
        for (mode, passes) in [(RecordingMode.all, false), (.never, false), (.all, true)] {
            configuration.passthroughHosts = passes ? ["127.0.0.1"] : []
            try await withCassette("talk", in: folder.url, mode: mode, configuration: configuration) {
                stubber in
                let text = Locked("")
                URLSession.shared.dataTask(with: server["json"]) { data, _, _ in
                    text.withLock { $0 = String(decoding: data ?? Data(), as: UTF8.self) }
                }.resume()
                try await stubber.waitForAnswers(.path("/json"))
                #expect(text.withLock { $0 }.contains("42"), "\(mode) \(passes)")
            }
        }
    }

    @Test("A server's answers count")
    func cassetteServer() async throws {
        let stubber = Stubber(stubsOnly: Stubber.Configuration())
        let server = try CassetteServer(stubber, upstreams: .url(Self.url.replacingPath("/")))
        stubber.stub(.path("/at-once"), respond: .status(204))
        stubber.stub(.path("/later"), respond: .text("b").delayed(by: .milliseconds(5)))
        stubber.stub(.path("/computed")) { _ in .text("c") }
        let url = try server.start()
        try await withCassette("none", in: try TemporaryDirectory().url, mode: .live) { _ in
            for path in ["/at-once", "/later", "/computed"] {
                _ = await Outcome(of: url.replacingPath(path))
                let answered = try await stubber.waitForAnswers(.path(path))
                #expect(answered.count == 1)
            }
        }
        try server.stop()
    }
}

private final class SlowDelegate: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate, Sendable {
    private let count = Locked(0)

    var completed: Int { count.withLock { $0 } }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        Thread.sleep(forTimeInterval: 0.02)
        count.withLock { $0 += 1 }
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {}
}
