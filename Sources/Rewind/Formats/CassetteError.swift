import Foundation

/// A cassette's file that cannot be read or written.
public struct CassetteError: Error, Hashable, Sendable, LocalizedError, CustomStringConvertible {
    /// The path of the file.
    public var path: String
    /// What is wrong, and where in the file.
    public var problem: CassetteProblem
    /// The journal in which what was to be written is kept, if there is one.
    public var journal: KeptJournal?

    package init(path: String, problem: CassetteProblem) {
        self.path = path
        self.problem = problem
    }

    /// The file, the place, the cause and how to fix it.
    public var description: String {
        guard let journal, !isUnwritable else { return text }
        return text + "\n  \(journal.summary)."
    }

    private var isUnwritable: Bool { if case .unwritable = problem { true } else { false } }

    private var text: String {
        switch problem {
        case .empty: "The cassette \(path) is empty.\n  \(restoring)"
        case .unknownFormat(let known):
            "The cassette \(path) is in no format that Rewind reads (\(known.joined(separator: ", "))).\n  \(restoring)"
        case .syntax(let line, let column, let cause):
            "The cassette \(path):\(line):\(column) is broken: \(cause).\n  \(restoring)"
        case .structure(let place, let cause):
            "The cassette \(path) is broken at \(place): \(cause).\n  \(restoring)"
        case .tooLarge(let cause):
            "The cassette \(path) is too large: \(cause).\n  It was left untouched. Record less in one test, or split it."
        case .unreadable(let cause):
            "The cassette \(path) cannot be read: \(cause)\n  Check that it is a file this process may read."
        case .unwritable(let cause):
            "The cassette \(path) cannot be written: \(cause)\n  \(whereabouts); the file is as it was."
                + " Check that its folder exists, has room and may be written to, and run the test again."
        }
    }

    private var whereabouts: String { journal?.summary ?? "What was recorded is lost" }

    private var restoring: String {
        "It was left untouched. Restore it from version control, or delete it and record it anew."
    }

    /// The file, the place, the cause and how to fix it.
    public var errorDescription: String? { description }
}

/// What is wrong with a cassette's file.
public enum CassetteProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// It has no bytes.
    case empty
    /// No format recognises it.
    case unknownFormat(known: [String])
    /// Its text breaks the grammar at a place.
    case syntax(line: Int, column: Int, cause: String)
    /// Its text is grammatical, but a part is not what the format asks for.
    case structure(place: String, cause: String)
    /// It asks for more than a reader gives.
    case tooLarge(String)
    /// It cannot be read from the disk.
    case unreadable(String)
    /// It cannot be written to the disk.
    case unwritable(String)

    /// The cause and the place, to stand within a sentence.
    public var description: String {
        switch self {
        case .empty: "it is empty"
        case .unknownFormat(let known):
            "it is in no format that Rewind reads (\(known.joined(separator: ", ")))"
        case .syntax(let line, let column, let cause): "\(cause) (line \(line), column \(column))"
        case .structure(let place, let cause): "\(cause) (\(place))"
        case .tooLarge(let cause), .unreadable(let cause), .unwritable(let cause): cause
        }
    }

    init(_ error: JSONError) {
        self = .syntax(line: error.line, column: error.column, cause: "\(error.problem)")
    }
}

/// A journal that was left where it is because a recording could not be saved.
public struct KeptJournal: Hashable, Sendable {
    /// The path of the file.
    public var path: String
    /// The number of interactions it has.
    public var count: Int
    /// The number of interactions that it lacks, as it could not be written any more.
    public var missingCount: Int

    /// Where the recording is, as the beginning of a sentence.
    var summary: String {
        let kept =
            missingCount == 0
            ? "What was recorded is"
            : "\(count) of the \(count + missingCount) interactions that were recorded \(count == 1 ? "is" : "are")"
        return "\(kept) kept in \(path), from which the next run recovers \(missingCount == 0 ? "it" : "them")"
    }
}
