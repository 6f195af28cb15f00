import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.serialized)
struct StubLoadingTests {
    private static let url = URL(string: "https://api.example.com/users/42")!

    @Test("Stubs answer every kind of task and receive the request body", arguments: TaskForm.allCases)
    func everyForm(form: TaskForm) async throws {
        let folder = try TemporaryDirectory()
        let body = Data("name=Ann".utf8)
        try body.write(to: folder["body"])
        let seen = Locked<[Data?]>([])
        let observation = try await withStubs { stubber in
            stubber.stub(.path("/users/*") && .host("api.example.com")) { request in
                seen.withLock { $0.append(request.body?.data) }
                return .text("user \(request.wildcards[0])", status: 201, headers: ["X-Stub": "yes"])
            }
            return await form.perform(
                URLRequest(url: Self.url),
                body: body,
                file: folder["body"],
                session: .shared,
                configuration: .default
            )
        }
        #expect(observation.outcome.text == "user 42")
        #expect(observation.outcome.status == 201)
        #expect(observation.outcome.headers["X-Stub"] == "yes")
        #expect(seen.withLock { $0 } == [form.sendsBody ? body : nil])
    }

    @Test("Stubs answer sessions of every configuration, and loading without a session")
    func everySession() async throws {
        try await withStubs { stubber in
            stubber.stub(.host("api.example.com"), respond: .text("here"))
            for configuration in [URLSessionConfiguration.default, .ephemeral] {
                let session = URLSession(configuration: configuration)
                #expect(await Outcome(of: Self.url, in: session).text == "here")
            }
            #expect(await Outcome(of: Self.url, in: stubber.session).text == "here")
            let text = try String(contentsOf: Self.url, encoding: .utf8)
            let data = try Data(contentsOf: Self.url)
            #expect(text == "here" && data == Data("here".utf8))
        }
    }

    @Test("File answers and empty answers arrive unchanged")
    func bodies() async throws {
        let folder = try TemporaryDirectory()
        let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
        try bytes.write(to: folder["picture.png"])
        try Data().write(to: folder["empty.json"])
        try await withStubs { stubber in
            stubber.stub(.path("/picture"), respond: .file(folder["picture.png"]))
            stubber.stub(.path("/empty"), respond: .file(folder["empty.json"]))
            stubber.stub(.path("/nothing"), respond: .status(204))
            let picture = await Outcome(of: Self.url.replacingPath("/picture"))
            #expect(picture.body == bytes)
            #expect(picture.headers["Content-Type"] == "image/png")
            #expect(await Outcome(of: Self.url.replacingPath("/empty")).body.isEmpty)
            #expect(await Outcome(of: Self.url.replacingPath("/nothing")).status == 204)
        }
    }

    @Test("A redirect is followed to the next stub if the delegate agrees")
    func redirects() async throws {
        try await withStubs { stubber in
            stubber.stub(.path("/users/*"), respond: .redirect(to: "/moved", status: 307))
            stubber.stub(.path("/moved")) { request in .text("\(request.method) moved") }
            var request = URLRequest(url: Self.url)
            request.httpMethod = "PUT"
            let followed = await Outcome(of: request)
            #expect(followed.text == "PUT moved")
            #expect(followed.url?.path == "/moved")
            var answers = TaskObserver.Answers()
            answers.redirect = { _ in nil }
            let observer = TaskObserver(answers)
            let session = URLSession(configuration: .default, delegate: observer, delegateQueue: nil)
            let refused = await observer.outcome(of: session.dataTask(with: request))
            #expect(refused.status == 307)
            session.finishTasksAndInvalidate()
        }
    }

    @Test("A failure or a thrown error reaches the app with domain and code")
    func failures() async throws {
        struct Odd: Error {}
        try await withStubs { stubber in
            stubber.stub(.path("/offline"), respond: .failure(.notConnectedToInternet))
            stubber.stub(.path("/thrown")) { _ in throw URLError(.cannotFindHost) }
            stubber.stub(.path("/odd"), respond: .failure(Odd()))
            let offline = await Outcome(of: Self.url.replacingPath("/offline"))
            #expect(offline.failure == "NSURLErrorDomain \(NSURLErrorNotConnectedToInternet)")
            let thrown = await Outcome(of: Self.url.replacingPath("/thrown"))
            #expect(thrown.failure == "NSURLErrorDomain \(NSURLErrorCannotFindHost)")
            #expect(await Outcome(of: Self.url.replacingPath("/odd")).failure?.contains("Odd") == true)
        }
    }

