import Foundation
import Rewind

/// Accepts connections and serves each on its own thread while its client sends requests.
final class ConnectionListener: Sendable {
    /// The stack of a thread that serves a connection, in bytes.
    static let stackSize = 512 * 1024

    let port: UInt16

    private let socket: Socket
    private let context: ServerContext
    private struct Open: Sendable {
        let socket: Socket
        let activity: ConnectionActivity
    }

    private let connections = Locked<[ObjectIdentifier: Open]>([:])
    private let connectionLimit: Int
    private let idle: IdleConnections
    private let accepting = DispatchGroup()
    private let serving = DispatchGroup()
    // Closing one end wakes the accepting thread. Closing the listening socket does not on every system.
    private let stopSignal: (sender: Socket, receiver: Socket)
    private let isStopping = Locked(false)

    init(host: String, port: UInt16, _ context: ServerContext) throws {
        self.context = context
        connectionLimit = min(context.limits.openConnections, Self.descriptorLimit / 4 * 3)
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
            idle.watch(resume: resume, makeRoom: makeRoom) { connection in
                connection.shutDown()
                forget(connection)
            }
        }
    }

    /// Stops accepting connections and requests. Requests that already arrived are still answered.
    func drain() {
        stopAccepting()
        connections.withLock { $0.values.forEach { $0.socket.finishReceiving() } }
    }

    /// Returns when the handlers have returned or the time limit is over.
    func stop() {
        stopAccepting()
        connections.withLock { $0.values.forEach { $0.socket.shutDown() } }
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
                if (error as? SocketError)?.isOfPeer != true { closeConnections(1) }
                if !isReported { context.report("the server cannot accept connections at the moment", error) }
                isReported = isReported || (error as? SocketError)?.isOfPeer != true
                Thread.sleep(forTimeInterval: 0.01)
            }
        }
    }

    private func take(_ connection: Socket) {
        serving.enter()
        let open = Open(socket: connection, activity: ConnectionActivity())
        let count = connections.withLock { connections in
            connections[ObjectIdentifier(connection)] = open
            return connections.count
        }
        if count > connectionLimit { closeConnections(count - connectionLimit) }
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
        guard isRoom, let open = connections.withLock({ $0[ObjectIdentifier(connection)] }) else {
            if isRoom { context.counts.withLock { $0.threads -= 1 } }
            return false
        }
        let thread = Thread { [self] in
            let end = Connection(socket: connection, activity: open.activity, context: context).serve()
            // Before another thread can serve the connection, and before its disconnection would count for no thread.
            let isGivenUp = open.activity.end()
            if end == .closed || !idle.add(connection) { forget(connection) }
            let wasFull = context.counts.withLock { counts in
                counts.threads -= 1
                if isGivenUp { counts.leavingThreads -= 1 }
                return counts.threads == limit - 1
            }
            if wasFull { idle.wake() }
        }
        thread.stackSize = Self.stackSize
        thread.start()
        return true
    }

    /// Closes idle connections, or else slow ones.
    private func closeConnections(_ count: Int) { disconnectSlowest(count - idle.closeOldest(count)) }

    /// Ends slow connections, unless enough of them are ending already.
    private func makeRoom(for count: Int) {
        disconnectSlowest(count - context.counts.withLock(\.leavingThreads))
    }

    /// Ends the connections of the clients that send or read most slowly. Their threads end, and serve other clients.
    private func disconnectSlowest(_ count: Int) {
        guard count > 0 else { return }
        let now = ContinuousClock.now
        let slowest = connections.withLock { connections in
            connections.values.compactMap { open in open.activity.worth(at: now).map { (open, $0) } }
                .sorted { $0.1 < $1.1 }.prefix(count)
        }
        for (open, worth) in slowest {
            guard open.activity.giveUp() else { continue }
            context.counts.withLock { $0.leavingThreads += 1 }
            // A client that still sends gets a response that says why.
            if worth.isReading { open.socket.shutDown() } else { open.socket.finishReceiving() }
        }
    }

    /// The number of files and sockets that the process may open.
    private static var descriptorLimit: Int {
        let limit = sysconf(Int32(_SC_OPEN_MAX))
        return limit < 0 ? .max : limit
    }

    private func forget(_ connection: Socket) {
        connection.close()
        connections.withLock { $0[ObjectIdentifier(connection)] = nil }
        context.counts.withLock { $0.openConnections -= 1 }
        serving.leave()
    }
}
