import Rewind

enum UsageError: Error, Hashable, CustomStringConvertible {
    case unknownSubcommand(String, nearest: String?)
    case unknownOption(String, nearest: String?)
    case missingValue(String)
    case unwantedValue(String)
    case repeatedOption(String)
    case missingOption(String)
    case missingOperand(String)
    case unexpectedOperand(String)
    case badValue(String, of: String, wanted: String)
    case missingCommand
    case excludedOption(String, by: String)

    var description: String {
        switch self {
        case .unknownSubcommand(let name, let nearest):
            "there is no subcommand `\(name)`" + Self.question(nearest)
        case .unknownOption(let name, let nearest): "there is no option `\(name)`" + Self.question(nearest)
        case .missingValue(let name): "the option `\(name)` needs a value."
        case .unwantedValue(let name): "the option `\(name)` takes no value."
        case .repeatedOption(let name): "the option `\(name)` is there twice."
        case .missingOption(let name): "the option `\(name)` is missing."
        case .missingOperand(let name): "\(name) is missing."
        case .unexpectedOperand(let text): "`\(text)` is one word too many."
        case .badValue(let text, let name, let wanted): "`\(text)` is no value of \(name), which is \(wanted)."
        case .excludedOption(let name, let other): "the option `\(name)` cannot be there beside `\(other)`."
        case .missingCommand: "there is no command after `--`."
        }
    }

    private static func question(_ nearest: String?) -> String {
        nearest.map { "; did you mean `\($0)`?" } ?? "."
    }
}

enum NearestName {
    /// The name that is most like a misspelled one; `nil` if none is near.
    static func of(_ text: String, among names: [String]) -> String? {
        let distances = names.map { name in
            let changes = name.difference(from: text)
            return max(changes.insertions.count, changes.removals.count)
        }
        let nearest = zip(names, distances).min { $0.1 < $1.1 }
        return nearest.flatMap { $0.1 <= max(2, text.count / 3) ? $0.0 : nil }
    }
}

/// The exit status, with the numbers of sysexits.
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
        case is UsageError: self = .usage
        case is CassetteError, is ManifestError: self = .badData
        default: self = .failure
        }
    }

    /// The worse of two statuses.
    func and(_ other: ExitStatus) -> ExitStatus { other.code > code ? other : self }
}
