/// The completion script for bash. It works with version 3.2, which macOS includes.
enum BashCompletions {
    static func script(_ synopses: [Synopsis]) -> String {
        let names = synopses.map(\.name).joined(separator: " ")
        return """
            # Completes `rewind` in bash.
            _rewind() {
                local word="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"
                local kind='' options='' valued='' repeats='' takes_command='' before='' index count=0
                local -a operands=()
                # bash treats the equals sign between an option and its value as a word.
                [[ $word == '=' ]] && word=''
                [[ $previous == '=' ]] && previous="${COMP_WORDS[COMP_CWORD-2]}"
                COMPREPLY=()
                if (( COMP_CWORD == 1 )); then
                    COMPREPLY=($(compgen -W '\(names) help --help --version' -- "$word"))
                    return
                fi
                case "${COMP_WORDS[1]}" in
                    help) operands=('\(names)') ;;
            \(synopses.map(subcommand).joined(separator: "\n"))
                esac
                case "${COMP_WORDS[1]} $previous" in
            \(synopses.flatMap(values).joined(separator: "\n"))
                esac
            \(operand)
                if [[ -z $kind && $word == -* ]]; then
                    COMPREPLY=($(compgen -W "$options --help" -- "$word"))
                    return
                fi
                [[ -z $kind ]] && kind="${operands[count]}"
                local IFS=$'\\n'
                case "$kind" in
                    text | '') ;;
                    file) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$word")) ;;
                    folder) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$word")) ;;
                    command) COMPREPLY=($(compgen -c -f -- "$word")) ;;
                    *) IFS=$' \\n'; COMPREPLY=($(compgen -W "$kind" -- "$word")) ;;
                esac
            }
            complete -F _rewind rewind
            """
    }

    /// Counts the operands before the word, which are neither options nor values of options.
    private static let operand = #"""
            for (( index = 2; index < COMP_CWORD; index++ )); do
                case "${COMP_WORDS[index]}" in
                    --) [[ -n $takes_command ]] && kind='command' && break ;;
                    '=' | -?*) ;;
                    *)
                        before="${COMP_WORDS[index-1]}"
                        [[ $before == '=' ]] && before="${COMP_WORDS[index-2]}"
                        [[ $valued == *" $before "* ]] || (( count++ ))
                        ;;
                esac
            done
            (( count >= ${#operands[@]} )) && [[ -n $repeats ]] && count=$(( ${#operands[@]} - 1 ))
        """#

    private static func subcommand(_ synopsis: Synopsis) -> String {
        let valued = synopsis.options.filter { $0.value != nil }.map(\.name)
        var parts = ["options='\(synopsis.options.map(\.name).joined(separator: " "))'"]
        if !valued.isEmpty { parts.append("valued=' \(valued.joined(separator: " ")) '") }
        let operands = synopsis.operands.map { "'\(kind($0.kind))'" }.joined(separator: " ")
        parts.append("operands=(\(operands))")
        if synopsis.operands.last?.isRepeated == true { parts.append("repeats=yes") }
        if synopsis.takesCommand { parts.append("takes_command=yes") }
        return (["        \(synopsis.name))"] + parts.map { "            " + $0 } + ["            ;;"])
            .joined(separator: "\n")
    }

    private static func values(_ synopsis: Synopsis) -> [String] {
        synopsis.options.filter { $0.value != nil }.map { option in
            "        '\(synopsis.name) \(option.name)') kind='\(kind(option.kind))' ;;"
        }
    }

    private static func kind(_ value: Synopsis.Value) -> String {
        switch value {
        case .text: "text"
        case .file: "file"
        case .folder: "folder"
        case .oneOf(let words): words.joined(separator: " ")
        }
    }
}
