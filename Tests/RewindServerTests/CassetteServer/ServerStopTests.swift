import Foundation
import Rewind
import RewindServer
import RewindTestSupport
import Testing

/// What `stop` does with requests that do not end, and with failed tests.
@Suite(.timeLimit(.minutes(5)), .ownThreads)
struct ServerStopTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func server(
        _ upstream: URL,
        _ mode: RecordingMode,
        wait seconds: Double = 60,
        limits: HTTPLimits = HTTPLimits()
    ) throws -> CassetteServer {
        var configuration = Stubber.Configuration()
        configuration.inFlightTimeout = seconds
        let stubber = try Stubber(
            cassette: "talk",
            in: folder.url,
            mode: mode,
            configuration: configuration,
            filePath: #filePath,
            for: .server
        )
        return try CassetteServer(stubber, upstreams: .url(upstream), limits: limits)
    }

    private func putOld(_ upstream: URL) throws -> Data {
        let old = Interaction(
            request: Interaction.Request(url: upstream.absoluteString + "/old"),
            outcome: .response(Interaction.Response(body: Interaction.Body("old")))
        )
        try Cassette(interactions: [old]).write(to: folder["talk.har"])
        return try Data(contentsOf: folder["talk.har"])
    }

    @Test("A response that does not end is recorded up to the timeout, and does not end on replay either")
    func endless() throws {
        let upstream = HTTPServer { _, response in
            try response.begin(headers: ["Content-Type": "text/event-stream"])
            // The loop ends when the server closes the connection.
            while true {
                try response.write(Data("data: 1\n\n".utf8))
                Thread.sleep(forTimeInterval: 0.05)
            }
        }
        let url = try upstream.start()
        defer { upstream.stop() }
        var bodies: [Data] = []
        for mode in [RecordingMode.once, .never] {
            let server = try server(url, mode, wait: 0.4)
            let local = try server.start()
            let client = try RawClient(local)
            try client.send(request(local, "GET", "/events"))
            while !client.hasAnswer { Thread.sleep(forTimeInterval: 0.01) }
            let report = try server.stop()
            #expect(report.requestsInFlight.isEmpty)
            #expect(report.recordedCount == (mode == .once ? 1 : 0))
            let answer = try ReceivedResponse(try client.readBytesToEnd(), to: "GET")
            #expect(answer.status == 200)
            #expect(!answer.isWhole)
            bodies.append(answer.body)
        }
        let recorded = try Cassette(contentsOf: folder["talk.har"]).interactions.first?.response?.body.data
        // The client may lose bytes that it had not read when the connection was reset.
        for body in bodies { #expect(!body.isEmpty && recorded?.starts(with: body) == true) }
    }

    @Test("With a request without a response, the recording is saved beside the cassette")
    func unanswered() throws {
        let release = DispatchSemaphore(value: 0)
        let upstream = HTTPServer { request, response in
            if request.path == "/hangs" { release.wait() }
            try response.respond(body: Data("new".utf8))
        }
        let url = try upstream.start()
        defer {
            release.signal()
            upstream.stop()
        }
        let old = try putOld(url)
        let server = try server(url, .all, wait: 0.2, limits: .impatient)
        let local = try server.start()
        #expect(try send(local, "GET", "/fine").text == "new")
        let client = try RawClient(local)
        try client.send(request(local, "GET", "/hangs"))
        while server.stubber.requestsInFlight.isEmpty { Thread.sleep(forTimeInterval: 0.002) }
        // The first call may throw because of the request; the second one returns the same report.
        let report = try (try? server.stop()) ?? server.stop()
        #expect(report.requestsInFlight.count == 1)
        #expect(report.requestsInFlight.map(\.url) == [url.absoluteString + "/hangs"])
        #expect(try Data(contentsOf: folder["talk.har"]) == old)
        let failed = try Cassette(contentsOf: folder["talk.failed.har"])
        #expect(failed.interactions.map(\.request.url) == [url.absoluteString + "/fine"])
    }

    @Test("After an upstream that did not answer, the cassette stays, and the end throws the requests")
    func deadUpstream() throws {
        let upstream = try ConversationServer()
        func run(_ mode: RecordingMode) throws -> EjectReport {
            let server = try server(upstream.url, mode)
            let local = try server.start()
            for path in ["/json", "/visit"] { _ = try send(local, "GET", path) }
            return try server.stop()
        }
        #expect(try run(.once).recordedCount == 2)
        let old = try Data(contentsOf: folder["talk.har"])
        upstream.stop()
        let error = try #require(throws: Stubber.ScopeError.self) { try run(.all) }
        guard case .lostAnswers(let interactions, let path) = error else { throw error }
        #expect(
            interactions.map(\.request.url) == ["/json", "/visit"].map { upstream.url.absoluteString + $0 }
        )
        #expect(path == folder["talk.har"].path)
        #expect(try Data(contentsOf: folder["talk.har"]) == old)
        #expect(folder.files == ["talk.failed.har", "talk.har"])
        try FileManager.default.removeItem(at: folder["talk.har"])
        let first = try #require(throws: Stubber.ScopeError.self) { try run(.once) }
        guard case .noAnswers(let failed, _) = first else { throw first }
        #expect(failed.count == 2)
        #expect(folder.files == ["talk.failed.har"])
    }

    @Test("After a failed test, the cassette stays and the recording is saved beside it")
    func failedTest() throws {
        let upstream = try ConversationServer()
        defer { upstream.stop() }
        let old = try putOld(upstream.url)
        let server = try server(upstream.url, .all)
        let local = try server.start()
        #expect(try send(local, "GET", "/json").status == 200)
        let report = try server.stop(testFailed: true)
        #expect(report.failedRecording?.lastPathComponent == "talk.failed.har")
        #expect(try Data(contentsOf: folder["talk.har"]) == old)
        #expect(folder.files == ["talk.failed.har", "talk.har"])
    }
}
