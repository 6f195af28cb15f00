import Foundation
import Rewind

/// A local HTTP server that records the responses of another server, its upstream, and replays them later.
///
/// ## Overview
/// Use it for clients that a `URLProtocol` cannot intercept: the app in a UI test, which runs in another process, and
/// programs in other languages. Configure the client to use the address of this server instead of the upstream's.
///
/// ## Usage
/// ```swift
/// let server = try CassetteServer(upstream: URL(string: "https://api.example.com")!, cassette: "checkout")
/// app.launchEnvironment["BASE_URL"] = try server.start().absoluteString
/// app.launch()
/// …
/// try server.stop()
/// ```
///
/// - Important: Call ``stop(testFailed:)``. It writes the recording.
public final class CassetteServer: Sendable {
    /// The stubber that decides how each request is answered.
    public let stubber: Stubber

    private let handler: RequestHandler
    private let server: HTTPServer
    private let recordTimeout: Duration
    private let state = Locked(State.new)

    private enum State: Sendable {
        case new
        case started(URL)
        case stopped
    }

    /// Creates a server with an existing stubber.
    /// - Parameters:
    ///   - stubber: The stubber that decides how each request is answered. ``stop(testFailed:)`` ejects it.
    ///   - upstreams: The servers to record.
    /// - Throws: ``CassetteServerError`` if an upstream is not a valid address.
    public convenience init(_ stubber: Stubber, upstreams: CassetteServer.Upstreams) throws {
        try self.init(stubber, upstreams: upstreams, limits: HTTPLimits())
    }

    package init(_ stubber: Stubber, upstreams: CassetteServer.Upstreams, limits: HTTPLimits) throws {
        try upstreams.validate()
        self.stubber = stubber
        let handler = RequestHandler(to: stubber, for: upstreams)
        self.handler = handler
        recordTimeout = limits.recordTimeout
        server = HTTPServer(limits: limits) { try handler.answer($0, with: $1) }
    }

    /// Creates a server for several upstreams and a named cassette.
    /// - Parameters:
    ///   - upstreams: The servers to record.
    ///   - cassette: The name of the cassette, without an extension.
    ///   - directory: The folder of the cassettes; by default `Cassettes` in the root folder of your package.
    ///   - mode: The recording mode; by default `once`, or `never` if `CI` is set. `REWIND_MODE` overrides it.
    ///   - configuration: How requests are matched, replayed and redacted.
    ///   - filePath: The path of a file in your package, by which its root folder is found.
    /// - Throws: ``CassetteServerError`` if an upstream is not a valid address, and the errors of `Stubber`.
    public convenience init(
        upstreams: CassetteServer.Upstreams,
        cassette: String,
        in directory: URL? = nil,
        mode: RecordingMode = .default,
        configuration: Stubber.Configuration = Stubber.Configuration(),
        filePath: StaticString = #filePath
    ) throws {
        let stubber = try Stubber(
            cassette: cassette,
            in: directory,
            mode: mode,
            configuration: configuration,
            filePath: filePath,
            for: .server
        )
        try self.init(stubber, upstreams: upstreams)
    }

    /// Creates a server for one upstream and a named cassette.
    /// - Parameters:
    ///   - upstream: The server to record. Its path is prepended to the path of every request.
    ///   - cassette: The name of the cassette, without an extension.
    ///   - directory: The folder of the cassettes; by default `Cassettes` in the root folder of your package.
    ///   - mode: The recording mode; by default `once`, or `never` if `CI` is set. `REWIND_MODE` overrides it.
    ///   - configuration: How requests are matched, replayed and redacted.
    ///   - filePath: The path of a file in your package, by which its root folder is found.
    /// - Throws: ``CassetteServerError`` if the upstream is not a valid address, and the errors of `Stubber`.
    public convenience init(
        upstream: URL,
        cassette: String,
        in directory: URL? = nil,
        mode: RecordingMode = .default,
        configuration: Stubber.Configuration = Stubber.Configuration(),
        filePath: StaticString = #filePath
    ) throws {
        try self.init(
            upstreams: .url(upstream),
            cassette: cassette,
            in: directory,
            mode: mode,
            configuration: configuration,
            filePath: filePath
        )
    }

