import Foundation
import Rewind

/// Writes the response to one request: complete, in parts, or as raw bytes.
///
/// Headers are sent as given. The server adds only `Content-Length` or `Transfer-Encoding` if neither is given, and
/// `Connection: close` before it closes the connection.
package final class HTTPResponseWriter: Sendable {
    private let connection: Connection
    private let state: Locked<State>
    private let subject: String
    private let context: ServerContext

    private struct State {
        var encoder: ResponseEncoder
        /// The bytes collected for one write; `nil` if bytes are sent immediately.
        var gathered: Data?
        /// Whether the bytes that complete the response are sent only at its end.
        var holdsEnd = false
        var held = Data()
    }

    init(
        answering request: HTTPServerRequest?,
        on connection: Connection,
        _ context: ServerContext
    ) {
        self.connection = connection
        self.context = context
        // The query is omitted because it may contain secrets.
        subject = request.map { "\($0.method) \($0.path)" } ?? "a request"
        state = Locked(State(encoder: ResponseEncoder(answering: request)))
    }

    /// Sends a complete response. A 1xx response is interim, so the final response must follow.
    ///
    /// For `HEAD`, the body is omitted but its `Content-Length` is sent. For status 204 and 304, both are omitted (RFC 9110
    /// sections 8.6 and 9.3.2).
    package func respond(
        status: Int = 200,
        reason: String? = nil,
        headers: HeaderList = [:],
        body: Data = Data()
    ) throws {
        try send { [try $0.respond(status: status, reason: reason, headers: headers, body: body)] }
    }

    /// Sends a complete response with the framing of its headers, or chunked if they have none, like a streamed one.
    func respondAsRecorded(status: Int, reason: String?, headers: HeaderList, body: Data) throws {
        guard body.count <= Self.greatestCopy else {
            try begin(status: status, reason: reason, headers: headers)
            for start in stride(from: body.startIndex, to: body.endIndex, by: Self.greatestPiece) {
                try write(body[start..<min(start + Self.greatestPiece, body.endIndex)])
            }
            return try end()
        }
        try send { [try $0.respondAsStreamed(status: status, reason: reason, headers: headers, body: body)] }
    }

    /// Above this body size, a second system call costs less than a copy.
    private static let greatestCopy = 64 * 1024

    private static let greatestPiece = 1024 * 1024

    /// Sends the head of a response whose body follows in parts. Without a `Content-Length`, the body is chunked, or ends
    /// with the connection in HTTP/1.0.
    ///
    /// With `holdsEnd`, the bytes that complete the response wait for `end()`: the client of a response with a length, or
    /// without a body, sees its end in the last byte.
    package func begin(
        status: Int = 200,
        reason: String? = nil,
        headers: HeaderList = [:],
        holdsEnd: Bool = false
    ) throws {
        if holdsEnd { state.withLock { $0.holdsEnd = true } }
        try send { [try $0.begin(status: status, reason: reason, headers: headers)] }
    }

    /// Sends a part of the body immediately; an empty part sends nothing.
    package func write(_ data: Data) throws { try send { try $0.write(data) } }

    /// Ends the body. Trailers are sent only if it is chunked (RFC 9110 section 6.5.1).
    package func end(trailers: HeaderList = [:]) throws { try send { [try $0.end(trailers: trailers)] } }

    /// Sends bytes unchanged, valid HTTP or not. The connection closes when the handler returns.
    package func sendRaw(_ bytes: Data) throws {
        try send { encoder in
            try encoder.becomeRaw()
            return [bytes]
        }
    }

    /// Sends everything that the closure writes with one system call when it returns or throws.
    package func gather(_ body: () throws -> Void) throws {
        state.withLock { $0.gathered = Data() }
        defer { state.withLock { $0.gathered = nil } }
        do {
            try body()
        } catch {
            try? sendGathered()
            throw error
        }
        try sendGathered()
    }

    /// Tells the server that the handler waits, so that other connections are served meanwhile. If a handler waits without
    /// telling so, they wait for some milliseconds.
    package func willWait() { connection.willWait() }

    /// Whether the client has disconnected. A client that only ended its own side has not.
    package var isAbandoned: Bool { connection.socket.isGone }

    /// Ends the connection so that the client sees an incomplete response after the bytes sent so far.
    ///
    /// If the end of the connection ends the body, only a reset distinguishes an incomplete response from a complete one.
    package func breakOff() throws {
        try sendGathered()
        try sendHeld()
        if case .streaming(.untilClose) = state.withLock(\.encoder.progress) { abort() } else { close() }
    }

    /// Resets the connection, so that the client sees an error.
    package func abort() {
        // The socket is reset before the lock is taken, because a blocked send may hold the lock.
        connection.socket.reset()
        state.withLock { $0.encoder.close() }
    }

    /// Closes the connection normally after the bytes sent so far.
    package func close() {
        connection.socket.finishSending()
        state.withLock { $0.encoder.close() }
    }

    private func send(_ encode: (inout ResponseEncoder) throws -> [Data]) throws {
        try state.withLock { state in
            var parts = try encode(&state.encoder)
            if !state.held.isEmpty { parts.insert(state.held, at: 0) }
            state.held = Data()
            // Large parts are not copied, so that a thousand slow clients do not use memory for a thousand copies.
            if parts.count > 1, parts.reduce(0, { $0 + $1.count }) <= Self.greatestCopy {
                parts = [parts.reduce(into: Data()) { $0.append($1) }]
            }
            for part in parts {
                if state.holdsEnd, state.encoder.isCompleteForClient {
                    state.held.append(part)
                } else if state.gathered == nil {
                    try transmit(part, &state)
                } else {
                    state.gathered?.append(part)
                }
            }
        }
    }

    private func sendGathered() throws {
        try state.withLock { state in
            let bytes = state.gathered ?? Data()
            if state.gathered != nil { state.gathered = Data() }
            try transmit(bytes, &state)
        }
    }

    private func sendHeld() throws {
        try state.withLock { state in
            let bytes = state.held
            state.held = Data()
            try transmit(bytes, &state)
        }
    }

    private func transmit(_ bytes: Data, _ state: inout State) throws {
        guard !bytes.isEmpty else { return }
        do {
            try connection.send(bytes)
        } catch {
            state.encoder.close()
            throw error
        }
    }

    /// Turns an error of the handler into a 500 response, or cuts off a response that has begun.
    func fail(with error: any Error) {
        switch state.withLock(\.encoder.progress) {
        case .unanswered:
            do {
                try refuse(status: 500, explanation: String(describing: error))
            } catch let refusal {
                report(error)
                report(refusal)
            }
        case .streaming:
            report(error)
            abort()
        case .answered, .raw, .closed:
            report(error)
            close()
        }
    }

    private func report(_ error: any Error) {
        context.report("the response to \(subject) was cut off", error)
    }

    func refuse(status: Int, explanation: String, headers: HeaderList = [:]) throws {
        let type = HeaderList.Field(name: "Content-Type", value: "text/plain; charset=utf-8")
        try respond(status: status, headers: HeaderList([type] + headers.fields), body: Data(explanation.utf8))
    }

    /// Ends the exchange, and returns whether another request may follow on the connection.
    func conclude() -> Bool {
        switch state.withLock(\.encoder.progress) {
        case .unanswered: fail(with: HTTPResponseError.notAnswered)
        case .streaming: abort()
        case .answered, .raw, .closed: break
        }
        return state.withLock(\.encoder.keepsConnection)
    }
}

