import Foundation
import Rewind

/// Which connections end if there is no room for another.
extension ConnectionListener {
    /// Closes idle connections, or else slow ones.
    func closeConnections(_ count: Int) { disconnectSlowest(count - closeOldest(count)) }

    /// Ends slow connections, unless enough of them are ending already.
    func makeRoom(for count: Int) { disconnectSlowest(count - leadership.leavingThreads) }

    /// Ends the connections of the clients that send or read most slowly. Their threads end, and serve other clients.
    private func disconnectSlowest(_ count: Int) {
        guard count > 0 else { return }
        let now = ContinuousClock.now
        let slowest = connections.withLock { connections in
            connections.values.compactMap { open in open.activity.worth(at: now).map { (open, $0) } }
                .sorted { $0.1 < $1.1 }.prefix(count)
        }
        for (open, worth) in slowest {
            guard leadership.giveUp(open.activity) else { continue }
            // A client that still sends gets a response that says why.
            if worth.isReading { open.socket.shutDown() } else { open.socket.finishReceiving() }
        }
    }

    /// The number of files and sockets that the process may open.
    static var descriptorLimit: Int {
        let limit = sysconf(Int32(_SC_OPEN_MAX))
        return limit < 0 ? .max : limit
    }
}
