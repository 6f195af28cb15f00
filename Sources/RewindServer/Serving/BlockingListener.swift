import Foundation
import Rewind

/// Accepts connections and serves each on a thread of its own while it has something to say.
final class BlockingListener: Sendable {
    let port: UInt16

    private let socket: Socket
    private let limits: HTTPLimits
    private let exchange: HTTPExchange
    private let counts: Locked<ServerCounts>
    private let connections = Locked<[ObjectIdentifier: Socket]>([:])
    private let idle: IdleConnections
    private let accepting = DispatchGroup()
    private let serving = DispatchGroup()
    // Closing one end wakes the accepting thread, which closing the listening socket does not on every system.
    private let stopSignal: (sender: Socket, receiver: Socket)
    private let isStopping = Locked(false)

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
        idle = try IdleConnections(timeout: limits.idleTimeout, exchange.listener)
    }

    /// Begins to accept connections.
    func run() {
        accepting.enter()
        Thread.detachNewThread { [self] in
            acceptConnections()
            socket.close()
            accepting.leave()
        }
        Thread.detachNewThread { [self] in
            idle.watch(resume: resume) { connection in
                connection.shutDown()
                forget(connection)
            }
        }
    }

    /// Accepts no connection any more, and on those there are no request beyond the ones that arrived.
    func drain() {
        stopAccepting()
        connections.withLock { $0.values.forEach { $0.finishReceiving() } }
    }

    /// Returns when no connection is accepted any more and the handlers returned or took too long.
    func stop() {
        stopAccepting()
        connections.withLock { $0.values.forEach { $0.shutDown() } }
        idle.end()
        _ = serving.wait(timeout: .now() + limits.stopTimeout / .seconds(1))
    }

    private func stopAccepting() {
        isStopping.withLock { $0 = true }
        stopSignal.sender.close()
        accepting.wait()
    }

    /// The room for the calls of one connection: 512 KiB.
    private static let stackSize = 512 * 1024

    private func acceptConnections() {
        var isTold = false
        while !isStopping.withLock({ $0 }) {
            do {
                guard try socket.waitUntilReadable(or: stopSignal.receiver) else { return }
                take(try socket.acceptConnection())
                isTold = false
            } catch {
                // The client may be gone, or descriptors may be short for a while: neither ends the server.
                let isOfPeer = (error as? SocketError)?.isOfPeer == true
                if !isTold { ServerTrouble.noNewConnections(error).tell(exchange.listener) }
                isTold = isTold || !isOfPeer
                Thread.sleep(forTimeInterval: 0.01)
            }
        }
    }

    private func take(_ connection: Socket) {
        serving.enter()
        connections.withLock { $0[ObjectIdentifier(connection)] = connection }
        counts.withLock { counts in
            counts.connections += 1
            counts.openConnections += 1
        }
        if !resume(connection), !idle.add(connection) { forget(connection) }
    }

    /// Serves what a client has to say on a thread, where there are not too many.
    private func resume(_ connection: Socket) -> Bool {
        let isRoom = counts.withLock { counts in
            guard counts.threads < limits.busyConnections else { return false }
            counts.threads += 1
            return true
        }
        guard isRoom else { return false }
        let thread = Thread { [self] in
            let end = BlockingConnection(
                socket: connection,
                limits: limits,
                exchange: exchange,
                counts: counts
            ).serve()
            if end == .closed || !idle.add(connection) { forget(connection) }
            let wasFull = counts.withLock { counts in
                counts.threads -= 1
                return counts.threads == limits.busyConnections - 1
            }
            if wasFull { idle.wake() }
        }
        thread.stackSize = Self.stackSize
        thread.start()
        return true
    }

    private func forget(_ connection: Socket) {
        connection.close()
        connections.withLock { $0[ObjectIdentifier(connection)] = nil }
        counts.withLock { $0.openConnections -= 1 }
        serving.leave()
    }
}
