import Foundation
import Rewind
import RewindServer
import RewindTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5)), .ownThreads, .serialized)
struct ServerCallbackTests {
    @Test("The closures of a server may make requests, which it records and replays, and use its stubber")
    func callbacks() throws {
        let folder = try TemporaryDirectory()
        let upstream = try ConversationServer()
        for mode in [RecordingMode.once, .never] {
            let texts = Locked<[String: String]>([:])
            let stubbers = Locked<Stubber?>(nil)
            let act = { @Sendable (closure: String, url: String) in
                guard url.hasSuffix("/json"), let stubber = stubbers.withLock({ $0 }) else { return }
                _ = (stubber.requests, stubber.mode, stubber.requestsInFlight, stubber.stubs)
                let isFirst = texts.withLock { texts in
                    defer { texts[closure] = texts[closure] ?? "" }
                    return texts[closure] == nil
                }
                guard isFirst else { return }
                let text = Outcome(waitingFor: upstream["status/200?\(closure)"]).text
                texts.withLock { $0[closure] = text }
            }
            var configuration = Stubber.Configuration()
            configuration.log = { act("log", $0.contains("/json") ? "/json" : "") }
            configuration.passthrough = {
                act("passthrough", $0.url)
                return false
            }
            configuration.matching += [
                .custom("own") { request in
                    act("projection", request.url)
                    return ""
                }
            ]
            let server = try CassetteServer(
                upstream: upstream.url,
                cassette: "talk",
                in: folder.url,
                mode: mode,
                configuration: configuration
            )
            server.responseTransformer = { request, response in
                act("transformer", request.url)
                return response
            }
            server.stubber.stub(
                .request {
                    act("condition", $0.url)
                    return false
                },
                respond: .status(500)
            )
            stubbers.withLock { $0 = server.stubber }
            let url = try server.start()
            #expect(try send(url, "GET", "/json").status == 200)
            try server.stop()
            let expected = ["log", "passthrough", "projection", "transformer", "condition"].map { ($0, "200") }
            #expect(texts.withLock { $0 } == Dictionary(uniqueKeysWithValues: expected), "\(mode)")
            upstream.stop()
        }
    }
}
