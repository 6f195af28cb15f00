import Foundation

/// Decides for each request: replay it from the cassette, forward it live and record it, or refuse it.
///
/// ## Overview
/// A stubber plays and records one cassette. `CassetteTestCase` and ``withCassette(_:in:mode:configuration:filePath:_:)``
/// make one for you and end it; make your own to inject its session.
///
/// ## Usage
/// ```swift
/// let stubber = try Stubber(cassette: "timeline")
/// let client = APIClient(session: stubber.session)
/// …
/// try stubber.eject()
/// ```
///
/// In the middle of a test it can ``pause()`` and ``resume()``, change its ``mode``, and go on with
/// another cassette: ``insert(_:in:mode:)``.
///
/// - Important: What was recorded is written by ``eject(testFailed:)``, not before.
public final class Stubber: Sendable {
    /// How it matches, plays, redacts and reports.
    public let configuration: Stubber.Configuration
    /// The name of the test it serves, where there is one.
    public let testName: String?

    let environment: Environment
    let rules: RequestRules
    let restorer: SecretRestorer?
    let log: DecisionLog?
    let clock = WallClock.current
    let state: Locked<State>
    let requestLog = RequestLog()
    /// What the end of its test waits for: requests, until they are decided about and recorded, and callbacks.
    package let pendingWork = PendingWork()
    /// For callbacks, which may use a session: on the queue from which requests come, that would stop the process.
    let callbacks = DispatchQueue(label: "rewind.callbacks")
    /// The cookies, credentials and cached responses of its test, unless a scope around it has them.
    let storage = TestStorage()

    struct State: Sendable {
        var session: CassetteSession
        var stubs: StubRegistry?
        /// The use of the cassette by the scope it serves, which others of this process have to respect.
        var use: CassetteUse?
        /// The stubber of the scope around this one, which plays what this one lacks.
        var outer: Stubber?
        /// The drift of cassettes that were ejected to make room for the present one.
        var formerDrift: [DriftReport] = []
        var isPaused = false
        var forbidsNetwork = false
        var isEjected = false
        var whenOver: [Int: @Sendable () -> Void] = [:]
        var lastNumber = 0
    }

    /// Creates a stubber for a cassette file.
    /// - Parameters:
    ///   - url: The file to play. It can have any format that ``CassetteFormat`` lists.
    ///   - destination: The file to record to, with the extension `har`. By default the played file, or a `.har` file of the
    ///     same name beside it if that has another format.
    ///   - mode: The recording mode; `once` by default, or `never` if `CI` is set. `REWIND_MODE` overrides it.
    ///   - configuration: How the stubber matches, replays, redacts and reports.
    ///   - testName: The name of the test for messages; none by default.
    /// - Throws: ``Stubber/ConfigurationError`` if `REWIND_MODE` or the configuration is invalid, ``CassetteError`` if the file
    ///   exists and cannot be read.
    public convenience init(
        at url: URL,
        recordingTo destination: URL? = nil,
        mode: RecordingMode = .default,
        configuration: Stubber.Configuration = Stubber.Configuration(),
        testName: String? = nil
    ) throws {
        try self.init(
            at: CassetteLocation(source: url, destination: destination ?? url),
            mode: mode,
            configuration: configuration,
            testName: testName
        )
    }

    /// Creates a stubber with other environment variables than those of the process.
    package init(
        at location: CassetteLocation,
        mode: RecordingMode = .default,
        configuration: Stubber.Configuration = Stubber.Configuration(),
        testName: String? = nil,
        environment: Environment = .process
    ) throws {
        // Before anything that may fail: a test that fails has not done without its cassette.
        let use = try Self.open(location, by: testName, in: environment)
        for ignored in configuration.matching.flatMap(\.ignored) {
            guard let cause = ignored.problem else { continue }
            throw Stubber.ConfigurationError.invalidMatcher("\(ignored)", cause: cause)
        }
        if let problem = configuration.redaction.problem {
            throw Stubber.ConfigurationError.invalidRedaction(problem)
        }
        self.configuration = configuration
        self.testName = testName
        restorer = SecretRestorer(configuration.redaction)
        self.environment = environment
        rules = RequestRules(configuration, hasCassette: true)
        log = DecisionLog(configuration, environment, testName: testName)
        let mode = try RecordingMode.inForce(requested: mode, environment: environment)
        var session = try CassetteSession(at: location, mode: mode, configuration: configuration)
        session.use = use
        state = Locked(State(session: session))
    }

