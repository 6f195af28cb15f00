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
/// - Important: What was recorded is written by ``eject(testFailed:)``, not before.
public final class Stubber: Sendable {
    /// The mode in force.
    public let mode: RecordingMode
    /// How it matches, plays, redacts and reports.
    public let configuration: Configuration
    /// Where its cassette is.
    public let location: CassetteLocation
    /// The name of the test it serves, where there is one.
    public let testName: String?
    /// Whether it records requests that the cassette does not answer.
    public let isRecording: Bool

    private let file: CassetteFile
    private let cassetteExists: Bool
    private let state: Locked<State>

    private struct State: Sendable {
        var playhead: Playhead
        var arriving = 0
        var notices = 0
        var recorded = RecordedSequence()
        var isOver = false
        var outer: Stubber?
    }

    /// Creates a stubber for a cassette at a place.
    /// - Parameters:
    ///   - location: Where the cassette is.
    ///   - mode: The recording mode; `once`, or `none` where `CI` is set, by default. `REWIND_MODE` overrides it.
    ///   - configuration: How it matches, plays, redacts and reports.
    ///   - testName: The name of the test it serves; none by default.
    ///   - environment: The variables that may override the mode; those of the process by default.
    /// - Throws: ``ConfigurationError`` when `REWIND_MODE` names no mode, ``CassetteError`` when the file is there and
    ///   cannot be read.
    public init(
        at location: CassetteLocation,
        mode: RecordingMode = .default,
        configuration: Configuration = Configuration(),
        testName: String? = nil,
        environment: Environment = .process
    ) throws {
        self.mode = try RecordingMode.inForce(requested: mode, environment: environment)
        self.configuration = configuration
        self.location = location
        self.testName = testName
        file = CassetteFile(location)
        let cassette = self.mode == .live ? nil : try file.load()
        cassetteExists = cassette != nil
        isRecording = self.mode.records(cassetteExists: cassetteExists)
        let isPlayed = self.mode != .all
        state = Locked(
            State(
                playhead: Playhead(
                    isPlayed ? cassette?.interactions ?? [] : [],
                    matchers: configuration.matching,
                    repeats: configuration.repeats
                )
            )
        )
    }

    /// Creates a stubber for a named cassette.
    /// - Parameters:
    ///   - name: The name of the cassette, without an extension.
    ///   - directory: The folder of the cassettes; `Cassettes` at the root of the caller's package by default.
    ///   - mode: The recording mode; `once`, or `none` where `CI` is set, by default. `REWIND_MODE` overrides it.
    ///   - configuration: How it matches, plays, redacts and reports.
    ///   - filePath: A file of the caller's package.
    /// - Throws: ``ConfigurationError`` when the mode or the folder cannot be told, ``CassetteError`` when the file is
    ///   there and cannot be read.
    public convenience init(
        cassette name: String,
        in directory: URL? = nil,
        mode: RecordingMode = .default,
        configuration: Configuration = Configuration(),
        filePath: StaticString = #filePath
    ) throws {
        let directory = try directory ?? CassetteDirectory.ofPackage(containing: "\(filePath)")
        let location = try CassetteLocation(name: name, in: directory)
        try self.init(at: location, mode: mode, configuration: configuration, testName: name)
    }

    private init(overTestNamed testName: String) {
        mode = .none
        configuration = Configuration()
        location = CassetteLocation(CassetteDirectory.unreachable)
        self.testName = testName
        isRecording = false
        file = CassetteFile(location)
        cassetteExists = false
        let playhead = Playhead([], matchers: [], repeats: .never)
        state = Locked(State(playhead: playhead, isOver: true))
    }

    /// A stubber that refuses every request as one of a test that is over.
    package static func over(testName: String) -> Stubber {
        Stubber(overTestNamed: testName)
    }

    /// Decides about a request.
    /// - Parameters:
    ///   - request: The request as far as it costs nothing to know.
    ///   - completed: The request with its header fields, asked for only where they matter.
    /// - Returns: The decision, on which a door acts.
    package func answer(to request: Request, completed: () -> Request) -> Answer {
        if mode == .live || isPassedThrough(request) {
            return isOver
                ? .refuse(miss(.testOver, request: configuration.redaction.redact(request))) : .forward(nil)
        }
        let full = isRecording || configuration.matching.contains(where: \.readsHeaders) ? completed() : request
        let redacted = configuration.redaction.redact(full)
        let decision = state.withLock { state -> Decision in
            if state.isOver { return .miss(.testOver) }
            let find = state.playhead.play(redacted)
            switch find {
            case .interaction(let interaction): return .replay(interaction)
            case .noMatch, .allPlayed:
                if let interaction = state.outer?.played(redacted) { return .replay(interaction) }
                guard isRecording else { return .miss(reason(of: find)) }
                return .record(place: state.recorded.begin(redacted))
            }
        }
        switch decision {
        case .replay(let interaction): return .replay(interaction)
        case .record(let place):
            if let callback = configuration.didBeginRecording { notify { callback(redacted) } }
            return .forward(recording(of: full, at: place))
        case .miss(let reason): return .refuse(miss(reason, request: redacted))
        }
    }

    /// What this stubber's cassette has for a request that an inner one has no answer to.
    private func played(_ request: Request) -> Interaction? {
        state.withLock { state in
            if !state.isOver, case .interaction(let interaction) = state.playhead.play(request) {
                return interaction
            }
            return state.outer?.played(request)
        }
    }

