import Foundation
import Rewind

/// Turns the bytes of a connection into the requests they hold, however the bytes are cut into pieces.
///
/// ```swift
/// var parser = HTTPRequestParser()
/// parser.append("GET / HTTP/1.1\r\nHost: example.com\r\n\r\n".utf8)
/// try parser.next()  // .request, and nil until more bytes are appended
/// ```
package struct HTTPRequestParser: Sendable {
    /// What the bytes so far amount to.
    package enum Event: Hashable, Sendable {
        /// The client waits for an interim answer before it sends the body (RFC 9110 section 10.1.1).
        case continueExpected
        /// A whole request arrived.
        case request(HTTPServerRequest)
    }

    private enum Stage {
        case requestLine
        case headers(RequestLine)
        case content(HTTPServerRequest, length: Int)
        case chunkedContent(HTTPServerRequest)
        case refused(HTTPRefusal)
    }

    private static let handshake: UInt8 = 0x16

    private let limits: HTTPLimits
    private var received = ReceivedBytes()
    private var stage = Stage.requestLine
    private var skippedEmptyLine = false
    private var headers: FieldSectionReader
    private var chunks: ChunkedContentReader

    /// Creates a parser for one connection.
    package init(limits: HTTPLimits = HTTPLimits()) {
        self.limits = limits
        headers = FieldSectionReader(limits: limits)
        chunks = ChunkedContentReader(limits: limits)
    }

    /// Whether no part of a next request has arrived.
    package var isBetweenRequests: Bool {
        guard case .requestLine = stage else { return false }
        return received.isEmpty
    }

    /// Whether a part of a next request's head has arrived, and not the whole.
    package var isWithinHead: Bool {
        switch stage {
        case .requestLine: !received.isEmpty
        case .headers: true
        case .content, .chunkedContent, .refused: false
        }
    }

    /// Adds bytes that arrived.
    package mutating func append(_ bytes: some Collection<UInt8>) {
        received.append(bytes)
    }

    /// The next event, or nothing until more bytes are appended; once a request is refused, all are.
    package mutating func next() throws(HTTPRefusal) -> Event? {
        do throws(HTTPRefusal) {
            return try readEvent()
        } catch {
            stage = .refused(error)
            throw error
        }
    }

    private mutating func readEvent() throws(HTTPRefusal) -> Event? {
        while true {
            switch stage {
            case .requestLine:
                guard let line = try readRequestLine() else { return nil }
                stage = .headers(line)
            case .headers(let line):
                guard let fields = try headers.read(from: &received) else { return nil }
                try beginContent(of: HTTPServerRequest(line: line, headers: fields))
                if line.version == .http11, expectsContinue(fields) { return .continueExpected }
            case .content(var request, let length):
                guard let content = received.take(length) else { return nil }
                request.body = Data(content)
                return finish(request)
            case .chunkedContent(var request):
                guard let message = try chunks.read(from: &received) else { return nil }
                (request.body, request.trailers) = message
                return finish(request)
            case .refused(let refusal):
                throw refusal
            }
        }
    }

    /// Reads the request line, after the one empty line that RFC 9112 section 2.2 has a server forgive.
    private mutating func readRequestLine() throws(HTTPRefusal) -> RequestLine? {
        if received.first == Self.handshake { throw .encrypted }
        while let line = try received.takeLine(
            atMost: limits.requestLineBytes,
            otherwise: .requestLineTooLong(limit: limits.requestLineBytes)
        ) {
            if !line.isEmpty || skippedEmptyLine { return try RequestLine(parsing: line) }
            skippedEmptyLine = true
        }
        return nil
    }

    private mutating func beginContent(of request: HTTPServerRequest) throws(HTTPRefusal) {
        try request.headers.checkHost(version: request.version)
        switch try RequestFraming(headers: request.headers, version: request.version, limits: limits) {
        case .length(let length): stage = .content(request, length: length)
        case .chunked: stage = .chunkedContent(request)
        }
    }

    /// Whether an interim answer is due; a request without a body has nothing to wait for.
    private func expectsContinue(_ fields: HeaderList) -> Bool {
        if case .content(_, length: 0) = stage { return false }
        return fields.hasListMember("100-continue", in: "Expect")
    }

    private mutating func finish(_ request: HTTPServerRequest) -> Event {
        stage = .requestLine
        skippedEmptyLine = false
        headers = FieldSectionReader(limits: limits)
        chunks = ChunkedContentReader(limits: limits)
        return .request(request)
    }
}
