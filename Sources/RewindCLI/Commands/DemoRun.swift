import Foundation
import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends the requests of the demo once to record them and once to replay them.
struct DemoRun {
    let client: DemoClient
    let folder: URL

    var cassette: URL { folder.appendingPathComponent("demo.har") }
    func record() async throws -> [DemoAnswer] { try await run(.all) }
    func replay() async throws -> [DemoAnswer] { try await run(.never) }

    /// Runs the requests in a mode, which `REWIND_MODE` must not change.
    private func run(_ mode: RecordingMode) async throws -> [DemoAnswer] {
        var configuration = Stubber.Configuration()
        // The cassette of the demo belongs to no project.
        configuration.notesNewCassettes = false
        let stubber = try Stubber(
            at: CassetteLocation(cassette),
            mode: mode,
            configuration: configuration,
            testName: "rewind demo",
            environment: Environment([:])
        )
        return try await CassetteScope.serve(stubber) { await client.sendAll() }
    }
}

/// The response or failure that the client of the demo received.
struct DemoAnswer: Sendable {
    let title: String
    var status: Int?
    var headers: [String] = []
    var body = Data()
    /// The failure's domain and code; `nil` for a response.
    var failure: String?
    var milliseconds = 0.0
}

/// The requests of an app: plain `URLSession` code that does not know about Rewind.
struct DemoClient: Sendable {
    private let server: URL
    private let refusing: URL

    init(server: URL) {
        self.server = server
        // Port 1 is privileged and unused, so connections to it are refused.
        refusing = URL(string: "http://127.0.0.1:1/") ?? server
    }

    func sendAll() async -> [DemoAnswer] {
        var answers: [DemoAnswer] = []
        for (title, request) in requests { answers.append(await answer(title, request)) }
        return answers
    }

    private var requests: [(String, URLRequest)] {
        [
            ("GET /user (JSON)", request("user")),
            ("POST /posts (JSON)", request("posts", "POST", #"{"title": "Grüße", "tags": ["a", "b"]}"#)),
            ("GET /clock", request("clock")),
            ("GET /clock, again", request("clock")),
            ("GET /old (redirect)", request("old")),
            ("GET /image (binary)", request("image")),
            ("GET /missing", request("missing")),
            ("DELETE /session (empty)", request("session", "DELETE")),
            ("GET /feed (chunked)", request("feed")),
            ("GET a refused port", URLRequest(url: refusing)),
        ]
    }

    private func request(_ path: String, _ method: String = "GET", _ body: String? = nil) -> URLRequest {
        var request = URLRequest(url: server.appendingPathComponent(path))
        request.httpMethod = method
        if let body {
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.httpBody = Data(body.utf8)
        }
        return request
    }

    private func answer(_ title: String, _ request: URLRequest) async -> DemoAnswer {
        var answer = DemoAnswer(title: title)
        let start = ContinuousClock.now
        do {
            let (body, response) = try await URLSession.shared.data(for: request)
            answer.milliseconds = (.now - start) / .milliseconds(1)
            let http = response as? HTTPURLResponse
            answer.status = http?.statusCode
            answer.headers = (http?.allHeaderFields ?? [:]).map { "\($0.key): \($0.value)" }.sorted()
            answer.body = body
        } catch {
            answer.milliseconds = (.now - start) / .milliseconds(1)
            answer.failure = "\((error as NSError).domain) \((error as NSError).code)"
        }
        return answer
    }
}

/// Compares the answers of the two runs.
struct DemoReport {
    let live: [DemoAnswer]
    let replayed: [DemoAnswer]

    var table: String {
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

    var firstDifference: String? {
        guard live.count == replayed.count else {
            return "\(live.count) answers recorded, \(replayed.count) replayed"
        }
        for (live, replayed) in zip(live, replayed) {
            if live.failure != replayed.failure {
                let failures = (live.failure ?? "no failure", replayed.failure ?? "no failure")
                return "\(live.title): \(failures.0) live, \(failures.1) replayed"
            }
            if live.status != replayed.status {
                return "\(live.title): status \(live.status ?? 0) live, \(replayed.status ?? 0) replayed"
            }
            if live.headers != replayed.headers {
                let all = Set(live.headers).symmetricDifference(replayed.headers).sorted()
                return "\(live.title): headers differ: \(all.joined(separator: "; "))"
            }
            if live.body != replayed.body {
                let place = zip(live.body, replayed.body).prefix { $0 == $1 }.count
                return "\(live.title): bodies differ from byte \(place) on"
            }
        }
        return nil
    }

    private static func time(_ milliseconds: Double) -> String { String(format: "%.2f ms", milliseconds) }
}