    /// Creates a stubber for a named cassette.
    /// - Parameters:
    ///   - name: The name of the cassette, without an extension.
    ///   - directory: The folder of the cassettes; `Cassettes` at the root of the caller's project by default.
    ///   - mode: The recording mode; `once`, or `none` where `CI` is set, by default. `REWIND_MODE` overrides it.
    ///   - configuration: How it matches, plays, redacts and reports.
    ///   - filePath: A file of the caller's project.
    /// - Throws: ``Stubber/ConfigurationError`` when the mode or the folder cannot be determined or the configuration cannot be
    ///   followed, ``CassetteError`` when the file is there and cannot be read.
    public convenience init(
        cassette name: String,
        in directory: URL? = nil,
        mode: RecordingMode = .default,
        configuration: Stubber.Configuration = Stubber.Configuration(),
        filePath: StaticString = #filePath
    ) throws {
        let search = CassetteSearch(source: "\(filePath)")
        let folder = try directory.map(search.reached) ?? search.cassettes()
        let location = try CassetteLocation(name: name, in: folder)
        try self.init(at: location, mode: mode, configuration: configuration, testName: name)
    }

    /// Creates a stubber without a cassette, whose stubs are the only answers.
    ///
    /// Whatever has no stub is refused; nothing goes to the network but what ``Stubber/Configuration/passthroughHosts``,
    /// ``Stubber/Configuration/passthrough`` or a stub lets through.
    /// - Parameters:
    ///   - configuration: How it reports, and what it lets through.
    ///   - testName: The name of the test it serves; none by default.
    public convenience init(
        stubsOnly configuration: Stubber.Configuration = Stubber.Configuration(),
        testName: String? = nil
    ) {
        self.init(withoutCassette: configuration, testName: testName, environment: .process)
    }

    private init(
        withoutCassette configuration: Stubber.Configuration,
        testName: String?,
        environment: Environment
    ) {
        self.configuration = configuration
        self.testName = testName
        restorer = nil
        self.environment = environment
        rules = RequestRules(configuration, hasCassette: false)
        log = DecisionLog(configuration, environment, testName: testName)
        state = Locked(State(session: CassetteSession(without: configuration.redaction)))
    }

    /// A stubber that refuses every request as one of a test that is over.
    package static func over(testName: String) -> Stubber {
        let stubber = Stubber(
            withoutCassette: Stubber.Configuration(),
            testName: testName,
            environment: Environment([:])
        )
        stubber.state.withLock { $0.isEjected = true }
        return stubber
    }

    /// The mode in force.
    ///
    /// Setting it holds for the requests that follow. A cassette that is recorded after a change keeps every interaction
    /// that was not recorded again. Where `REWIND_MODE` is set, that mode stays in force.
    public var mode: RecordingMode {
        get { state.withLock { $0.session.mode } }
        set {
            guard environment[.mode] == nil else {
                let variable = Environment.Variable.mode.rawValue
                return Note.print("\(variable) is set, so the mode stays `\(mode.rawValue)`")
            }
            state.withLock { $0.session.change(to: newValue) }
        }
    }

    /// Whether it records requests that the cassette does not answer.
    ///
    /// Setting it to `true` records every request that follows, as mode `all` does; `false` only plays, as `none` does.
    public var isRecording: Bool {
        get { state.withLock { $0.session.isRecording } }
        set { if newValue != isRecording { mode = newValue ? .all : .never } }
    }

    /// Whether it is paused.
    public var isPaused: Bool { state.withLock { $0.isPaused } }

    /// Leaves the cassette alone: the requests that follow go to the network and are neither played nor recorded.
    ///
    /// In mode `none`, which never touches the network, they are misses.
    public func pause() { state.withLock { $0.isPaused = true } }

    /// Goes on with the cassette after ``pause()``.
    public func resume() { state.withLock { $0.isPaused = false } }

    /// Forbids the network from now on, in every mode: a request that would go there fails and is named.
    ///
    /// What the stubs and the cassette answer still plays.
    public func forbidNetwork() { state.withLock { $0.forbidsNetwork = true } }

    /// At once where its test is over.
    @discardableResult
    func whenOver(_ act: @escaping @Sendable () -> Void) -> Int? {
        let number = state.withLock { state -> Int? in
            guard !state.isEjected else { return nil }
            state.lastNumber += 1
            state.whenOver[state.lastNumber] = act
            return state.lastNumber
        }
        if number == nil { act() }
        return number
    }

    func callOff(_ number: Int) { state.withLock { $0.whenOver[number] = nil } }

    /// Whether the cassette was ejected. The stubber then refuses every request.
    public var isEjected: Bool { state.withLock { $0.isEjected } }

    /// The file of the cassette: the recording if there is one, otherwise the file to play. `nil` without a cassette.
    public var cassetteURL: URL? {
        let session = state.withLock { $0.session }
        return session.hasCassette ? session.location.current : nil
    }

    package var location: CassetteLocation { state.withLock { $0.session.location } }

    package var redactor: Redactor { state.withLock { $0.session.redactor } }

    /// The requests that are being recorded and have no answer yet.
    public var requestsInFlight: [Interaction.Request] { state.withLock { $0.session }.inFlight }
}
