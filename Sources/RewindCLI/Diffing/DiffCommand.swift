import Foundation
import Rewind

struct DiffCommand: Subcommand {
    private static let ignore = Option(ComparedParts.option + " PART …", "ignore " + ComparedParts.partNames)
    private static let times = Option(
        "--times",
        "also compare recording dates, durations and chunks"
    )
    private static let json = Option("--json", "print JSON")
    private static let stat = Option("--stat", "print only the number of changes")
    private static let quiet = Option("--quiet", "print nothing; use the exit status")
    private static let git = Option(
        "--git",
        "accept the arguments of GIT_EXTERNAL_DIFF, and exit with 0"
    )
    private static let textconv = Option(
        "--textconv",
        "print one cassette as text for `git diff`"
    )

    static let synopsis = Synopsis(
        name: "diff",
        summary: "show how two cassettes differ, by content and not by line",
        operands: [
            .init("CASSETTE …", "two cassettes in any format that Rewind reads; `-` is standard input", .file)
        ],
        options: [ignore, times, json, stat, quiet, git, textconv],
        discussion: """
            Interactions are paired by method, URL and body, or else by similarity. + means added, - removed, ~ changed
            and > moved. JSON is compared by path, forms by field, text by line, and other bodies by digest. The exit
            status is 0 if the cassettes are equal and 1 if they differ.

            To use it with git:
              git difftool -y -x 'rewind diff' HEAD -- Cassettes
              GIT_EXTERNAL_DIFF='rewind diff --git' git diff -- '*.har'
            To show cassettes as text in every `git diff`, add `*.har diff=rewind` to .gitattributes and run once:
              git config diff.rewind.textconv 'rewind diff --textconv'
            """,
        examples: [
            "rewind diff old.har new.har --ignore header:date,'$..updated_at'",
            "rewind diff old.har new.har --stat",
        ]
    )

    private enum Work {
        case compare(String, String)
        case git(GitArguments)
        case textconv(String)
    }

    private enum Output { case text, json, counts, nothing }

    private let work: Work
    private let output: Output
    private let compared: ComparedParts

    init(_ arguments: ParsedArguments) throws {
        let operands = arguments.operands
        if arguments.has(Self.git) {
            guard let arguments = GitArguments(operands) else {
                throw UsageError.gitArguments(count: operands.count)
            }
            work = .git(arguments)
        } else if arguments.has(Self.textconv) {
            if operands.count > 1 { throw UsageError.unexpectedOperand(operands[1]) }
            work = .textconv(operands[0])
        } else {
            guard operands.count > 1 else {
                throw UsageError.missingOperand("CASSETTE", note: "two cassettes are needed")
            }
            if operands.count > 2 { throw UsageError.unexpectedOperand(operands[2]) }
            if operands == ["-", "-"] { throw UsageError.unexpectedOperand("-") }
            work = .compare(operands[0], operands[1])
        }
        let outputs: [(Option, Output)] = [(Self.quiet, .nothing), (Self.stat, .counts), (Self.json, .json)]
        output = outputs.first { arguments.has($0.0) }?.1 ?? .text
        compared = try ComparedParts(ignoring: arguments.list(Self.ignore), hasTimes: arguments.has(Self.times))
    }

    func run(in console: Console) async throws -> ExitStatus {
        switch work {
        case .compare(let left, let right):
            let names = (CassetteInput(left).path, CassetteInput(right).path)
            return try compare(left, right, names, console) ? .success : .failure
        case .git(let arguments): return git(arguments, console)
        case .textconv(let operand):
            textconv(operand, console)
            return .success
        }
    }

    /// Prints the differences and returns `true` if there are none.
    private func compare(_ left: String, _ right: String, _ names: (String, String), _ console: Console) throws
        -> Bool
    {
        let cassette = try DiffedCassette(left, named: names.0)
        let other = try DiffedCassette(right, named: names.1)
        let isByName = cassette.lacksBodies || other.lacksBodies
        let difference = CassetteDifference(
            isByName ? try cassette.withNamesOfBodies() : cassette.interactions,
            isByName ? try other.withNamesOfBodies() : other.interactions,
            compared
        )
        switch output {
        case .nothing: break
        case .counts: console.print(difference.summary)
        case .json: console.printContent(VisibleText.json(DiffJSON.value(difference, names.0, names.1)))
        case .text:
            let isGit = if case .git = work { true } else { false }
            let text = DiffText(style: console.style)
            var lines = text.lines(difference)
            if isGit || !difference.isEmpty { lines = text.heading(names.0, names.1) + lines }
            // git runs the command once for each file, so the output ends with an empty line.
            if isGit { lines.append("") }
            console.printContent(lines.joined(separator: "\n"))
        }
        return difference.isEmpty
    }

    /// Compares two versions for git, which stops if the exit status is not 0.
    private func git(_ arguments: GitArguments, _ console: Console) -> ExitStatus {
        guard let old = arguments.old, let new = arguments.new else {
            console.print("* Unmerged path \(arguments.path)")
            return .success
        }
        do {
            _ = try compare(old, new, arguments.names, console)
        } catch {
            console.printError(error)
        }
        return .success
    }

    /// Prints a cassette as text. An unreadable file is printed unchanged, because git stops if the command fails.
    private func textconv(_ operand: String, _ console: Console) {
        do {
            console.write(Data(CassetteText.of(try DiffedCassette(operand).withNamesOfBodies()).utf8))
        } catch {
            console.printError(error)
            if case .file(let url) = CassetteInput(operand), let data = try? Data(contentsOf: url) {
                console.write(data)
            }
        }
    }
}

/// The arguments that git passes to an external diff program (git(1), `GIT_EXTERNAL_DIFF`).
struct GitArguments: Hashable, Sendable {
    let path: String
    /// The files with the old and the new content; `nil` if the path is unmerged.
    let old: String?
    let new: String?
    let newPath: String

    /// Reads the arguments: path, old file with its hash and mode, new file with its hash and mode, and after a rename the
    /// new path and git's description. For an unmerged path, the path is the only argument.
    init?(_ arguments: [String]) {
        guard let path = arguments.first, [1, 7, 8, 9].contains(arguments.count) else { return nil }
        self.path = path
        old = arguments.count > 1 ? arguments[1] : nil
        new = arguments.count > 1 ? arguments[4] : nil
        newPath = arguments.count > 7 ? arguments[7] : path
    }

    /// The names in the heading of a diff, in the style of git.
    var names: (old: String, new: String) {
        (old == "/dev/null" ? "/dev/null" : "a/\(path)", new == "/dev/null" ? "/dev/null" : "b/\(newPath)")
    }
}
