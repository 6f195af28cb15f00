import Foundation
import Rewind

/// Accepts connections and serves each on a thread of its own.
final class BlockingListener: Sendable {
    let port: UInt16

    private let socket: Socket
    private let limits: HTTPLimits
    private let exchange: HTTPExchange
    private let counts: Locked<ServerCounts>
    private let connections = Locked<[ObjectIdentifier: Socket]>([:])
    private let accepting = DispatchGroup()
    private let serving = DispatchGroup()
    // Closing one end wakes the accepting thread, which closing the listening socket does not on every system.
    private let stopSignal: (sender: Socket, receiver: Socket)

    init(
        host: String,
        port: UInt16,
        limits: HTTPLimits,
        exchange: HTTPExchange,
        counts: Locked<ServerCounts>
    ) throws {
        self.limits = limits
        self.exchange = exchange
        self.counts = counts
        socket = try Socket.listening(host: host == "localhost" ? "127.0.0.1" : host, port: port)
        self.port = try socket.port
        stopSignal = try Socket.pair()
    }

    /// Begins to accept connections.
    func run() {
        accepting.enter()
        Thread.detachNewThread { [self] in
            acceptConnections()
            socket.close()
            accepting.leave()
        }
    }

    /// Accepts no connection any more, and on those there are no request beyond the ones that arrived.
    func drain() {
        stopSignal.sender.close()
        accepting.wait()
        connections.withLock { $0.values.forEach { $0.finishReceiving() } }
    }

    /// Returns when no connection is accepted any more and the handlers returned or took too long.
    func stop() {
        stopSignal.sender.close()
        accepting.wait()
        connections.withLock { $0.values.forEach { $0.shutDown() } }
        _ = serving.wait(timeout: .now() + limits.stopTimeout / .seconds(1))
    }

    /// The room for the calls of one connection, of which an idle one uses next to nothing: 512 KiB.
    private static let stackSize = 512 * 1024

    private func acceptConnections() {
        while (try? socket.waitUntilReadable(or: stopSignal.receiver)) == true {
            do {
                serve(try socket.acceptConnection())
            } catch {
                // The client may be gone, or descriptors may be short for a while: neither ends the server.
                Thread.sleep(forTimeInterval: 0.01)
            }
        }
    }

    private func serve(_ connection: Socket) {
        serving.enter()
        connections.withLock { $0[ObjectIdentifier(connection)] = connection }
        counts.withLock { counts in
            counts.connections += 1
            counts.openConnections += 1
        }
        let thread = Thread { [self] in
            BlockingConnection(socket: connection, limits: limits, exchange: exchange, counts: counts).serve()
            connections.withLock { $0[ObjectIdentifier(connection)] = nil }
            counts.withLock { $0.openConnections -= 1 }
            serving.leave()
        }
        thread.stackSize = Self.stackSize
        thread.start()
    }
}
