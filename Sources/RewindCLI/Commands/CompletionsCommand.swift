import Rewind

struct CompletionsCommand: Subcommand {
    private static let shells: [(name: String, script: @Sendable ([Synopsis]) -> String)] = [
        ("bash", BashCompletions.script), ("zsh", ZshCompletions.script), ("fish", FishCompletions.script),
    ]

    static let synopsis = Synopsis(
        name: "completions",
        summary: "print a completion script for a shell",
        operands: [.init("SHELL", "bash, zsh or fish", .oneOf(shells.map(\.name)))],
        discussion: """
            bash: add `source <(rewind completions bash)` to ~/.bashrc.
            zsh:  write the script to a file named _rewind in a folder of $fpath.
            fish: write the script to ~/.config/fish/completions/rewind.fish.
            """,
        examples: [
            "rewind completions bash > ~/.local/share/bash-completion/completions/rewind",
            "rewind completions fish > ~/.config/fish/completions/rewind.fish",
        ]
    )

    private let script: @Sendable ([Synopsis]) -> String

    init(_ arguments: ParsedArguments) throws {
        let name = arguments.operands[0]
        guard let shell = Self.shells.first(where: { $0.name == name }) else {
            throw UsageError.invalidValue(name, of: "SHELL", expected: "one of bash, zsh, fish")
        }
        script = shell.script
    }

    func run(in console: Console) async throws -> ExitStatus {
        console.print(script(CommandLineTool.subcommands.map { $0.synopsis }))
        return .success
    }
}

private enum ZshCompletions {
    static func script(_ synopses: [Synopsis]) -> String {
        let entries = synopses.map { ($0.name, $0.summary) } + [("help", "show the help of a subcommand")]
        let names = entries.map { name, summary in "                \(ShellWord.quoted("\(name):\(summary)"))" }
        return """
            #compdef rewind
            # Completes `rewind` in zsh.
            _rewind() {
                local curcontext="$curcontext" state line
                typeset -A opt_args
                _arguments -C '(- *)--version[print the version]' '(- *)--help[show the help]' \\
                    '1: :->subcommand' '*:: :->words'
                case $state in
                    subcommand)
                        local -a subcommands=(
            \(names.joined(separator: "\n"))
                        )
                        _describe subcommand subcommands
                        ;;
                    words)
                        case $words[1] in
                            help) _arguments '1:SUBCOMMAND:(\(synopses.map(\.name).joined(separator: " ")))' ;;
            \(synopses.map(subcommand).joined(separator: "\n"))
                        esac
                        ;;
                esac
            }
            if [[ $funcstack[1] == _rewind ]]; then _rewind "$@"; else compdef _rewind rewind; fi
            """
    }

    private static func subcommand(_ synopsis: Synopsis) -> String {
        var specifications = synopsis.options.map { option in
            let start = option.isRepeatable ? "*" : ""
            guard let value = option.value else { return "\(start)\(option.name)[\(plain(option.meaning))]" }
            return "\(start)\(option.name)=[\(plain(option.meaning))]:\(plain(value)):\(action(option.kind))"
        }
        specifications.append("(- *)--help[show the help of this subcommand]")
        for (position, operand) in synopsis.operands.enumerated() {
            let start = operand.isRepeated ? "*" : String(position + 1)
            specifications.append("\(start):\(plain(operand.name)):\(action(operand.kind))")
        }
        let lines = specifications.map { "                        " + ShellWord.quoted($0) }
        return
            (["                \(synopsis.name))", "                    _arguments \\"]
            + [lines.joined(separator: " \\\n"), "                    ;;"]).joined(separator: "\n")
    }

    private static func action(_ value: Synopsis.Value) -> String {
        switch value {
        case .text: " "
        case .file: "_files"
        case .folder: "_files -/"
        case .oneOf(let words): "(\(words.joined(separator: " ")))"
        }
    }

    /// Text without the characters that are special in a specification of `_arguments`.
    private static func plain(_ text: String) -> String {
        text.replacing(":", with: #"\:"#).replacing("[", with: "(").replacing("]", with: ")")
    }
}

private enum FishCompletions {
    static func script(_ synopses: [Synopsis]) -> String {
        var lines = ["# Completes `rewind` in fish.", "complete -c rewind -f"]
        let entries = synopses.map { ($0.name, $0.summary) } + [("help", "show the help of a subcommand")]
        lines += entries.map { name, summary in
            "complete -c rewind -n __fish_use_subcommand -a \(name) -d \(ShellWord.quoted(summary))"
        }
        lines.append("complete -c rewind -n __fish_use_subcommand -l version -d 'print the version'")
        let names = synopses.map(\.name).joined(separator: " ")
        lines.append("complete -c rewind -n '__fish_seen_subcommand_from help' -a \(ShellWord.quoted(names))")
        for synopsis in synopses { lines += Self.lines(of: synopsis) }
        return lines.joined(separator: "\n")
    }

    private static func lines(of synopsis: Synopsis) -> [String] {
        let start = "complete -c rewind -n '__fish_seen_subcommand_from \(synopsis.name)'"
        var lines = synopsis.options.map { option in
            let value = option.value == nil ? "" : value(option.kind)
            return "\(start) -l \(option.name.dropFirst(2))\(value) -d \(ShellWord.quoted(option.meaning))"
        }
        lines.append("\(start) -l help -d 'show the help of this subcommand'")
        // fish has no positions of operands, so every kind is offered for all of them.
        for operand in synopsis.operands where operand.kind != .text {
            switch operand.kind {
            case .text: break
            case .file: lines.append("\(start) -F")
            case .folder: lines.append("\(start) -a '(__fish_complete_directories)'")
            case .oneOf(let words):
                lines.append("\(start) -a \(ShellWord.quoted(words.joined(separator: " ")))")
            }
        }
        return lines
    }

    private static func value(_ kind: Synopsis.Value) -> String {
        switch kind {
        case .text: " -x"
        case .file: " -r -F"
        case .folder: " -x -a '(__fish_complete_directories)'"
        case .oneOf(let words): " -x -a \(ShellWord.quoted(words.joined(separator: " ")))"
        }
    }
}
