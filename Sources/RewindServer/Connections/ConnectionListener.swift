import Foundation
import Rewind

/// Accepts connections and serves each on its own thread while its client sends requests.
final class ConnectionListener: Sendable {
    let port: UInt16

    private let socket: Socket
    private let context: ServerContext
    private let connections = Locked<[ObjectIdentifier: Socket]>([:])
    private let idle: IdleConnections
    private let accepting = DispatchGroup()
    private let serving = DispatchGroup()
    // Closing one end wakes the accepting thread. Closing the listening socket does not on every system.
    private let stopSignal: (sender: Socket, receiver: Socket)
    private let isStopping = Locked(false)

    init(host: String, port: UInt16, _ context: ServerContext) throws {
        self.context = context
        socket = try Socket.listening(host: host == "localhost" ? "127.0.0.1" : host, port: port)
        self.port = try socket.port
        stopSignal = try Socket.pair()
        idle = try IdleConnections(context)
    }

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

    /// Stops accepting connections and requests. Requests that already arrived are still answered.
    func drain() {
        stopAccepting()
        connections.withLock { $0.values.forEach { $0.finishReceiving() } }
    }

    /// Returns when the handlers have returned or the time limit is over.
    func stop() {
        stopAccepting()
        connections.withLock { $0.values.forEach { $0.shutDown() } }
        idle.end()
        _ = serving.wait(timeout: .now() + context.limits.stopTimeout / .seconds(1))
    }

    private func stopAccepting() {
        isStopping.withLock { $0 = true }
        stopSignal.sender.close()
        accepting.wait()
    }

    private func acceptConnections() {
        var isReported = false
        while !isStopping.withLock({ $0 }) {
            do {
                let readable = try Socket.waitUntilReadable([stopSignal.receiver, socket])
                guard readable.first != 0 else { return }
                take(try socket.acceptConnection())
                isReported = false
            } catch {
                // The client may have disconnected, or descriptors may be used up. Both are temporary.
                if !isReported { context.report("the server cannot accept connections at the moment", error) }
                isReported = isReported || (error as? SocketError)?.isOfPeer != true
                Thread.sleep(forTimeInterval: 0.01)
            }
        }
    }

    private func take(_ connection: Socket) {
        serving.enter()
        connections.withLock { $0[ObjectIdentifier(connection)] = connection }
        context.counts.withLock { counts in
            counts.connections += 1
            counts.openConnections += 1
        }
        if !resume(connection), !idle.add(connection) { forget(connection) }
    }

    /// Serves a connection on a new thread; `false` if there are too many threads.
    private func resume(_ connection: Socket) -> Bool {
        let limit = context.limits.busyConnections
        let isRoom = context.counts.withLock { counts in
            guard counts.threads < limit else { return false }
            counts.threads += 1
            return true
        }
        guard isRoom else { return false }
        let thread = Thread { [self] in
            let end = Connection(socket: connection, context: context).serve()
            if end == .closed || !idle.add(connection) { forget(connection) }
            let wasFull = context.counts.withLock { counts in
                counts.threads -= 1
                return counts.threads == limit - 1
            }
            if wasFull { idle.wake() }
        }
        thread.stackSize = 512 * 1024
        thread.start()
        return true
    }

    private func forget(_ connection: Socket) {
        connection.close()
        connections.withLock { $0[ObjectIdentifier(connection)] = nil }
        context.counts.withLock { $0.openConnections -= 1 }
        serving.leave()
    }
}
