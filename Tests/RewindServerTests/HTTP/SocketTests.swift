import Foundation
import Rewind
import RewindServer
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SocketTests {
    private func receive(from socket: Socket) throws -> String {
        var buffer = [UInt8](repeating: 0, count: 100)
        let count = try socket.receive(into: &buffer)
        return String(decoding: buffer[..<count], as: UTF8.self)
    }

    @Test("A connected socket sends bytes to a listening one")
    func connects() throws {
        let listener = try Socket.listening(host: "127.0.0.1", port: 0)
        let (quiet, signal) = try Socket.pair()
        let client = try Socket.connected(host: "127.0.0.1", port: listener.port)
        #expect(try Socket.waitUntilReadable([signal, listener]) == [1])
        let server = try listener.acceptConnection()
        try client.send(Data("hello".utf8))
        #expect(try receive(from: server) == "hello")
        quiet.close()
        #expect(try Socket.waitUntilReadable([signal, listener]).first == 0)
    }

    @Test("Accepting without a waiting client does not block")
    func acceptsWithoutBlocking() throws {
        let listener = try Socket.listening(host: "127.0.0.1", port: 0)
        #expect(throws: SocketError.timedOut(attempt: "accept a connection")) {
            try listener.acceptConnection()
        }
    }

    @Test("A side that finished sending can still receive")
    func finishesSending() throws {
        let (one, other) = try Socket.pair()
        one.finishSending()
        #expect(try receive(from: other).isEmpty)
        try other.send(Data("still here".utf8))
        #expect(try receive(from: one) == "still here")
    }

    @Test("receive and send time out")
    func timesOut() throws {
        let (one, other) = try Socket.pair()
        try one.setReceiveTimeout(.milliseconds(20))
        #expect(throws: SocketError.timedOut(attempt: "receive")) { try receive(from: one) }
        try other.setSendTimeout(.milliseconds(20))
        #expect(throws: SocketError.timedOut(attempt: "send")) { try other.send(Data(count: 10_000_000)) }
    }

    @Test("Sending to a disconnected peer throws instead of ending the process")
    func survivesLostPeer() throws {
        let (one, other) = try Socket.pair()
        other.close()
        #expect(throws: SocketError.failed(attempt: "send", code: EPIPE)) { try one.send(Data("lost".utf8)) }
    }

    @Test("A closed socket can be closed again, but not used")
    func closesOnce() throws {
        let (one, other) = try Socket.pair()
        one.close()
        one.close()
        one.reset()
        one.shutDown()
        one.finishSending()
        #expect(throws: SocketError.closed) { try one.send(Data("late".utf8)) }
        #expect(throws: SocketError.closed) { try receive(from: one) }
        #expect(try receive(from: other).isEmpty)
    }

    @Test("shutDown() and reset() on another thread wake a receive", arguments: [false, true])
    func wakesReceive(byReset: Bool) throws {
        let (one, other) = try Socket.pair()
        let returned = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            var buffer: [UInt8] = [0]
            _ = try? one.receive(into: &buffer)
            returned.signal()
        }
        if byReset { one.reset() } else { one.shutDown() }
        #expect(returned.wait(timeout: .now() + 120) == .success)
        #expect(try receive(from: other).isEmpty)
    }

    @Test("An error describes the attempt and the cause")
    func describesErrors() throws {
        let free = try Socket.listening(host: "127.0.0.1", port: 0)
        let port = try free.port
        free.close()
        let error = #expect(throws: SocketError.self) { try Socket.connected(host: "127.0.0.1", port: port) }
        #expect(error == .failed(attempt: "connect to 127.0.0.1:\(port)", code: ECONNREFUSED))
        #expect(
            error?.description
                == "Could not connect to 127.0.0.1:\(port): Connection refused (error \(ECONNREFUSED))."
        )
        #expect(SocketError.timedOut(attempt: "send").description == "Could not send in time.")
        #expect(SocketError.invalidAddress("a").description == "\"a\" is not an IPv4 address.")
        #expect(SocketError.closed.description == "The socket is closed.")
    }
}