package struct HTTPResponseError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    private init(_ description: String) { self.description = description }

    package static func invalidStatus(_ status: Int) -> Self {
        Self("Invalid status code \(status). Expected 100–999.")
    }
    package static func invalidReason(_ reason: String) -> Self {
        Self("The reason phrase \(reason.debugDescription) contains a control character.")
    }
    package static func invalidFieldName(_ name: String) -> Self {
        Self("Invalid header field name \(name.debugDescription).")
    }
    package static func invalidFieldValue(name: String, value: String) -> Self {
        Self("The value \(value.debugDescription) of the header field \(name) contains a line end or NUL.")
    }
    package static func invalidContentLength(_ text: String) -> Self {
        Self("Invalid Content-Length \(text.debugDescription). Expected one number.")
    }
    package static func contentTooLong(by count: Int) -> Self {
        Self("The body is \(count) bytes longer than its Content-Length.")
    }
    package static func contentTooShort(by count: Int) -> Self {
        Self("The body is \(count) bytes shorter than its Content-Length.")
    }
    package static func unsupportedTransferEncoding(_ coding: String) -> Self {
        Self("The response cannot use the Transfer-Encoding \(coding.debugDescription).")
    }
    package static let alreadyAnswered = Self("The response was already sent.")
    package static let notStreaming = Self(
        "No response is in progress. Call begin() first, and write nothing after end()."
    )
    package static let connectionClosed = Self("The handler already closed the connection.")
    package static let notAnswered = Self("The handler returned without a response.")
}
