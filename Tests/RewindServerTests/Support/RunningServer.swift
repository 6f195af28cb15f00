import Foundation
import RewindServer

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
