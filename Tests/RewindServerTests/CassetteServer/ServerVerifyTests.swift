import Foundation
import Rewind
import RewindServer
import RewindTestSupport
import Testing

@Suite(.timeLimit(.minutes(5)), .ownThreads)
struct ServerVerifyTests {
    private func serve(
        _ upstream: DriftingServer,
        _ folder: TemporaryDirectory,
        _ mode: RecordingMode,
        failing: Bool = false,
        _ use: (URL) throws -> Void
    ) throws -> EjectReport {
        var configuration = Stubber.Configuration()
        configuration.drift = failing ? .fail : .ignore
        let server = try CassetteServer(
            upstream: upstream.url,
            cassette: "api",
            in: folder.url,
            mode: mode,
            configuration: configuration
        )
        let sources = Locked<[AnswerSource]>([])
        server.didServe = { served in sources.withLock { $0.append(served.source) } }
        try use(try server.start())
        let report = try server.stop()
        #expect(sources.withLock { $0 }.allSatisfy { $0 == (mode == .verify ? .network : .recorded) })
        return report
    }

    @Test("In mode verify, the client gets the live response, and the report contains the drift")
    func drift() throws {
        let (upstream, folder) = (try DriftingServer(), try TemporaryDirectory())
        defer { upstream.stop() }
        let paths = ["retyped", "text", "moved"]
        _ = try serve(upstream, folder, .once) { url in
            for path in paths { _ = try send(url, "GET", "/\(path)") }
        }
        let before = try Data(contentsOf: folder["api.har"])
        upstream.change(to: .drifted)
        let report = try serve(upstream, folder, .verify) { url in
            let bodies = try paths.map { try send(url, "GET", "/\($0)").body }
            #expect(bodies.first == Data(#"{"id": "1", "at": 1}"#.utf8))
        }
        let entries = try #require(report.drift.first?.entries)
        #expect(entries.map(\.number) == [1, 3])
        #expect(
            entries.map { $0.drifts.map(\.description) }
                == [["$.id: number → string"], ["status: 200 → 307"]]
        )
        #expect(try Data(contentsOf: folder["api.har"]) == before)
        #expect(throws: Stubber.ScopeError.self) {
            try serve(upstream, folder, .verify, failing: true) { _ = try send($0, "GET", "/retyped") }
        }
    }

    @Test("Without a cassette nothing is sent in mode verify; with one, only safe requests that it lacks")
    func unrecorded() throws {
        let (upstream, folder) = (try DriftingServer(), try TemporaryDirectory())
        defer { upstream.stop() }
        func server(_ mode: RecordingMode) throws -> CassetteServer {
            var configuration = Stubber.Configuration()
            configuration.drift = .ignore
            return try CassetteServer(
                upstream: upstream.url,
                cassette: "api",
                in: folder.url,
                mode: mode,
                configuration: configuration
            )
        }
        let empty = try server(.verify)
        let refused = try send(try empty.start(), "GET", "/text")
        #expect(refused.status == 501)
        #expect(refused.headers["X-Rewind-Miss"] == "no-cassette")
        #expect(throws: Stubber.ScopeError.self) { try empty.stop() }
        #expect(upstream.requests.isEmpty)
        let recorder = try server(.once)
        _ = try send(try recorder.start(), "GET", "/text")
        try recorder.stop()
        let verifier = try server(.verify)
        let url = try verifier.start()
        #expect(try send(url, "GET", "/added").status == 200)
        let post = try send(url, "POST", "/added")
        #expect(post.status == 501)
        #expect(String(decoding: post.body, as: UTF8.self).contains("does not send POST"))
        #expect(throws: Stubber.ScopeError.self) { try verifier.stop() }
        let report = try verifier.stop()
        #expect(report.drift.first?.entries.map { $0.drifts.map(\.description) } == [["not in the cassette"]])
        #expect(upstream.requests.map(\.method) == ["GET", "GET"])
    }
}
