import Foundation
import Rewind

/// Accepts connections and serves them.
///
/// `Leadership` decides which thread waits for clients and for idle connections. Each other thread serves one connection.
final class ConnectionListener: @unchecked Sendable {
    // Sound as @unchecked Sendable: only the leader uses the variables, and the lock of `leadership` is taken before another
    // thread leads.

    /// The stack of a thread that serves connections, in bytes.
    static let stackSize = 512 * 1024

    let port: UInt16
    let connections = Locked<[ObjectIdentifier: Connection]>([:])
    let connectionLimit: Int
    let leadership: Leadership
    let context: ServerContext

    private let socket: Socket
    private let accepting = DispatchGroup()
    private let serving = DispatchGroup()
    /// What other threads ask the leader to do.
    private let orders = Locked(Orders())
    // A byte sent to one end wakes the leader, which waits at the other.
    private let wakeup: (sender: Socket, receiver: Socket)

    private struct Orders: Sendable {
        /// Connections that became idle on threads of their own.
        var idle: [Connection] = []
        var isWaking = false
        var isDraining = false
        var isEnded = false
    }

    private var idle: IdleConnections
    private var buffer = [UInt8](repeating: 0, count: Connection.bufferSize)
    private var isDraining = false
    /// Whether connections wait because too many threads serve others.
    private var isFull = false
    /// When connections are accepted again after a failure.
    private var pauseEnd: ContinuousClock.Instant?
    private var isReported = false

    init(host: String, port: UInt16, _ context: ServerContext) throws {
        self.context = context
        connectionLimit = min(context.limits.openConnections, Self.descriptorLimit / 4 * 3)
        leadership = Leadership(threadLimit: context.limits.busyConnections)
        socket = try Socket.listening(host: host == "localhost" ? "127.0.0.1" : host, port: port)
        self.port = try socket.port
        wakeup = try Socket.pair()
        idle = IdleConnections(watching: wakeup.receiver, socket)
    }

    func run() {
        accepting.enter()
        startThread { [self] in lead(without: nil) }
    }

    /// Stops accepting connections and requests. Requests that already arrived are still answered.
    func drain() {
        orders.withLock { $0.isDraining = true }
        wake()
        accepting.wait()
        connections.withLock { $0.values.forEach { $0.socket.finishReceiving() } }
    }

    /// Returns when the handlers have returned or the time limit is over.
    func stop() {
        orders.withLock { $0.isEnded = true }
        leadership.end()
        wake()
        accepting.wait()
        connections.withLock { $0.values.forEach { $0.socket.shutDown() } }
        _ = serving.wait(timeout: .now() + context.limits.stopTimeout / .seconds(1))
    }

    /// The number of connections with a request to answer, which may not have been read yet if no others follow.
    var busyConnectionCount: Int {
        let isDraining = orders.withLock(\.isDraining)
        return context.counts.withLock { counts in
            isDraining ? counts.openConnections - counts.endingConnections : counts.busyConnections
        }
    }

    // MARK: Threads

    private func startThread(_ body: @escaping @Sendable () -> Void) {
        let thread = Thread(block: body)
        thread.stackSize = Self.stackSize
        thread.start()
    }

    /// Serves connections until another thread leads, or until the end.
    private func lead(without kept: Connection?) {
        if let kept { idle.remove(kept) }
        startThread { [self] in if let kept = leadership.waitForTurn() { lead(without: kept) } }
        while followOrders() {
            let ready: IdleConnections.Ready
            do {
                // A wake-up byte may get lost, so the thread never sleeps longer than this.
                let longestSleep = Duration.milliseconds(isFull ? 100 : pauseEnd == nil ? 5000 : 10)
                ready = try idle.wait(forConnections: !isFull, atMost: longestSleep)
                isReported = isReported && pauseEnd != nil
            } catch {
                report("the server cannot watch idle connections at the moment", error)
                Thread.sleep(forTimeInterval: 0.01)
                continue
            }
            if ready.isWoken { _ = try? wakeup.receiver.receive(into: &buffer) }
            if ready.hasClients { accept() }
            guard serve(ready.connections) else { return }
            if !isFull { idle.expired().forEach(forgetIdle) }
        }
    }

