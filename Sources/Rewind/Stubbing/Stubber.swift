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

    let cassetteExists: Bool
    /// Whether a request's header fields have to be known before it is decided about.
    let needsHeaders: Bool
    let state: Locked<State>
    private let file: CassetteFile

    /// What changes while it serves.
    struct State: Sendable {
        /// Which interactions were played.
        var playhead: Playhead
        /// What was recorded.
        var recorded = RecordedSequence()
        /// The stubber of the scope around this one, which plays what this one lacks.
        var outer: Stubber?
        /// The number of requests that were accepted and are not decided about yet.
        var arriving = 0
        /// The number of callbacks that are still to be made.
        var notices = 0
        /// Whether its test is over.
        var isOver = false
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
        needsHeaders = isRecording || configuration.matching.contains(where: \.readsHeaders)
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
        needsHeaders = false
        let playhead = Playhead([], matchers: [], repeats: .never)
        state = Locked(State(playhead: playhead, isOver: true))
    }

    /// A stubber that refuses every request as one of a test that is over.
    package static func over(testName: String) -> Stubber {
        Stubber(overTestNamed: testName)
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
