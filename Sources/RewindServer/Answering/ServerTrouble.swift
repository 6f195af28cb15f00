import Rewind

/// Something that went wrong in a server where no client can be told of it any more.
package enum ServerTrouble: Sendable {
    /// An answer was cut short after it had begun.
    case brokenAnswer(request: String, any Error)
    /// A connection was given up.
    case brokenConnection(any Error)
    /// Nobody can connect, for as long as that goes on.
    case noNewConnections(any Error)
    /// The connections that are idle cannot be watched, so that what they say next is not heard for a while.
    case unwatchedConnections(any Error)

    /// Tells of it, unless it is only that a client has gone or is silent, as clients may at any time.
    func tell(_ listener: (ServerTrouble) -> Void) {
        if let error = error as? SocketError, error.isOfPeer { return }
        listener(self)
    }

    private var error: any Error {
        switch self {
        case .brokenAnswer(_, let error), .brokenConnection(let error), .noNewConnections(let error),
            .unwatchedConnections(let error):
            error
        }
    }
}

extension ServerTrouble: CustomStringConvertible {
    /// What happened, and why.
    package var description: String {
        switch self {
        case .brokenAnswer(let request, let error): "the server's answer to \(request) broke off: \(error)"
        case .brokenConnection(let error): "the server gave up a connection: \(error)"
        case .noNewConnections(let error): "the server can take no new connections for now: \(error)"
        case .unwatchedConnections(let error): "the server cannot watch its idle connections for now: \(error)"
        }
    }
}
