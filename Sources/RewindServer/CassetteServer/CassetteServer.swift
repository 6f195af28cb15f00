import Foundation
import Rewind

/// A server on this machine that records what its upstream answers, and replays it later.
///
/// ## Overview
/// It is for clients that no `URLProtocol` reaches: the app of a UI test, which runs in a process of its own, and
/// programs in any other language. Point the client to its address in place of the upstream's.
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
/// - Important: What was recorded is written by ``stop(testFailed:)``, not before.
public final class CassetteServer: Sendable {
    /// Decides about each request.
    public let stubber: Stubber

    private let handler: RequestHandler
    private let server: HTTPServer
    private let state = Locked(State.new)

    private enum State: Sendable {
        case new
        case started(URL)
        case stopped
    }

    /// Creates a server with a stubber of your own making.
    /// - Parameters:
    ///   - stubber: Decides about each request; ``stop(testFailed:)`` ejects it.
    ///   - upstreams: The servers it represents.
    /// - Throws: ``CassetteServerError`` when an upstream is no address of a server.
    public convenience init(_ stubber: Stubber, upstreams: CassetteServer.Upstreams) throws {
        try self.init(stubber, upstreams: upstreams, limits: HTTPLimits())
    }

    package init(_ stubber: Stubber, upstreams: CassetteServer.Upstreams, limits: HTTPLimits) throws {
        try upstreams.validate()
        self.stubber = stubber
        let handler = RequestHandler(to: stubber, for: upstreams)
        self.handler = handler
        server = HTTPServer(limits: limits) { try handler.answer($0, with: $1) }
    }

