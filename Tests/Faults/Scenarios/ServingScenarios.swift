import Foundation
import Rewind
import RewindServer

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Scenario {
    /// The server, for clients that know nothing of Rewind.
    static let serving: [Scenario] = [
        Scenario(name: "serve-recording") { stage in
            try await stage.serve(.once) { session, base in try await stage.converse(session, base) }
        },
        Scenario(
            name: "serve-replay",
            prepare: { stage in
                try await stage.serve(.all) { session, base in try await stage.converse(session, base) }
            },
            act: { stage in
                try await stage.serve(.none) { session, base in try await stage.converse(session, base) }
            }
        ),
        Scenario(name: "serve-miss", prepare: { try await $0.record(["json"]) }) { stage in
            try await stage.serve(.none) { session, base in
                do { try await stage.ask("/nothing", session, base) } catch { stage.tell(error) }
            }
        },
    ]
}

extension Stage {
    fileprivate func serve(
        _ mode: RecordingMode,
        _ body: (URLSession, URL) async throws -> Void
    ) async throws {
        let location = try CassetteLocation(name: "talk", in: folder.url)
        let stubber = try Stubber(at: location, mode: mode, configuration: configuration)
        let server = try CassetteServer(stubber, upstreams: .url(upstream))
        server.rewritesBodies = true
        let base = try server.start()
        let environment = try server.environment("BASE_URL")
        tell("\(environment.count)")
        let session = URLSession(configuration: .ephemeral)
        do {
            try await body(session, base)
            session.invalidateAndCancel()
        } catch {
            session.invalidateAndCancel()
            tell(error)
            try server.stop(testFailed: true)
            throw error
        }
        try server.stop()
    }

    fileprivate func ask(_ path: String, _ session: URLSession, _ base: URL, body: String? = nil) async throws {
        var request = URLRequest(
            url: URL(string: path, relativeTo: base)?.absoluteURL ?? base,
            timeoutInterval: 30
        )
        if let body {
            request.httpMethod = "POST"
            request.httpBody = Data(body.utf8)
            request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        }
        try await send(request, in: session)
    }

    fileprivate func converse(_ session: URLSession, _ base: URL) async throws {
        try await ask("/json", session, base)
        try await ask("/echo/1?a=b", session, base, body: "sent")
        for path in ["/redirect/1", "/chunks/2", "/binary/150000", "/gzip", "/empty", "/cookies"] {
            try await ask(path, session, base)
        }
        let (streamed, answer): (Data?, URLResponse?) = try await withCheckedThrowingContinuation {
            continuation in
            var request = URLRequest(url: base.appendingPathComponent("echo/2"), timeoutInterval: 30)
            request.httpMethod = "POST"
            request.httpBodyStream = InputStream(data: Data(String(repeating: "streamed ", count: 9000).utf8))
            session.dataTask(with: request) { data, response, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: (data, response))
                }
            }.resume()
        }
        try check(streamed, answer)
        // A platform that asks again on another connection does so without what was streamed.
        guard streamed?.count == 81_000 else { throw AnswerFailure(text: "the streamed body is not echoed") }
        // What is cut live is cut on replay.
        do {
            try await ask("/cut", session, base)
        } catch let error as URLError {
            tell(error)
        }
    }
}
