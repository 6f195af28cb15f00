import Foundation
import Rewind

/// Idle connections, all watched by one thread. An idle connection needs a descriptor, but no thread.
final class IdleConnections: Sendable {
    private struct Idle {
        let connection: Socket
        let deadline: ContinuousClock.Instant
    }

    private struct State {
        var arrived: [Idle] = []
        var isWaking = false
        var isEnded = false
        /// The number of connections that the thread watches.
        var watchedCount = 0
        /// The number of the oldest connections to close.
        var dueCount = 0
    }

    private let state = Locked(State())
    private let context: ServerContext
    // A byte sent to one end wakes the thread that waits at the other.
    private let wakeup: (sender: Socket, receiver: Socket)

    init(_ context: ServerContext) throws {
        self.context = context
        wakeup = try Socket.pair()
    }

    /// Adds a connection; `false` after `end()`.
    func add(_ connection: Socket) -> Bool {
        let (isAdded, wakes) = state.withLock { state in
            guard !state.isEnded else { return (false, false) }
            state.arrived.append(Idle(connection: connection, deadline: .now + context.limits.idleTimeout))
            defer { state.isWaking = true }
            return (true, !state.isWaking)
        }
        if wakes { wake() }
        return isAdded
    }

    /// Closes the connections that are idle for longest, and returns their number.
    func closeOldest(_ count: Int) -> Int {
        let closed = state.withLock { state in
            let closed = min(count, state.watchedCount + state.arrived.count - state.dueCount)
            state.dueCount += max(0, closed)
            return max(0, closed)
        }
        if closed > 0 { wake() }
        return closed
    }

    /// Makes the thread check again after a thread for connections became free.
    func wake() {
        do {
            try wakeup.sender.send(Data([0]))
        } catch {
            report(error)
        }
    }

    private func report(_ error: any Error) {
        context.report("the server cannot watch idle connections at the moment", error)
    }

    /// Stops watching and closes all idle connections.
    func end() {
        state.withLock { $0.isEnded = true }
        wakeup.sender.close()
    }

    /// Watches connections until `end()`.
    /// - Parameters:
    ///   - resume: Serves a connection with new data; returns `false` if no thread is free.
    ///   - makeRoom: Ends slow connections, if there are any, so that threads become free.
    ///   - giveUp: Closes a connection that was idle for too long.
    func watch(resume: (Socket) -> Bool, makeRoom: (_ count: Int) -> Void, giveUp: (Socket) -> Void) {
        var idle: [Idle] = []
        var isFull = false
        var isReported = false
        // A wake-up byte may get lost, so the thread never sleeps longer than this.
        let longestSleep = Duration.seconds(5)
        var buffer = [UInt8](repeating: 0, count: 64)
        while true {
            let (isEnded, due) = state.withLock { state in
                idle += state.arrived
                let due = idle.prefix(state.dueCount)
                idle.removeFirst(due.count)
                state.arrived = []
                state.dueCount = 0
                state.watchedCount = idle.count
                state.isWaking = false
                return (state.isEnded, due)
            }
            due.forEach { giveUp($0.connection) }
            guard !isEnded else { return idle.forEach { giveUp($0.connection) } }
            // If no thread is free, this waits only for the signal that one is.
            let sockets = [wakeup.receiver] + (isFull ? [] : idle.map(\.connection))
            let limit =
                isFull
                ? .milliseconds(100) : min(idle.first.map { $0.deadline - .now } ?? longestSleep, longestSleep)
            let readable: [Int]
            do {
                readable = try Socket.waitUntilReadable(sockets, atMost: limit)
                if readable.first == 0 { _ = try wakeup.receiver.receive(into: &buffer) }
                isReported = false
            } catch {
                if !isReported { report(error) }
                isReported = true
                Thread.sleep(forTimeInterval: 0.01)
                continue
            }
            isFull = false
            var resumed: Set<Int> = []
            for position in readable where position > 0 && !isFull {
                if resume(idle[position - 1].connection) { resumed.insert(position - 1) } else { isFull = true }
            }
            if isFull { makeRoom(readable.count { $0 > 0 } - resumed.count) }
            let now = ContinuousClock.now
            idle = idle.enumerated().compactMap { position, connection in
                if resumed.contains(position) { return nil }
                if connection.deadline > now || isFull { return connection }
                giveUp(connection.connection)
                return nil
            }
        }
    }
}
