/// One thing that the `rewind` command can do.
protocol Subcommand: Sendable {
    /// What its words may be, and what they mean.
    static var synopsis: Synopsis { get }

    init(_ arguments: ParsedArguments) throws

    func run(in console: Console) async throws -> ExitStatus
}

/// The words of a subcommand, from which they are parsed and its help is written.
struct Synopsis: Sendable {
    let name: String
    let summary: String
    var operands: [Operand] = []
    var options: [Option] = []
    /// Whether a command to run may follow `--`.
    var takesCommand = false
    var discussion = ""
    let examples: [String]

    /// What a word stands for, which a shell may complete.
    enum Value: Hashable, Sendable {
        case text, file, folder
        case oneOf([String])
    }

    /// A word that is no option.
    struct Operand: Sendable {
        let name: String
        let meaning: String
        var kind = Value.text
        var isRepeated = false
        /// Whether it may be left out; only the last may.
        var isOptional = false
    }

    /// A word that begins with two dashes.
    struct Option: Sendable {
        let name: String
        /// What its value is called; `nil` where it takes none.
        var value: String?
        let meaning: String
        var kind = Synopsis.Value.text
        var isRequired = false
        /// Whether it may be there several times, or hold several values with commas between them.
        var isRepeatable = false
    }

    /// The option of any that is served on a port.
    static let port = Option(
        name: "--port",
        value: "N",
        meaning: "the port to listen on; a free one by default"
    )
    /// The option of any that is served on an address.
    static let host = Option(
        name: "--host",
        value: "ADDRESS",
        meaning: "the IPv4 address to listen on; 127.0.0.1, which other machines cannot reach, by default"
    )
    /// The option of any that tells what it does.
    static let quiet = Option(name: "--quiet", meaning: "no line for each request, and no summary")
}

/// The texts that tell what the command can do.
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
        var parts = [
            synopsis.summary.prefix(1).uppercased() + synopsis.summary.dropFirst() + ".",
            usage(of: synopsis),
        ]
        var rows = synopsis.operands.map { ($0.name, $0.meaning) }
        rows += synopsis.options.map {
            ([$0.name, $0.value].compactMap { $0 }.joined(separator: " "), $0.meaning)
        }
        if synopsis.takesCommand { rows.append(("-- COMMAND …", "a command to run, with its arguments")) }
        if !rows.isEmpty { parts.append(table(rows)) }
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
        let operands = synopsis.operands.map { operand in
            let name = operand.isRepeated ? operand.name + " …" : operand.name
            return operand.isOptional ? "[\(name)]" : name
        }
        let options = synopsis.options.map { option in
            let text = [option.name, option.value].compactMap { $0 }.joined(separator: " ")
            return (option.isRequired ? text : "[\(text)]") + (option.isRepeatable ? " …" : "")
        }
        let command = synopsis.takesCommand ? ["[-- COMMAND …]"] : []
        return [synopsis.name] + operands + options + command
    }

    /// The words of a call, on as many lines as they need.
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
