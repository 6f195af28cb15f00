import Foundation
import Rewind

/// Writes the answer to one request: whole, in pieces, or as bytes that need not be HTTP at all.
///
/// ```swift
/// try response.respond(status: 200, headers: ["Content-Type": "text/plain"], body: Data("hello".utf8))
/// ```
///
/// Field names and values are sent as given. The server adds only `Content-Length` or `Transfer-Encoding`
/// where neither is given, and `Connection: close` where the connection is about to close.
package final class HTTPResponseWriter: Sendable {
    private let channel: any ResponseChannel
    private let encoder: Locked<ResponseEncoder>

    init(answering request: HTTPServerRequest?, on channel: any ResponseChannel) {
        self.channel = channel
        encoder = Locked(ResponseEncoder(answering: request))
    }

    /// Sends a whole answer; one with a 1xx status is interim and leaves the request unanswered.
    ///
    /// An answer to `HEAD` keeps the `Content-Length` of the body it leaves out. A 204 or 304 answer leaves
    /// the body out as well and gets no length (RFC 9110 sections 8.6 and 9.3.2).
    package func respond(
        status: Int = 200,
        reason: String? = nil,
        headers: HeaderList = [:],
        body: Data = Data()
    ) throws {
        try send { try $0.respond(status: status, reason: reason, headers: headers, body: body) }
    }

    /// Sends the head of an answer whose body follows in pieces.
    ///
    /// Without a `Content-Length` the body is chunked, or for HTTP/1.0 ends with the connection.
    package func begin(status: Int = 200, reason: String? = nil, headers: HeaderList = [:]) throws {
        try send { try $0.begin(status: status, reason: reason, headers: headers) }
    }

    /// Sends one piece of the body at once; an empty piece sends nothing.
    package func write(_ data: Data) throws {
        try send { try $0.write(data) }
    }

    /// Ends the body; the trailers are left out unless it is chunked (RFC 9110 section 6.5.1).
    package func end(trailers: HeaderList = [:]) throws {
        try send { try $0.end(trailers: trailers) }
    }

    /// Sends bytes as they are, well-formed or not; the connection closes when the handler returns.
    package func sendRaw(_ bytes: Data) throws {
        try send { encoder in
            try encoder.becomeRaw()
            return bytes
        }
    }

    /// Cuts the connection with a reset, so that the client sees an error wherever the answer was.
    package func abort() {
        // The channel goes first, because a send that holds the lock may be waiting for the client.
        channel.reset()
        encoder.withLock { $0.close() }
    }

    /// Closes the connection in order after what was sent, whole or not.
    package func close() {
        channel.finishSending()
        encoder.withLock { $0.close() }
    }

    private func send(_ encode: (inout ResponseEncoder) throws -> Data) throws {
        try encoder.withLock { encoder in
            let bytes = try encode(&encoder)
            do {
                if !bytes.isEmpty { try channel.send(bytes) }
            } catch {
                encoder.close()
                throw error
            }
        }
    }
}

extension HTTPResponseWriter {
    /// Turns a handler's error into a 500 answer, or into a broken one if an answer was begun.
    func fail(with error: any Error) {
        switch encoder.withLock(\.progress) {
        case .unanswered:
            // A client that is gone cannot be told.
            try? refuse(status: 500, explanation: String(describing: error))
        case .streaming:
            abort()
        case .answered, .raw, .closed:
            close()
        }
    }

    /// Sends a short explanation in place of an answer.
    func refuse(status: Int, explanation: String) throws {
        try respond(
            status: status,
            headers: ["Content-Type": "text/plain; charset=utf-8"],
            body: Data(explanation.utf8)
        )
    }

    /// Ends the exchange, and says whether another request may follow on the connection.
    func conclude() -> Bool {
        switch encoder.withLock(\.progress) {
        case .unanswered: fail(with: HTTPResponseError.notAnswered)
        case .streaming: abort()
        case .answered, .raw, .closed: break
        }
        return encoder.withLock(\.keepsConnection)
    }
}
