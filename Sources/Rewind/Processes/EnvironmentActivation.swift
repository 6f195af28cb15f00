import Foundation

extension Stubber {
    /// Replays or records this process as its environment says; does nothing if `REWIND_CASSETTE` is not set.
    ///
    /// Call it once, before the first request, in debug builds only:
    ///
    /// ```swift
    /// #if DEBUG
    ///     Stubber.activateFromEnvironment()
    /// #endif
    /// ```
    ///
    /// A UI test or an integration test sets the variables with ``ProcessCassette``. The stubber is active (``activate()``),
    /// and at the end of the process the recording is saved and the report completed.
    ///
    /// | variable | meaning |
    /// |---|---|
    /// | `REWIND_CASSETTE` | the file of the cassette; a relative path begins in the working directory |
    /// | `REWIND_MODE` | the recording mode; `once` by default, or `never` if `CI` is set |
    /// | `REWIND_REPORT` | the file for the ``ProcessReport``, or an existing folder for a file of each process |
    ///
    /// If a value is invalid or the cassette cannot be read, the error is printed and reported, and every request fails with
    /// a ``Miss``: nothing reaches the network.
    ///
    /// A later call returns the same stubber, and activates it again if it is not active.
    /// - Parameter configuration: The settings for matching, replay and redaction.
    /// - Returns: The active stubber; `nil` if `REWIND_CASSETTE` is not set.
    @discardableResult
    public static func activateFromEnvironment(
        configuration: Stubber.Configuration = Stubber.Configuration()
    ) -> Stubber? {
        // Reading one variable costs less than copying all.
        guard getenv(Environment.Variable.cassette.rawValue).map({ $0.pointee != 0 }) ?? false,
            let path = Environment.process[.cassette]
        else { return nil }
        let stubber = ActivatedProcess.shared.stubber(playing: path, configuration)
        stubber.activate()
        return stubber
    }
}

/// The stubber that the environment of this process asks for, from the first call until the end of the process.
final class ActivatedProcess: Sendable {
    static let shared = ActivatedProcess()

    private struct Service: Sendable {
        let stubber: Stubber
        let report: ReportFile?
        /// A forked process inherits this object, but must not write its files.
        let process = getpid()
        var hasEnded = false
    }

    private let service = Locked<Service?>(nil)

    func stubber(playing path: String, _ configuration: Stubber.Configuration) -> Stubber {
        let (stubber, isNew) = service.withLock { service in
            if let service { return (service.stubber, false) }
            let new = Self.service(playing: path, configuration, in: .process)
            service = new
            return (new.stubber, true)
        }
        if isNew { ProcessEnd.call { ActivatedProcess.shared.end() } }
        return stubber
    }

    // MARK: The beginning

    private static func service(
        playing path: String,
        _ configuration: Stubber.Configuration,
        in environment: Environment
    ) -> Service {
        let report = Locked<ReportFile?>(nil)
        var configuration = configuration
        configuration.decided = { miss in
            switch (report.withLock { $0 }, miss) {
            case (let file?, let miss?): file.add(miss)
            case (let file?, nil): file.writeSoon()
            // Nobody else would tell.
            case (nil, let miss?): Note.print(miss.description)
            case (nil, nil): break
            }
        }
        var problems: [String] = []
        let identity = TestIdentity(.process)
        var stubber: Stubber
        do {
            let location = try location(of: path)
            let mode = environment.isContinuousIntegration ? RecordingMode.never : .once
            stubber = try Stubber(
                at: location,
                mode: mode,
                configuration: configuration,
                identity: identity,
                environment: environment
            )
        } catch {
            problems.append("\(error)")
            stubber = refusing(configuration, error, identity, environment)
        }
        if let named = environment[.report] {
            do {
                let isRefusing = stubber.refusal != nil
                var new = ProcessReport(
                    cassettePath: stubber.cassetteURL?.path ?? URL(fileURLWithPath: path).path,
                    mode: isRefusing
                        ? try? RecordingMode.inEffect(requested: .default, environment: environment)
                        : stubber.mode
                )
                new.problems = problems
                let file = try ReportFile(named, new) { [stubber] in $0.add(stubber) }
                report.withLock { $0 = file }
            } catch {
                problems.append("\(error)")
                if stubber.refusal == nil { stubber = refusing(configuration, error, identity, environment) }
            }
        }
        for problem in problems { Note.print(problem) }
        return Service(stubber: stubber, report: report.withLock { $0 })
    }

    private static func refusing(
        _ configuration: Stubber.Configuration,
        _ error: any Error,
        _ identity: TestIdentity,
        _ environment: Environment
    ) -> Stubber {
        Stubber(
            withoutCassette: configuration,
            identity: identity,
            environment: environment,
            refusing: .activationFailed("\(error)")
        )
    }

    private static func location(of path: String) throws -> CassetteLocation {
        let url = URL(fileURLWithPath: path)
        guard url.standardizedFileURL.path.hasPrefix("/") else {
            let cause = "the path is relative, and the working directory was deleted"
            throw CassetteError(path: path, problem: .unreadable(cause))
        }
        switch FileStatus(url)?.kind {
        case .file: return CassetteLocation(url)
        case .folder:
            throw CassetteError(path: url.path, problem: .unreadable(String(cString: strerror(EISDIR))))
        case .link, .other, nil: break
        }
        // The name may lack its extension, like those of other cassettes.
        return try CassetteLocation(name: url.lastPathComponent, in: url.deletingLastPathComponent())
    }

    // MARK: The end

    /// Saves the recording and completes the report. Later requests are refused.
    func end() {
        let ending = service.withLock { current -> Service? in
            guard let service = current, !service.hasEnded, service.process == getpid() else { return nil }
            current?.hasEnded = true
            return service
        }
        guard let ending else { return }
        let stubber = ending.stubber
        stubber.awaitRecordings()
        let end = stubber.end(testFailed: false)
        stubber.noteRecordings(of: end)
        let others = end.problems.filter { ($0 as? ScopeError)?.isMiss != true }.map { stubber.text(of: $0) }
        for problem in others { Note.print(problem) }
        ending.report?.complete(others) { $0.add(end.report, stubber) }
    }

    private typealias ScopeError = Stubber.ScopeError
}

extension Stubber {
    /// Waits until each request has a decision and each recording a response, at most as long as the configuration allows.
    ///
    /// No run loop runs meanwhile: at the end of a process, code of the app must not. Nothing of a replay needs longer than
    /// a moment.
    fileprivate func awaitRecordings() {
        guard Self.callingBack == nil else { return }
        let isLive = state.withLock { !$0.session.recorded.inFlight.isEmpty || $0.session.isRecording }
        let longest = configuration.inFlightTimeout
        pendingWork.wait(before: Deadline(after: isLive ? longest : min(longest, 1)))
    }
}

extension ProcessReport {
    /// Adds what a stubber played and recorded so far.
    fileprivate mutating func add(_ stubber: Stubber) {
        let session = stubber.state.withLock { $0.session }
        add(EjectReport(session, stubber), stubber)
    }

    fileprivate mutating func add(_ report: EjectReport, _ stubber: Stubber) {
        let reports = report.replacedCassettes + [report]
        playedCount = reports.reduce(0) { $0 + $1.playedCount }
        recordedCount = reports.reduce(0) { $0 + $1.recordedCount }
        unplayed = reports.flatMap { $0.unplayedRequests(stubber) }
    }
}