    // MARK: Starting and stopping

    /// Starts to listen for clients.
    /// - Parameters:
    ///   - port: The port to listen on; 0, the default, selects a free one.
    ///   - host: The IPv4 address to listen on; by default `127.0.0.1`, which other machines cannot reach.
    /// - Returns: The address to use in clients.
    /// - Throws: ``CassetteServerError`` if the server cannot listen on the address, or was started or stopped before;
    ///   `CassetteError` if another test in this process records the cassette.
    @discardableResult
    public func start(port: UInt16 = 0, host: String = "127.0.0.1") throws -> URL {
        if case .stopped = state.withLock({ $0 }) { throw CassetteServerError.alreadyStopped }
        try stubber.claimCassette()
        let url: URL
        do {
            url = try server.start(host: host, port: port)
        } catch HTTPServerError.alreadyStarted {
            throw CassetteServerError.alreadyStarted
        } catch {
            let cause = (error as? SocketError)?.cause ?? "\(error)"
            throw CassetteServerError.cannotListen(host: host, port: port, cause: cause)
        }
        handler.settings.withLock { settings in
            settings.port = url.port.flatMap { UInt16(exactly: $0) } ?? port
            settings.hosts.address = host
        }
        state.withLock { $0 = .started(url) }
        return url
    }

    /// Finishes the requests in progress, stops the server and writes the recording.
    ///
    /// New connections are refused immediately. Requests in progress can take up to `configuration.inFlightTimeout`. A
    /// response without new data for one second, such as a stream of events, ends there and is recorded up to that point.
    ///
    /// The same problems as at the end of a test are thrown, after the server was stopped and the recording written. For
    /// example, a client that received the 501 response of a miss may ignore it, but the test fails.
    /// - Parameter testFailed: Whether the test failed, in which case the cassette is not changed; `false` by default. Then
    ///   other problems than those of files are printed and not thrown.
    /// - Returns: The result of the recording and the interactions that were not played. A second call has no effect and
    ///   returns the same report.
    /// - Throws: `CassetteError` if a cassette cannot be written, `StubError` if a stub is invalid, `Stubber.ScopeError` for
    ///   requests without a response, for misses that neither ``unrecordedRequestHandler`` nor
    ///   `configuration.requestMatchingFailed` received, and for what the configuration makes a failure.
    @discardableResult
    public func stop(testFailed: Bool = false) throws -> EjectReport {
        let end = finish(testFailed: testFailed)
        try stubber.fail(for: end, testFailed: testFailed)
        return end.report
    }

    /// Stops the server as ``stop(testFailed:)`` does, and returns the problems.
    package func finish(testFailed: Bool) -> TestEnd {
        state.withLock { $0 = .stopped }
        server.drain()
        handler.finish(within: stubber.configuration.inFlightTimeout) { server.busyConnectionCount > 0 }
        // The last requests may be added to the cassette slightly later.
        stubber.pendingWork.wait(before: Deadline(after: recordTimeout / .seconds(1)))
        defer { server.stop() }
        return stubber.end(testFailed: testFailed)
    }

    /// The address of the server, or `nil` if it is not running.
    public var url: URL? { if case .started(let url) = state.withLock({ $0 }) { url } else { nil } }

    // MARK: Behaviour

    /// Called for each miss, on the thread of its connection; return a response to send, or `nil` for the diagnosis.
    ///
    /// The default is `nil`: every miss gets a 501 response with its diagnosis, and ``stop(testFailed:)`` throws it.
    public var unrecordedRequestHandler: (@Sendable (Miss) -> Interaction.Response?)? {
        get { handler.settings.withLock { $0.unrecordedRequestHandler } }
        set { handler.settings.withLock { $0.unrecordedRequestHandler = newValue } }
    }

    /// Changes each response before it is sent to the client; the recording is not changed. The default is `nil`.
    ///
    /// With a transformer, a response is sent when it is complete. Streams of events do not arrive event by event.
    public var responseTransformer:
        (@Sendable (Interaction.Request, Interaction.Response) -> Interaction.Response)?
    {
        get { handler.settings.withLock { $0.responseTransformer } }
        set { handler.settings.withLock { $0.responseTransformer = newValue } }
    }

