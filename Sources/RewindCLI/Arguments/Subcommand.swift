/// One thing that the `rewind` command can do.
protocol Subcommand: Sendable {
    /// What its words may be, and what they mean.
    static var synopsis: Synopsis { get }

    /// Takes its words.
    /// - Throws: ``UsageError`` when one of them means nothing.
    init(_ arguments: ParsedArguments) throws

    /// Does it.
    func run(in console: Console) async throws -> ExitStatus
}

/// The words of a subcommand, from which they are parsed and its help is written.
struct Synopsis: Sendable {
    /// Its name.
    let name: String
    /// What it does, in a line.
    let summary: String
    /// The words that are no options, in order.
    var operands: [Operand] = []
    /// The options.
    var options: [Option] = []
    /// Whether a command to run may follow `--`.
    var takesCommand = false
    /// More about it, for its own help.
    var discussion = ""
    /// Calls that show what it is for.
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
