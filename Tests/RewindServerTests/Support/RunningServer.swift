import Foundation
import Rewind
import RewindServer
import RewindTestSupport

extension HTTPLimits {
    /// For a test in which a request never gets a response, so that the end does not wait for it.
    static var impatient: HTTPLimits {
        var limits = HTTPLimits()
        limits.stopTimeout = .milliseconds(100)
        limits.recordTimeout = .milliseconds(100)
        return limits
    }
}

/// Runs a server during the call of the body.
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

/// Everything that a server sends in response to some bytes, until it closes the connection.
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

/// Responds with the path of the request.
let echoPath: HTTPServer.Handler = { request, response in
    try response.respond(body: Data(request.path.utf8))
}

/// A request with Connection: close.
func lastRequest(_ method: String = "GET", _ path: String = "/") -> String {
    "\(method) \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
}

/// Sends the same requests to a cassette server twice: while it records, and while it replays without its upstream.
struct RecordedServer<Result> {
    /// The result while recording.
    let live: Result
    /// The result of the replay.
    let replayed: Result
    /// The recording.
    let cassette: Cassette

    /// Records and replays.
    /// - Parameters:
    ///   - configuration: The configuration of both stubbers.
    ///   - upstreams: The upstreams of the server; a `ConversationServer` by default.
    ///   - prepare: Configures each server before it starts.
    ///   - requests: Sends the requests to an address.
    /// - Throws: Errors of the servers, the requests and the cassette.
    init(
        configuration: Stubber.Configuration = Stubber.Configuration(),
        upstreams: ((URL) -> CassetteServer.Upstreams)? = nil,
        prepare: (CassetteServer) -> Void = { _ in },
        _ requests: (URL) throws -> Result
    ) throws {
        let folder = try TemporaryDirectory()
        let upstream = try ConversationServer()
        defer { upstream.stop() }
        let upstreams = (upstreams ?? CassetteServer.Upstreams.url)(upstream.url)
        func run(_ mode: RecordingMode, _ port: UInt16) throws -> (Result, UInt16) {
            let server = try CassetteServer(
                upstreams: upstreams,
                cassette: "talk",
                in: folder.url,
                mode: mode,
                configuration: configuration
            )
            prepare(server)
            let url = try server.start(port: port)
            let result = Swift.Result { try requests(url) }
            do {
                try server.stop()
            } catch let error as Stubber.ScopeError {
                try keepFailures(of: error)
            }
            return (try result.get(), UInt16(url.port ?? 0))
        }
        let port: UInt16
        (live, port) = try run(.once, 0)
        upstream.stop()
        (replayed, _) = try run(.never, port)
        cassette = try Cassette(contentsOf: folder["talk.har"])
    }
}
