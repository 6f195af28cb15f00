import Foundation
import Rewind
import RewindTestSupport

// What the recipes use of AsyncHTTPClient 1.33, with the same names and signatures. It sends requests through sockets.

final class HTTPClient: Sendable {
    static let shared = HTTPClient()

    /// A name that code in extensions of the client finds before that of the standard library.
    final class Task<Response> {}

    func execute(_ request: HTTPClientRequest, timeout: TimeAmount) async throws -> HTTPClientResponse {
        try await withThrowingTaskGroup(of: HTTPClientResponse.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await self.followingRedirects(request) }
            group.addTask {
                try await _Concurrency.Task.sleep(for: .nanoseconds(timeout.nanoseconds))
                throw HTTPClientError.deadlineExceeded
            }
            guard let response = try await group.next() else { throw HTTPClientError.cancelled }
            return response
        }
    }

    private func followingRedirects(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
        var request = request
        var history: [HTTPClientRequestResponse] = []
        while true {
            let (head, body) = try await exchange(request)
            history.append(HTTPClientRequestResponse(request: request, responseHead: head))
            guard (300...399).contains(head.status.code), let location = head.headers.first(name: "Location"),
                let url = URL(string: request.url).flatMap({ URL(string: location, relativeTo: $0) })
            else {
                return HTTPClientResponse(
                    version: head.version,
                    status: head.status,
                    headers: head.headers,
                    body: .stream(LiveBody(pieces: body)),
                    history: history
                )
            }
            guard history.count < 5 else { throw HTTPClientError.redirectLimitReached }
            request.url = url.absoluteString
        }
    }

    private func exchange(
        _ request: HTTPClientRequest
    ) async throws -> (HTTPResponseHead, Interaction.BodyStream) {
        var fields = HeaderList(request.headers.map { HeaderList.Field(name: $0.name, value: $0.value) })
        if case .known(let count) = request.body?.length { fields.append("Content-Length", "\(count)") }
        let sent = Interaction.Request(method: request.method.rawValue, url: request.url, headers: fields)
        do {
            let response = try await SocketClient().send(sent, body: Self.pieces(of: request.body))
            let head = HTTPResponseHead(
                version: .http1_1,
                status: HTTPResponseStatus(
                    statusCode: response.head.status,
                    reasonPhrase: response.head.statusText
                ),
                headers: HTTPHeaders(response.head.headers.map { ($0.name, $0.value) })
            )
            return (head, response.body)
        } catch SocketClient.Failure.refused {
            throw IOError(errnoCode: ECONNREFUSED, reason: "connect")
        }
    }

    private static func pieces(of body: HTTPClientRequest.Body?) -> Interaction.BodyStream {
        guard let body else { return Interaction.BodyStream(Data()) }
        return Interaction.BodyStream(body.map { Data($0.readableBytesView) })
    }
}

/// A response body whose reader receives the errors of AsyncHTTPClient.
private struct LiveBody: AsyncSequence, Sendable {
    let pieces: Interaction.BodyStream

    func makeAsyncIterator() -> Iterator { Iterator(pieces: pieces.makeAsyncIterator()) }

    struct Iterator: AsyncIteratorProtocol {
        var pieces: Interaction.BodyStream.AsyncIterator

        mutating func next() async throws -> ByteBuffer? {
            do {
                return try await pieces.next().map { ByteBuffer(bytes: $0) }
            } catch SocketClient.Failure.truncated {
                throw HTTPParserError.invalidEOFState
            }
        }
    }
}

struct HTTPClientRequest: Sendable {
    var url: String
    var method: HTTPMethod = .GET
    var headers = HTTPHeaders()
    var body: Body?

    init(url: String) { self.url = url }

    struct Body: AsyncSequence, Sendable {
        enum Length: Sendable {
            case unknown
            case known(Int64)
        }

        fileprivate let length: Length
        private let makePieces: @Sendable () -> AsyncIterator

