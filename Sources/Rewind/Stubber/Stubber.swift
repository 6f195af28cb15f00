import Foundation

/// Answers the requests of a test: replays them from a cassette, records them, or refuses them.
///
/// `CassetteTestCase`, the traits and ``withCassette(_:in:mode:configuration:filePath:_:)`` create and eject a stubber for you.
/// Create your own to control when it ends:
///
/// ```swift
/// let stubber = try Stubber(cassette: "timeline")
/// let client = APIClient(session: stubber.session)
/// …
/// try stubber.eject()
/// ```
///
/// During a test you can ``pause()`` and ``resume()`` it, change its ``mode``, and continue with another cassette
/// (``insert(_:in:mode:)``).
///
/// - Important: The recording is written by ``eject(testFailed:)``, not before, also that of a replaced cassette.
public final class Stubber: Sendable {
    /// The settings for matching, replay, redaction and reports.
    public let configuration: Stubber.Configuration
    /// The name of the test in messages, if known.
    public var testName: String? { identity.name }
    /// The name of the test with the arguments of its case; that of the outer scope if this one has none.
    package let displayName: String?
    /// Who the stubber serves.
    package let identity: TestIdentity

    let environment: Environment
    /// Why every request is refused; `nil` if requests are answered.
    let refusal: Miss.Reason?
    let rules: RequestRules
    let restorer: SecretRestorer?
    let log: DecisionLog?
    /// Removes secrets from everything that is printed.
    let printFilter: PrintFilter
    let clock = WallClock.current
    let state: Locked<State>
    let requestLog = RequestLog()
    /// The work that the end of the test waits for: undecided requests, recordings and callbacks.
    package let pendingWork = PendingWork()
    /// Calls those callbacks, in order, that nothing waits for.
    let callbacks = DispatchQueue(label: "rewind.callbacks")
    /// The cookies, credentials and cached responses of the test, unless an outer scope has them.
    let storage = TestStorage()

    struct State: Sendable {
        var session: CassetteSession
        var stubs: StubRegistry?
        /// The scope's claim to the cassette, which other scopes of this process respect.
        var use: CassetteUse?
        /// The stubber of the outer scope, which replays what this one does not contain.
        var outer: Stubber?
        /// The cassettes that were replaced by ``insert(_:in:mode:)``, which the end of the test writes.
        var replaced: [ReplacedCassette] = []
        /// The misses that no code received, which fail the test when it ends.
        var misses: [Miss] = []
        /// The report of the end, after it.
        var report = EjectReport()
        var isPaused = false
        var forbidsNetwork = false
        var isEjected = false
        var isSkipped = false
        var whenEnded: [Int: @Sendable () -> Void] = [:]
        /// Receives the failed expectations of the running variation of a sweep.
        var takeFailure: (@Sendable (String) -> Void)?
        var lastNumber = 0

        /// Whether this scope or an outer one forbids the network.
        var isNetworkForbidden: Bool {
            forbidsNetwork || outer?.state.withLock { $0.isNetworkForbidden } ?? false
        }
    }

