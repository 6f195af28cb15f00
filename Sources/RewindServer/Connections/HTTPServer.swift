import Foundation
import Rewind

/// A small, strict HTTP/1.1 server for tests (RFC 9110, RFC 9112).
///
/// Requests of different connections are handled in parallel, those of one connection in order.
package final class HTTPServer: Sendable {
    /// Answers one request. An error thrown before the response becomes a 500 response; a later one cuts it off.
    package typealias Handler = @Sendable (HTTPServerRequest, HTTPResponseWriter) throws -> Void

    private let context: ServerContext
    private let listener = Locked<ConnectionListener?>(nil)

    /// Creates a server that is not started. `note` receives errors that cannot be reported to a client.
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

    /// Rejects new connections and requests, and answers those that already arrived. Call `stop()` afterwards.
    package func drain() { listener.withLock { $0 }?.drain() }

    /// Waits for handlers for up to `HTTPLimits.stopTimeout`. A stopped server can start again.
    package func stop() {
        let stopped = listener.withLock { listener in
            defer { listener = nil }
            return listener
        }
        stopped?.stop()
    }

    /// The number of requests passed to the handler since the server was created.
    package var requestCount: Int { context.counts.withLock(\.requests) }
    /// The number of connections accepted since the server was created.
    package var connectionCount: Int { context.counts.withLock(\.connections) }
    /// The number of connections on which a request is being answered.
    package var busyConnectionCount: Int { listener.withLock { $0 }?.busyConnectionCount ?? 0 }
    /// The number of threads that serve connections; idle connections use none.
    package var threadCount: Int { listener.withLock { $0 }?.connections.threads.count ?? 0 }
    package var openConnectionCount: Int { context.counts.withLock(\.openConnections) }
}

package enum HTTPServerError: Error, Hashable, Sendable, CustomStringConvertible {
    case alreadyStarted
    package var description: String { "The server is already running. Stop it before you start it again." }
}

/// The state that all connections of a server share.
final class ServerContext: Sendable {
    struct Counts: Sendable {
        var requests = 0
        var connections = 0
        var openConnections = 0
        var busyConnections = 0
        /// The number of connections on which no request follows.
        var endingConnections = 0
    }

    let limits: HTTPLimits
    let handler: HTTPServer.Handler
    let counts = Locked(Counts())
    let contentBudget: ContentBudget
    private let note: @Sendable (String) -> Void
    private let hasReportedTLS = Locked(false)

    init(limits: HTTPLimits, note: @escaping @Sendable (String) -> Void, handler: @escaping HTTPServer.Handler)
    {
        self.limits = limits
        contentBudget = ContentBudget(limits: limits)
        self.note = note
        self.handler = handler
    }

    /// Reports an error that no client can see, except that a client disconnected or timed out.
    func report(_ problem: String, _ error: any Error) {
        if let error = error as? SocketError, error.isOfPeer { return }
        note("\(problem): \(error)")
    }

    /// Reports the first client that uses TLS. It cannot read the response, which is not encrypted.
    func reportTLS(_ refusal: HTTPRefusal) {
        let isFirst = hasReportedTLS.withLock { hasReported in
            defer { hasReported = true }
            return !hasReported
        }
        if isFirst { note("a client used https: \(refusal)") }
    }
}