    @Test("Cookies from a stub are stored and sent with the next request")
    func cookies() async throws {
        try await withStubs { stubber in
            stubber.stub(.path("/login"), respond: .status(204, headers: ["Set-Cookie": "id=7; Path=/"]))
            stubber.stub(.path("/me"), respond: .text("you"))
            let session = URLSession(configuration: .ephemeral)
            _ = await Outcome(of: Self.url.replacingPath("/login"), in: session)
            _ = await Outcome(of: Self.url.replacingPath("/me"), in: session)
            let cookies = session.configuration.httpCookieStorage?.cookies(for: Self.url) ?? []
            #expect(cookies.map(\.value) == ["7"])
        }
    }

    @Test("Chunks arrive one by one at a delegate, up to the cut")
    func pieces() async throws {
        try await withStubs { stubber in
            let pieces = ["one", "two", "three"].map { Data($0.utf8) }
            stubber.stub(.path("/stream"), respond: .chunks(pieces, every: .milliseconds(5)))
            stubber.stub(.path("/cut"), respond: .chunks(pieces, every: .zero).cut(afterBytes: 4))
            let whole = TaskObserver()
            let session = URLSession(configuration: .default, delegate: whole, delegateQueue: nil)
            let streamed = await whole.outcome(of: session.dataTask(with: Self.url.replacingPath("/stream")))
            #expect(streamed.text == "onetwothree")
            #expect(whole.events.filter { $0.hasPrefix("data") } == ["data 3", "data 3", "data 5"])
            let broken = TaskObserver()
            let other = URLSession(configuration: .default, delegate: broken, delegateQueue: nil)
            let cut = await broken.outcome(of: other.dataTask(with: Self.url.replacingPath("/cut")))
            #expect(cut.failure == "NSURLErrorDomain \(NSURLErrorNetworkConnectionLost)")
            #expect(broken.events.filter { $0.hasPrefix("data") } == ["data 3", "data 1"])
            session.finishTasksAndInvalidate()
            other.finishTasksAndInvalidate()
        }
    }

    @Test("A large throttled body arrives completely, chunk by chunk")
    func largeBody() async throws {
        let clock = PlaybackClock(advancesItself: true)
        var configuration = Stubber.Configuration()
        configuration.clock = clock
        try await withStubs(configuration: configuration) { stubber in
            let bytes = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            stubber.stub(.any, respond: .data(bytes).throttled(to: .wifi))
            let start = clock.now
            let observer = TaskObserver()
            let session = URLSession(configuration: .default, delegate: observer, delegateQueue: nil)
            let outcome = await observer.outcome(of: session.dataTask(with: Self.url))
            #expect(outcome.body == bytes)
            #expect(start.duration(to: clock.now) == .seconds(2))
            #expect(observer.events.filter { $0.hasPrefix("data") }.count == 8)
            session.finishTasksAndInvalidate()
        }
    }

    @Test("A 30-second timeout takes no time with a PlaybackClock")
    func timeout() async throws {
        let clock = PlaybackClock(advancesItself: true)
        var configuration = Stubber.Configuration()
        configuration.clock = clock
        try await withStubs(configuration: configuration) { stubber in
            stubber.stub(.path("/never"), respond: .timeout)
            stubber.stub(.path("/slow"), respond: .text("late").delayed(by: .seconds(20)))
            var request = URLRequest(url: Self.url.replacingPath("/never"))
            request.timeoutInterval = 30
            let start = clock.now
            let failed = await Outcome(of: request)
            #expect(failed.failure == "NSURLErrorDomain \(NSURLErrorTimedOut)")
            #expect(start.duration(to: clock.now) == .seconds(30))
            #expect(await Outcome(of: Self.url.replacingPath("/slow")).text == "late")
            #expect(start.duration(to: clock.now) == .seconds(50))
        }
    }

