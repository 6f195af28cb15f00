import Rewind
import RewindServer

/// A command line that the subcommand cannot run. The exit status is 64.
enum UsageError: Error, Hashable, CustomStringConvertible {
    case unknownSubcommand(String, nearest: String?)
    case unknownOption(String, nearest: String?)
    case missingValue(String)
    case unwantedValue(String)
    case repeatedOption(String)
    case missingOption(String, note: String? = nil)
    case missingOperand(String, note: String? = nil)
    case unexpectedOperand(String)
    /// The value is `nil` if it may be a secret.
    case invalidValue(String?, of: String, expected: String)
    case invalidPath(String, of: String, JSONPathError)
    /// The text is `nil` if it may be a secret.
    case invalidRule(String?, of: String, RuleText.Problem)
    case outOfRange(String, of: String, count: Int)
    case missingCommand
    case excludedOption(String, by: String)
    case gitArguments(count: Int)
    case oneOutput(String, count: Int)
    case onePrinted(count: Int)

    var description: String {
        switch self {
        case .unknownSubcommand(let name, let nearest): "unknown subcommand '\(name)'" + Self.question(nearest)
        case .unknownOption(let name, let nearest): "unknown option '\(name)'" + Self.question(nearest)
        case .missingValue(let name): "missing value for \(name)"
        case .unwantedValue(let name): "option \(name) takes no value"
        case .repeatedOption(let name): "option \(name) was given more than once"
        case .missingOption(let name, let note): "missing option \(name)" + Self.detail(note)
        case .missingOperand(let name, let note): "missing argument \(name)" + Self.detail(note)
        case .unexpectedOperand(let text): "unexpected argument '\(text)'"
        case .invalidValue(let text, let name, let expected):
            "invalid value \(text.map { "'\($0)' " } ?? "")for \(name): expected \(expected)"
        case .invalidPath(let text, let name, let error):
            "invalid value '\(text)' for \(name) at column \(error.column): \(error.problem.rawValue)"
        case .invalidRule(let text, let name, let problem):
            "invalid value \(text.map { "'\($0)' " } ?? "")for \(name)"
                + (problem.column > 1 ? " at column \(problem.column)" : "") + ": \(problem.cause)"
        case .outOfRange(let text, let name, let count):
            "invalid value '\(text)' for \(name): "
                + (count == 0 ? "the cassette is empty" : count == 1 ? "expected 1" : "expected 1–\(count)")
        case .missingCommand: "missing command after '--'"
        case .excludedOption(let name, let other): "\(name) cannot be combined with \(other)"
        case .gitArguments(let count):
            "invalid arguments for --git: expected the 1, 7, 8 or 9 arguments of GIT_EXTERNAL_DIFF, got \(count)"
        case .oneOutput(let place, let count):
            "cannot write \(Counted.text(count, "cassette")) to '\(place)': name a folder with --output FOLDER/"
        case .onePrinted(let count):
            "cannot print \(Counted.text(count, "cassette")): name one cassette, or use --in-place or --check"
        }
    }

    private static func detail(_ note: String?) -> String { note.map { ": " + $0 } ?? "" }

    private static func question(_ nearest: String?) -> String {
        nearest.map { "; did you mean '\($0)'?" } ?? ""
    }
}

enum NearestName {
    /// The name most similar to a misspelled one; `nil` if none is similar enough.
    static func of(_ text: String, among names: [String]) -> String? {
        let distances = names.map { name in
            let changes = name.difference(from: text)
            return max(changes.insertions.count, changes.removals.count)
        }
        let nearest = zip(names, distances).min { $0.1 < $1.1 }
        return nearest.flatMap { $0.1 <= max(2, text.count / 3) ? $0.0 : nil }
    }
}

/// The exit status of the command; 64 and 65 are the values of `sysexits.h`.
struct ExitStatus: Hashable, Sendable {
    let code: Int32

    static let success = ExitStatus(code: 0)
    static let failure = ExitStatus(code: 1)
    static let badData = ExitStatus(code: 65)
    static let usage = ExitStatus(code: 64)
}

extension ExitStatus {
    init(of error: any Error) {
        switch error {
        case is UsageError, CassetteServerError.invalidUpstream: self = .usage
        case let error as CassetteError: self = error.isAboutReading ? .badData : .failure
        case CommandError.missingFolder, CommandError.notAFolder, CommandError.folder: self = .badData
        case is ManifestError, is Stubber.ConfigurationError, Stubber.SweepError.unreadableReport:
            self = .badData
        default: self = .failure
        }
    }

    /// The worse of two statuses.
    func and(_ other: ExitStatus) -> ExitStatus { other.code > code ? other : self }
}

extension CassetteError {
    /// Whether the cassette cannot be read, and not only not be written.
    fileprivate var isAboutReading: Bool {
        switch problem {
        case .unwritable, .unredactedCredentials, .inUse: false
        default: true
        }
    }
}
