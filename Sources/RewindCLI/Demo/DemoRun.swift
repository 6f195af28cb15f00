import Foundation
import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One conversation, held live and again from its cassette.
package struct DemoRun {
    private let conversation: DemoConversation
    private let folder: URL

    /// The file the conversation is recorded to.
    package var cassette: URL { folder.appendingPathComponent("demo.har") }

    /// Prepares a run whose cassette goes to a folder.
    package init(conversation: DemoConversation, folder: URL) {
        self.conversation = conversation
        self.folder = folder
    }

    /// Holds the conversation with the server and writes the cassette anew.
    package func record() async throws -> [DemoAnswer] {
        try await hold(.all)
    }

    /// Holds the conversation with the cassette alone.
    package func replay() async throws -> [DemoAnswer] {
        try await hold(RecordingMode.none)
    }

    /// The demo's modes are its point, so `REWIND_MODE` is not asked.
    private func hold(_ mode: RecordingMode) async throws -> [DemoAnswer] {
        let stubber = try Stubber(
            at: CassetteLocation(cassette),
            mode: mode,
            configuration: Configuration(),
            testName: "rewind demo",
            environment: Environment([:])
        )
        let scope = try CassetteScope(stubber)
        let answers = await scope.run { await conversation.hold() }
        await scope.settle()
        try scope.finish()
        return answers
    }
}

/// One answer as the app saw it, and the time it took.
package struct DemoAnswer: Sendable {
    /// The request in a few words.
    package let title: String
    /// The status code; `nil` for a failure.
    package let status: Int?
    /// The header fields, sorted by name.
    package let headers: [String]
    /// The body.
    package let body: Data
    /// The failure's domain and code; `nil` for a response.
    package let failure: String?
    /// The time it took, in milliseconds.
    package let milliseconds: Double
}

/// What an app says to its server: plain `URLSession` code that knows of no recorder.
package struct DemoConversation: Sendable {
    private let server: URL
    private let refusing: URL

    /// Prepares a conversation with a server, and with a port on which nobody listens.
    package init(server: URL) {
        self.server = server
        // Port 1 of this machine is privileged and unused, so that connections to it are refused.
        refusing = URL(string: "http://127.0.0.1:1/") ?? server
    }

    /// Holds the conversation, one request after the other.
    package func hold() async -> [DemoAnswer] {
        var answers: [DemoAnswer] = []
        for (title, request) in requests {
            answers.append(await answer(title, request))
        }
        return answers
    }

    private var requests: [(String, URLRequest)] {
        [
            ("GET /user (JSON)", get("user")),
            ("POST /posts (JSON)", post("posts", #"{"title": "Grüße", "tags": ["a", "b"]}"#)),
            ("GET /clock", get("clock")),
            ("GET /clock, again", get("clock")),
            ("GET /old (redirect)", get("old")),
            ("GET /image (binary)", get("image")),
            ("GET /missing", get("missing")),
            ("DELETE /session (empty)", delete("session")),
            ("GET /feed (chunked)", get("feed")),
            ("GET a refused port", URLRequest(url: refusing)),
        ]
    }

    private func get(_ path: String) -> URLRequest {
        URLRequest(url: server.appendingPathComponent(path))
    }

    private func delete(_ path: String) -> URLRequest {
        var request = get(path)
        request.httpMethod = "DELETE"
        return request
    }

    private func post(_ path: String, _ body: String) -> URLRequest {
        var request = get(path)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(body.utf8)
        return request
    }

    private func answer(_ title: String, _ request: URLRequest) async -> DemoAnswer {
        let start = ContinuousClock.now
        var milliseconds: Double {
            let (seconds, attoseconds) = start.duration(to: .now).components
            return Double(seconds) * 1e3 + Double(attoseconds) / 1e15
        }
        do {
            let (body, response) = try await URLSession.shared.data(for: request)
            let time = milliseconds
            let http = response as? HTTPURLResponse
            let headers = (http?.allHeaderFields ?? [:]).map { "\($0.key): \($0.value)" }.sorted()
            return DemoAnswer(
                title: title,
                status: http?.statusCode,
                headers: headers,
                body: body,
                failure: nil,
                milliseconds: time
            )
        } catch {
            let time = milliseconds
            let error = error as NSError
            return DemoAnswer(
                title: title,
                status: nil,
                headers: [],
                body: Data(),
                failure: "\(error.domain) \(error.code)",
                milliseconds: time
            )
        }
    }
}