    /// Creates a server for several upstreams and a named cassette.
    /// - Parameters:
    ///   - upstreams: The servers it represents.
    ///   - cassette: The name of the cassette, without an extension.
    ///   - directory: The folder of the cassettes; `Cassettes` at the root of the caller's package by default.
    ///   - mode: The recording mode; `once`, or `none` where `CI` is set, by default. `REWIND_MODE` overrides it.
    ///   - configuration: How it matches, plays, redacts and reports.
    ///   - filePath: A file of the caller's package.
    /// - Throws: What `Stubber` throws, and ``CassetteServerError`` when an upstream is no address of a server.
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
            filePath: filePath
        )
        try self.init(stubber, upstreams: upstreams)
    }

    /// Creates a server for one upstream and a named cassette.
    /// - Parameters:
    ///   - upstream: The server it represents; its path goes before the path of every request.
    ///   - cassette: The name of the cassette, without an extension.
    ///   - directory: The folder of the cassettes; `Cassettes` at the root of the caller's package by default.
    ///   - mode: The recording mode; `once`, or `none` where `CI` is set, by default. `REWIND_MODE` overrides it.
    ///   - configuration: How it matches, plays, redacts and reports.
    ///   - filePath: A file of the caller's package.
    /// - Throws: What `Stubber` throws, and ``CassetteServerError`` when the upstream is no address of a server.
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

    // MARK: Its life

    /// Listens for clients.
    /// - Parameters:
    ///   - port: The port; 0, the default, picks a free one.
    ///   - host: The IPv4 address to listen on; `127.0.0.1` by default, which other machines cannot reach.
    /// - Returns: The address to give to clients.
    /// - Throws: ``CassetteServerError`` when it was stopped before, an error that names the port when it is taken, one
    ///   that names who has the cassette when it is being recorded elsewhere in this process.
    @discardableResult
    public func start(port: UInt16 = 0, host: String = "127.0.0.1") throws -> URL {
        if case .stopped = state.withLock({ $0 }) { throw CassetteServerError.alreadyStopped }
        try stubber.claimCassette()
        let url: URL
        do {
            url = try server.start(host: host, port: port)
        } catch HTTPServerError.alreadyStarted {
            throw CassetteServerError.alreadyStarted
        } catch { throw CassetteServerError.cannotListen(host: host, port: port, cause: "\(error)") }
        handler.settings.withLock { $0.port = url.port.flatMap { UInt16(exactly: $0) } ?? port }
        state.withLock { $0 = .started(url) }
        return url
    }

    /// Finishes what is being answered, and writes what was recorded.
    ///
    /// New connections are refused at once. Requests in progress have `configuration.inFlightTimeout` to end; a
    /// response that has begun and falls silent for a second, as a stream of events may, is ended there and recorded so.
    /// - Parameter testFailed: Whether the test failed, whose recording then replaces nothing; `false` by default.
    /// - Returns: What was written and what was left. A second call writes nothing and reports nothing.
    /// - Throws: `CassetteError` when the cassette cannot be written, `Stubber.ScopeError` in mode `verify` if
    ///   `configuration.drift` is `fail`.
    @discardableResult
    public func stop(testFailed: Bool = false) throws -> EjectReport {
        state.withLock { $0 = .stopped }
        server.drain()
        handler.finish(within: stubber.configuration.inFlightTimeout) { server.busyConnectionCount > 0 }
        // What was cancelled or answered last is put on the cassette a moment later.
        stubber.pendingWork.wait(before: Deadline(after: 5))
        defer { server.stop() }
        return try stubber.eject(testFailed: testFailed)
    }

    /// The address of the server while it listens.
    public var url: URL? { if case .started(let url) = state.withLock({ $0 }) { url } else { nil } }

    // MARK: Its behaviour

    /// Receives each request that nothing answers, on the connection's own thread, and may answer it; none by default.
    public var unrecordedRequestHandler: (@Sendable (Miss) -> Interaction.Response?)? {
        get { handler.settings.withLock { $0.unrecordedRequestHandler } }
        set { handler.settings.withLock { $0.unrecordedRequestHandler = newValue } }
    }

    /// Changes each response as it is sent to the client, not as it is recorded; none by default.
    ///
    /// A response then goes out when it is whole, and streams of events no longer arrive piece by piece.
    public var responseTransformer:
        (@Sendable (Interaction.Request, Interaction.Response) -> Interaction.Response)?
    {
        get { handler.settings.withLock { $0.responseTransformer } }
        set { handler.settings.withLock { $0.responseTransformer = newValue } }
    }

    /// Whether addresses of upstreams are replaced by local ones in text bodies too; `false` by default.
    ///
    /// Header fields always have local addresses.
    public var rewritesBodies: Bool {
        get { handler.settings.withLock { $0.rewritesBodies } }
        set { handler.settings.withLock { $0.rewritesBodies = newValue } }
    }

    package var didServe: (@Sendable (ServedRequest) -> Void)? {
        get { handler.settings.withLock { $0.didServe } }
        set { handler.settings.withLock { $0.didServe = newValue } }
    }

    /// The variables that tell another process where the server is.
    ///
    /// ```swift
    /// app.launchEnvironment.merge(try server.environment("BASE_URL")) { $1 }
    /// process.environment = try server.environment("http_proxy", addedTo: ProcessInfo.processInfo.environment)
    /// ```
    /// - Parameters:
    ///   - names: The names of the variables, each of which gets the address.
    ///   - environment: The variables to which they are added; none by default.
    /// - Returns: All the variables.
    /// - Throws: ``CassetteServerError/notStarted`` where the server does not listen.
    public func environment(
        _ names: String...,
        addedTo environment: [String: String] = [:]
    ) throws -> [String: String] {
        guard let url else { throw CassetteServerError.notStarted }
        return names.reduce(into: environment) { $0[$1] = url.absoluteString }
    }
}

/// A cassette server that cannot be created or started.
public enum CassetteServerError: Error, Hashable, Sendable {
    /// An upstream is not an `http` or `https` URL of a host with an optional path.
    case invalidUpstream(String)
    /// There is no upstream.
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
    /// What is wrong and how to fix it.
    public var description: String { message }

    /// What is wrong.
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
        case .noUpstream: "Name at least one upstream, or use `.proxy` for every host."
        case .cannotListen: "Use another port, or port 0 for a free one, and an IPv4 address of this machine."
        case .notStarted: "Call `start()` first."
        case .alreadyStarted: "Use its `url`, or call `stop()` and create another server."
        case .alreadyStopped: "Create another server. Its cassette was saved by `stop()`."
        }
    }
}
