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
