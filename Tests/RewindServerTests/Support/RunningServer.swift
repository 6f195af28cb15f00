import Foundation
import Rewind
import RewindServer
import RewindTestSupport

/// Runs a server for the time of the body.
func withServer(
    limits: HTTPLimits = HTTPLimits(),
    handler: @escaping HTTPServer.Handler,
    body: (HTTPServer, URL) throws -> Void
) throws {
    let server = HTTPServer(limits: limits, handler: handler)
    let url = try server.start()
    defer { server.stop() }
    try body(server, url)
}

/// The whole of what a server sends for some bytes until it closes the connection.
func answer(
    to text: String,
    limits: HTTPLimits = HTTPLimits(),
    handler: @escaping HTTPServer.Handler
) throws -> String {
    var answer = ""
    try withServer(limits: limits, handler: handler) { _, url in
        let client = try RawClient(url)
        try client.send(text)
        answer = try client.readToEnd()
    }
    return answer
}

/// Answers with the request's path.
let echoPath: HTTPServer.Handler = { request, response in
    try response.respond(body: Data(request.path.utf8))
}

/// A request after which the connection closes.
func lastRequest(_ method: String = "GET", _ path: String = "/") -> String {
    "\(method) \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
}

/// A conversation with a cassette server while it records, and again when its upstream is gone.
struct RecordedServer<Result> {
    /// What came of it live.
    let live: Result
    /// What came of the replay.
    let replayed: Result
    /// What was recorded.
    let cassette: Cassette

    /// Holds a conversation twice.
    /// - Parameters:
    ///   - configuration: How the stubbers match and play.
    ///   - upstreams: What the server stands for; the conversation's server by default.
    ///   - prepare: Sets the server up.
    ///   - conversation: What is said to the server.
    /// - Throws: What starting the servers, the conversation or the cassette throws.
    init(
        configuration: Stubber.Configuration = Stubber.Configuration(),
        upstreams: ((URL) -> CassetteServer.Upstreams)? = nil,
        prepare: (CassetteServer) -> Void = { _ in },
        _ conversation: (URL) throws -> Result
    ) throws {
        let folder = try TemporaryDirectory()
        let upstream = try ConversationServer()
        defer { upstream.stop() }
        let stands = (upstreams ?? CassetteServer.Upstreams.url)(upstream.url)
        func hold(_ mode: RecordingMode, _ port: UInt16) throws -> (Result, UInt16) {
            let server = try CassetteServer(
                upstreams: stands,
                cassette: "talk",
                in: folder.url,
                mode: mode,
                configuration: configuration
            )
            prepare(server)
            let url = try server.start(port: port)
            let result = Swift.Result { try conversation(url) }
            try server.stop()
            return (try result.get(), UInt16(url.port ?? 0))
        }
        let port: UInt16
        (live, port) = try hold(.once, 0)
        upstream.stop()
        (replayed, _) = try hold(.never, port)
        cassette = try Cassette(contentsOf: folder["talk.har"])
    }
}
