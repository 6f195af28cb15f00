import Foundation
import Rewind

/// The connections that wait for a request, and two sockets that are watched with them.
struct IdleConnections {
    private var waits: [pollfd]
    /// The connections behind the first two sockets.
    private var connections: [Connection] = []
    private var listener: Int32
    /// No connection has an earlier deadline.
    private var nextDeadline: ContinuousClock.Instant?

    private static let first = 2

    /// - Parameters:
    ///   - signal: A socket that becomes readable to end a wait.
    ///   - listener: The socket to which clients connect.
    init(watching signal: Socket, _ listener: Socket?) {
        // A negative descriptor is ignored.
        self.listener = listener?.watchedDescriptor ?? -1
        waits = [Self.wait(for: signal), pollfd(fd: self.listener, events: Int16(POLLIN), revents: 0)]
    }

    var hasListener: Bool { listener >= 0 }

    /// Stops watching the listener, which may then be closed.
    mutating func removeListener() {
        listener = -1
        watchesListener = false
    }

    struct Ready {
        var isWoken = false
        /// Whether clients wait to be accepted.
        var hasClients = false
        var connections: [Connection] = []
    }

    /// Waits until something arrives, which includes the end of a connection, or a deadline is over.
    mutating func wait(forConnections: Bool, atMost limit: Duration) throws -> Ready {
        let limit = min(limit, forConnections ? nextDeadline.map { $0 - .now } ?? limit : limit)
        let count = forConnections ? waits.count : Self.first
        guard try Socket.wait(&waits, count, atMost: limit) > 0 else { return Ready() }
        return Ready(
            isWoken: waits[0].revents != 0,
            hasClients: waits[1].revents != 0,
            connections: (Self.first..<count).compactMap { place in
                waits[place].revents == 0 ? nil : connections[place - Self.first]
            }
        )
    }

    /// Whether a client that connects ends a wait.
    var watchesListener: Bool {
        get { waits[1].fd >= 0 }
        set { waits[1].fd = newValue ? listener : -1 }
    }

    /// Adds a connection, which is only closed after its removal.
    mutating func add(_ connection: Connection) {
        connection.place = connections.count
        connections.append(connection)
        waits.append(Self.wait(for: connection.socket))
        noteDeadline(of: connection)
    }

    /// Removes a connection. The last one takes its place.
    mutating func remove(_ connection: Connection) {
        guard let place = connection.place, let last = connections.popLast(), let wait = waits.popLast() else {
            return
        }
        connection.place = nil
        guard last !== connection else { return }
        last.place = place
        connections[place] = last
        waits[Self.first + place] = wait
    }

    /// Called when the deadline of a connection has changed.
    mutating func noteDeadline(of connection: Connection) {
        if nextDeadline.map({ connection.deadline < $0 }) ?? true { nextDeadline = connection.deadline }
    }

    /// The connections whose deadline is over.
    mutating func expired() -> [Connection] {
        guard let next = nextDeadline, case let now = ContinuousClock.now, next <= now else { return [] }
        nextDeadline = connections.lazy.map(\.deadline).filter { $0 > now }.min()
        return connections.filter { $0.deadline <= now }
    }

    var all: [Connection] { connections }

    private static func wait(for socket: Socket) -> pollfd {
        pollfd(fd: socket.watchedDescriptor, events: Int16(POLLIN), revents: 0)
    }
}
