import Foundation
import Rewind

/// Writes the answer to one request: whole, in pieces, or as bytes that need not be HTTP at all. Field names
/// and values are sent as given. The server adds only `Content-Length` or `Transfer-Encoding` where neither is
/// given, and `Connection: close` where the connection is about to close.
package final class HTTPResponseWriter: Sendable {
    private let socket: Socket
    private let state: Locked<State>
    private let subject: String
    private let context: ServerContext

    private struct State {
        var encoder: ResponseEncoder
        /// The bytes to send together with later ones; `nil` where bytes are sent at once.
        var gathered: Data?
    }

    init(answering request: HTTPServerRequest?, on socket: Socket, _ context: ServerContext) {
        self.socket = socket
        self.context = context
        // A query may hold what nobody else is to read.
        subject = request.map { "\($0.method) \($0.path)" } ?? "a request"
        state = Locked(State(encoder: ResponseEncoder(answering: request)))
    }

    /// Sends a whole answer; one with a 1xx status is interim and leaves the request unanswered. An answer to
    /// `HEAD` keeps the `Content-Length` of the body it leaves out. A 204 or 304 answer leaves the body out as
    /// well and gets no length (RFC 9110 sections 8.6 and 9.3.2).
    package func respond(
        status: Int = 200,
        reason: String? = nil,
        headers: HeaderList = [:],
        body: Data = Data()
    ) throws {
        try send { try $0.respond(status: status, reason: reason, headers: headers, body: body) }
    }

    /// Sends a whole answer with the framing its fields have, chunked where they have none, as one that is streamed.
    func respondAsRecorded(status: Int, reason: String?, headers: HeaderList, body: Data) throws {
        guard body.count <= Self.greatestCopy else {
            try begin(status: status, reason: reason, headers: headers)
            // A chunk is copied between its lines; in pieces, a client that does not read holds no second body.
            for start in stride(from: body.startIndex, to: body.endIndex, by: Self.greatestPiece) {
                try write(body[start..<min(start + Self.greatestPiece, body.endIndex)])
            }
            return try end()
        }
        try send { try $0.respondAsStreamed(status: status, reason: reason, headers: headers, body: body) }
    }

    /// From this size of a body on, another call costs less than another copy.
    private static let greatestCopy = 64 * 1024

    private static let greatestPiece = 1024 * 1024

    /// Sends the head of an answer whose body follows in pieces. Without a `Content-Length` the body is
    /// chunked, or for HTTP/1.0 ends with the connection.
    package func begin(status: Int = 200, reason: String? = nil, headers: HeaderList = [:]) throws {
        try send { try $0.begin(status: status, reason: reason, headers: headers) }
    }

    /// Sends one piece of the body at once; an empty piece sends nothing.
    package func write(_ data: Data) throws { try send { try $0.write(data) } }

    /// Ends the body; the trailers are left out unless it is chunked (RFC 9110 section 6.5.1).
    package func end(trailers: HeaderList = [:]) throws { try send { try $0.end(trailers: trailers) } }

    /// Sends bytes as they are, well-formed or not; the connection closes when the handler returns.
    package func sendRaw(_ bytes: Data) throws {
        try send { encoder in
            try encoder.becomeRaw()
            return bytes
        }
    }

    /// Sends what the body writes in one go, when it returns or throws.
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

    /// Whether the client has gone for good; one that only ended its own side has not.
    package var isAbandoned: Bool { socket.isGone }

    /// Ends the connection so that the client sees an answer that breaks off, with all that was sent before.
    /// Where only the end of the connection ends the body, nothing but a reset can tell a break from the end.
    package func breakOff() throws {
        try sendGathered()
        if case .streaming(.untilClose) = state.withLock(\.encoder.progress) { abort() } else { close() }
    }

    /// Cuts the connection with a reset, so that the client sees an error wherever the answer was.
    package func abort() {
        // The socket goes first, because a send that holds the lock may be waiting for the client.
        socket.reset()
        state.withLock { $0.encoder.close() }
    }

    /// Closes the connection in order after what was sent, whole or not.
    package func close() {
        socket.finishSending()
        state.withLock { $0.encoder.close() }
    }

    private func send(_ encode: (inout ResponseEncoder) throws -> Data) throws {
        try state.withLock { state in
            let bytes = try encode(&state.encoder)
            if state.gathered == nil { try transmit(bytes, &state) } else { state.gathered?.append(bytes) }
        }
    }

    private func sendGathered() throws {
        try state.withLock { state in
            let bytes = state.gathered ?? Data()
            if state.gathered != nil { state.gathered = Data() }
            try transmit(bytes, &state)
        }
    }

    private func transmit(_ bytes: Data, _ state: inout State) throws {
        guard !bytes.isEmpty else { return }
        do {
            try socket.send(bytes)
        } catch {
            state.encoder.close()
            throw error
        }
    }

    /// Turns a handler's error into a 500 answer, or into a broken one if an answer was begun.
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
        context.report("the server's answer to \(subject) broke off", error)
    }

    func refuse(status: Int, explanation: String, headers: HeaderList = [:]) throws {
        let type = HeaderList.Field(name: "Content-Type", value: "text/plain; charset=utf-8")
        try respond(status: status, headers: HeaderList([type] + headers.fields), body: Data(explanation.utf8))
    }

    /// Ends the exchange, and says whether another request may follow on the connection.
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
        Self("\(status) is not a status code of three digits.")
    }
    package static func invalidReason(_ reason: String) -> Self {
        Self("The reason phrase \(reason.debugDescription) has a control character.")
    }
    package static func invalidFieldName(_ name: String) -> Self {
        Self("\(name.debugDescription) is not a field name.")
    }
    package static func invalidFieldValue(name: String, value: String) -> Self {
        Self("The value \(value.debugDescription) of the field \(name) has a line end or a NUL.")
    }
    package static func invalidContentLength(_ text: String) -> Self {
        Self("The Content-Length \(text.debugDescription) is not one number.")
    }
    package static func contentTooLong(by count: Int) -> Self {
        Self("The body is \(count) bytes longer than its Content-Length.")
    }
    package static func contentTooShort(by count: Int) -> Self {
        Self("The body is \(count) bytes shorter than its Content-Length.")
    }
    package static func unsupportedTransferEncoding(_ coding: String) -> Self {
        Self("The answer cannot have the Transfer-Encoding \(coding.debugDescription).")
    }
    package static let alreadyAnswered = Self("The request was answered already.")
    package static let notStreaming = Self(
        "There is no answer to continue: begin one, and do not continue it after its end."
    )
    package static let connectionClosed = Self("The handler closed the connection before.")
    package static let notAnswered = Self("The handler returned without an answer.")
}
