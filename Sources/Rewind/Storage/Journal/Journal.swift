import Foundation

/// A file beside the cassette to which a recording appends each finished interaction, so that a crash does not lose it.
///
/// The first interaction creates the file. If the folder of the cassette cannot be written, or no longer, the journal is
/// outside of the project, where the next run finds it as well. Before an interaction is written, known secrets are replaced, and values that
/// look like credentials are withheld. A secret that is found later is also replaced in earlier interactions.
///
/// An interaction is in the file 50 ms after `add` returns. What is added within a short time is redacted and written
/// together, on a queue: the app does not wait for it, and many interactions wake up one thread once.
final class Journal: Sendable {
    private struct State: Sendable {
        var file: JournalFile?
        var redactor: Redactor?
        var isOver = false
        /// The number of secrets that have been searched for in the whole file.
        var searchedCount = 0
        var count = 0
        var missingCount = 0
    }

    private let state = Locked(State())
    private let backlog = Locked(JournalBacklog())
    // Not a global queue, whose threads may all be busy with the code of tests.
    private let queue = DispatchQueue(label: "rewind.journal", qos: .userInitiated)
    private let location: CassetteLocation
    private let mode: RecordingMode
    private let redaction: Redaction
    private let check: CredentialCheck?
    private let known: @Sendable () -> [Placeholder]
    private let operations: FileOperations
    private let clock: WallClock
    /// The receiver of notes, which is that of the thread that creates the journal.
    private let reader = Note.reader

    /// Creates a journal without its file.
    init(
        of location: CassetteLocation,
        mode: RecordingMode,
        redaction: Redaction,
        after known: @escaping @Sendable () -> [Placeholder],
        _ operations: FileOperations = .current,
        _ clock: WallClock = .current
    ) {
        self.location = location
        self.mode = mode
        self.redaction = redaction
        check = redaction.credentialCheck
        self.known = known
        self.operations = operations
        self.clock = clock
    }

    // The queue does not retain the journal, whose lock on the file would exclude the next run.
    deinit { writeBacklog() }

    func renewed(for mode: RecordingMode) -> Journal {
        Journal(of: location, mode: mode, redaction: redaction, after: known, operations, clock)
    }

    // MARK: Adding

    /// Adds an interaction, which is soon in the file. Returns later if the queue cannot keep up: then it is in the file.
    func add(_ interaction: Interaction, at place: Int) {
        let turn = backlog.withLock { $0.add(interaction, at: place) }
        switch turn {
        case .none: break
        case .soon:
            let time = DispatchTime.now() + .milliseconds(JournalBacklog.delay)
            queue.asyncAfter(deadline: time) { [weak self] in self?.writeBacklog() }
        case .now: queue.async { [weak self] in self?.writeBacklog() }
        case .atOnce: write()
        }
    }

    /// Whether `add` would return only after it has written an interaction with bodies of this size.
    func isBehind(adding size: Int) -> Bool { backlog.withLock { $0.isBehind(adding: size) } }

    /// Writes what was added. When this returns, it is in the file.
    func write() { queue.sync { writeBacklog() } }

    // MARK: Writing

    /// Redacts and writes what was added, on the queue.
    private func writeBacklog() { Note.$reader.withValue(reader) { writeAndSearch() } }

    private func writeAndSearch() {
        writeWaiting()
        guard let redactor = redactorToSearchFor else { return }
        // This may take long. So what was added meanwhile is written first, and nothing is added until it is done.
        backlog.withLock { $0.isBlocked = true }
        writeWaiting()
        attempt { try search(&$0, for: redactor) }
        backlog.withLock { $0.isBlocked = false }
    }

    private func writeWaiting() {
        while true {
            let entries = backlog.withLock { $0.begin() }
            guard !entries.isEmpty else { return }
            let start = ContinuousClock.now
            write(entries)
            backlog.withLock { $0.end(after: start.duration(to: .now) / .seconds(1)) }
        }
    }

    /// The redactor, if it knows secrets that may be in the file.
    private var redactorToSearchFor: Redactor? {
        state.withLock { state in
            guard !state.isOver, let redactor = state.redactor else { return nil }
            return state.searchedCount < redactor.ledger.searchedCount ? redactor : nil
        }
    }

    /// Reports a failure once. The recording then continues without a journal.
    private func write(_ entries: [JournalBacklog.Entry]) {
        guard let redactor = currentRedactor(for: entries.count) else { return }
        let redacted = redactor.redact(entries.map(\.interaction))
        let lines = zip(entries, redacted).map { entry, interaction in
            JournalLine(place: entry.place, interaction: check?.withholding(in: interaction) ?? interaction)
        }
        let count = redactor.ledger.searchedCount
        let isWritten = attempt(missing: lines.count) { state in
            guard !state.isOver else { return state.missingCount += lines.count }
            // All secrets are replaced in these lines, so only earlier ones may contain new ones.
            if state.count == 0 { state.searchedCount = count }
            do {
                let file = try state.file ?? open()
                state.file = file
                try file.append(lines)
            } catch {
                state.file = try moved(state.file, adding: lines, because: error)
            }
            state.count += lines.count
        }
        if isWritten, count > Self.secretLimit {
            attempt { try search(&$0, for: redactor) }
            giveUp("it contains more than \(Self.secretLimit) secrets, too many to search for while recording")
        }
    }

