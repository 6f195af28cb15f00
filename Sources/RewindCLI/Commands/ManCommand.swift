import Rewind

struct ManCommand: Subcommand {
    static let synopsis = Synopsis(
        name: "man",
        summary: "print the manual page",
        examples: ["rewind man | man -l -", "rewind man > /usr/local/share/man/man1/rewind.1"]
    )

    init(_ arguments: ParsedArguments) {}

    func run(in console: Console) async throws -> ExitStatus {
        console.print(ManualPage.text(CommandLineTool.subcommands.map { $0.synopsis }))
        return .success
    }
}

/// The manual page, in the macros of man(7).
private enum ManualPage {
    static func text(_ synopses: [Synopsis]) -> String {
        var lines = [
            #".TH REWIND 1 "" "rewind \#(CommandLineTool.version)" "User Commands""#,
            ".SH NAME",
            Roff.escaped("rewind") + #" \- "#
                + Roff.escaped("record and replay the HTTP traffic of tests"),
            ".SH SYNOPSIS", #".B rewind"#, #".I SUBCOMMAND"#, #"\&..."#,
            ".SH DESCRIPTION",
            Roff.escaped("Rewind records a test's HTTP traffic once and replays it on every later run."),
            Roff.escaped(
                "This command lists, checks, compares and edits cassettes, and serves them to any HTTP client."
            ),
            ".SH SUBCOMMANDS",
        ]
        for synopsis in synopses { lines += section(of: synopsis) }
        lines.append(".SH EXIT STATUS")
        lines += statuses.flatMap(entry)
        lines.append(".SH ENVIRONMENT")
        lines += variables.flatMap(entry)
        return lines.joined(separator: "\n")
    }

    private static let statuses = [
        ("0", "Success."),
        ("1", "The subcommand found a problem or a difference, or failed."),
        ("64", "Invalid arguments."),
        ("65", "A cassette or a manifest cannot be read."),
    ]

    private static let variables = [
        (
            "REWIND_CASSETTES",
            "The folder of the cassettes; default: Cassettes in the root folder of the project."
        ),
        ("REWIND_MANIFEST", "The file in which a test run lists what it played, for rewind prune."),
        ("NO_COLOR", "If set, the output has no colors."),
    ]

    private static func section(of synopsis: Synopsis) -> [String] {
        var lines = [".SS " + Roff.escaped(Help.usageParts(of: synopsis).joined(separator: " "))]
        lines.append(Roff.escaped(synopsis.sentence))
        lines += synopsis.rows.flatMap(entry)
        if !synopsis.discussion.isEmpty {
            lines.append(".PP")
            lines += synopsis.discussion.split(separator: "\n").map { Roff.escaped(String($0)) }
        }
        if !synopsis.examples.isEmpty {
            lines += [".PP", synopsis.examples.count == 1 ? "Example:" : "Examples:", ".RS", ".nf"]
            lines += synopsis.examples.map(Roff.escaped)
            lines += [".fi", ".RE"]
        }
        return lines
    }

    private static func entry(_ term: String, _ meaning: String) -> [String] {
        [".TP", ".B " + Roff.escaped(term), Roff.escaped(meaning)]
    }
}

enum Roff {
    /// Escapes every character that is special in roff.
    static func escaped(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": #"\e"#
            case "-": #"\-"#
            case "'": #"\(aq"#
            case "`": #"\(ga"#
            case "\"": #"\(dq"#
            case "~": #"\(ti"#
            case "^": #"\(ha"#
            default: scalar.isASCII ? String(scalar) : #"\[u"# + String.hexadecimal(scalar) + "]"
            }
        }.joined()
        // A line that begins with a dot would be a roff request.
        return escaped.hasPrefix(".") ? #"\&"# + escaped : escaped
    }
}
