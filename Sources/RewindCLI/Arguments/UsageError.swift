import Rewind

/// A call whose words are off.
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

/// The name that somebody meant who wrote another one.
enum NearestName {
    /// The name that is most like a text; `nil` where none is much like it.
    static func of(_ text: String, among names: [String]) -> String? {
        let nearest = names.map { (name: $0, distance: distance(Array(text.utf8), Array($0.utf8))) }
            .min { $0.distance < $1.distance }
        guard let nearest, nearest.distance <= max(2, text.utf8.count / 3) else { return nil }
        return nearest.name
    }

    /// The number of letters that have to be put in, taken out or changed to make one text of another.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (position, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = position + 1
            for column in right.indices {
                let change = diagonal + (letter == right[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(change, row[column] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}

/// What the command ends with, in the numbers of sysexits.
package struct ExitStatus: Hashable, Sendable {
    package let code: Int32

    package init(code: Int32) {
        self.code = code
    }

    package static let success = ExitStatus(code: 0)
    /// It found something, or could not do its work.
    package static let failure = ExitStatus(code: 1)
    package static let badData = ExitStatus(code: 65)
    package static let usage = ExitStatus(code: 64)

    init(of error: any Error) {
        switch error {
        case is UsageError: self = .usage
        case is CassetteError, is ManifestError: self = .badData
        default: self = .failure
        }
    }

    /// The status of two things together: that of the one that is worse.
    func and(_ other: ExitStatus) -> ExitStatus {
        other.code > code ? other : self
    }
}