    /// Whether addresses of upstreams are also replaced by local ones in text bodies; `false` by default.
    ///
    /// In headers they are always replaced.
    public var rewritesBodies: Bool {
        get { handler.settings.withLock { $0.rewritesBodies } }
        set { handler.settings.withLock { $0.rewritesBodies = newValue } }
    }

    /// Other hosts by which clients may reach the server, and whose web pages may send requests to it; none by default.
    ///
    /// A web page could use the upstream through this server, if it gave its own name the address of this machine. So the
    /// server checks the `Host` and `Origin` of each request. They may name this machine, such as `localhost` and
    /// `127.0.0.1`, the address on which the server listens, and the upstreams. Add the names by which other machines or
    /// containers reach the server, such as `host.docker.internal`. `*` allows all hosts.
    public var allowedHosts: [String] {
        get { handler.settings.withLock { $0.hosts.names } }
        set { handler.settings.withLock { $0.hosts.names = newValue } }
    }

    /// Whether a client asked for a tunnel, as for `https` through a proxy. Its requests are not recorded.
    package var hasRefusedTunnel: Bool { handler.hasRefusedTunnel }

    package var didServe: (@Sendable (ServedRequest) -> Void)? {
        get { handler.settings.withLock { $0.didServe } }
        set { handler.settings.withLock { $0.didServe = newValue } }
    }

    /// Environment variables with the address of the server, for another process.
    ///
    /// ```swift
    /// app.launchEnvironment.merge(try server.environment("BASE_URL")) { $1 }
    /// process.environment = try server.environment("http_proxy", "https_proxy", addedTo: environment)
    /// ```
    /// - Parameters:
    ///   - names: The names of the variables to set to the address.
    ///   - environment: The variables to which they are added; empty by default.
    /// - Returns: The variables of `environment` and the new ones.
    /// - Throws: ``CassetteServerError/notStarted`` if the server is not running.
    public func environment(
        _ names: String...,
        addedTo environment: [String: String] = [:]
    ) throws -> [String: String] {
        guard let url else { throw CassetteServerError.notStarted }
        return names.reduce(into: environment) { $0[$1] = url.absoluteString }
    }
}

/// An error of ``CassetteServer``.
public enum CassetteServerError: Error, Hashable, Sendable {
    /// An upstream is not an `http` or `https` URL that consists of a host and an optional port and path.
    case invalidUpstream(String)
    /// The list of upstreams is empty.
    case noUpstream
    /// The server cannot listen on the address.
    case cannotListen(host: String, port: UInt16, cause: String)
    /// The server has not been started.
    case notStarted
    /// The server is already listening.
    case alreadyStarted
    /// The server was stopped, and its cassette was saved.
    case alreadyStopped
}

extension CassetteServerError: CustomStringConvertible, LocalizedError {
    /// What happened and how to fix it.
    public var description: String { message }

    /// What happened.
    public var errorDescription: String? {
        switch self {
        case .invalidUpstream(let text): "Invalid upstream '\(text)'."
        case .noUpstream: "Missing upstream."
        case .cannotListen(let host, let port, let cause):
            "Cannot listen on \(host):\(port): \(cause.withoutFullStop)."
        case .notStarted: "The cassette server has not been started."
        case .alreadyStarted: "The cassette server is already running."
        case .alreadyStopped: "The cassette server was stopped."
        }
    }

    /// How to fix it.
    public var recoverySuggestion: String? {
        switch self {
        case .invalidUpstream: "Use a URL such as https://api.example.com/v2."
        case .noUpstream: "Name at least one upstream, or use `.proxy` for every host, http only."
        case .cannotListen: "Use another port, or port 0 for a free one, and an IPv4 address of this machine."
        case .notStarted: "Call `start()` first."
        case .alreadyStarted: "Use its `url`, or call `stop()` and create another server."
        case .alreadyStopped: "Create another server. Its cassette was saved by `stop()`."
        }
    }
}
