/// The script for zsh.
struct ZshCompletions {
    private let synopses: [Synopsis]

    init(_ synopses: [Synopsis]) {
        self.synopses = synopses
    }

    /// The script.
    var script: String {
        let entries = synopses.map { ($0.name, $0.summary) } + [("help", "show what the command can do")]
        let names = entries.map { name, summary in "                \(ShellWord.quoted("\(name):\(summary)"))" }
        return """
            #compdef rewind
            # Completes the words of `rewind` in zsh.
            _rewind() {
                local curcontext="$curcontext" state line
                typeset -A opt_args
                _arguments -C '(- *)--version[show the version]' '(- *)--help[show what there is]' \\
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
            \(synopses.map(Self.subcommand).joined(separator: "\n"))
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
        specifications.append("(- *)--help[show what this does]")
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

    /// A text without what has a meaning in a specification of `_arguments`.
    private static func plain(_ text: String) -> String {
        text.replacing(":", with: #"\:"#).replacing("[", with: "(").replacing("]", with: ")")
    }
}
