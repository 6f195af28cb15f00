import Foundation

/// The file of a process's report, which is replaced whenever the report changes.
///
/// It can be read at any moment at which the process may be killed.
final class ReportFile: Sendable {
    private struct State: Sendable {
        var report: ProcessReport
        var isScheduled = false
        /// The time to wait before the next write that nothing needs at once, in seconds.
        var delay = shortestDelay
        var hasFailed = false
        var immediateCount = 0
        /// The number of reports that were made so far.
        var number = 0
    }

    let url: URL
    private let state: Locked<State>
    /// The number of the report in the file. Held while that is written, so that an older one never replaces a newer one.
    private let written = Locked(0)
    private let queue = DispatchQueue(label: "rewind.report")
    private let update: @Sendable (inout ProcessReport) -> Void

    /// Writes a report.
    /// - Parameters:
    ///   - path: A file, or an existing folder in which each process creates a file of its own.
    ///   - report: The report.
    ///   - update: Adds what was played and recorded so far.
    /// - Throws: ``Stubber/ConfigurationError`` if the file cannot be written.
    init(
        _ path: String,
        _ report: ProcessReport,
        update: @escaping @Sendable (inout ProcessReport) -> Void
    ) throws {
        let named = URL(fileURLWithPath: path)
        let kind = FileStatus(named)?.kind
        // A device such as /dev/null must not be replaced by a file.
        guard kind != .other else {
            throw Stubber.ConfigurationError.unwritableReport(path, cause: "it is neither a file nor a folder")
        }
        let isFolder = kind == .folder
        // A process may have the number of an earlier one.
        let own = named.appendingPathComponent("\(getpid())-\(UUID().uuidString).json")
        url = (isFolder || path.hasSuffix("/") ? own : named).standardizedFileURL
        state = Locked(State(report: report))
        self.update = update
        do {
            TemporaryFile.removeLeftovers(in: url.deletingLastPathComponent())
            try write()
        } catch {
            let cause = SystemCallError.cause(of: error)
            throw Stubber.ConfigurationError.unwritableReport(url.path, cause: cause)
        }
    }

    /// Adds a miss. When this returns, it is in the file, unless there are many.
    func add(_ miss: Miss) {
        let text = miss.description
        let isImmediate = state.withLock { state in
            state.report.add(text)
            state.immediateCount += 1
            return state.immediateCount <= Self.immediateLimit
        }
        if isImmediate { attempt() } else { writeSoon() }
    }

    /// Writes the report a moment later.
    func writeSoon() {
        let delay = state.withLock { state -> Double? in
            guard !state.isScheduled, !state.report.isComplete else { return nil }
            state.isScheduled = true
            return state.delay
        }
        guard let delay else { return }
        queue.asyncAfter(deadline: .now() + delay) { [weak self] in
            guard let self else { return }
            state.withLock { $0.isScheduled = false }
            attempt()
        }
    }

    /// Writes the report for the last time.
    func complete(_ problems: [String], _ change: (inout ProcessReport) -> Void) {
        state.withLock { state in
            state.report.problems += problems
            change(&state.report)
            state.report.isComplete = true
        }
        attempt()
    }

    /// Writes the report, and prints a note the first time that fails.
    private func attempt() {
        do {
            try write()
        } catch {
            let isFirst = state.withLock { state in
                defer { state.hasFailed = true }
                return !state.hasFailed
            }
            guard isFirst else { return }
            let cause = SystemCallError.cause(of: error)
            Note.print("\(Stubber.ConfigurationError.unwritableReport(url.path, cause: cause))")
        }
    }

    private func write() throws {
        let start = ContinuousClock.now
        var (report, number) = state.withLock { state in
            state.number += 1
            return (state.report, state.number)
        }
        // Nothing is locked meanwhile, as redaction may call code of the app.
        if !report.isComplete { update(&report) }
        let data = report.data
        try written.withLock { written in
            guard written < number else { return }
            try AtomicFile(url).write(data)
            written = number
        }
        let duration = start.duration(to: .now) / .seconds(1)
        // Writing takes a small part of the time, however large the cassette is.
        state.withLock { $0.delay = max(Self.shortestDelay, duration * 20) }
    }

    private static let shortestDelay = 0.05
    /// So many misses are written before the app receives their errors; more would slow it down.
    private static let immediateLimit = 50
}
