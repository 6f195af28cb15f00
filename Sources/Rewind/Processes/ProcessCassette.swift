import Foundation

/// The cassette of a process that a test launches: an app under UI test, or a command line tool.
///
/// The process replays or records by itself if its code calls ``Stubber/activateFromEnvironment(configuration:)``. Pass it the
/// ``environment``, and check at the end of the test what it missed:
///
/// ```swift
/// let cassette = try ProcessCassette("basket")
/// app.launchEnvironment.merge(cassette.environment) { $1 }
/// app.launch()
/// …
/// app.terminate()
/// try cassette.verify()
/// ```
///
/// `XCTAssertReplayed(_:)` in RewindXCTest and `expectReplayed(_:)` in RewindTesting record a failure for each problem.
public final class ProcessCassette: Sendable {
    /// The recording mode that the process is given: that of the initializer, unless `REWIND_MODE` is set for the test.
    public let mode: RecordingMode
    /// The folder in which each process writes its report.
    private let reportFolder: URL
    private let ownsFolder: Bool
    private let location: CassetteLocation
    private let existedBefore: Bool

    /// Names a cassette of the test's project.
    /// - Parameters:
    ///   - name: The name of the cassette, without an extension. It may contain `/` for a subfolder.
    ///   - directory: The folder of the cassettes; `Cassettes` at the root of the calling file's project by default.
    ///   - mode: The recording mode; `once` by default, or `never` if `CI` is set. `REWIND_MODE` overrides it.
    ///   - reportFolder: An existing folder for reports that the process can write; a new temporary one by default.
    ///   - filePath: A file in the project; the calling file by default.
    /// - Throws: ``Stubber/ConfigurationError`` if a setting is invalid or the project is not found. An error of Foundation if the
    ///   temporary folder cannot be created.
    public convenience init(
        _ name: String,
        in directory: URL? = nil,
        mode: RecordingMode = .default,
        reportsIn reportFolder: URL? = nil,
        filePath: StaticString = #filePath
    ) throws {
        let search = CassetteSearch(source: "\(filePath)")
        let folder = try directory.map(search.reached) ?? search.cassettes()
        try self.init(
            at: CassetteLocation(name: name, in: folder.directory),
            mode: mode,
            reportsIn: reportFolder
        )
    }

    package init(
        at location: CassetteLocation,
        mode: RecordingMode,
        reportsIn folder: URL?,
        environment: Environment = .process
    ) throws {
        self.location = location
        self.mode = try RecordingMode.inEffect(requested: mode, environment: environment)
        existedBefore = location.exists
        ownsFolder = folder == nil
        let temporary = FileManager.default.temporaryDirectory.appendingPathComponent(
            "rewind-reports-\(UUID().uuidString)",
            isDirectory: true
        )
        reportFolder = folder ?? temporary
        if folder == nil {
            try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
        }
    }

    deinit { if ownsFolder { try? FileManager.default.removeItem(at: reportFolder) } }

    /// The file of the cassette: the recording if there is one, otherwise the file to play.
    public var url: URL { location.current }

    /// The variables for the process: `REWIND_CASSETTE`, `REWIND_MODE` and `REWIND_REPORT`, with absolute paths.
    ///
    /// ```swift
    /// process.environment = ProcessInfo.processInfo.environment.merging(cassette.environment) { $1 }
    /// ```
    public var environment: [String: String] {
        [
            Environment.Variable.cassette.rawValue: location.source.path,
            Environment.Variable.mode.rawValue: mode.rawValue,
            Environment.Variable.report.rawValue: reportFolder.path,
        ]
    }

    /// The reports of the processes that received the ``environment`` so far, also of those that still run.
    /// - Returns: One report for each process, in the order in which they were launched.
    /// - Throws: ``ProcessCassetteError/invalidReport(path:)`` if a file in the folder is not a report, an error of Foundation if it
    ///   cannot be read.
    public func reports() throws -> [ProcessReport] {
        let names = DirectoryListing.names(in: reportFolder).filter {
            $0.hasSuffix(".json") && !$0.hasPrefix(".")
        }
        return try names.map { try ProcessReport(contentsOf: reportFolder.appendingPathComponent($0)) }
            .sorted { $0.start < $1.start }
    }

    /// Checks that the cassette answered every request of the process. Call it after the process has ended.
    /// - Parameter unplayed: Whether recorded interactions that no process played are a problem too; `false` by default.
    /// - Throws: ``ProcessCassetteError/failed(_:)`` with the diagnosis of each miss, and everything else that is wrong.
    public func verify(unplayed: Bool = false) throws {
        let problems = problems(unplayed: unplayed)
        if !problems.isEmpty { throw ProcessCassetteError.failed(problems) }
    }

