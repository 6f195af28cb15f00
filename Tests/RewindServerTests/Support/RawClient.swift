import Foundation
import RewindServer
import Testing

/// A client that sends exactly the bytes it is given, and reads exactly those that arrive.
final class RawClient {
    private let socket: Socket
    private var received = Data()

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

    /// Ends the connection, whatever the server still sends.
    func close() {
        socket.close()
    }

    func finishSending() {
        socket.finishSending()
    }

    /// Whether something has arrived that was not read yet.
    var hasAnswer: Bool { (try? Socket.waitUntilReadable([socket], atMost: .zero))?.isEmpty == false }

    /// Everything up to and including a text, which must arrive before the connection ends.
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

    /// Everything up to the end of the connection.
    func readToEnd() throws -> String {
        String(decoding: try readBytesToEnd(), as: UTF8.self)
    }

    /// Everything up to the end of the connection, text or not.
    func readBytesToEnd() throws -> Data {
        while try receive() {}
        defer { received = Data() }
        return received
    }

    private func receive() throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = try socket.receive(into: &buffer)
        received.append(contentsOf: buffer[..<count])
        return count > 0
    }
}

struct UnexpectedEnd: Error {
    let received: String
}
