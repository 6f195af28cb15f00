import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.serialized)
struct RequestLogTests {
    private let url = URL(string: "https://api.example.com/users?page=1")!

    @Test("Requests are logged in order, with the header fields of their session")
    func stored() async throws {
        try await withStubs { stubber in
            stubber.stub(.path("/users"), respond: .status(204))
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpAdditionalHeaders = ["X-Session": "one"]
            let session = URLSession(configuration: configuration)
            var request = URLRequest(url: url)
            request.setValue("two", forHTTPHeaderField: "X-Request")
            _ = await Outcome(of: request, in: session)
            var other = URLRequest(url: url.replacingPath("/other"))
            other.httpMethod = "POST"
            other.httpBody = Data("body".utf8)
            _ = await Outcome(of: other, in: session)
            let requests = stubber.requests
            #expect(requests.map(\.description) == ["GET \(url)", "POST https://api.example.com/other"])
            #expect(requests.map { $0.headers["X-Session"] } == ["one", "one"])
            #expect(requests.map { $0.headers["X-Request"] } == ["two", nil])
            #expect(requests[1].body?.data == Data("body".utf8))
            #expect(stubber.takeMisses().map(\.request.url) == ["https://api.example.com/other"])
        }
    }

    @Test("Every request is logged, however it is answered, and each hop of a redirect")
    func every() async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        let folder = try TemporaryDirectory()
        var configuration = Stubber.Configuration()
        configuration.requestMatchingFailed = { _ in }
        configuration.passthrough = { $0.url.hasSuffix("/cookies") }
        let paths = ["json", "redirect/1", "json", "stubbed", "cookies", "status/204", "refused"]
        for mode in [RecordingMode.once, .once] {
            try await withCassette("talk", in: folder.url, mode: mode, configuration: configuration) {
                stubber in
                stubber.stub(.path("/stubbed"), respond: .status(204))
                for path in ["json", "redirect/1", "stubbed", "cookies"] { _ = await Outcome(of: server[path]) }
                stubber.pause()
                _ = await Outcome(of: server["status/204"])
                stubber.resume()
                stubber.forbidNetwork()
                _ = await Outcome(of: server["refused"])
                #expect(stubber.requests.map(\.url) == paths.map { server[$0].absoluteString })
            }
        }
    }

    @Test("A test can wait for a later or an earlier request")
    func awaited() async throws {
        try await withStubs { stubber in
            stubber.stub(.any, respond: .status(204))
            let url = url
            Task {
                try await Task.sleep(for: .milliseconds(20))
                _ = await Outcome(of: url)
            }
            let first = try await stubber.waitForRequests(.get("https://api.example.com/users"))
            #expect(first.map(\.url) == [url.absoluteString])
            #expect(try await stubber.waitForRequests(.get("https://api.example.com/users")) == first)
            Task {
                for _ in 0..<2 { _ = await Outcome(of: url) }
            }
            #expect(try await stubber.waitForRequests(.path("/users"), count: 3).count == 3)
        }
    }

    @Test("Waiting in vain throws an error that lists the other requests")
    func missing() async throws {
        try await withStubs { stubber in
            stubber.stub(.any, respond: .status(204))
            _ = await Outcome(of: url)
            let error = await #expect(throws: MissingRequestsError.self) {
                try await stubber.waitForRequests(.method("POST"), within: .milliseconds(10))
            }
            let text = "\(try #require(error))"
            #expect(text.contains("Expected 1 request matching method(POST), but received 0."))
            #expect(text.contains("GET \(url)"))
            #expect(text.contains("method is GET, not POST"))
        }
    }

    @Test("The error for missing requests contains no secret")
    func secrets() async throws {
        try await withStubs { stubber in
            stubber.stub(.any, respond: .status(204))
            let url = URL(string: "https://api.example.com/users?api_key=5up3rs3cr3tvalue")!
            _ = await Outcome(of: url)
            let error = await #expect(throws: MissingRequestsError.self) {
                try await stubber.waitForRequests(.method("POST"), within: .milliseconds(10))
            }
            let text = try #require(error?.description)
            #expect(text.contains("api_key=") && !text.contains("5up3rs3cr3tvalue"))
            #expect(stubber.requests[0].url == url.absoluteString)
        }
    }

    @Test("The server's stubber stores no requests")
    func unstored() {
        var configuration = Stubber.Configuration()
        configuration.keepsRequests = false
        let stubber = Stubber(stubsOnly: configuration)
        stubber.stub(.any, respond: .status(204))
        #expect(Decision(stubber.answer(to: Interaction.Request(url: "http://h/"))) == .replays(""))
        #expect(stubber.requests.isEmpty)
    }

    @Test("Waiting for requests ends if the task is cancelled")
    func cancelled() async throws {
        let stubber = Stubber(stubsOnly: Stubber.Configuration())
        let waiting = Task { try await stubber.waitForRequests(.any, within: .seconds(60)) }
        waiting.cancel()
        await #expect(throws: MissingRequestsError.self) { try await waiting.value }
    }

    @Test("Waiters are notified after the answer was delivered")
    func notifiesAfterwards() {
        let stubber = Stubber(stubsOnly: Stubber.Configuration())
        let request = Interaction.Request(url: "https://h/a")
        let (early, late) = (Locked(0), Locked(0))
        stubber.watchRequests(.any) { _ in early.withLock { $0 += 1 } }
        let incoming = IncomingRequest(request)
        _ = stubber.answer(to: incoming)
        stubber.watchRequests(.any) { _ in late.withLock { $0 += 1 } }
        #expect(early.withLock { $0 } == 0 && late.withLock { $0 } == 0 && stubber.requests.count == 1)
        stubber.announce(incoming)
        stubber.announce(incoming)
        #expect(early.withLock { $0 } == 1)
        #expect(late.withLock { $0 } == 1)
    }
}
