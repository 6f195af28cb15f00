import Foundation

extension Stubber {
    /// The mode in force.
    ///
    /// Setting it holds for the requests that follow. A cassette that is recorded after a change keeps every interaction
    /// that was not recorded anew. Where `REWIND_MODE` is set, that mode stays in force.
    public var mode: RecordingMode {
        get { state.withLock { $0.tape.mode } }
        set {
            guard environment[.mode] == nil else {
                let variable = Environment.Variable.mode.rawValue
                return Note.print("\(variable) is set, so the mode stays `\(mode.rawValue)`")
            }
            state.withLock { $0.tape.change(to: newValue) }
        }
    }

    /// Whether it records requests that the cassette does not answer.
    ///
    /// Setting it to `true` records every request that follows, as mode `all` does; `false` only plays, as `none` does.
    public var isRecording: Bool {
        get { state.withLock { $0.tape.isRecording } }
        set { if newValue != isRecording { mode = newValue ? .all : .none } }
    }

    /// Whether it is paused.
    public var isPaused: Bool { state.withLock { $0.isPaused } }

    /// Leaves the cassette alone: the requests that follow go to the network and are neither played nor recorded.
    ///
    /// In mode `none`, which never touches the network, they are misses.
    public func pause() {
        state.withLock { $0.isPaused = true }
    }

    /// Goes on with the cassette after ``pause()``.
    public func resume() {
        state.withLock { $0.isPaused = false }
    }

    /// Ejects the cassette, as ``eject(testFailed:)`` does, and goes on with another one in the same mode.
    /// - Parameters:
    ///   - name: The name of the other cassette, without an extension.
    ///   - directory: Its folder; that of the present cassette by default.
    /// - Returns: What was written of the present cassette and what was left.
    /// - Throws: ``ConfigurationError`` when the name cannot be used, ``CassetteError`` when a file cannot be read or
    ///   written, ``CassetteInUse`` when another test records the other one. The present cassette then stays.
    @discardableResult
    public func insert(_ name: String, in directory: URL? = nil) throws -> EjectReport {
        try insert(name, in: directory, mode: mode)
    }

    /// Ejects the cassette, as ``eject(testFailed:)`` does, and goes on with another one.
    /// - Parameters:
    ///   - name: The name of the other cassette, without an extension.
    ///   - directory: Its folder; that of the present cassette by default.
    ///   - mode: The recording mode. `REWIND_MODE` overrides it.
    /// - Returns: What was written of the present cassette and what was left.
    /// - Throws: As ``insert(_:in:)`` does.
    @discardableResult
    public func insert(_ name: String, in directory: URL? = nil, mode: RecordingMode) throws -> EjectReport {
        let (tape, use) = state.withLock { ($0.tape, $0.use) }
        let present = CassetteSearch.Found(
            directory: tape.location.destination.deletingLastPathComponent(),
            isReadOnly: tape.location.isReadOnly
        )
        let requested = try RecordingMode.inForce(requested: mode, environment: environment)
        let location = try CassetteLocation(
            name: name,
            in: directory.map { CassetteSearch().reached($0) } ?? present
        )
        let listing = try Self.open(location, by: testName, in: environment)
        var next = try Tape(at: location, mode: requested, configuration: configuration)
        let isSame = location.destination == tape.location.destination
        let claim = use == nil || isSame ? nil : try CassetteUse(of: next, by: testName)
        let report: EjectReport
        do {
            report = try write(tape, testFailed: false)
            // A test may insert the very cassette that it ejects.
            if isSame { next = try Tape(at: location, mode: requested, configuration: configuration) }
        } catch {
            claim?.end()
            throw error
        }
        tape.journal?.remove()
        next.use = listing
        state.withLock { [next] state in
            state.tape = next
            state.formerDrift += report.drift
            if let claim { state.use = claim }
        }
        if claim != nil { use?.end() }
        return report
    }

    /// Ends the test: refuses what still comes, and writes what was recorded.
    ///
    /// A recording whose test failed, or that lacks an answer, is written beside the cassette as
    /// `<name>.failed.har` and replaces nothing.
    /// - Parameter testFailed: Whether the test failed; `false` by default.
    /// - Returns: What was written and what was left. A second call writes nothing and reports nothing.
    /// - Throws: ``CassetteError`` when the file cannot be written, ``DriftFound`` in mode `verify` where the configuration
    ///   makes drift a failure.
    @discardableResult
    public func eject(testFailed: Bool = false) throws -> EjectReport {
        let report = try end(testFailed: testFailed)
        guard !report.drift.isEmpty else { return report }
        let found = DriftFound(reports: report.drift)
        switch configuration.drift {
        case .ignore: break
        case .warn: Note.print("\(found)")
        case .fail: throw found
        }
        return report
    }

    /// Ends the test as ``eject(testFailed:)`` does, and leaves it to the caller to tell of drift.
    package func end(testFailed: Bool) throws -> EjectReport {
        let final = state.withLock { state -> State? in
            guard !state.isOver else { return nil }
            state.isOver = true
            state.outer = nil
            defer { state.whenOver = [:] }
            return state
        }
        guard let final else { return EjectReport() }
        for act in final.whenOver.values { act() }
        defer { final.use?.end() }
        var report: EjectReport
        do {
            report = try write(final.tape, testFailed: testFailed)
            // Only now is what was recorded safe elsewhere.
            final.tape.journal?.remove()
        } catch {
            throw Self.adding(final.tape.journal?.keep(), to: error)
        }
        report.drift = final.formerDrift + report.drift
        report.unusedStubs = final.stubs.unused
        report.stubProblems = final.stubs.problems
        return report
    }

    /// An error that tells where what was recorded is kept.
    private static func adding(_ journal: KeptJournal?, to error: any Error) -> any Error {
        switch error {
        case var error as CassetteError:
            error.journal = journal
            return error
        case var error as UnredactedCredentials:
            error.journal = journal
            return error
        default:
            return error
        }
    }

    /// Claims the cassette for the scope or the server that the stubber serves; a second claim does nothing.
    /// - Throws: ``CassetteInUse`` when another scope is recording it, or would see this one's recording.
    package func claimCassette() throws {
        let (tape, present) = state.withLock { ($0.tape, $0.use) }
        guard present == nil else { return }
        let use = try CassetteUse(of: tape, by: testName)
        state.withLock { $0.use = use }
    }

    /// Writes what was recorded, and tells the manifest of it.
    private func write(_ tape: Tape, testFailed: Bool) throws -> EjectReport {
        do {
            let (report, requests) = try save(tape, testFailed: testFailed)
            let isComplete = !testFailed && report.inFlight.isEmpty
            close(tape, recorded: requests, failed: !isComplete)
            return report
        } catch {
            close(tape, recorded: [], failed: true)
            throw error
        }
    }

    private func save(_ tape: Tape, testFailed: Bool) throws -> (EjectReport, recorded: [Request]) {
        var report = EjectReport(
            playhead: tape.isPlaying ? tape.playhead : nil,
            inFlight: tape.inFlight,
            ageProblem: tape.ageProblem
        )
        report.recordedCount = tape.recorded.finished.count
        if let drift = tape.driftReport { report.drift = [drift] }
        let savesNothing = tape.isRecording && configuration.savesEmptyCassettes && report.inFlight.isEmpty
        guard report.recordedCount > 0 || savesNothing else { return (report, []) }
        let isGood = !testFailed && report.inFlight.isEmpty
        let recording = try tape.save(configuration, besideTheCassette: !isGood)
        if isGood { report.cassette = recording.url } else { report.failedRecording = recording.url }
        return (report, recording.requests)
    }
}
