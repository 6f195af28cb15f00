import Foundation
import Rewind
import RewindServer

/// A real server on a loopback port that sends every kind of answer that the tests record.
package final class ConversationServer: Sendable {
    private let server: HTTPServer
    private let visits: Locked<[String: Int]>
    private let isStopped: Locked<Bool>

    /// The address of the running server.
    package let url: URL

    /// Starts a server on a free port.
    package init() throws {
        let visits = Locked<[String: Int]>([:])
        let isStopped = Locked(false)
        (self.visits, self.isStopped) = (visits, isStopped)
        server = HTTPServer(limits: .patient) { request, response in
            let visit = visits.withLock { visits in
                visits[request.path, default: 0] += 1
                return visits[request.path] ?? 0
            }
            try ConversationScript(request: request, response: response, visit: visit, isStopped: isStopped)
                .play()
        }
        url = try server.start()
    }

    /// Stops the server; its port then refuses connections.
    package func stop() {
        isStopped.withLock { $0 = true }
        server.stop()
    }

    /// The number of received requests.
    package var requestCount: Int { server.requestCount }
    /// The number of accepted connections.
    package var connectionCount: Int { server.connectionCount }

    /// The URL of a path of this server.
    package subscript(path: String) -> URL {
        URL(string: path, relativeTo: url)?.absoluteURL ?? url
    }
}

extension HTTPLimits {
    /// Limits for clients that wait for a thread in the middle of a request, as tests do that run beside others.
    fileprivate static var patient: HTTPLimits {
        var limits = HTTPLimits()
        limits.receiveTimeout = .seconds(600)
        limits.headTimeout = .seconds(600)
        limits.contentGrace = .seconds(600)
        limits.sendTimeout = .seconds(600)
        return limits
    }
}

/// The answers of the server, by the first component of the path.
private struct ConversationScript {
    let request: HTTPServerRequest
    let response: HTTPResponseWriter
    let visit: Int
    let isStopped: Locked<Bool>

