import Foundation
import Rewind

/// A small, strict HTTP/1.1 server for tests (RFC 9110, RFC 9112). The handler is called for many requests at a
/// time, but for one after another of each connection.
package final class HTTPServer: Sendable {
    /// Answers one request; an error thrown before the answer becomes a 500, a later one cuts the answer off.
    package typealias Handler = @Sendable (HTTPServerRequest, HTTPResponseWriter) throws -> Void

    private let context: ServerContext
    private let listener = Locked<ConnectionListener?>(nil)

    /// `note` receives what goes wrong where no client can see it any more.
    package init(
        limits: HTTPLimits = HTTPLimits(),
        note: @escaping @Sendable (String) -> Void = { Note.print($0) },
        handler: @escaping Handler
    ) { context = ServerContext(limits: limits, note: note, handler: handler) }

    deinit { stop() }

    @discardableResult
    package func start(host: String = "127.0.0.1", port: UInt16 = 0) throws -> URL {
        try listener.withLock { listener in
            guard listener == nil else { throw HTTPServerError.alreadyStarted }
            let started = try ConnectionListener(host: host, port: port, context)
            let address = "http://\(host):\(started.port)"
            guard let url = URL(string: address) else { throw SocketError.invalidAddress(host) }
            listener = started
            started.run()
            return url
        }
    }

    /// Refuses new connections and requests, and answers those that arrived; `stop()` still has to follow.
    package func drain() { listener.withLock { $0 }?.drain() }

    /// Waits for handlers, at most `HTTPLimits.stopTimeout`. A stopped server may be started again.
    package func stop() {
        let stopped = listener.withLock { listener in
            defer { listener = nil }
            return listener
        }
        stopped?.stop()
    }

    /// Requests that reached the handler since the server was created.
    package var requestCount: Int { context.counts.withLock(\.requests) }
    /// Connections accepted since the server was created.
    package var connectionCount: Int { context.counts.withLock(\.connections) }
    /// Connections on which a request is being answered now.
    package var busyConnectionCount: Int { context.counts.withLock(\.busyConnections) }
    /// Threads that serve connections now, fewer than the connections where some are idle.
    package var threadCount: Int { context.counts.withLock(\.threads) }
    package var openConnectionCount: Int { context.counts.withLock(\.openConnections) }
}

package enum HTTPServerError: Error, Hashable, Sendable, CustomStringConvertible {
    case alreadyStarted
    package var description: String { "The server was started already; stop it before it starts again." }
}

/// What all connections of a server share.
final class ServerContext: Sendable {
    struct Counts: Sendable {
        var requests = 0
        var connections = 0
        var openConnections = 0
        var busyConnections = 0
        var threads = 0
    }

    let limits: HTTPLimits
    let handler: HTTPServer.Handler
    let counts = Locked(Counts())
    private let note: @Sendable (String) -> Void

    init(limits: HTTPLimits, note: @escaping @Sendable (String) -> Void, handler: @escaping HTTPServer.Handler)
    {
        self.limits = limits
        self.note = note
        self.handler = handler
    }

    /// Reports what no client can see, unless it means only that a client has gone or is silent.
    func report(_ problem: String, _ error: any Error) {
        if let error = error as? SocketError, error.isOfPeer { return }
        note("\(problem): \(error)")
    }
}
