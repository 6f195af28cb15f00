import Foundation
import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One conversation, held live and again from its cassette.
package struct DemoRun {
    private let conversation: DemoConversation
    private let folder: URL

    package var cassette: URL { folder.appendingPathComponent("demo.har") }

    package init(conversation: DemoConversation, folder: URL) {
        self.conversation = conversation
        self.folder = folder
    }

    /// Holds the conversation with the server and writes the cassette anew.
    package func record() async throws -> [DemoAnswer] {
        try await hold(.all)
    }

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
    package let title: String
    /// The status code; `nil` for a failure.
    package let status: Int?
    package let headers: [String]
    package let body: Data
    /// The failure's domain and code; `nil` for a response.
    package let failure: String?
    package let milliseconds: Double
}

/// What an app says to its server: plain `URLSession` code that knows of no recorder.
package struct DemoConversation: Sendable {
    private let server: URL
    private let refusing: URL

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

/// Two runs of one conversation side by side.
package struct DemoReport {
    private let live: [DemoAnswer]
    private let replayed: [DemoAnswer]

    package init(live: [DemoAnswer], replayed: [DemoAnswer]) {
        self.live = live
        self.replayed = replayed
    }

    /// The request, status, bytes and both times of each answer.
    package var table: String {
        let head = ["request", "status", "bytes", "live", "replay"]
        let rows = zip(live, replayed).map { live, replayed in
            [
                live.title, live.status.map(String.init) ?? "failed", "\(live.body.count)",
                Self.time(live.milliseconds), Self.time(replayed.milliseconds),
            ]
        }
        var table = TextTable([.left] + head.dropFirst().map { _ in .right })
        for cells in [head] + rows { table.add(cells) }
        return table.lines().joined(separator: "\n")
    }

    /// The first thing in which the runs differ; `nil` where they are the same.
    package var firstDifference: String? {
        guard live.count == replayed.count else {
            return "\(live.count) answers live, \(replayed.count) replayed"
        }
        for (live, replayed) in zip(live, replayed) {
            if live.failure != replayed.failure {
                return
                    "\(live.title): \(live.failure ?? "no failure") live, \(replayed.failure ?? "none") replayed"
            }
            if live.status != replayed.status {
                return "\(live.title): status \(live.status ?? 0) live, \(replayed.status ?? 0) replayed"
            }
            if live.headers != replayed.headers {
                let all = Set(live.headers).symmetricDifference(replayed.headers).sorted()
                return "\(live.title): the headers \(all.joined(separator: "; "))"
            }
            if live.body != replayed.body {
                let place = zip(live.body, replayed.body).prefix { $0 == $1 }.count
                return "\(live.title): the bodies, from byte \(place) on"
            }
        }
        return nil
    }

    private static func time(_ milliseconds: Double) -> String {
        String(format: "%.2f ms", milliseconds)
    }
}
