protocol Subcommand: Sendable {
    typealias Option = Synopsis.Option

    static var synopsis: Synopsis { get }

    init(_ arguments: ParsedArguments) throws

    func run(in console: Console) async throws -> ExitStatus
}

/// Describes the arguments of a subcommand for the parser, the help, the manual page and the completions.
struct Synopsis: Sendable {
    let name: String
    let summary: String
    var operands: [Operand] = []
    var options: [Option] = []
    /// Whether the subcommand accepts a command to run after `--`.
    var takesCommand = false
    var discussion = ""
    let examples: [String]

    enum Value: Hashable, Sendable {
        case text, file, folder
        case oneOf([String])
    }

    struct Operand: Sendable {
        /// The operand as the usage line shows it: `FILE`, `FILE …` or `[DIR]`. Only the last can be repeated or optional.
        let usage: String
        let meaning: String
        let kind: Value

        init(_ usage: String, _ meaning: String, _ kind: Value = .text) {
            (self.usage, self.meaning, self.kind) = (usage, meaning, kind)
        }

        var name: String { String(usage.drop { $0 == "[" }.prefix { $0 != " " && $0 != "]" }) }
        var isRepeated: Bool { usage.contains("…") }
        var isOptional: Bool { usage.hasPrefix("[") }
    }

    struct Option: Sendable {
        let name: String
        /// The placeholder for the value, such as `FILE`; `nil` if the option takes none.
        let value: String?
        let meaning: String
        let kind: Value
        let isRequired: Bool
        /// Whether the option can be given several times, or with several values separated by commas.
        let isRepeatable: Bool

        /// Creates an option from its name and the placeholder for its value, as in `--port N` or `--header NAME …`.
        init(_ usage: String, _ meaning: String, _ kind: Value = .text, isRequired: Bool = false) {
            var parts = usage.split(separator: " ", maxSplits: 1).map(String.init)
            isRepeatable = usage.hasSuffix(" …")
            if isRepeatable, parts.count == 2 { parts[1] = String(parts[1].dropLast(2)) }
            (name, value) = (parts[0], parts.count == 2 ? parts[1] : nil)
            (self.meaning, self.kind, self.isRequired) = (meaning, kind, isRequired)
        }

        func checked(_ text: String) throws -> String {
            guard case .oneOf(let choices) = kind, !choices.contains(text) else { return text }
            throw invalidValue(text, expected: "one of " + choices.joined(separator: ", "))
        }

        /// The error for a value of this option; a value that may be a secret is `nil`.
        func invalidValue(_ text: String?, expected: String) -> UsageError {
            .invalidValue(text, of: name, expected: expected)
        }

        var usage: String { [name, value].compactMap { $0 }.joined(separator: " ") }
    }

    var sentence: String { summary.prefix(1).uppercased() + summary.dropFirst() + "." }

    var rows: [(String, String)] {
        let command = takesCommand ? [("-- COMMAND …", "the command to run, with its arguments")] : []
        return operands.map { ($0.name, $0.meaning) } + options.map { ($0.usage, $0.meaning) } + command
    }
}

enum Help {
    static func overview(of synopses: [Synopsis]) -> String {
        let subcommands = synopses.map { ($0.name, $0.summary) }
        let help = [("help", "show this help, or the help of a subcommand: rewind help SUBCOMMAND")]
        return """
            Record a test's HTTP traffic once and replay it on every later run.

            USAGE: rewind <subcommand>

            SUBCOMMANDS:
            \(table(subcommands + help))

            OPTIONS:
            \(table([("--version", "print the version")]))

            EXAMPLE:
              rewind demo --keep /tmp/rewind
            """
    }

    static func of(_ synopsis: Synopsis) -> String {
        var parts = [synopsis.sentence, usage(of: synopsis)]
        if !synopsis.rows.isEmpty { parts.append(table(synopsis.rows)) }
        if !synopsis.discussion.isEmpty { parts.append(synopsis.discussion) }
        let examples = synopsis.examples.map { "  " + $0 }
        if !examples.isEmpty {
            let title = examples.count == 1 ? "EXAMPLE:" : "EXAMPLES:"
            parts.append(([title] + examples).joined(separator: "\n"))
        }
        return parts.joined(separator: "\n\n")
    }

    /// The parts of the usage line, with optional ones in brackets.
    static func usageParts(of synopsis: Synopsis) -> [String] {
        let options = synopsis.options.map { option in
            (option.isRequired ? option.usage : "[\(option.usage)]") + (option.isRepeatable ? " …" : "")
        }
        let command = synopsis.takesCommand ? ["[-- COMMAND …]"] : []
        return [synopsis.name] + synopsis.operands.map(\.usage) + options + command
    }

    private static func usage(of synopsis: Synopsis) -> String {
        let start = "USAGE: rewind"
        var lines = [start]
        for part in usageParts(of: synopsis) {
            let line = lines[lines.count - 1] + " " + part
            if line.count <= lineLength {
                lines[lines.count - 1] = line
            } else {
                lines.append(String(repeating: " ", count: start.count + synopsis.name.count + 1) + " " + part)
            }
        }
        return lines.joined(separator: "\n")
    }

    private static let lineLength = 100

    private static func table(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { name, meaning in
            "  " + name + String(repeating: " ", count: width - name.count + 3) + meaning
        }.joined(separator: "\n")
    }
}