    /// Creates a stubber for a cassette file.
    /// - Parameters:
    ///   - url: The file to play. It can have any format that ``CassetteFormat`` lists.
    ///   - destination: The file to record to, with the extension `har`. By default the played file, or a `.har` file of the
    ///     same name beside it if that has another format.
    ///   - mode: The recording mode; `once` by default, or `never` if `CI` is set. `REWIND_MODE` overrides it.
    ///   - configuration: The settings for matching, replay, redaction and reports.
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
        identity: TestIdentity? = nil,
        displayName: String? = nil,
        environment: Environment = .process
    ) throws {
        let identity = RunningTest.completed(identity ?? TestIdentity(name: testName))
        let testName = identity.name
        var location = location
        location.recorder = location.recorder ?? identity.recorder
        // First, so that the manifest lists the cassette even if the rest fails.
        let use = try Self.open(location, by: testName, in: environment)
        for ignored in configuration.matching.flatMap(\.ignored) {
            guard let cause = ignored.problem else { continue }
            throw Stubber.ConfigurationError.invalidMatcher("\(ignored)", cause: cause)
        }
        if let problem = configuration.redaction.problem {
            throw Stubber.ConfigurationError.invalidRedaction(problem)
        }
        let configuration = configuration.evaluated
        self.configuration = configuration
        self.identity = identity
        let displayName = displayName ?? testName ?? Route.current?.stubber.displayName
        self.displayName = displayName
        restorer = SecretRestorer(configuration.redaction)
        self.environment = environment
        refusal = nil
        rules = RequestRules(configuration, hasCassette: true)
        let mode = try RecordingMode.inEffect(requested: mode, environment: environment)
        var session = try CassetteSession(at: location, mode: mode, configuration: configuration)
        session.use = use
        printFilter = PrintFilter(session.redaction)
        log = DecisionLog(configuration, environment, testName: displayName, printFilter)
        state = Locked(State(session: session))
    }

    /// Creates a stubber for a named cassette.
    /// - Parameters:
    ///   - name: The name of the cassette, without an extension.
    ///   - directory: The folder of the cassettes; `Cassettes` at the root of the caller's project by default.
    ///   - mode: The recording mode; `once` by default, or `never` if `CI` is set. `REWIND_MODE` overrides it.
    ///   - configuration: The settings for matching, replay, redaction and reports.
    ///   - filePath: A file in the project; the calling file by default.
    /// - Throws: ``Stubber/ConfigurationError`` if a setting is invalid or the project is not found, ``CassetteError`` if the file
    ///   exists and cannot be read.
    public convenience init(
        cassette name: String,
        in directory: URL? = nil,
        mode: RecordingMode = .default,
        configuration: Stubber.Configuration = Stubber.Configuration(),
        filePath: StaticString = #filePath
    ) throws {
        try self.init(
            cassette: name,
            in: directory,
            mode: mode,
            configuration: configuration,
            filePath: filePath,
            for: .stubber
        )
    }

    /// Creates a stubber for a named cassette that is used in some other way than by a `Stubber` of the test.
    package convenience init(
        cassette name: String,
        in directory: URL?,
        mode: RecordingMode,
        configuration: Stubber.Configuration,
        filePath: StaticString,
        for kind: TestIdentity.Kind
    ) throws {
        let search = CassetteSearch(source: "\(filePath)")
        let folder = try directory.map(search.reached) ?? search.cassettes()
        let location = try CassetteLocation(name: name, in: folder)
        // The name is that of a cassette and not of a test.
        let identity = TestIdentity(kind, name: name)
        try self.init(at: location, mode: mode, configuration: configuration, identity: identity)
    }

    /// Creates a stubber without a cassette, so that only stubs answer requests.
    ///
    /// Other requests are misses. The network is used only for ``Stubber/Configuration/passthroughHosts``,
    /// ``Stubber/Configuration/passthrough`` and stubs with the answer ``StubAnswer/passthrough``.
    /// - Parameters:
    ///   - configuration: The settings for hosts that may use the network, and for reports.
    ///   - testName: The name of the test for messages; none by default.
    public convenience init(
        stubsOnly configuration: Stubber.Configuration = Stubber.Configuration(),
        testName: String? = nil
    ) {
        self.init(stubsOnly: configuration, for: TestIdentity(name: testName))
    }

    package convenience init(
        stubsOnly configuration: Stubber.Configuration,
        for identity: TestIdentity,
        displayName: String? = nil
    ) {
        let identity = RunningTest.completed(identity)
        self.init(
            withoutCassette: configuration,
            identity: identity,
            displayName: displayName,
            environment: .process
        )
    }

    package init(
        withoutCassette configuration: Stubber.Configuration,
        identity: TestIdentity,
        displayName: String? = nil,
        environment: Environment,
        refusing refusal: Miss.Reason? = nil
    ) {
        let configuration = configuration.evaluated
        self.configuration = configuration
        self.identity = identity
        let displayName = displayName ?? identity.name ?? Route.current?.stubber.displayName
        self.displayName = displayName
        restorer = nil
        self.environment = environment
        self.refusal = refusal
        rules = RequestRules(configuration, hasCassette: false)
        printFilter = PrintFilter(configuration.redaction)
        log = DecisionLog(configuration, environment, testName: displayName, printFilter)
        state = Locked(State(session: CassetteSession(without: configuration.redaction)))
    }

    /// Creates a stubber that takes the place of another one for a while, with its stubs and its outer scope.
    /// - Parameters:
    ///   - interactions: What it plays, in place of the cassette of the other one.
    ///   - other: The other stubber.
    ///   - configuration: The settings.
    init(
        replaying interactions: any InteractionList,
        inPlaceOf other: Stubber,
        _ configuration: Stubber.Configuration
    ) {
        self.configuration = configuration
        identity = other.identity
        displayName = other.displayName
        restorer = SecretRestorer(configuration.redaction)
        environment = other.environment
        refusal = nil
        rules = RequestRules(configuration, hasCassette: true)
        let now = other.state.withLock { $0 }
        let session = CassetteSession(replaying: interactions, inPlaceOf: now.session, configuration)
        printFilter = PrintFilter(session.redaction)
        log = DecisionLog(configuration, environment, testName: displayName, printFilter)
        state = Locked(State(session: session, stubs: now.stubs, outer: now.outer))
        state.withLock { $0.forbidsNetwork = true }
    }

    /// A stubber that refuses every request because its test has ended.
    package static func ended(testName: String) -> Stubber {
        let stubber = Stubber(
            withoutCassette: Stubber.Configuration(),
            identity: TestIdentity(name: testName),
            environment: Environment([:])
        )
        stubber.state.withLock { $0.isEjected = true }
        return stubber
    }

    /// The recording mode in effect.
    ///
    /// Setting it changes how later requests are answered. If the cassette is then recorded, interactions that were not
    /// recorded again stay in it. If `REWIND_MODE` is set, setting the mode has no effect.
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

    /// Whether requests that the cassette does not answer are recorded.
    ///
    /// Setting it to `true` records all later requests, as mode `all` does. Setting it to `false` only replays, as mode `never`
    /// does.
    public var isRecording: Bool {
        get { state.withLock { $0.session.isRecording } }
        set { if newValue != isRecording { mode = newValue ? .all : .never } }
    }

    /// Whether the stubber is paused.
    public var isPaused: Bool { state.withLock { $0.isPaused } }

    /// Pauses replay and recording. Later requests go to the network, but in mode `never` they are misses, unless they pass
    /// through (``Configuration/passthroughHosts``). Stubs still answer.
    public func pause() { state.withLock { $0.isPaused = true } }

    /// Continues with the cassette after ``pause()``.
    public func resume() { state.withLock { $0.isPaused = false } }

    /// Forbids the network in every mode from now on, also in nested scopes. A request that needs it is a miss, even if it
    /// would pass through.
    ///
    /// Stubs and the cassette still answer.
    public func forbidNetwork() { state.withLock { $0.forbidsNetwork = true } }

    /// Calls back when the test ends, or at once if it has ended.
    @discardableResult
    func whenEnded(_ act: @escaping @Sendable () -> Void) -> Int? {
        let number = state.withLock { state -> Int? in
            guard !state.isEjected else { return nil }
            state.lastNumber += 1
            state.whenEnded[state.lastNumber] = act
            return state.lastNumber
        }
        if number == nil { act() }
        return number
    }

    /// Gives a failed expectation to the sweep that runs a variation; `false` if none does, so that it fails the test.
    package func takeFailure(_ text: String) -> Bool {
        let take = state.withLock { $0.takeFailure }
        take?(text)
        return take != nil
    }

    func removeCallback(_ number: Int) { state.withLock { $0.whenEnded[number] = nil } }

    /// Whether the stubber was ejected. It then refuses every request.
    public var isEjected: Bool { state.withLock { $0.isEjected } }

    /// The file of the cassette: the recording if there is one, otherwise the file to play. `nil` without a cassette.
    public var cassetteURL: URL? {
        let session = state.withLock { $0.session }
        return session.hasCassette ? session.location.current : nil
    }

    /// The error with which a recording would fail, if that is known before the first request.
    package var recordingError: CassetteError? {
        let session = state.withLock { $0.session }
        guard let obstacle = session.obstacle else { return nil }
        return CassetteError(path: session.location.destination.path, problem: .unwritable("\(obstacle)"))
    }

    package var location: CassetteLocation { state.withLock { $0.session.location } }

    package var redactor: Redactor { state.withLock { $0.session.redactor } }

    /// The requests that are being recorded and have no response yet.
    public var requestsInFlight: [Interaction.Request] { state.withLock { $0.session }.inFlight.map(printable) }
}