    /// Makes the cassette of a scope around this one play what this one has no answer to; only this one records.
    package func nest(in outer: Stubber?) {
        guard let outer, !outer.isNested(in: self) else { return }
        state.withLock { $0.outer = outer }
    }

    private func isNested(in other: Stubber) -> Bool {
        self === other || state.withLock { $0.outer }?.isNested(in: other) ?? false
    }

    private func isPassedThrough(_ request: Request) -> Bool {
        let hosts = configuration.passthroughHosts
        return !hosts.isEmpty && hosts.contains(URLParts(request.url).host)
    }

    private enum Decision {
        case replay(Interaction)
        case record(place: Int)
        case miss(Miss.Reason)
    }

    private func recording(of request: Request, at place: Int) -> Recording {
        Recording(of: request) { [weak self, state, configuration] interaction in
            let interaction = configuration.redaction.redact(interaction)
            let isInTime = state.withLock { state in
                guard !state.isOver else { return false }
                state.recorded.finish(interaction, at: place)
                return true
            }
            if isInTime, let callback = configuration.didEndRecording { self?.notify { callback(interaction) } }
        }
    }

    private func reason(of find: Playhead.Find) -> Miss.Reason {
        guard cassetteExists else { return .noCassette(path: location.source.path) }
        if case .allPlayed(let count) = find { return .alreadyPlayed(count: count) }
        return .noMatch
    }

    private func miss(_ reason: Miss.Reason, request: Request) -> Miss {
        let interactions = state.withLock { $0.playhead.interactions }
        let nearest: NearestInteractions? =
            reason == .noMatch
            ? NearestInteractions(to: request, among: interactions, matchers: configuration.matching) : nil
        let miss = Miss(
            reason,
            request: request,
            testName: testName,
            cassettePath: location.source.path,
            mode: mode.rawValue,
            nearest: nearest
        )
        report(miss)
        return miss
    }

    /// Tells the test of a miss, unless it is over: then the next one would be blamed.
    package func report(_ miss: Miss) {
        guard miss.reason != .testOver, !isOver else { return Note.print(miss.description) }
        if let callback = configuration.requestMatchingFailed { notify { callback(miss) } }
    }

    // Callbacks may use a session, which would stop the process on the queue from which requests come.
    private static let notices = DispatchQueue(label: "rewind.notices")

    /// Calls back on a queue of its own, in order; the end of the test waits for it.
    private func notify(_ callback: @escaping @Sendable () -> Void) {
        state.withLock { $0.notices += 1 }
        Self.notices.async { [state] in
            callback()
            state.withLock { $0.notices -= 1 }
        }
    }

    /// Whether its test is over.
    public var isOver: Bool { state.withLock { $0.isOver } }

    /// Notes that a request was accepted, before it is known which it is; ``requestArrived()`` follows.
    package func requestIsArriving() {
        state.withLock { $0.arriving += 1 }
    }

    /// Notes that an accepted request was decided about, or was given up.
    package func requestArrived() {
        state.withLock { $0.arriving -= 1 }
    }

    /// Whether no request is on its way to a decision, none is being recorded, and everybody was told of all.
    package var isSettled: Bool {
        state.withLock { $0.arriving <= 0 && $0.notices == 0 && !$0.recorded.hasInFlight }
    }

    /// The requests that are being recorded and have no answer yet.
    public var requestsInFlight: [Request] {
        state.withLock { $0.recorded.hasInFlight ? $0.recorded.inFlight : [] }
    }

    /// Ends the test: refuses what still comes, and writes what was recorded.
    ///
    /// A recording whose test failed, or that lacks an answer, is written beside the cassette as
    /// `<name>.failed.har` and replaces nothing.
    /// - Parameter testFailed: Whether the test failed; `false` by default.
    /// - Returns: What was written and what was left. A second call writes nothing and reports nothing.
    /// - Throws: ``CassetteError`` when the file cannot be written.
    @discardableResult
    public func eject(testFailed: Bool = false) throws -> EjectReport {
        let ending = state.withLock { state -> (recorded: RecordedSequence, unplayed: [Interaction])? in
            guard !state.isOver else { return nil }
            state.isOver = true
            state.outer = nil
            return (state.recorded, state.playhead.unplayed)
        }
        guard let ending else { return EjectReport() }
        var report = EjectReport(unplayed: ending.unplayed, inFlight: ending.recorded.inFlight)
        let recorded = ending.recorded.finished
        guard !recorded.isEmpty else { return report }
        report.recordedCount = recorded.count
        if testFailed || !report.inFlight.isEmpty {
            report.failedRecording = try file.saveBeside(recorded, mode: mode)
        } else {
            report.cassette = try file.save(recorded, mode: mode, matchers: configuration.matching)
        }
        return report
    }
}

/// What the end of a test wrote and left.
public struct EjectReport: Sendable {
    /// The cassette that was written, if one was.
    public var cassette: URL?
    /// The recording of a failed test that was kept beside the cassette, if one was.
    public var failedRecording: URL?
    /// The number of interactions that were recorded.
    public var recordedCount = 0
    /// The interactions that were not played.
    public var unplayed: [Interaction] = []
    /// The requests that had no answer yet.
    public var inFlight: [Request] = []
}
