import Foundation
import Rewind
import RewindServer
import Testing

/// An answer as a client without any cleverness reads it.
struct ReceivedAnswer: Equatable {
    var status: Int
    var headers: HeaderList
    /// The body, any chunk framing removed.
    var body: Data
    /// Whether the body ended where its framing says.
    var isWhole: Bool

    var text: String { String(decoding: body, as: UTF8.self) }

    /// Reads the bytes of one connection that carried one answer.
    init(_ bytes: Data, to method: String) throws {
        let interim = Data("HTTP/1.1 100 Continue\r\n\r\n".utf8)
        let bytes = bytes.starts(with: interim) ? Data(bytes.dropFirst(interim.count)) : bytes
        let end = try #require(bytes.range(of: Data("\r\n\r\n".utf8)), "there is no head")
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

/// One request on a connection of its own.
func ask(
    _ url: URL,
    _ method: String = "GET",
    _ target: String,
    headers: HeaderList = [:],
    body: Data? = nil
) throws -> ReceivedAnswer {
    let client = try RawClient(url)
    try client.send(request(url, method, target, headers: headers, body: body))
    return try ReceivedAnswer(try client.readBytesToEnd(), to: method)
}

/// The bytes of a request after which the connection closes.
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
