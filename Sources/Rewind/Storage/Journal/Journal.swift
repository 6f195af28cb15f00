import Foundation

/// A file beside the cassette to which a recording appends each finished interaction, so that a crash does not lose it.
///
/// The first interaction creates the file. Before an interaction is written, known secrets are replaced, and values that
/// look like credentials are withheld. A secret that is found later is also replaced in earlier interactions.
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

    /// Appends an interaction. When this returns, the interaction is in the file.
    ///
    /// Reports a failure once. The recording then continues without a journal.
    func append(_ interaction: Interaction, at place: Int) {
        guard let redactor = currentRedactor() else { return }
        let known = redactor.ledger.searchedCount
        let redacted = redactor.redact(interaction)
        let safe = redaction.credentialCheck?.withholding(in: redacted) ?? redacted
        do {
            try state.withLock { state in
                guard !state.isOver else { return state.missingCount += 1 }
                let file = try state.file ?? open()
                state.file = file
                try file.append(JournalLine(place: place, interaction: safe))
                state.count += 1
                try search(&state, for: redactor, since: known)
            }
        } catch { return giveUp(SystemCallError.cause(of: error), missing: 1) }
        if redactor.ledger.searchedCount > Self.secretLimit {
            giveUp("it contains more than \(Self.secretLimit) secrets, too many to search for while recording")
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
            state.missingCount += state.count - 1
            state.count = 0
            throw error
        }
    }

    /// Ends the journal and deletes its file.
    func remove() { end()?.remove() }

    /// Ends the journal and leaves its file, if any, for the next run.
    func keep() -> CassetteError.KeptJournal? {
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

    private func open() throws -> JournalFile {
        let cassette = location.destination
        let header = JournalHeader(
            cassette: cassette.lastPathComponent,
            mode: mode.rawValue,
            process: getpid(),
            start: clock.now()
        )
        return try JournalFile(JournalName(of: cassette).unused(), header, operations)
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
    private static let secretLimit = 64
}