    /// Changes the file, and stops the journal if that fails.
    @discardableResult
    private func attempt(missing count: Int = 0, _ body: (inout State) throws -> Void) -> Bool {
        do {
            try state.withLock { try body(&$0) }
            return true
        } catch {
            giveUp(SystemCallError.cause(of: error), missing: count)
            return false
        }
    }

    /// Replaces newly known secrets in the file.
    private func search(_ state: inout State, for redactor: Redactor) throws {
        let count = redactor.ledger.searchedCount
        guard state.searchedCount < count else { return }
        do {
            state.file = try state.file?.removingSecrets(redactor)
            state.searchedCount = count
        } catch {
            // No journal is better than a journal with a secret.
            state.file?.remove()
            state.file = nil
            state.missingCount += state.count
            state.count = 0
            throw error
        }
    }

    /// Ends the journal and deletes its file.
    func remove() {
        backlog.withLock { $0.removeWaiting() }
        end()?.remove()
    }

    /// Ends the journal and leaves its file, if any, for the next run.
    func keep() -> CassetteError.KeptJournal? {
        write()
        let (count, missingCount) = state.withLock { ($0.count, $0.missingCount) }
        guard let file = end(), file.isThere else { return nil }
        return CassetteError.KeptJournal(path: file.url.path, count: count, missingCount: missingCount)
    }

    private func end() -> JournalFile? {
        state.withLock { state in
            defer {
                state.file = nil
                state.isOver = true
            }
            return state.file
        }
    }

    private var header: JournalHeader {
        JournalHeader(
            cassette: location.destination.lastPathComponent,
            mode: mode.rawValue,
            process: getpid(),
            start: clock.now()
        )
    }

    private func open() throws -> JournalFile {
        try JournalFile(JournalName(of: location.destination).unused(), header, operations)
    }

    /// Creates a journal outside of the project, with the lines of one that cannot be written any more.
    /// - Throws: The error because of which it is created, if that is not possible either.
    private func moved(_ former: JournalFile?, adding lines: [JournalLine], because error: any Error) throws
        -> JournalFile
    {
        // A journal that was deleted, or whose lines cannot be read, is not continued.
        let contents = try former.map { former in
            guard let contents = (try? Data(contentsOf: former.url)).flatMap(JournalContents.init),
                contents.problem == nil
            else { throw error }
            return contents
        }
        let file = try createdOutside((contents?.lines ?? []) + lines, because: error)
        former?.remove()
        Note.print(
            """
            the journal of \(location.destination.path) is in \(file.url.path): \(SystemCallError.cause(of: error))
            """
        )
        return file
    }

    private func createdOutside(_ lines: [JournalLine], because error: any Error) throws -> JournalFile {
        for name in JournalName.outside(of: location.destination) where PrivateFolder.isUsable(name.folder) {
            PrivateFolder.removeOld(in: name.folder)
            if let file = try? JournalFile(name.unused(), header, operations, lines: lines) { return file }
        }
        throw error
    }

    /// Ends the journal of a recording that could not be saved, and returns where the recording is.
    ///
    /// What the journal lacks is written to one outside of the project. `nil` if that is not possible either.
    func keep(_ recorded: [Interaction], because error: any Error) -> CassetteError.KeptJournal? {
        write()
        let former = state.withLock { $0.file }
        let end = JournalEnd(error)
        // Without this line, the next run would report a run that ended early.
        state.withLock { try? $0.file?.append(end) }
        let kept = keep()
        if recorded.isEmpty || kept?.missingCount == 0 { return kept }
        let redacted = Redactor(redaction, after: known).redact(recorded)
        let safe = check.map { redacted.map($0.withholding) } ?? redacted
        let lines = safe.enumerated().map { JournalLine(place: $0.offset, interaction: $0.element) }
        guard let file = try? createdOutside(lines, because: error) else { return kept }
        try? file.append(end)
        former?.remove()
        return CassetteError.KeptJournal(path: file.url.path, count: lines.count, missingCount: 0)
    }

    /// Stops the journal. The lines in the file stay, because each one is complete.
    private func giveUp(_ cause: String, missing count: Int = 0) {
        let isFirst = state.withLock { state in
            defer {
                state.isOver = true
                state.missingCount += count
            }
            return !state.isOver
        }
        guard isFirst else { return }
        Note.print(
            """
            the recording of \(location.destination.path) continues without a journal, so a crash would lose it: \
            \(cause)
            """
        )
    }

    /// The redactor for some interactions; `nil` after the journal has ended.
    private func currentRedactor(for count: Int) -> Redactor? {
        state.withLock { state in
            guard !state.isOver else {
                state.missingCount += count
                return nil
            }
            let redactor = state.redactor ?? Redactor(redaction, after: known)
            state.redactor = redactor
            return redactor
        }
    }

    /// Each secret costs time to search for, so a recording with more secrets has no journal.
    static let secretLimit = 64
}
