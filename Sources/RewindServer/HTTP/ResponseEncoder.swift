import Foundation
import Rewind

/// Encodes one response and stores its progress. It does not depend on a connection.
struct ResponseEncoder {
    enum Progress: Hashable {
        case unanswered
        case streaming(ResponseFraming)
        case answered
        case raw
        case closed
    }

    private(set) var progress = Progress.unanswered
    /// Whether another request may follow on the connection after the response.
    private(set) var keepsConnection: Bool

    private let version: HTTPVersion
    private let omitsContent: Bool

    /// Creates the encoder for the response to a request, or to bytes that are not a request.
    init(answering request: HTTPServerRequest?) {
        version = request?.version ?? .http11
        omitsContent = request?.method == "HEAD"
        keepsConnection = request?.allowsAnotherRequest ?? false
    }

    /// Encodes a complete response. After an interim one, the final response must follow.
    mutating func respond(status: Int, reason: String?, headers: HeaderList, body: Data) throws -> Data {
        try checkUnanswered()
        var head = try ResponseHead(status: status, reason: reason, headers: headers)
        if head.isInterim {
            // RFC 9110 section 15.2: HTTP/1.0 has no interim responses.
            return version == .http10 ? Data() : head.bytes()
        }
        if head.excludesContent { return encodeHead(&head, framing: .absent, then: .answered) }
        let stated = try ResponseFraming(statedBy: headers, to: version)
        if stated == nil { head.headers.append("Content-Length", "\(body.count)") }
        return try encode(&head, omitsContent ? .absent : stated ?? .length(body.count), body)
    }

    /// Encodes a complete response with the framing of a streamed one.
    mutating func respondAsStreamed(status: Int, reason: String?, headers: HeaderList, body: Data) throws
        -> Data
    {
        var (head, framing) = try streamedHead(status: status, reason: reason, headers: headers)
        return try encode(&head, framing, body)
    }

    /// Encodes the head of a response whose body follows in parts.
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
        return encodeHead(&head, framing: framing, then: .answered, before: content + [end])
    }

    /// Encodes a part of the body, without copying it.
    mutating func write(_ piece: Data) throws -> [Data] {
        var framing = try streamingFraming()
        let parts = try framing.encode(piece)
        progress = .streaming(framing)
        return parts
    }

    mutating func end(trailers: HeaderList) throws -> Data {
        let bytes = try streamingFraming().encodeEnd(trailers: trailers)
        progress = .answered
        return bytes
    }

    /// Whether the client knows that the response is complete, although it has not ended here: nothing can follow.
    var isCompleteForClient: Bool {
        switch progress {
        case .streaming(.absent), .streaming(.length(0)): true
        default: false
        }
    }

    /// Gives up the framing. From now on, only the end of the connection ends the response.
    mutating func becomeRaw() throws {
        if progress == .closed { throw HTTPResponseError.connectionClosed }
        progress = .raw
        keepsConnection = false
    }

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
        let closes = head.headers.hasListMember("close", in: "Connection")
        if framing == .untilClose || closes { keepsConnection = false }
        if !keepsConnection, !closes { head.headers.append("Connection", "close") }
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

/// How the end of a response's body is marked (RFC 9112 section 6.3).
enum ResponseFraming: Hashable {
    case absent
    /// The number of bytes that still follow.
    case length(Int)
    case chunked
    case untilClose

    /// The framing in the headers of a response; `nil` if they have none.
    init?(statedBy headers: HeaderList, to version: HTTPVersion) throws {
        let lengths = headers.values(for: "Content-Length")
        if let coding = headers["Transfer-Encoding"] {
            guard version == .http11, coding[...].equalsIgnoringCase("chunked"), lengths.isEmpty else {
                throw HTTPResponseError.unsupportedTransferEncoding(coding)
            }
            self = .chunked
        } else if let text = lengths.first {
            guard text.utf8.allSatisfy(\.isDigit), let length = Int(text), lengths.count == 1 else {
                throw HTTPResponseError.invalidContentLength(text)
            }
            self = .length(length)
        } else {
            return nil
        }
    }

    mutating func encode(_ piece: Data) throws -> [Data] {
        switch self {
        case .absent: return []
        case .untilClose: return [piece]
        case .chunked:
            // An empty chunk would end the body.
            if piece.isEmpty { return [] }
            return [Data("\(String(piece.count, radix: 16))\r\n".utf8), piece, Data("\r\n".utf8)]
        case .length(let spare):
            guard piece.count <= spare else { throw HTTPResponseError.contentTooLong(by: piece.count - spare) }
            self = .length(spare - piece.count)
            return [piece]
        }
    }

    /// The bytes after the body. Only a chunked body can have trailers (RFC 9112 section 7.1.2).
    func encodeEnd(trailers: HeaderList) throws -> Data {
        switch self {
        case .absent, .untilClose: return Data()
        case .chunked:
            try trailers.checkFields()
            return Data("0\r\n".utf8) + trailers.fieldSection
        case .length(let spare):
            guard spare == 0 else { throw HTTPResponseError.contentTooShort(by: spare) }
            return Data()
        }
    }
}

/// The status line and the headers of a response (RFC 9112 section 4).
struct ResponseHead {
    let status: Int
    let reason: String
    var headers: HeaderList

    /// Checks the parts, so that their text cannot break the message format.
    init(status: Int, reason: String?, headers: HeaderList) throws {
        guard (100...999).contains(status) else { throw HTTPResponseError.invalidStatus(status) }
        self.status = status
        self.reason = reason ?? ReasonPhrase.of(status)
        self.headers = headers
        guard self.reason.withBytes({ $0.allSatisfy(\.isFieldContent) }) else {
            throw HTTPResponseError.invalidReason(self.reason)
        }
        try headers.checkFields()
    }

    /// Whether another response to the same request follows (RFC 9110 section 15.2).
    var isInterim: Bool { status < 200 }

    /// Whether the response cannot have a body, regardless of its headers (RFC 9112 section 6.3).
    var excludesContent: Bool { isInterim || status == 204 || status == 304 }

    func bytes(before content: [Data] = []) -> Data {
        let size = content.reduce(32 + reason.utf8.count + headers.sizeOnWire) { $0 + $1.count }
        var bytes = TextBuffer(capacity: size)
        bytes.append("HTTP/1.1 ")
        bytes.append(String(status))
        bytes.append(.space)
        bytes.append(reason)
        bytes.append("\r\n")
        headers.write(to: &bytes)
        for data in content { data.withUnsafeBytes { bytes.append(contentsOf: $0) } }
        return bytes.data()
    }
}

extension HeaderList {
    fileprivate var fieldSection: Data {
        var bytes = TextBuffer(capacity: sizeOnWire)
        write(to: &bytes)
        return bytes.data()
    }

    fileprivate var sizeOnWire: Int { reduce(2) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 } }

    fileprivate func write(to bytes: inout TextBuffer) {
        for field in fields {
            bytes.append(field.name)
            bytes.append(": ")
            if field.isLatin1, field.value.unicodeScalars.allSatisfy({ $0.value <= 0xFF }) {
                for scalar in field.value.unicodeScalars { bytes.append(UInt8(scalar.value)) }
            } else {
                bytes.append(field.value)
            }
            bytes.append("\r\n")
        }
        bytes.append("\r\n")
    }
}