        static func bytes(_ buffer: ByteBuffer) -> Body {
            stream(
                AsyncStream {
                    $0.yield(buffer); $0.finish()
                },
                length: .known(Int64(buffer.readableBytes))
            )
        }

        static func stream<Pieces: AsyncSequence & Sendable>(_ pieces: Pieces, length: Length) -> Body
        where Pieces.Element == ByteBuffer {
            Body(length: length) {
                var iterator = pieces.makeAsyncIterator()
                return AsyncIterator { try await iterator.next() }
            }
        }

        private init(length: Length, _ makePieces: @escaping @Sendable () -> AsyncIterator) {
            self.length = length
            self.makePieces = makePieces
        }

        func makeAsyncIterator() -> AsyncIterator { makePieces() }

        struct AsyncIterator: AsyncIteratorProtocol {
            let read: () async throws -> ByteBuffer?

            mutating func next() async throws -> ByteBuffer? { try await read() }
        }
    }
}

struct HTTPClientRequestResponse: Sendable {
    var request: HTTPClientRequest
    var responseHead: HTTPResponseHead
}

struct HTTPClientResponse: Sendable {
    var version: HTTPVersion
    var status: HTTPResponseStatus
    var headers: HTTPHeaders
    var body: Body
    var history: [HTTPClientRequestResponse]

    init(
        version: HTTPVersion = .http1_1,
        status: HTTPResponseStatus = .ok,
        headers: HTTPHeaders = [:],
        body: Body,
        history: [HTTPClientRequestResponse] = []
    ) {
        self.version = version
        self.status = status
        self.headers = headers
        self.body = body
        self.history = history
    }

    var url: URL? { history.last.flatMap { URL(string: $0.request.url) } }

    struct Body: AsyncSequence, Sendable {
        private let makePieces: @Sendable () -> AsyncIterator

        static func stream<Pieces: AsyncSequence & Sendable>(_ pieces: Pieces) -> Body
        where Pieces.Element == ByteBuffer {
            Body {
                var iterator = pieces.makeAsyncIterator()
                return AsyncIterator { try await iterator.next() }
            }
        }

        private init(_ makePieces: @escaping @Sendable () -> AsyncIterator) { self.makePieces = makePieces }

        func makeAsyncIterator() -> AsyncIterator { makePieces() }

        struct AsyncIterator: AsyncIteratorProtocol {
            let read: () async throws -> ByteBuffer?

            mutating func next() async throws -> ByteBuffer? { try await read() }
        }
    }
}

struct HTTPClientError: Error, Equatable, CustomStringConvertible {
    private enum Code: Equatable {
        case cancelled, connectTimeout, deadlineExceeded, getConnectionFromPoolTimeout, readTimeout
        case redirectCycleDetected, redirectLimitReached, remoteConnectionClosed, requestStreamCancelled
        case tlsHandshakeTimeout, uncleanShutdown, writeTimeout
    }

    private var code: Code

    private init(code: Code) { self.code = code }

    var description: String { "HTTPClientError.\(String(describing: code))" }

    static let cancelled = HTTPClientError(code: .cancelled)
    static let connectTimeout = HTTPClientError(code: .connectTimeout)
    static let deadlineExceeded = HTTPClientError(code: .deadlineExceeded)
    static let getConnectionFromPoolTimeout = HTTPClientError(code: .getConnectionFromPoolTimeout)
    static let readTimeout = HTTPClientError(code: .readTimeout)
    static let redirectCycleDetected = HTTPClientError(code: .redirectCycleDetected)
    static let redirectLimitReached = HTTPClientError(code: .redirectLimitReached)
    static let remoteConnectionClosed = HTTPClientError(code: .remoteConnectionClosed)
    static let requestStreamCancelled = HTTPClientError(code: .requestStreamCancelled)
    static let tlsHandshakeTimeout = HTTPClientError(code: .tlsHandshakeTimeout)
    static let uncleanShutdown = HTTPClientError(code: .uncleanShutdown)
    static let writeTimeout = HTTPClientError(code: .writeTimeout)
}