    @Test("The test can advance its clock while an answer waits")
    func drivenClock() async throws {
        let clock = PlaybackClock()
        var configuration = Stubber.Configuration()
        configuration.clock = clock
        try await withStubs(configuration: configuration) { stubber in
            stubber.stub(.any, respond: .text("late").delayed(by: .seconds(20)))
            async let outcome = Outcome(of: Self.url)
            await clock.waitForSleepers()
            await clock.advance(by: .seconds(20))
            #expect(await outcome.text == "late")
        }
    }

    @Test("Cancelling a task cancels the closure that answers it")
    func cancellation() async throws {
        let cancelled = Locked(false)
        try await withStubs { stubber in
            stubber.stub(.any) { _ in
                do {
                    try await Task.sleep(for: .seconds(60))
                } catch {
                    cancelled.withLock { $0 = true }
                }
                return .status(200)
            }
            let request = Task { await Outcome(of: Self.url) }
            try await stubber.waitForRequests(.any)
            request.cancel()
            #expect(await request.value.failure == "NSURLErrorDomain \(NSURLErrorCancelled)")
        }
        // The end of the scope does not wait for a cancelled request.
        for _ in 0..<12_000 where !cancelled.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
        #expect(cancelled.withLock { $0 })
    }

    @Test("The closure of a stub can make requests")
    func nestedRequest() async throws {
        try await withStubs { stubber in
            stubber.stub(.path("/inner"), respond: .text("inside"))
            stubber.stub(.path("/outer")) { request in
                let inner = await Outcome(of: Self.url.replacingPath("/inner"))
                return .text("\(inner.text) \(request.callNumber)")
            }
            #expect(await Outcome(of: Self.url.replacingPath("/outer")).text == "inside 0")
            #expect(await Outcome(of: Self.url.replacingPath("/outer")).text == "inside 1")
        }
    }

    @Test("Fifty parallel scopes have their own stubs on one session")
    func parallelScopes() async throws {
        let texts = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<50 {
                group.addTask {
                    try await withStubs { stubber in
                        stubber.stub(.any) { request in .text("\(number) \(request.callNumber)") }
                        for call in 0..<20 where await Outcome(of: Self.url).text != "\(number) \(call)" {
                            return false
                        }
                        return true
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(texts.count == 50 && texts.allSatisfy(\.self))
    }

    @Test("A timeout takes as long as its session waits, which is 60 seconds by default")
    func usualTimeout() async throws {
        let clock = PlaybackClock(advancesItself: true)
        var configuration = Stubber.Configuration()
        configuration.clock = clock
        try await withStubs(configuration: configuration) { stubber in
            stubber.stub(.any, respond: .timeout)
            let start = clock.now
            #expect(await Outcome(of: Self.url).failure == "NSURLErrorDomain \(NSURLErrorTimedOut)")
            #expect(start.duration(to: clock.now) == .seconds(60))
            let session = URLSessionConfiguration.ephemeral
            session.timeoutIntervalForRequest = 5
            let outcome = await Outcome(of: Self.url, in: URLSession(configuration: session))
            #expect(outcome.failure == "NSURLErrorDomain \(NSURLErrorTimedOut)")
            #expect(start.duration(to: clock.now) == .seconds(65))
        }
    }

    @Test("A closure that waits, and then throws, fails its request with that error")
    func asynchronousError() async throws {
        try await withStubs { stubber in
            stubber.stub(.any) { _ in
                try await Task.sleep(for: .milliseconds(5))
                throw URLError(.dataNotAllowed)
            }
            #expect(await Outcome(of: Self.url).failure == "NSURLErrorDomain \(NSURLErrorDataNotAllowed)")
        }
    }
}

extension URL {
    /// The URL of another path.
    func replacingPath(_ path: String) -> URL {
        URL(string: path, relativeTo: self)?.absoluteURL ?? self
    }
}