    func play() throws {
        let components = request.path.split(separator: "/").map(String.init)
        let number = components.count > 1 ? Int(components[1]) ?? 0 : 0
        switch components.first ?? "" {
        case "json":
            try answer(["Content-Type": "application/json"], #"{"id": 42, "name": "Grüße", "path": "a/b"}"#)
        case "user": try answer(["Content-Type": "application/json"], Self.user)
        case "visit": try answer(["Content-Type": "text/plain"], "visit \(visit)")
        case "echo": try echo()
        case "status":
            try response.respond(
                status: number,
                headers: ["Content-Type": "text/plain"],
                body: Data("\(number)".utf8)
            )
        case "empty": try response.respond(status: 204)
        case "binary":
            try response.respond(
                status: 200,
                headers: ["Content-Type": "application/octet-stream"],
                body: Self.bytes(number)
            )
        case "chunks": try chunks(number)
        case "redirect": try redirect(number)
        case "loop": try response.respond(status: 302, headers: ["Location": "/loop"])
        case "location": try location(number)
        case "basic": try basic()
        case "cookies": try cookies()
        case "login": try login(request.headers["X-User"] ?? components.last ?? "")
        case "whoami": try whoami()
        case "cacheable":
            try answer(["Content-Type": "text/plain", "Cache-Control": "max-age=1000"], "visit \(visit)")
        case "latin":
            try response.respond(
                status: 200,
                headers: ["Content-Type": "text/plain; charset=iso-8859-1"],
                body: Data([0x47, 0x72, 0xFC, 0xDF, 0x65])
            )
        case "gzip":
            try response.respond(
                status: 200,
                headers: ["Content-Type": "text/plain", "Content-Encoding": "gzip"],
                body: Self.compressed
            )
        case "slow": try slow(milliseconds: number)
        case "cut": try cut()
        case "unauthorized":
            try response.respond(
                status: 401,
                headers: ["WWW-Authenticate": #"\#(components.last ?? "Basic") realm="test""#],
                body: Data("who?".utf8)
            )
        default:
            try response.respond(
                status: 404,
                headers: ["Content-Type": "text/plain"],
                body: Data("nothing here".utf8)
            )
        }
    }

    /// The bytes of a binary answer, with all values of a byte.
    static func bytes(_ count: Int) -> Data {
        // The bytes repeat with this period: computing 100 MB one by one takes a minute with a sanitizer.
        let period = Data((0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) })
        var bytes = Data(capacity: count)
        while bytes.count < count { bytes.append(period.prefix(count - bytes.count)) }
        return bytes
    }

    /// The text `compressed, compressed, compressed`, compressed with gzip.
    private static let compressed =
        Data(base64Encoded: "H4sIAAAAAAACA0vOzy0oSi0uTk3RUUjGygYAMub1vSIAAAA=") ?? Data()

    private func answer(_ headers: HeaderList, _ text: String) throws {
        try response.respond(status: 200, headers: headers, body: Data(text.utf8))
    }

    private static let user = """
        {"id": 1, "name": "Ada", "role": "admin", "joined": "2026-01-02T03:04:05Z", "score": 2.5, "active": true,
        "address": {"city": null, "geo": {"lat": 1.5}}, "friends": [{"id": 2, "name": "Bob"}, {"id": 3, "name": null}]}
        """

    private func echo() throws {
        var headers: HeaderList = [
            "Content-Type": request.headers["Content-Type"] ?? "application/octet-stream"
        ]
        headers.append("X-Method", request.method)
        headers.append("X-Query", request.query ?? "")
        headers.append("X-Visit", "\(visit)")
        for name in ["Cookie", "Authorization", "X-Token", "X-Session"] {
            if let value = request.headers[name] { headers.append("X-Sent-\(name)", value) }
        }
        try response.respond(status: 200, headers: headers, body: request.body)
    }

    /// Answers late, or never if the server stops before.
    private func slow(milliseconds: Int) throws {
        let deadline = Deadline(after: Double(milliseconds) / 1000)
        while !deadline.isOver {
            if isStopped.withLock({ $0 }) { return response.abort() }
            Thread.sleep(forTimeInterval: min(0.01, max(0, deadline.rest / .seconds(1))))
        }
        try answer([:], "slow")
    }

    private func chunks(_ count: Int) throws {
        try response.begin(status: 200, headers: ["Content-Type": "text/event-stream"])
        for index in 0..<count {
            try response.write(Data("data: chunk \(index)\n\n".utf8))
            Thread.sleep(forTimeInterval: 0.03)
        }
        try response.end()
    }

    /// A redirect of any status to the URL in the query.
    private func location(_ status: Int) throws {
        let target = (request.query ?? "").removingPercentEncoding ?? ""
        try response.respond(status: status, headers: ["Location": target], body: Data("moved".utf8))
    }

    /// A page for the user `ada` with the password `lovelace`.
    private func basic() throws {
        guard request.headers["Authorization"] == "Basic " + Data("ada:lovelace".utf8).base64EncodedString()
        else {
            let headers: HeaderList = ["WWW-Authenticate": "Basic realm=\"engines\""]
            return try response.respond(status: 401, headers: headers, body: Data("who?".utf8))
        }
        try answer([:], "welcome")
    }

    /// Sets a cookie with the name of the user.
    private func login(_ user: String) throws {
        let cookie = "user=\(user); Path=/; Expires=Thu, 01 Jan 2099 00:00:00 GMT"
        try answer(["Content-Type": "text/plain", "Set-Cookie": cookie], "hello \(user)")
    }

    /// Returns the credential of the request; a 401 without one.
    private func whoami() throws {
        guard let credential = request.headers["Authorization"]?.dropFirst("Basic ".count) else {
            let headers: HeaderList = ["WWW-Authenticate": "Basic realm=\"members\""]
            return try response.respond(status: 401, headers: headers, body: Data("who?".utf8))
        }
        let text = Data(base64Encoded: String(credential)).map { String(decoding: $0, as: UTF8.self) }
        try answer([:], text ?? "")
    }

    private func redirect(_ count: Int) throws {
        let target = count > 1 ? "/redirect/\(count - 1)" : "/json"
        try response.respond(status: 302, headers: ["Location": target], body: Data("moved".utf8))
    }

    private func cookies() throws {
        var headers: HeaderList = ["Content-Type": "text/plain"]
        headers.append("Set-Cookie", "fruit=apple; Path=/")
        headers.append("Set-Cookie", "size=small; Path=/; Expires=Thu, 01 Jan 2099 00:00:00 GMT")
        try response.respond(status: 200, headers: headers, body: Data("cookies".utf8))
    }

    private func cut() throws {
        try response.sendRaw(
            Data("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\nonly this".utf8)
        )
        Thread.sleep(forTimeInterval: 0.05)
        response.abort()
    }
}
