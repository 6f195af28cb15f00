import Foundation
import Rewind

/// A request as a client sent it, body and trailers included.
package struct HTTPServerRequest: Hashable, Sendable {
    /// The method, whose letter case matters (RFC 9110 section 9.1).
    package let method: String
    /// The version the client named.
    package let version: HTTPVersion
    /// The header fields in order, with the case and the duplicates they were sent with.
    package let headers: HeaderList
    /// The body with any chunk framing removed.
    package internal(set) var body: Data
    /// The fields that followed a chunked body (RFC 9112 section 7.1.2).
    package internal(set) var trailers: HeaderList

    private let requestTarget: RequestTarget

    /// Creates a request by hand, or throws what the server would refuse in its target.
    package init(
        method: String,
        target: String,
        version: HTTPVersion = .http11,
        headers: HeaderList = [:],
        body: Data = Data(),
        trailers: HeaderList = [:]
    ) throws(HTTPRefusal) {
        let line = RequestLine(
            method: method,
            target: try RequestTarget(target, method: method),
            version: version
        )
        self.init(line: line, headers: headers)
        self.body = body
        self.trailers = trailers
    }

    init(line: RequestLine, headers: HeaderList) {
        method = line.method
        requestTarget = line.target
        version = line.version
        self.headers = headers
        body = Data()
        trailers = HeaderList()
    }

    /// The request target exactly as sent, whichever of the four forms it has (RFC 9112 section 3.2).
    package var target: String { requestTarget.text }

    /// The path of the target, still percent-encoded; empty for `CONNECT`, `*` for the asterisk form.
    package var path: String { requestTarget.path }

    /// What follows the first question mark of the target, still percent-encoded.
    package var query: String? { requestTarget.query }

    /// The host and port asked for: those of the target if it names any, else the `Host` field's.
    ///
    /// RFC 9112 section 3.2.2 gives the target the last word.
    package var authority: String? { requestTarget.authority ?? headers["Host"] }

    /// Whether the client lets another request follow on the same connection (RFC 9112 section 9.3).
    ///
    /// HTTP/1.0 connections always close, because `keep-alive` was never a dependable part of that version.
    package var allowsAnotherRequest: Bool {
        version == .http11 && !headers.hasListMember("close", in: "Connection")
    }
}