    /// Returns `false` at the end.
    private func followOrders() -> Bool {
        let orders = orders.withLock { orders in
            defer {
                orders.idle = []
                orders.isWaking = false
            }
            return orders
        }
        orders.idle.forEach { idle.add($0) }
        isDraining = orders.isDraining
        if orders.isDraining || orders.isEnded, !socket.isClosed {
            idle.watchesClients = false
            socket.close()
            accepting.leave()
        }
        if let pauseEnd, pauseEnd <= .now, !socket.isClosed {
            self.pauseEnd = nil
            idle.watchesClients = true
        }
        if orders.isEnded { idle.all.forEach(forgetIdle) }
        return !orders.isEnded
    }

    /// Serves connections to which something arrived. Returns `false` if another thread leads by now.
    private func serve(_ ready: [Connection]) -> Bool {
        isFull = false
        for (number, connection) in ready.enumerated() where connection.place != nil {
            if connection.endDeadline != nil {
                if connection.receive(into: &buffer) == .closed { forgetIdle(connection) }
                continue
            }
            switch leadership.begin(connection) {
            case .granted: guard serve(connection) else { return false }
            case .ended: return true
            case .full:
                isFull = true
                makeRoom(for: ready.count - number)
                return true
            }
        }
        return true
    }

    private func serve(_ connection: Connection) -> Bool {
        var state = connection.receive(into: &buffer)
        while state == .incomplete {
            state = connection.answer()
            // All requests that arrived are answered before the connection ends.
            guard isDraining, state == .idle else { break }
            state = connection.receive(into: &buffer)
        }
        if state == .incomplete { leadership.handOver(connection) }
        guard leadership.end(connection) else {
            serveAlone(connection, from: state)
            return false
        }
        if state == .closed {
            forgetIdle(connection)
        } else {
            idle.setDeadline(of: connection, to: deadline(of: connection))
        }
        return true
    }

    /// Serves a connection on this thread, while another one serves the others.
    private func serveAlone(_ connection: Connection, from state: Connection.State) {
        let state = connection.serve(from: state)
        // Before another thread can serve the connection, and before its disconnection would count for no thread.
        let isGivenUp = connection.activity.end()
        connection.deadline = deadline(of: connection)
        let isIdle = state != .closed && orders.withLock { orders in
            if !orders.isEnded { orders.idle.append(connection) }
            return !orders.isEnded
        }
        if !isIdle { forget(connection) }
        let wasFull = leadership.leave(isGivenUp: isGivenUp)
        if isIdle || wasFull { wake() }
    }

    private func deadline(of connection: Connection) -> ContinuousClock.Instant {
        connection.endDeadline ?? .now + context.limits.idleTimeout
    }

    private func wake() {
        let wakes = orders.withLock { orders in
            defer { orders.isWaking = true }
            return !orders.isWaking
        }
        guard wakes else { return }
        do {
            try wakeup.sender.send(Data([0]))
        } catch {
            context.report("the server cannot watch idle connections at the moment", error)
        }
    }

    private func report(_ problem: String, _ error: any Error) {
        if !isReported { context.report(problem, error) }
        isReported = true
    }

    // MARK: Connections

    private func accept() {
        do {
            while true { take(try socket.acceptConnection()) }
        } catch let error as SocketError where error.isOfPeer {
            // No client waits any more, or one has disconnected.
        } catch {
            // Descriptors may be used up, which is temporary.
            closeConnections(1)
            report("the server cannot accept connections at the moment", error)
            pauseEnd = .now + .milliseconds(10)
            idle.watchesClients = false
        }
    }

    private func take(_ socket: Socket) {
        socket.returnInsteadOfWaiting()
        serving.enter()
        let connection = Connection(socket, context) { [leadership] in leadership.handOver($0) }
        connection.deadline = deadline(of: connection)
        let count = connections.withLock { connections in
            connections[ObjectIdentifier(connection)] = connection
            return connections.count
        }
        context.counts.withLock { counts in
            counts.connections += 1
            counts.openConnections += 1
        }
        if count > connectionLimit { closeConnections(count - connectionLimit) }
        idle.add(connection)
    }

    /// Closes idle connections, and returns their number.
    func closeOldest(_ count: Int) -> Int {
        _ = followOrders()
        let oldest = idle.oldest(count)
        oldest.forEach(forgetIdle)
        return oldest.count
    }

    private func forgetIdle(_ connection: Connection) {
        idle.remove(connection)
        forget(connection)
    }

    private func forget(_ connection: Connection) {
        connection.socket.close()
        connections.withLock { $0[ObjectIdentifier(connection)] = nil }
        context.counts.withLock { counts in
            counts.openConnections -= 1
            if connection.endDeadline != nil { counts.endingConnections -= 1 }
        }
        serving.leave()
    }
}