    /// The failures of the test, each a text for one.
    package func problems(unplayed includesUnplayed: Bool) -> [String] {
        let reports: [ProcessReport]
        do {
            reports = try self.reports()
        } catch {
            return ["\(error)"]
        }
        guard !reports.isEmpty else { return ["\(ProcessCassetteError.noReport(path: location.current.path))"] }
        var problems: [String] = []
        for report in reports {
            for text in report.problems + report.misses where !problems.contains(text) { problems.append(text) }
            let hidden = report.missCount - report.misses.count
            if hidden > 0 { problems.append("\(hidden) more requests had no answer.") }
        }
        if problems.isEmpty, mode.records(cassetteExists: existedBefore) {
            problems += problemsOfRecording(reports)
        }
        if includesUnplayed { problems += problemsOfUnplayed(reports) }
        return problems
    }

    private func problemsOfRecording(_ reports: [ProcessReport]) -> [String] {
        if reports.contains(where: { !$0.isComplete }) {
            let unfinished = ProcessCassetteError.unfinishedRecording(path: location.destination.path)
            return savesFromJournal() ? [] : ["\(unfinished)"]
        }
        return location.exists
            ? [] : ["\(ProcessCassetteError.nothingRecorded(path: location.destination.path))"]
    }

    /// Saves the recording of a process that was killed, as a UI test may do with its app.
    ///
    /// Only a first recording: one that replaces a cassette must be complete.
    /// - Returns: Whether the cassette was written.
    private func savesFromJournal() -> Bool {
        guard FileStatus(location.recoveredRecording) == nil else { return false }
        let redaction = Redaction.default
        JournalRecovery(location: location, redaction: redaction).run()
        guard !existedBefore, !location.exists,
            let text = try? Data(contentsOf: location.recoveredRecording),
            text.range(of: Data(PrintedText.mark.utf8)) == nil,
            let interactions = try? Cassette(contentsOf: location.recoveredRecording).interactions
        else { return false }
        do {
            let rules = SaveRedaction(redaction: redaction, known: [:])
            let file = CassetteFile(location)
            _ = try file.save(interactions, .replace, matchers: .default, redaction: rules)
            Note.print(
                "recorded the new cassette \(location.destination.displayPath) from the journal; commit it"
            )
            return true
        } catch {
            Note.print("\(error)")
            return false
        }
    }

    /// The interactions that none of the processes played.
    private func problemsOfUnplayed(_ reports: [ProcessReport]) -> [String] {
        let lists = reports.map(\.unplayed)
        guard let first = lists.first else { return [] }
        let rest = lists.dropFirst().map(Set.init)
        let unplayed = first.filter { request in rest.allSatisfy { $0.contains(request) } }
        guard !unplayed.isEmpty else { return [] }
        return ["\(ProcessCassetteError.unplayed(unplayed, path: location.current.path))"]
    }
}

/// What is wrong with a process that replays or records a ``ProcessCassette``.
public enum ProcessCassetteError: Error, Hashable, Sendable {
    /// Requests had no answer, or something else is wrong; each text is one problem with its fix.
    case failed([String])
    /// No process wrote a report, for the cassette with this path.
    case noReport(path: String)
    /// The file is not a report.
    case invalidReport(path: String)
    /// The process still runs or was killed, so that it did not save its recording to this path.
    case unfinishedRecording(path: String)
    /// The process recorded nothing to this path.
    case nothingRecorded(path: String)
    /// The process did not play these interactions of the cassette with this path.
    case unplayed([String], path: String)
}

extension ProcessCassetteError: LocalizedError, CustomStringConvertible {
    /// What is wrong, and how to fix it.
    public var description: String { message }

    /// What is wrong.
    public var errorDescription: String? {
        switch self {
        case .failed(let problems): problems.joined(separator: "\n")
        case .noReport(let path): "No process wrote a report about the cassette \(path)."
        case .invalidReport(let path): "The file \(path) is not a report of Rewind."
        case .unfinishedRecording(let path): "The process did not save its recording to \(path)."
        case .nothingRecorded(let path): "The process recorded nothing to \(path)."
        case .unplayed(let requests, let path):
            "The process ended without playing these interactions of \(path):"
                + requests.prefix(20).map { "\n  \($0)" }.joined()
                + (requests.count > 20 ? "\n  and \(requests.count - 20) more" : "")
        }
    }

    /// How to fix it.
    public var recoverySuggestion: String? {
        switch self {
        case .failed: nil
        case .noReport:
            "Did it call `Stubber.activateFromEnvironment()`, in a debug build? Was it launched with the variables of"
                + " `environment`? On a device, and in a sandbox, it cannot write to the folder of the reports."
        case .invalidReport: "Put nothing else into the folder of the reports."
        case .unfinishedRecording:
            "End the process before you verify: with `exit`, SIGTERM or a return from `main`. If it was killed, the"
                + " interactions that had ended are in the journal or in the file `.recovered.har` beside the cassette."
        case .nothingRecorded:
            "It made no HTTP request after `Stubber.activateFromEnvironment()`. Call that before the first request."
        case .unplayed: "If it no longer needs them, record it again with REWIND_MODE=all."
        }
    }
}
