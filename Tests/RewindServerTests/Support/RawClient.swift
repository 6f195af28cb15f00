import Foundation
import Rewind
import RewindServer
import Testing

/// A client that sends and receives raw bytes.
final class RawClient {
    private let socket: Socket
    private var received = Data()
    private var buffer = [UInt8](repeating: 0, count: 64 * 1024)

    init(_ url: URL) throws {
        let host = try #require(url.host)
        let port = try #require(url.port.flatMap { UInt16(exactly: $0) })
        socket = try Socket.connected(host: host, port: port)
        try socket.setReceiveTimeout(.seconds(120))
        try socket.setSendTimeout(.seconds(120))
    }

    func send(_ text: String) throws {
        try socket.send(Data(text.utf8))
    }

    func send(_ bytes: Data) throws {
        try socket.send(bytes)
    }

    /// Closes the connection, even if the server still sends data.
    func close() {
        socket.close()
    }

    func finishSending() {
        socket.finishSending()
    }

    /// Whether unread bytes have arrived.
    var hasAnswer: Bool { (try? Socket.waitUntilReadable([socket], atMost: .zero))?.isEmpty == false }

    /// Reads up to and including a text; throws if the connection ends before.
    func read(through end: String) throws -> String {
        while true {
            if let range = received.range(of: Data(end.utf8)) {
                let text = String(decoding: received[..<range.upperBound], as: UTF8.self)
                received = Data(received[range.upperBound...])
                return text
            }
            guard try receive() else {
                throw UnexpectedEnd(received: String(decoding: received, as: UTF8.self))
            }
        }
    }

    /// Reads text up to the end of the connection.
    func readToEnd() throws -> String {
        String(decoding: try readBytesToEnd(), as: UTF8.self)
    }

    /// Reads bytes up to the end of the connection.
    func readBytesToEnd() throws -> Data {
        while try receive() {}
        defer { received = Data() }
        return received
    }

    private func receive() throws -> Bool {
        let count = try socket.receive(into: &buffer)
        received.append(contentsOf: buffer[..<count])
        return count > 0
    }
}

struct UnexpectedEnd: Error {
    let received: String
}

/// A response, parsed by a simple independent parser.
struct ReceivedResponse: Equatable {
    var status: Int
    var headers: HeaderList
    /// The body without chunk framing.
    var body: Data
    /// Whether the body is complete according to its framing.
    var isWhole: Bool

    var text: String { String(decoding: body, as: UTF8.self) }

    /// Parses the bytes of a connection with one response.
    init(_ bytes: Data, to method: String) throws {
        let interim = Data("HTTP/1.1 100 Continue\r\n\r\n".utf8)
        let bytes = bytes.starts(with: interim) ? Data(bytes.dropFirst(interim.count)) : bytes
        let end = try #require(bytes.range(of: Data("\r\n\r\n".utf8)), "the response has no head")
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        status = try #require(lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        headers = HeaderList(
            lines.dropFirst().compactMap { line in
                let parts = line.components(separatedBy: ": ")
                return HeaderList.Field(name: parts[0], value: parts.dropFirst().joined(separator: ": "))
            }
        )
        let rest = Data(bytes[end.upperBound...])
        if method == "HEAD" || status == 204 || status == 304 {
            (body, isWhole) = (rest, rest.isEmpty)
        } else if headers["Transfer-Encoding"] == "chunked" {
            (body, isWhole) = Self.removingChunks(rest)
        } else {
            (body, isWhole) = (rest, headers["Content-Length"].flatMap { Int($0) } == rest.count)
        }
    }

    private static func removingChunks(_ bytes: Data) -> (Data, isWhole: Bool) {
        var body = Data()
        var rest = bytes
        while let lineEnd = rest.range(of: Data("\r\n".utf8)) {
            let line = String(decoding: rest[..<lineEnd.lowerBound], as: UTF8.self)
            guard let count = Int(line, radix: 16),
                rest.distance(from: lineEnd.upperBound, to: rest.endIndex) >= count
            else { return (body, false) }
            if count == 0 { return (body, true) }
            body += rest[lineEnd.upperBound..<lineEnd.upperBound + count]
            rest = Data(rest[(lineEnd.upperBound + count)...].dropFirst(2))
        }
        return (body, false)
    }
}

/// Sends one request on a new connection.
func send(
    _ url: URL,
    _ method: String = "GET",
    _ target: String,
    headers: HeaderList = [:],
    body: Data? = nil
) throws -> ReceivedResponse {
    let client = try RawClient(url)
    try client.send(request(url, method, target, headers: headers, body: body))
    return try ReceivedResponse(try client.readBytesToEnd(), to: method)
}

/// The bytes of a request with Connection: close.
func request(
    _ url: URL,
    _ method: String = "GET",
    _ target: String,
    headers: HeaderList = [:],
    body: Data? = nil
) -> Data {
    var lines = ["\(method) \(target) HTTP/1.1"]
    if headers["Host"] == nil { lines.append("Host: \(url.host ?? ""):\(url.port ?? 0)") }
    lines += headers.map { "\($0.name): \($0.value)" }
    if let body { lines.append("Content-Length: \(body.count)") }
    lines.append("Connection: close")
    return Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (body ?? Data())
}
