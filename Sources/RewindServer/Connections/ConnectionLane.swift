import Foundation
import Rewind

/// Some of the connections, and the threads that serve them.
///
/// `Leadership` decides which thread waits for the idle connections. Each other thread serves one connection.
final class ConnectionLane: @unchecked Sendable {
    // Sound as @unchecked Sendable: only the leader uses the variables, and the lock of `leadership` is taken before another
    // thread leads.

    /// The stack of a thread that serves connections, in bytes.
    static let stackSize = 512 * 1024

    let leadership = Leadership()

    private let context: ServerContext
    private let connections: OpenConnections
    /// What other threads ask the leader to do.
    private let orders = Locked(Orders())
    // A byte sent to one end wakes the leader, which waits at the other.
    private let wakeup: (sender: Socket, receiver: Socket)

    private struct Orders: Sendable {
        /// New connections, and those that became idle on threads of their own.
        var idle: [Connection] = []
        var isStarted = false
        var isWaking = false
        var isDraining = false
        var isEnded = false
    }

    private var accept: @Sendable () throws -> Void = {}
    private var endAccepting: @Sendable () -> Void = {}
    private var idle: IdleConnections
    /// Whether connections wait because too many threads serve others.
    private var isFull = false
    /// When clients are accepted again after a failure.
    private var pauseEnd: ContinuousClock.Instant?
    private var isReported = false

    // The lane that accepts clients has a listener, the socket to which they connect.
    init(_ context: ServerContext, _ connections: OpenConnections, listener: Socket?) throws {
        self.context = context
        self.connections = connections
        wakeup = try Socket.pair()
        idle = IdleConnections(watching: wakeup.receiver, listener)
    }

    // MARK: Orders

    /// Adds a connection; `false` after the end. The first one starts the threads.
    @discardableResult
    func add(_ connection: Connection) -> Bool {
        let (isAdded, isFirst) = orders.withLock { orders in
            guard !orders.isEnded else { return (false, false) }
            defer { orders.isStarted = true }
            orders.idle.append(connection)
            return (true, !orders.isStarted)
        }
        if isFirst { startThread { [self] in lead(without: nil) } } else { wake() }
        return isAdded
    }

    /// Starts the threads, before the first connection, so that they accept clients.
    /// - Parameters:
    ///   - accept: Throws if it is not possible at the moment.
    ///   - endAccepting: Called when the lane no longer accepts clients.
    func start(accept: @escaping @Sendable () throws -> Void, endAccepting: @escaping @Sendable () -> Void) {
        (self.accept, self.endAccepting) = (accept, endAccepting)
        orders.withLock { $0.isStarted = true }
        startThread { [self] in lead(without: nil) }
    }

    func drain() {
        orders.withLock { $0.isDraining = true }
        wake()
    }

    func end() {
        orders.withLock { $0.isEnded = true }
        leadership.end()
        wake()
    }

    func wake() {
        let wakes = orders.withLock { orders in
            defer { orders.isWaking = true }
            return orders.isStarted && !orders.isWaking
        }
        guard wakes else { return }
        do {
            try wakeup.sender.send(Data([0]))
        } catch {
            context.report("the server cannot watch idle connections at the moment", error)
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
        // Not a variable of the lane: a former leader still reads from the connection that it keeps.
        var buffer = [UInt8](repeating: 0, count: Connection.bufferSize)
        if let kept { idle.remove(kept) }
        startThread { [self] in if let kept = leadership.waitForTurn() { lead(without: kept) } }
        while followOrders() {
            let ready: IdleConnections.Ready
            do {
                // A wake-up byte may get lost, so the thread never sleeps longer than this.
                let longestSleep = Duration.milliseconds(isFull ? 100 : pauseEnd == nil ? 5000 : 10)
                ready = try idle.wait(forConnections: !isFull, atMost: longestSleep)
            } catch {
                report("the server cannot watch idle connections at the moment", error)
                Thread.sleep(forTimeInterval: 0.01)
                continue
            }
            if ready.isWoken { _ = try? wakeup.receiver.receive(into: &buffer) }
            if ready.hasClients { acceptClients() }
            guard serve(ready.connections, &buffer) else { return }
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
        if orders.isDraining || orders.isEnded, idle.hasListener {
            idle.removeListener()
            endAccepting()
        }
        if let pauseEnd, pauseEnd <= .now {
            self.pauseEnd = nil
            idle.watchesListener = true
        }
        if orders.isEnded { idle.all.forEach(forgetIdle) }
        return !orders.isEnded
    }

    private func acceptClients() {
        do {
            try accept()
            isReported = false
        } catch {
            report("the server cannot accept connections at the moment", error)
            pauseEnd = .now + .milliseconds(10)
            idle.watchesListener = false
        }
    }

    private func report(_ problem: String, _ error: any Error) {
        if !isReported { context.report(problem, error) }
        isReported = true
    }

    // MARK: Serving

    /// Serves connections to which something arrived. Returns `false` if another thread leads by now.
    private func serve(_ ready: [Connection], _ buffer: inout [UInt8]) -> Bool {
        isFull = false
        let requesting = ready.filter { !isEnding($0, &buffer) }
        for (number, connection) in requesting.enumerated() {
            if let missing = connections.threads.enter(for: self, oneOf: requesting.count - number) {
                isFull = true
                connections.makeRoom(forThreads: missing)
                return true
            }
            guard leadership.begin(connection) else {
                connections.threads.leave()
                return true
            }
            guard serve(connection, &buffer) else { return false }
        }
        return true
    }

    /// Whether no request follows on a connection. It ends without a thread, or another client would lose its place for that.
    private func isEnding(_ connection: Connection, _ buffer: inout [UInt8]) -> Bool {
        let isEnded = connection.endDeadline != nil && connection.receive(into: &buffer) == .closed
        // The socket of a connection that made room is shut down.
        if isEnded || connection.endDeadline == nil && connection.activity.isOver { forgetIdle(connection) }
        return connection.endDeadline != nil || connection.activity.isOver
    }

    private func serve(_ connection: Connection, _ buffer: inout [UInt8]) -> Bool {
        connection.activity.endWait()
        var state = connection.receive(into: &buffer)
        while state == .incomplete {
            state = connection.answer()
            // All requests that arrived are answered before the connection ends.
            guard state == .idle, orders.withLock(\.isDraining) else { break }
            state = connection.receive(into: &buffer)
        }
        if state == .incomplete { leadership.handOver(connection) }
        guard leadership.end(connection) else {
            serveAlone(connection, from: state, &buffer)
            return false
        }
        connections.threads.leave()
        if state == .closed {
            forgetIdle(connection)
        } else {
            connection.idle()
            idle.noteDeadline(of: connection)
        }
        return true
    }

    /// Serves a connection on this thread, while another one serves the others.
    private func serveAlone(_ connection: Connection, from state: Connection.State, _ buffer: inout [UInt8]) {
        let state = connection.serve(from: state, readingInto: &buffer)
        connection.idle()
        // Not later, as the connection may then end without a thread.
        let isGivenUp = connection.activity.leaveThread()
        if state == .closed || !add(connection) { connections.close(connection) }
        connections.threads.leave(isGivenUp: isGivenUp)
    }

    private func forgetIdle(_ connection: Connection) {
        idle.remove(connection)
        connections.close(connection)
    }
}
