protocol Subcommand: Sendable {
    typealias Option = Synopsis.Option

    static var synopsis: Synopsis { get }

    init(_ arguments: ParsedArguments) throws

    func run(in console: Console) async throws -> ExitStatus
}

/// The arguments of a subcommand. Parsing, help, manual and completions use this description.
struct Synopsis: Sendable {
    let name: String
    let summary: String
    var operands: [Operand] = []
    var options: [Option] = []
    /// Whether a command to run may follow `--`.
    var takesCommand = false
    var discussion = ""
    let examples: [String]

    enum Value: Hashable, Sendable {
        case text, file, folder
        case oneOf([String])
    }

    struct Operand: Sendable {
        /// The word as the help has it, as in `FILE`, `FILE …` or `[DIR]`; only the last may be repeated or left out.
        let words: String
        let meaning: String
        let kind: Value

        init(_ words: String, _ meaning: String, _ kind: Value = .text) {
            (self.words, self.meaning, self.kind) = (words, meaning, kind)
        }

        var name: String { String(words.drop { $0 == "[" }.prefix { $0 != " " && $0 != "]" }) }
        var isRepeated: Bool { words.contains("…") }
        var isOptional: Bool { words.hasPrefix("[") }
    }

    struct Option: Sendable {
        let name: String
        /// What its value is called; `nil` where it takes none.
        let value: String?
        let meaning: String
        let kind: Value
        let isRequired: Bool
        /// Whether it may be there several times, or hold several values with commas between them.
        let isRepeatable: Bool

        /// Creates an option by its name and what its value is called, as in `--port N` or `--header NAME …`.
        init(_ words: String, _ meaning: String, _ kind: Value = .text, isRequired: Bool = false) {
            var parts = words.split(separator: " ", maxSplits: 1).map(String.init)
            isRepeatable = words.hasSuffix(" …")
            if isRepeatable, parts.count == 2 { parts[1] = String(parts[1].dropLast(2)) }
            (name, value) = (parts[0], parts.count == 2 ? parts[1] : nil)
            (self.meaning, self.kind, self.isRequired) = (meaning, kind, isRequired)
        }

        func checked(_ text: String) throws -> String {
            guard case .oneOf(let words) = kind, !words.contains(text) else { return text }
            throw badValue(text, wanted: "one of " + words.joined(separator: ", "))
        }

        func badValue(_ text: String, wanted: String) -> UsageError {
            .badValue(text, of: name, wanted: wanted)
        }

        var words: String { [name, value].compactMap { $0 }.joined(separator: " ") }
    }

    var sentence: String { summary.prefix(1).uppercased() + summary.dropFirst() + "." }

    var rows: [(String, String)] {
        let command = takesCommand ? [("-- COMMAND …", "a command to run, with its arguments")] : []
        return operands.map { ($0.name, $0.meaning) } + options.map { ($0.words, $0.meaning) } + command
    }
}

enum Help {
    static func overview(of synopses: [Synopsis]) -> String {
        let subcommands = synopses.map { ($0.name, $0.summary) }
        let help = [("help", "show this text, or that of a subcommand: rewind help SUBCOMMAND")]
        return """
            Records the HTTP conversations of a test once, and replays them for ever after.

            USAGE: rewind <subcommand>

            SUBCOMMANDS:
            \(table(subcommands + help))

            OPTIONS:
            \(table([("--version", "show the version")]))

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

    /// The words of a subcommand, those that may be left out in brackets.
    static func words(of synopsis: Synopsis) -> [String] {
        let options = synopsis.options.map { option in
            (option.isRequired ? option.words : "[\(option.words)]") + (option.isRepeatable ? " …" : "")
        }
        let command = synopsis.takesCommand ? ["[-- COMMAND …]"] : []
        return [synopsis.name] + synopsis.operands.map(\.words) + options + command
    }

    private static func usage(of synopsis: Synopsis) -> String {
        let start = "USAGE: rewind"
        var lines = [start]
        for word in words(of: synopsis) {
            let line = lines[lines.count - 1] + " " + word
            if line.count <= lineLength {
                lines[lines.count - 1] = line
            } else {
                lines.append(String(repeating: " ", count: start.count + synopsis.name.count + 1) + " " + word)
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
