import Foundation

/// The `rewind` command: picks the subcommand and turns what it throws into a message and an exit status.
struct CommandLineTool {
    let arguments: [String]

    func run() async -> ExitStatus {
        do {
            return try await runSubcommand()
        } catch let error as UsageError {
            complain("\(error)\nRun `rewind help` to see what it can do.")
            return .usage
        } catch {
            complain("\(error)")
            return .failure
        }
    }

    private func runSubcommand() async throws -> ExitStatus {
        switch arguments.first {
        case nil, "help", "--help", "-h":
            print(Self.help)
            return .success
        case "--version":
            print("rewind 0.1.0")
            return .success
        case "demo":
            return try await DemoCommand(arguments: Array(arguments.dropFirst())).run()
        case .some(let name):
            throw UsageError.unknownSubcommand(name)
        }
    }

    private func complain(_ message: String) {
        FileHandle.standardError.write(Data("rewind: \(message)\n".utf8))
    }

    static let help = """
        Records the HTTP conversations of a test once, and replays them for ever after.

        USAGE: rewind <subcommand>

        SUBCOMMANDS:
          demo [--keep DIR]   record a conversation with a real server, stop the server,
                              replay the same code and compare every byte
          help                show this text

        OPTIONS:
          --version           show the version

        EXAMPLE:
          rewind demo --keep /tmp/rewind
        """
}

/// What the command ends with, in the numbers of sysexits.
enum ExitStatus: Int32 {
    /// All is well.
    case success = 0
    /// It found something, or could not do its work.
    case failure = 1
    /// The words of the call are off.
    case usage = 64
}

/// A call whose words are off.
enum UsageError: Error, CustomStringConvertible {
    case unknownSubcommand(String)
    case unknownOption(String)
    case missingValue(String)

    var description: String {
        switch self {
        case .unknownSubcommand(let name): "there is no subcommand `\(name)`."
        case .unknownOption(let name): "there is no option `\(name)`."
        case .missingValue(let name): "the option `\(name)` needs a value."
        }
    }
}
