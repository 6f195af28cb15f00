import Foundation
import Rewind
import RewindServer

/// A server on a loopback port that stores every request byte for byte and sends scripted bytes.
///
/// Unlike ``ConversationServer`` it parses a request only to find its end, so that the bytes of two requests can be
/// compared.
package final class RawServer: Sendable {
    /// An action of the server after it received a request.
    package enum Step: Sendable {
        /// Sends bytes.
        case send(String)
        /// Sends bytes that are not text.
        case sendData(Data)
        /// Waits for a number of milliseconds.
        case pause(Int)
        /// Closes the connection.
        case close
        /// Resets the connection.
        case reset
        /// Sends nothing until the client disconnects.
        case hang
    }

    /// The bytes of a request.
    package struct RawRequest: Sendable {
        /// The request line and the header section, without the empty line.
        package let head: String
        /// The body, with its transfer coding.
        package let body: Data

        /// The path of the request line.
        package var path: String {
            head.split(separator: " ").dropFirst().first.map(String.init) ?? ""
        }

        /// The value of a header field; the case of the name does not matter.
        package func value(of name: String) -> String? {
            lines.dropFirst().first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
                .map { $0.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces) }
        }

        /// The request line and the fields, sorted because Foundation sends them in any order.
        package var lines: [String] {
            let lines = head.components(separatedBy: "\r\n")
            return lines.prefix(1) + lines.dropFirst().sorted()
        }
    }

    private struct State: Sendable {
        var requests: [RawRequest] = []
        var connections: [Socket] = []
        var isStopped = false
    }

    private let listener: Socket
    private let state = Locked(State())
    private let script: @Sendable (RawRequest) -> [Step]

    /// The address of the running server.
    package let url: URL

    /// Starts a server on a free port.
    /// - Parameter script: What to do after a request.
    /// - Throws: An error of the system if no port is available.
    package init(_ script: @escaping @Sendable (RawRequest) -> [Step]) throws {
        self.script = script
        listener = try Socket.listening(host: "127.0.0.1", port: 0)
        guard let url = URL(string: "http://127.0.0.1:\(try listener.port)") else {
            throw SocketError.invalidAddress("127.0.0.1")
        }
        self.url = url
        Thread.detachNewThread { [weak self, listener] in
            while let self, !self.state.withLock({ $0.isStopped }) { self.acceptNext(from: listener) }
        }
    }

    deinit {
        stop()
    }

    /// Stops the server; its port then refuses connections.
    package func stop() {
        let connections = state.withLock { state in
            state.isStopped = true
            return state.connections
        }
        listener.close()
        for connection in connections { connection.shutDown() }
    }

    /// The requests so far.
    package var requests: [RawRequest] { state.withLock { $0.requests } }

    /// Returns the requests so far and removes them.
    package func takeRequests() -> [RawRequest] {
        state.withLock { state in
            defer { state.requests = [] }
            return state.requests
        }
    }

    /// The URL of a path of this server.
    package subscript(path: String) -> URL {
        URL(string: path, relativeTo: url)?.absoluteURL ?? url
    }

    private func acceptNext(from listener: Socket) {
        guard let ready = try? Socket.waitUntilReadable([listener], atMost: .milliseconds(20)), !ready.isEmpty,
            let connection = try? listener.acceptConnection()
        else { return }
        state.withLock { $0.connections.append(connection) }
        Thread.detachNewThread { [self] in
            try? serve(connection)
            connection.close()
            state.withLock { $0.connections.removeAll { $0 === connection } }
        }
    }

    private func serve(_ connection: Socket) throws {
        var received = Data()
        while true {
            guard let request = try receive(from: connection, &received) else { return }
            state.withLock { $0.requests.append(request) }
            for step in script(request) {
                switch step {
                case .send(let text): try connection.send(Data(text.utf8))
                case .sendData(let data): try connection.send(data)
                case .pause(let milliseconds): Thread.sleep(forTimeInterval: Double(milliseconds) / 1000)
                case .close: return
                case .reset: return connection.reset()
                case .hang:
                    while try !more(from: connection, &received) {}
                    return
                }
            }
        }
    }

    /// Receives a complete request; `nil` if the client disconnected before.
    private func receive(from connection: Socket, _ received: inout Data) throws -> RawRequest? {
        let emptyLine = Data("\r\n\r\n".utf8)
        while received.range(of: emptyLine) == nil {
            if try more(from: connection, &received) { return nil }
        }
        guard let end = received.range(of: emptyLine) else { return nil }
        let head = String(decoding: received[received.startIndex..<end.lowerBound], as: UTF8.self)
        received = Data(received[end.upperBound...])
        var request = RawRequest(head: head, body: Data())
        if request.value(of: "Expect")?.lowercased() == "100-continue" {
            try connection.send(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        }
        if request.value(of: "Transfer-Encoding")?.lowercased() == "chunked" {
            let last = Data("0\r\n\r\n".utf8)
            while received.range(of: last) == nil {
                if try more(from: connection, &received) { return nil }
            }
            guard let end = received.range(of: last) else { return nil }
            request = RawRequest(head: head, body: Data(received[..<end.upperBound]))
            received = Data(received[end.upperBound...])
        } else if let count = request.value(of: "Content-Length").flatMap({ Int($0) }) {
            while received.count < count {
                if try more(from: connection, &received) { return nil }
            }
            request = RawRequest(head: head, body: Data(received.prefix(count)))
            received = Data(received.dropFirst(count))
        }
        return request
    }

    /// Receives more bytes. Returns whether the client has closed the connection.
    private func more(from connection: Socket, _ received: inout Data) throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = try connection.receive(into: &buffer)
        received.append(contentsOf: buffer[..<count])
        return count == 0
    }
}
