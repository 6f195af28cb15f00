import Foundation
import Rewind
import RewindServer

/// An HTTP/1.1 client on sockets, which represents all clients that do not use URLSession.
///
/// Each request has its own connection. Reads and writes block a queue of the connection, never a thread of tasks, and
/// the body of a response is read only as far as it is asked for.
package struct SocketClient: Sendable {
    package enum Failure: Error, Equatable {
        case refused(port: Int)
        /// The connection ended before the end of the response.
        case truncated(afterBytes: Int)
        case malformed
    }

    package init() {}

    package func send(_ request: Interaction.Request) async throws -> Interaction.Response {
        let answered = try await send(request, body: Interaction.BodyStream(request.body?.data ?? Data()))
        var response = answered.head
        response.body = Interaction.Body(try await answered.body.collect())
        return response
    }

    /// Sends the body in chunks as it is read, unless the request has its length.
    package func send(_ request: Interaction.Request, body: Interaction.BodyStream) async throws
        -> Interaction.StreamedResponse
    {
        let connection = try await SocketConnection(to: request.url)
        return try await connection.cancellable {
            let length = request.headers["Content-Length"] ?? request.body.map { "\($0.count)" }
            var head = request.headers
            if length == nil, request.method != "GET" { head["Transfer-Encoding"] = "chunked" }
            if let length { head["Content-Length"] = length }
            try await connection.sendHead(of: request, head)
            for try await piece in body where !piece.isEmpty {
                let isChunked = head["Transfer-Encoding"] != nil
                try await connection.send(
                    isChunked
                        ? Data((String(piece.count, radix: 16) + "\r\n").utf8) + piece + Data("\r\n".utf8)
                        : piece
                )
            }
            if head["Transfer-Encoding"] != nil { try await connection.send(Data("0\r\n\r\n".utf8)) }
            let response = try await connection.receiveHead(answering: request.method)
            return Interaction.StreamedResponse(
                response,
                body: Interaction.BodyStream(SocketBody(connection: connection))
            )
        }
    }
}

/// The body of a response, read from the connection.
private struct SocketBody: AsyncSequence, Sendable {
    let connection: SocketConnection

    struct AsyncIterator: AsyncIteratorProtocol {
        let connection: SocketConnection

        mutating func next() async throws -> Data? {
            try await connection.cancellable { try await connection.receivePiece() }
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(connection: connection) }
}

/// One connection, used by one task at a time. It is closed when nothing uses it any more.
private final class SocketConnection: @unchecked Sendable {
    // Sound as @unchecked Sendable: all members but the socket, which is thread-safe, are used on the queue only.
    private enum Framing {
        case length(Int)
        case chunks(rest: Int)
        case connection
        case none
    }

    private let socket: Socket
    private let queue = DispatchQueue(label: "socket-client")
    private let authority: String
    private var received = Data()
    private var framing = Framing.none
    private var count = 0

    init(to text: String) async throws {
        guard let url = URL(string: text), let host = url.host, let port = url.port else {
            throw SocketClient.Failure.malformed
        }
        authority = "\(host):\(port)"
        socket = try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                do {
                    continuation.resume(returning: try .connected(host: host, port: UInt16(port)))
                } catch {
                    continuation.resume(throwing: SocketClient.Failure.refused(port: port))
                }
            }
        }
    }

    deinit { socket.close() }

    /// Ends the connection if the task is cancelled, and then throws `CancellationError`.
    func cancellable<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        try await withTaskCancellationHandler {
            do {
                return try await body()
            } catch {
                throw Task.isCancelled ? CancellationError() : error
            }
        } onCancel: {
            socket.shutDown()
        }
    }

    private func onQueue<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws
        -> Result
    {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result { try body() }) }
        }
    }

    func send(_ bytes: Data) async throws { try await onQueue { [self] in try socket.send(bytes) } }

    func sendHead(of request: Interaction.Request, _ headers: HeaderList) async throws {
        let target = request.url.range(of: authority).map { String(request.url[$0.upperBound...]) } ?? ""
        var text = "\(request.method) \(target.isEmpty ? "/" : target) HTTP/1.1\r\nHost: \(authority)\r\n"
        for field in headers { text += "\(field.name): \(field.value)\r\n" }
        try await send(Data((text + "Connection: close\r\n\r\n").utf8))
    }

    func receiveHead(answering method: String) async throws -> Interaction.Response {
        try await onQueue { [self] in
            let lines = try line(through: "\r\n\r\n").components(separatedBy: "\r\n")
            let first = lines[0].split(separator: " ", maxSplits: 2).map(String.init)
            guard first.count > 1, let status = Int(first[1]) else { throw SocketClient.Failure.malformed }
            var headers = HeaderList()
            for line in lines.dropFirst() {
                let parts = line.split(separator: ":", maxSplits: 1)
                guard parts.count == 2 else { throw SocketClient.Failure.malformed }
                headers.append(String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces))
            }
            if method == "HEAD" || status == 204 || status == 304 {
                framing = .none
            } else if headers["Transfer-Encoding"] == "chunked" {
                framing = .chunks(rest: 0)
            } else {
                framing = headers["Content-Length"].flatMap { Int($0) }.map { .length($0) } ?? .connection
            }
            return Interaction.Response(
                status: status,
                statusText: first.count > 2 ? first[2] : "",
                headers: headers,
                httpVersion: first[0]
            )
        }
    }

    func receivePiece() async throws -> Data? {
        try await onQueue { [self] in
            switch framing {
            case .none: return nil
            case .connection: return try piece(atMost: .max)
            case .length(let rest):
                guard rest > 0 else { return nil }
                guard let piece = try piece(atMost: rest) else {
                    throw SocketClient.Failure.truncated(afterBytes: count)
                }
                framing = .length(rest - piece.count)
                return piece
            case .chunks(var rest):
                if rest == 0 {
                    guard let size = Int(try line(through: "\r\n"), radix: 16) else {
                        throw SocketClient.Failure.malformed
                    }
                    if size == 0 {
                        framing = .none
                        return nil
                    }
                    rest = size
                }
                guard let piece = try piece(atMost: rest) else {
                    throw SocketClient.Failure.truncated(afterBytes: count)
                }
                framing = .chunks(rest: rest - piece.count)
                if rest == piece.count { _ = try line(through: "\r\n") }
                return piece
            }
        }
    }

    private func piece(atMost limit: Int) throws -> Data? {
        if received.isEmpty, try !receive() { return nil }
        let piece = Data(received.prefix(limit))
        received = Data(received.dropFirst(piece.count))
        count += piece.count
        return piece
    }

    private func line(through end: String) throws -> String {
        while true {
            if let range = received.range(of: Data(end.utf8)) {
                defer { received = Data(received[range.upperBound...]) }
                return String(decoding: received[..<range.lowerBound], as: UTF8.self)
            }
            guard try receive() else { throw SocketClient.Failure.truncated(afterBytes: count) }
        }
    }

    private func receive() throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        guard let read = try? socket.receive(into: &buffer) else { return false }
        received.append(contentsOf: buffer[..<read])
        return read > 0
    }
}
