import Foundation
import Rewind

struct DiffCommand: Subcommand {
    private static let ignore = Option(ComparedParts.option + " PART …", "leave out " + ComparedParts.words)
    private static let times = Option(
        "--times",
        "compare when it was recorded, how long it took and in what pieces it came, too"
    )
    private static let json = Option("--json", "print the differences as JSON")
    private static let stat = Option("--stat", "print only how many differ")
    private static let quiet = Option("--quiet", "print nothing")
    private static let git = Option(
        "--git",
        "take the words with which git calls an external diff, and always end with 0"
    )
    private static let textconv = Option(
        "--textconv",
        "print one cassette as a text that `git diff` compares well"
    )

    static let synopsis = Synopsis(
        name: "diff",
        summary: "tell in what two cassettes differ, by what they mean and not by line",
        operands: [
            .init("CASSETTE …", "the two files, in any formats that Rewind reads; `-` is standard input", .file)
        ],
        options: [ignore, times, json, stat, quiet, git, textconv],
        discussion: """
            Interactions belong together by method, URL and body, else by what comes nearest. + was added, - removed,
            ~ changed, and > moved. JSON is compared by path, forms by field, text by line, all else by its digest. The
            status is 0 where they are the same and 1 where they differ.

            With git:
              git difftool -y -x 'rewind diff' HEAD -- Cassettes
              GIT_EXTERNAL_DIFF='rewind diff --git' git diff -- '*.har'
            For any `git diff` to show cassettes as text, write `*.har diff=rewind` to .gitattributes, and run once:
              git config diff.rewind.textconv 'rewind diff --textconv'
            """,
        examples: [
            "rewind diff old.har new.har --ignore header:date,'$..updated_at'",
            "rewind diff old.har new.har --stat",
        ]
    )

    private enum Work {
        case compare(String, String)
        case git(GitWords)
        case textconv(String)
    }

    private enum Output { case text, json, counts, nothing }

    private let work: Work
    private let output: Output
    private let compared: ComparedParts

    init(_ arguments: ParsedArguments) throws {
        let operands = arguments.operands
        if arguments.has(Self.git) {
            guard let words = GitWords(operands) else { throw UsageError.missingOperand("a word of git") }
            work = .git(words)
        } else if arguments.has(Self.textconv) {
            if operands.count > 1 { throw UsageError.unexpectedOperand(operands[1]) }
            work = .textconv(operands[0])
        } else {
            guard operands.count > 1 else { throw UsageError.missingOperand("the second CASSETTE") }
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
        case .git(let words): return git(words, console)
        case .textconv(let word):
            textconv(word, console)
            return .success
        }
    }

    /// Prints the differences, and returns whether there are none.
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
        case .json: console.print(VisibleText.json(DiffJSON.value(difference, names.0, names.1)))
        case .text:
            let isGit = if case .git = work { true } else { false }
            let text = DiffText(style: console.style)
            var lines = text.lines(difference)
            if isGit || !difference.isEmpty { lines = text.heading(names.0, names.1) + lines }
            // git calls for one file after the other.
            if isGit { lines.append("") }
            console.print(lines.joined(separator: "\n"))
        }
        return difference.isEmpty
    }

    /// Does what git asks for, which takes any status but 0 as a reason to stop.
    private func git(_ words: GitWords, _ console: Console) -> ExitStatus {
        guard let old = words.old, let new = words.new else {
            console.print("* Unmerged path \(words.path)")
            return .success
        }
        do {
            _ = try compare(old, new, words.names, console)
        } catch {
            console.complain(error)
        }
        return .success
    }

    /// Prints a cassette; one that cannot be read is printed as it is, so that git can go on.
    private func textconv(_ word: String, _ console: Console) {
        do {
            console.write(Data(CassetteText.of(try DiffedCassette(word).withNamesOfBodies()).utf8))
        } catch {
            console.complain(error)
            if case .file(let url) = CassetteInput(word), let data = try? Data(contentsOf: url) {
                console.write(data)
            }
        }
    }
}

/// The words with which git calls a program in place of its own diff (gitdiffcore, `GIT_EXTERNAL_DIFF`).
struct GitWords: Hashable, Sendable {
    let path: String
    /// The files with the content before and after; `nil` where the path is unmerged.
    let old: String?
    let new: String?
    let newPath: String

    /// Reads the words: path, old file, its digest and mode, new file, its digest and mode, and for a renaming the new path
    /// and what git says of it; an unmerged path has no other word.
    init?(_ words: [String]) {
        guard let path = words.first, [1, 7, 8, 9].contains(words.count) else { return nil }
        self.path = path
        old = words.count > 1 ? words[1] : nil
        new = words.count > 1 ? words[4] : nil
        newPath = words.count > 7 ? words[7] : path
    }

    /// The names above a diff, as git has them.
    var names: (old: String, new: String) {
        (old == "/dev/null" ? "/dev/null" : "a/\(path)", new == "/dev/null" ? "/dev/null" : "b/\(newPath)")
    }
}
