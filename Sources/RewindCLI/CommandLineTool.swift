import Foundation

/// The `rewind` command. It runs a subcommand and turns an error into a message and an exit status.
@main
struct CommandLineTool: Sendable {
    private let arguments: [String]
    private let console = Console.process

    static func main() async {
        exit(await CommandLineTool(arguments: Array(CommandLine.arguments.dropFirst())).run().code)
    }

    /// The subcommands, in the order of the help.
    static let subcommands: [any Subcommand.Type] = [
        DemoCommand.self, ListCommand.self, ShowCommand.self, DiffCommand.self, VerifyCommand.self,
        LintCommand.self, PruneCommand.self, ConvertCommand.self, RedactCommand.self, SweepCommand.self,
        RecordCommand.self, ServeCommand.self, CompletionsCommand.self, ManCommand.self,
    ]

    static let version = "0.1.0"

    static var overview: String { Help.overview(of: subcommands.map { $0.synopsis }) }

    func run() async -> ExitStatus {
        do {
            return try await runSubcommand()
        } catch let error as UsageError {
            let topic = Self.subcommands.first { $0.synopsis.name == arguments.first }?.synopsis.name
            console.printError("\(error)\n  Run 'rewind help\(topic.map { " " + $0 } ?? "")' for usage.")
            return .usage
        } catch {
            console.printError(error)
            return ExitStatus(of: error)
        }
    }

    private func runSubcommand() async throws -> ExitStatus {
        let rest = Array(arguments.dropFirst())
        switch arguments.first {
        case nil, "--help", "-h":
            console.print(Self.overview)
            return .success
        case "help":
            console.print(
                try rest.first.map { Help.of(try Self.knownSubcommand(named: $0).synopsis) } ?? Self.overview
            )
            return .success
        case "--version":
            console.print("rewind \(Self.version)")
            return .success
        case .some(let name):
            let subcommand = try Self.knownSubcommand(named: name)
            if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
                console.print(Help.of(subcommand.synopsis))
                return .success
            }
            return try await run(subcommand, rest)
        }
    }

    private func run<Command: Subcommand>(_ type: Command.Type, _ arguments: [String]) async throws
        -> ExitStatus
    {
        try await Command(ParsedArguments(arguments, of: Command.synopsis)).run(in: console)
    }

    private static func knownSubcommand(named name: String) throws -> any Subcommand.Type {
        if let subcommand = subcommands.first(where: { $0.synopsis.name == name }) { return subcommand }
        let names = subcommands.map { $0.synopsis.name }
        throw UsageError.unknownSubcommand(name, nearest: NearestName.of(name, among: names))
    }
}
