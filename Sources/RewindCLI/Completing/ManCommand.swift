import Rewind

/// `rewind man`: prints the manual page.
struct ManCommand: Subcommand {
    static let synopsis = Synopsis(
        name: "man",
        summary: "print the manual page, to be read by man or kept where man looks",
        examples: [
            "rewind man | man -l -", "rewind man > /usr/local/share/man/man1/rewind.1",
        ]
    )

    init(_ arguments: ParsedArguments) {}

    func run(in console: Console) async throws -> ExitStatus {
        console.print(ManualPage(CommandLineTool.subcommands.map { $0.synopsis }).text)
        return .success
    }
}
