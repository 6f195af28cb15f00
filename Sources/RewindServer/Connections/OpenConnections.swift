import Foundation
import Rewind

/// All connections of a server, and which of them end if there is no room for another.
final class OpenConnections: Sendable {
    let threads: ServingThreads

    private let context: ServerContext
    private let connections = Locked<[ObjectIdentifier: Connection]>([:])
    private let limit: Int
    private let serving = DispatchGroup()

    init(_ context: ServerContext) {
        self.context = context
        threads = ServingThreads(limit: context.limits.busyConnections)
        limit = min(context.limits.openConnections, Self.descriptorLimit / 4 * 3)
    }

    func add(_ connection: Connection) {
        serving.enter()
        connections.withLock { $0[ObjectIdentifier(connection)] = connection }
        context.counts.withLock { counts in
            counts.connections += 1
            counts.openConnections += 1
        }
    }

    /// Closes a connection.
    func close(_ connection: Connection) {
        connection.socket.close()
        connections.withLock { $0[ObjectIdentifier(connection)] = nil }
        context.counts.withLock { counts in
            counts.openConnections -= 1
            if connection.endDeadline != nil { counts.endingConnections -= 1 }
        }
        serving.leave()
    }

    func finishReceiving() { connections.withLock { $0.values.forEach { $0.socket.finishReceiving() } } }

    /// Ends all connections, and waits until they are closed or the time limit is over.
    func end() {
        connections.withLock { $0.values.forEach { $0.socket.shutDown() } }
        _ = serving.wait(timeout: .now() + context.limits.stopTimeout / .seconds(1))
    }

    // MARK: Room

    /// Ends connections if there are too many, or if the system has no room for another, unless enough are ending already.
    func makeRoom(isSystemFull: Bool) {
        let count = connections.withLock(\.count)
        guard isSystemFull || count > limit else { return }
        let endingCount = connections.withLock { $0.values.count { $0.activity.isOver } }
        end(max(count - limit, isSystemFull ? 1 : 0) - endingCount, amongIdle: true)
    }

    /// Ends slow connections, whose threads are expected to leave, so that these serve other clients.
    func makeRoom(forThreads count: Int) {
        let missing = count - end(count, amongIdle: false)
        if missing > 0 { threads.expect(more: -missing) }
    }

    /// Ends the connections that are idle for longest, and then those of the clients that send or read most slowly.
    /// - Parameters:
    ///   - count: How many should end.
    ///   - amongIdle: Whether idle ones may end too. If not, the threads of others are expected to leave.
    /// - Returns: How many ended.
    @discardableResult
    private func end(_ count: Int, amongIdle: Bool) -> Int {
        guard count > 0 else { return 0 }
        let now = ContinuousClock.now
        let worths = connections.withLock { connections in
            connections.values.compactMap { open in open.activity.worth(at: now).map { (open, $0) } }
        }
        let least = worths.filter { amongIdle || $0.1.kind != .idle }.sorted { $0.1 < $1.1 }.prefix(count)
        var ended = 0
        for (connection, worth) in least where connection.activity.giveUp(as: worth.kind) {
            ended += 1
            if amongIdle, worth.kind != .idle { threads.expect(more: 1) }
            // A client that still sends gets a response that says why.
            if worth.kind == .sending {
                connection.socket.finishReceiving()
            } else {
                connection.socket.shutDown()
            }
        }
        return ended
    }

    /// The number of files and sockets that the process may open.
    private static var descriptorLimit: Int {
        let limit = sysconf(Int32(_SC_OPEN_MAX))
        return limit < 0 ? .max : limit
    }
}
