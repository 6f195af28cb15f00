import Foundation

/// A file beside the cassette to which a recording appends each finished interaction, so that a crash does not lose it.
///
/// The first interaction creates the file. If the folder of the cassette cannot be written, or no longer, the journal is
/// outside of the project, where the next run finds it as well. Before an interaction is written, known secrets are replaced, and values that
/// look like credentials are withheld. A secret that is found later is also replaced in earlier interactions.
///
/// An interaction is in the file 50 ms after `add` returns. Small ones are written on a queue, so that the app does not
/// wait for them; what takes longer is written before `add` returns.
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

    /// What decides whether an interaction may be written on the queue.
    private struct Backlog: Sendable {
        /// The size of the interactions on the queue.
        var size = 0
        /// The number of threads that use the file for longer, before which the queue must become empty.
        var longUses = 0
    }

    private let state = Locked(State())
    private let backlog = Locked(Backlog())
    // Not a global queue, whose threads may all be busy with the code of tests.
    private let queue = DispatchQueue(label: "rewind.journal", qos: .userInitiated)
    private let location: CassetteLocation
    private let mode: RecordingMode
    private let redaction: Redaction
    private let known: @Sendable () -> [Placeholder]
    private let operations: FileOperations
    private let clock: WallClock

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
        self.known = known
        self.operations = operations
        self.clock = clock
    }

    func renewed(for mode: RecordingMode) -> Journal {
        Journal(of: location, mode: mode, redaction: redaction, after: known, operations, clock)
    }

    /// Appends an interaction: a small one soon after this returns, a large one before. Calls back when it is done.
    func add(_ interaction: Interaction, at place: Int, whenDone done: @escaping @Sendable () -> Void) {
        let size = interaction.journalSize
        let isQueued = backlog.withLock { backlog in
            guard backlog.longUses == 0, backlog.size + size <= Self.backlogLimit else { return false }
            backlog.size += size
            return true
        }
        guard isQueued else {
            append(interaction, at: place)
            return done()
        }
        queue.async { [self] in
            var isSearched = false
            write(interaction, at: place) { redactor, known in
                isSearched = true
                // This may take long, so what is on the queue is written first, and nothing is added until it is done.
                backlog.withLock { $0.longUses += 1 }
                queue.async { [self] in
                    attempt { try search(&$0, for: redactor, since: known) }
                    backlog.withLock { $0.longUses -= 1 }
                    notify(done)
                }
            }
            backlog.withLock { $0.size -= size }
            if !isSearched { notify(done) }
        }
    }

    /// Calls back after the queue has released the journal, whose lock would exclude the next run.
    private func notify(_ done: @escaping @Sendable () -> Void) { queue.async { done() } }

    /// Appends an interaction. When this returns, the interaction is in the file.
    ///
    /// Reports a failure once. The recording then continues without a journal.
    func append(_ interaction: Interaction, at place: Int) {
        backlog.withLock { $0.longUses += 1 }
        defer { backlog.withLock { $0.longUses -= 1 } }
        queue.sync {}
        write(interaction, at: place) { redactor, known in
            attempt { try search(&$0, for: redactor, since: known) }
        }
    }

    /// Writes an interaction. Calls the closure if it contains a secret that may also be in earlier lines.
    private func write(
        _ interaction: Interaction,
        at place: Int,
        ifSecretIsNew: (_ redactor: Redactor, _ known: Int) -> Void
    ) {
        guard let redactor = currentRedactor() else { return }
        let known = redactor.ledger.searchedCount
        let redacted = redactor.redact(interaction)
        let safe = redaction.credentialCheck?.withholding(in: redacted) ?? redacted
        let isWritten = attempt(missing: 1) { state in
            guard !state.isOver else { return state.missingCount += 1 }
            let line = JournalLine(place: place, interaction: safe)
            do {
                let file = try state.file ?? open()
                state.file = file
                try file.append(line)
            } catch {
                state.file = try moved(state.file, adding: line, because: error)
            }
            state.count += 1
        }
        guard isWritten else { return }
        let count = redactor.ledger.searchedCount
        if state.withLock({ min(known, $0.searchedCount) }) < count { ifSecretIsNew(redactor, known) }
        if count > Self.secretLimit {
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
    private func search(_ state: inout State, for redactor: Redactor, since known: Int) throws {
        let count = redactor.ledger.searchedCount
        guard min(known, state.searchedCount) < count else { return }
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
    func remove() { end()?.remove() }

    /// Ends the journal and leaves its file, if any, for the next run.
    func keep() -> CassetteError.KeptJournal? {
        queue.sync {}
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
    private func moved(_ former: JournalFile?, adding line: JournalLine, because error: any Error) throws
        -> JournalFile
    {
        // A journal that was deleted, or whose lines cannot be read, is not continued.
        let contents = try former.map { former in
            guard let contents = (try? Data(contentsOf: former.url)).flatMap(JournalContents.init),
                contents.problem == nil
            else { throw error }
            return contents
        }
        let file = try createdOutside((contents?.lines ?? []) + [line], because: error)
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
        let former = state.withLock { $0.file }
        let end = JournalEnd(error)
        queue.sync {}
        // Without this line, the next run would report a run that ended early.
        state.withLock { try? $0.file?.append(end) }
        let kept = keep()
        if recorded.isEmpty || kept?.missingCount == 0 { return kept }
        let redacted = Redactor(redaction, after: known).redact(recorded)
        let safe = redaction.credentialCheck.map { redacted.map($0.withholding) } ?? redacted
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

    /// The redactor; `nil` after the journal has ended.
    private func currentRedactor() -> Redactor? {
        state.withLock { state in
            guard !state.isOver else {
                state.missingCount += 1
                return nil
            }
            let redactor = state.redactor ?? Redactor(redaction, after: known)
            state.redactor = redactor
            return redactor
        }
    }

    /// Each secret costs time to search for, so a recording with more secrets has no journal.
    static let secretLimit = 64

    /// Redacting and writing this much takes a few milliseconds, also in a debug build.
    static let backlogLimit = 32 * 1024
}

extension Interaction {
    /// About the number of bytes to redact and write.
    fileprivate var journalSize: Int {
        var size = 1024 + request.url.utf8.count + (request.body?.count ?? 0)
        size += (response?.body.count ?? 0) + (response?.body.chunks.count ?? 0) * 16
        for headers in [request.headers, response?.headers ?? [:]] {
            for field in headers { size += field.name.utf8.count + field.value.utf8.count + 16 }
        }
        return size
    }
}
