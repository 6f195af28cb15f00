import Foundation
import Rewind
import RewindServer

/// A real server on a loopback port whose API a test can change.
package final class DriftingServer: Sendable {
    /// A version of the API.
    package enum Version: Sendable {
        /// The API during the recording.
        case first
        /// The same API with other values.
        case later
        /// Another API at the same paths.
        case drifted
    }

    /// The answers of a path in each version.
    package struct Endpoint: Sendable {
        /// The path, without the leading slash.
        package let path: String
        /// The expected drift of the drifted version, one line per change.
        package let drift: [String]
        fileprivate let first: Answer
        fileprivate let later: Answer
        fileprivate let drifted: Answer
    }

    fileprivate struct Answer: Sendable {
        var status = 200
        var type: String? = "application/json"
        var location: String?
        var body = ""
    }

    private let server: HTTPServer
    private let current = Locked(Version.first)
    private let asked = Locked<[HTTPServerRequest]>([])

    /// The address of the running server.
    package let url: URL

    /// Starts a server on a free port.
    package init() throws {
        server = HTTPServer { [current, asked] request, response in
            asked.withLock { $0.append(request) }
            let path = request.path.split(separator: "/").last.map(String.init)
            let endpoint = Self.endpoints.first { $0.path == path }
            let answer =
                switch current.withLock({ $0 }) {
                case .first: endpoint?.first
                case .later: endpoint?.later
                case .drifted: endpoint?.drifted
                }
            var headers: HeaderList = [:]
            headers["Content-Type"] = answer?.type
            headers["Location"] = answer?.location
            let body = Data((answer?.body ?? "").utf8)
            try response.respond(status: answer?.status ?? 404, headers: headers, body: body)
        }
        url = try server.start()
    }

    /// Changes the API for the requests that follow.
    package func change(to version: Version) {
        current.withLock { $0 = version }
    }

    /// Stops the server; its port then refuses connections.
    package func stop() {
        server.stop()
    }

    /// The received requests.
    package var requests: [HTTPServerRequest] { asked.withLock { $0 } }

    /// The URL of a path of this server.
    package subscript(path: String) -> URL { url.appendingPathComponent(path) }
}

extension DriftingServer {
    /// All its paths.
    package static let endpoints: [Endpoint] = [
        json(
            "removed",
            #"{"id": 1, "email": "a@b.c"}"#,
            #"{"email": "x@y.z", "id": 77}"#,
            #"{"id": 1}"#,
            drift: ["$.email: removed (string)"]
        ),
        json(
            "added",
            #"{"id": 1}"#,
            #"{"id": 2}"#,
            #"{"id": 1, "nick": null}"#,
            drift: ["$.nick: added (null)"]
        ),
        json(
            "retyped",
            #"{"id": 1, "at": 1.5}"#,
            #"{"at": 2, "id": 9}"#,
            #"{"id": "1", "at": 1}"#,
            drift: ["$.id: number → string"]
        ),
        json(
            "nullable",
            #"{"name": "Ada"}"#,
            #"{"name": "Bob"}"#,
            #"{"name": null}"#,
            drift: ["$.name: string → null"]
        ),
        json(
            "filled",
            #"{"end": null}"#,
            #"{"end": null}"#,
            #"{"end": "2024-01-01"}"#,
            drift: ["$.end: null → string"]
        ),
        json(
            "element",
            #"{"items": [{"name": "a"}, {"name": "b"}]}"#,
            #"{"items": []}"#,
            #"{"items": [{"name": "a"}, {"name": null}, {}]}"#,
            drift: [
                "$.items[].name: always present → missing in 1 of 3", "$.items[].name: string → string or null",
            ]
        ),
        json(
            "nested",
            "[[1, 2], [3]]",
            "[[4]]",
            #"[[1, 2], ["3"]]"#,
            drift: ["$[][]: number → number or string"]
        ),
        json(
            "wrapped",
            #"{"user": {"id": 1}}"#,
            #"{"user": {"id": 2}}"#,
            #"{"user": [{"id": 1}]}"#,
            drift: ["$.user: object → array"]
        ),
        json(
            "map",
            #"{"users": {"17": {"age": 3}, "18": {"age": 4}}}"#,
            #"{"users": {"1042": {"age": 5}}}"#,
            #"{"users": {"17": {"age": "3"}}}"#,
            drift: ["$.users.{}.age: number → string"]
        ),
        Endpoint(
            path: "gone",
            drift: ["status: 200 → 404"],
            first: Answer(body: #"{"id": 1}"#),
            later: Answer(body: #"{"id": 2}"#),
            drifted: Answer(status: 404, body: #"{"error": "no"}"#)
        ),
        Endpoint(
            path: "moved",
            drift: ["status: 200 → 307"],
            first: Answer(body: #"{"id": 1}"#),
            later: Answer(body: #"{"id": 2}"#),
            drifted: Answer(status: 307, type: nil, location: "/login")
        ),
        Endpoint(
            path: "media",
            drift: ["content type: application/json → application/hal+json"],
            first: Answer(body: "{}"),
            later: Answer(type: "application/json; charset=utf-8", body: "{ }"),
            drifted: Answer(type: "application/hal+json", body: "{}")
        ),
        Endpoint(
            path: "page",
            drift: ["content type: application/json → text/html", "body: JSON → HTML"],
            first: Answer(body: "{}"),
            later: Answer(body: "{}"),
            drifted: Answer(type: "text/html", body: "<!doctype html><p>Please log in.")
        ),
        Endpoint(
            path: "empty",
            drift: ["body: JSON → no body"],
            first: Answer(body: "[1]"),
            later: Answer(body: "[]"),
            drifted: Answer()
        ),
        Endpoint(
            path: "text",
            drift: [],
            first: Answer(type: "text/plain", body: "one"),
            later: Answer(type: "text/plain", body: "another, and longer"),
            drifted: Answer(type: "text/plain", body: "three")
        ),
    ]

    private static func json(
        _ path: String,
        _ first: String,
        _ later: String,
        _ drifted: String,
        drift: [String]
    ) -> Endpoint {
        Endpoint(
            path: path,
            drift: drift,
            first: Answer(body: first),
            later: Answer(body: later),
            drifted: Answer(body: drifted)
        )
    }
}
