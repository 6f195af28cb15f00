/// The script for fish.
struct FishCompletions {
    private let synopses: [Synopsis]

    init(_ synopses: [Synopsis]) {
        self.synopses = synopses
    }

    /// The script.
    var script: String {
        var lines = ["# Completes the words of `rewind` in fish.", "complete -c rewind -f"]
        let entries = synopses.map { ($0.name, $0.summary) } + [("help", "show what the command can do")]
        lines += entries.map { name, summary in
            "complete -c rewind -n __fish_use_subcommand -a \(name) -d \(ShellWord.quoted(summary))"
        }
        lines.append("complete -c rewind -n __fish_use_subcommand -l version -d 'show the version'")
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
        lines.append("\(start) -l help -d 'show what this does'")
        // Fish knows no first and second operand, so that each kind is there for all.
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
