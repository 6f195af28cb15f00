import Foundation
import Rewind

/// Turns one answer into bytes and remembers how far it came, without knowledge of any connection.
struct ResponseEncoder {
    enum Progress: Hashable {
        case unanswered
        case streaming(ResponseFraming)
        case answered
        case raw
        case closed
    }

    private(set) var progress = Progress.unanswered
    /// Whether another request may follow on the connection once the answer is whole.
    private(set) var keepsConnection: Bool

    private let version: HTTPVersion
    private let omitsContent: Bool

    /// Creates the encoder for the answer to a request, or to bytes that were no request.
    init(answering request: HTTPServerRequest?) {
        version = request?.version ?? .http11
        omitsContent = request?.method == "HEAD"
        keepsConnection = request?.allowsAnotherRequest ?? false
    }

    /// Encodes a whole answer; an interim one leaves the request unanswered.
    mutating func respond(status: Int, reason: String?, headers: HeaderList, body: Data) throws -> Data {
        try checkUnanswered()
        var head = try ResponseHead(status: status, reason: reason, headers: headers)
        if head.isInterim {
            // RFC 9110 section 15.2: HTTP/1.0 has no interim answers.
            return version == .http10 ? Data() : head.bytes()
        }
        if head.excludesContent { return encodeHead(&head, framing: .absent, then: .answered) }

        let stated = try ResponseFraming(statedBy: headers, to: version)
        if stated == nil { head.headers.append("Content-Length", "\(body.count)") }
        if omitsContent { return encodeHead(&head, framing: .absent, then: .answered) }
        return try encode(&head, stated ?? .length(body.count), body)
    }

    /// Encodes a whole answer with the framing it would have if it came in pieces.
    mutating func respondAsStreamed(status: Int, reason: String?, headers: HeaderList, body: Data) throws
        -> Data
    {
        var (head, framing) = try streamedHead(status: status, reason: reason, headers: headers)
        return try encode(&head, framing, body)
    }

    /// Encodes the head of an answer whose body comes in pieces.
    mutating func begin(status: Int, reason: String?, headers: HeaderList) throws -> Data {
        var (head, framing) = try streamedHead(status: status, reason: reason, headers: headers)
        return encodeHead(&head, framing: framing, then: .streaming(framing))
    }

    private func streamedHead(status: Int, reason: String?, headers: HeaderList) throws
        -> (head: ResponseHead, framing: ResponseFraming)
    {
        try checkUnanswered()
        var head = try ResponseHead(status: status, reason: reason, headers: headers)
        guard !head.isInterim else { throw HTTPResponseError.invalidStatus(status) }
        if head.excludesContent { return (head, .absent) }
        let stated = try ResponseFraming(statedBy: headers, to: version)
        let framing = stated ?? (version == .http11 ? .chunked : .untilClose)
        if stated == nil, framing == .chunked { head.headers.append("Transfer-Encoding", "chunked") }
        return (head, omitsContent ? .absent : framing)
    }

    private mutating func encode(_ head: inout ResponseHead, _ framing: ResponseFraming, _ body: Data) throws
        -> Data
    {
        var framing = framing
        let content = try framing.encode(body)
        let end = try framing.encodeEnd(trailers: [:])
        return encodeHead(&head, framing: framing, then: .answered, before: [content, end])
    }

    /// Encodes one piece of the body.
    mutating func write(_ piece: Data) throws -> Data {
        var framing = try streamingFraming()
        let bytes = try framing.encode(piece)
        progress = .streaming(framing)
        return bytes
    }

    /// Encodes what ends the body.
    mutating func end(trailers: HeaderList) throws -> Data {
        let bytes = try streamingFraming().encodeEnd(trailers: trailers)
        progress = .answered
        return bytes
    }

    /// Gives up the framing: from here on, only the end of the connection ends the answer.
    mutating func becomeRaw() throws {
        if progress == .closed { throw HTTPResponseError.connectionClosed }
        progress = .raw
        keepsConnection = false
    }

    /// Notes that nothing can be sent any more.
    mutating func close() {
        progress = .closed
        keepsConnection = false
    }

    private mutating func encodeHead(
        _ head: inout ResponseHead,
        framing: ResponseFraming,
        then next: Progress,
        before content: [Data] = []
    ) -> Data {
        if framing == .untilClose || head.headers.hasListMember("close", in: "Connection") {
            keepsConnection = false
        }
        if !keepsConnection, !head.headers.hasListMember("close", in: "Connection") {
            head.headers.append("Connection", "close")
        }
        progress = next
        return head.bytes(before: content)
    }

    private func checkUnanswered() throws {
        switch progress {
        case .unanswered: return
        case .closed: throw HTTPResponseError.connectionClosed
        case .streaming, .answered, .raw: throw HTTPResponseError.alreadyAnswered
        }
    }

    private func streamingFraming() throws -> ResponseFraming {
        switch progress {
        case .streaming(let framing): return framing
        case .closed: throw HTTPResponseError.connectionClosed
        case .unanswered, .answered, .raw: throw HTTPResponseError.notStreaming
        }
    }
}
