import Rewind

/// `rewind completions`: prints what makes a shell complete the command's words.
struct CompletionsCommand: Subcommand {
    static let synopsis = Synopsis(
        name: "completions",
        summary: "print the script that makes a shell complete the words of this command",
        operands: [
            .init(
                name: "SHELL",
                meaning: "bash, zsh or fish",
                kind: .oneOf(CompletedShell.allCases.map(\.rawValue))
            )
        ],
        discussion: """
            Let bash read it in ~/.bashrc: source <(rewind completions bash). For zsh write it to the file _rewind of a
            folder in $fpath, and for fish to ~/.config/fish/completions/rewind.fish.
            """,
        examples: [
            "rewind completions bash > ~/.local/share/bash-completion/completions/rewind",
            "rewind completions fish > ~/.config/fish/completions/rewind.fish",
        ]
    )

    private let shell: CompletedShell

    init(_ arguments: ParsedArguments) throws {
        let name = arguments.operands[0]
        guard let shell = CompletedShell(rawValue: name) else {
            throw UsageError.badValue(name, of: "SHELL", wanted: "one of bash, zsh, fish")
        }
        self.shell = shell
    }

    func run(in console: Console) async throws -> ExitStatus {
        let synopses = CommandLineTool.subcommands.map { $0.synopsis }
        switch shell {
        case .bash: console.print(BashCompletions(synopses).script)
        case .zsh: console.print(ZshCompletions(synopses).script)
        case .fish: console.print(FishCompletions(synopses).script)
        }
        return .success
    }
}

/// A shell that completes the words of the command.
enum CompletedShell: String, CaseIterable {
    case bash, zsh, fish
}
