import Foundation
import Rewind

/// Accepts connections, and distributes them over lanes.
final class ConnectionListener: Sendable {
    let port: UInt16
    let connections: OpenConnections

    private let socket: Socket
    private let context: ServerContext
    private let lanes: [ConnectionLane]
    private let accepting = DispatchGroup()
    private let state = Locked(State())

    private struct State: Sendable {
        var acceptedCount = 0
        var isDraining = false
    }

    /// Several threads get more of busy processors than one. More than these would only wait for the same cassette.
    private static let laneCount = max(2, min(4, ProcessInfo.processInfo.activeProcessorCount))

    init(host: String, port: UInt16, _ context: ServerContext) throws {
        self.context = context
        let socket = try Socket.listening(host: host == "localhost" ? "127.0.0.1" : host, port: port)
        let connections = OpenConnections(context)
        self.port = try socket.port
        (self.socket, self.connections) = (socket, connections)
        lanes = try (0..<Self.laneCount).map { number in
            try ConnectionLane(context, connections, listener: number == 0 ? socket : nil)
        }
    }

    func run() {
        accepting.enter()
        lanes.first?.start(
            accept: { [self] in try accept() },
            endAccepting: { [self] in
                socket.close()
                accepting.leave()
            }
        )
    }

    /// Stops accepting connections and requests. Requests that already arrived are still answered.
    func drain() {
        state.withLock { $0.isDraining = true }
        for lane in lanes { lane.drain() }
        accepting.wait()
        connections.finishReceiving()
    }

    /// Returns when the handlers have returned or the time limit is over.
    func stop() {
        for lane in lanes { lane.end() }
        accepting.wait()
        connections.end()
    }

    /// The number of connections with a request to answer. During `drain()`, also of those that may have one.
    var busyConnectionCount: Int {
        let isDraining = state.withLock(\.isDraining)
        return context.counts.withLock { counts in
            isDraining ? counts.openConnections - counts.endingConnections : counts.busyConnections
        }
    }

    private func accept() throws {
        do {
            // Not all that wait, as other connections wait for this thread, some of them to be closed.
            for _ in 0..<16 { take(try socket.acceptConnection()) }
        } catch let error as SocketError where error.isOfPeer {
            // No client waits any more, or one has disconnected.
        } catch {
            // Descriptors may be used up, which is temporary.
            connections.makeRoom(isSystemFull: true)
            throw error
        }
        connections.makeRoom(isSystemFull: false)
    }

    private func take(_ socket: Socket) {
        socket.returnInsteadOfWaiting()
        let number = state.withLock { state in
            defer { state.acceptedCount += 1 }
            return state.acceptedCount % lanes.count
        }
        let lane = lanes[number]
        let connection = Connection(socket, context) { lane.leadership.handOver($0) }
        connection.idle()
        connections.add(connection)
        if !lane.add(connection) { connections.close(connection) }
    }
}
