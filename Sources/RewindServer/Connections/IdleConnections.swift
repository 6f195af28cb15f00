import Foundation
import Rewind

/// Connections whose clients have nothing to say for the moment, all watched by one thread.
/// A connection that waits for its client costs a descriptor here, and no thread.
final class IdleConnections: Sendable {
    private struct Idle {
        let connection: Socket
        let deadline: ContinuousClock.Instant
    }

    private struct State {
        var arrived: [Idle] = []
        var isWaking = false
        var isEnded = false
    }

    private let state = Locked(State())
    private let context: ServerContext
    // A byte to one end wakes the thread that waits at the other.
    private let wakeup: (sender: Socket, receiver: Socket)

    init(_ context: ServerContext) throws {
        self.context = context
        wakeup = try Socket.pair()
    }

    /// Says whether it watches the connection; it does not after its end.
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

    /// Makes the thread look again, as there is room for connections that have something to say.
    func wake() {
        do {
            try wakeup.sender.send(Data([0]))
        } catch {
            report(error)
        }
    }

    private func report(_ error: any Error) {
        context.report("the server cannot watch its idle connections for now", error)
    }

    /// Watches no connection any more, and gives up those it has.
    func end() {
        state.withLock { $0.isEnded = true }
        wakeup.sender.close()
    }

    /// Watches until the end. `resume` takes a connection on which something arrived, and says whether it could;
    /// `giveUp` takes one that was idle for too long.
    func watch(resume: (Socket) -> Bool, giveUp: (Socket) -> Void) {
        var idle: [Idle] = []
        var isFull = false
        var isReported = false
        // A byte that could not be sent wakes nobody.
        let longestSleep = Duration.seconds(5)
        var buffer = [UInt8](repeating: 0, count: 64)
        while true {
            let isEnded = state.withLock { state in
                idle += state.arrived
                state.arrived = []
                state.isWaking = false
                return state.isEnded
            }
            guard !isEnded else { return idle.forEach { giveUp($0.connection) } }
            // Without room for more, it waits only for the signal that there is room again.
            let sockets = [wakeup.receiver] + (isFull ? [] : idle.map(\.connection))
            let limit =
                isFull ? .seconds(1) : min(idle.first.map { $0.deadline - .now } ?? longestSleep, longestSleep)
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
