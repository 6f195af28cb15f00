import Foundation
import RewindTestSupport
import Testing

@testable import RewindCLI

struct CompletionsTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        for shell in ["bash", "zsh", "fish"] {
            let run = try CommandRun(["completions", shell], in: folder.url)
            try run.data.write(to: folder["script." + shell])
        }
        let cassettes = folder["Cassettes"]
        try FileManager.default.createDirectory(at: cassettes, withIntermediateDirectories: true)
        try Data().write(to: folder["a talk.har"])
    }

    private func run(_ shell: String, _ arguments: [String]) throws -> ChildProcess {
        let environment = ["HOME": folder.url.path, "XDG_CONFIG_HOME": folder.url.path]
        return try ChildProcess(
            URL(fileURLWithPath: "/usr/bin/env"),
            [shell] + arguments,
            environment: environment,
            directory: folder.url
        )
    }

    static let hasZsh = ChildProcess.isInstalled("zsh")
    static let hasFish = ChildProcess.isInstalled("fish")

    /// The completions of bash for the last word of a command line.
    private func bash(_ words: String...) throws -> [String] {
        let list = words.map(ShellWord.quoted).joined(separator: " ")
        let script = """
            source script.bash; COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1)
            _rewind && printf '%s\\n' "${COMPREPLY[@]}"
            """
        return try run("bash", ["-c", script]).output.split(separator: "\n").map(String.init)
    }

    @Test("bash completes subcommands, options, choices, files and folders")
    func bashCompletes() throws {
        #expect(try bash("rewind", "pru") == ["prune"])
        #expect(
            try Set(bash("rewind", ""))
                == Set(
                    CommandLineTool.subcommands.map { $0.synopsis.name } + ["help", "--help", "--version"]
                )
        )
        #expect(try bash("rewind", "help", "conv") == ["convert"])
        #expect(try bash("rewind", "prune", "--") == ["--manifest", "--only", "--apply", "--help"])
        #expect(try bash("rewind", "prune", "--only", "") == ["cassettes", "interactions"])
        #expect(try bash("rewind", "prune", "--only", "i") == ["interactions"])
        #expect(try bash("rewind", "convert", "--to", "=", "d") == ["dvr"])
        #expect(try bash("rewind", "convert", "--to", "=") == ["har", "dvr", "vcr"])
        #expect(try bash("rewind", "completions", "f") == ["fish"])
        #expect(try bash("rewind", "completions", "fish", "") == [])
        #expect(try bash("rewind", "redact", "a") == ["a talk.har"])
        #expect(try bash("rewind", "redact", "one", "--check", "a") == ["a talk.har"])
        #expect(try bash("rewind", "prune", "") == ["Cassettes"])
        #expect(try bash("rewind", "prune", "--manifest", "x", "--apply", "C") == ["Cassettes"])
        #expect(try bash("rewind", "prune", "--only", "cassettes", "Cassettes", "") == [])
        #expect(try bash("rewind", "serve", "--port", "") == [])
        #expect(try bash("rewind", "record", "http://h", "--", "bas").contains("bash"))
        #expect(try bash("rewind", "nonsense", "") == [])
    }

    @Test("zsh loads the script and completes a choice", .enabled(if: hasZsh, "needs zsh: apt-get install zsh"))
    func zshCompletes() throws {
        #expect(try run("zsh", ["-n", "script.zsh"]).output.isEmpty)
        let loaded = try run(
            "zsh",
            ["-fc", "autoload -U compinit; compinit -u -D; source ./script.zsh; print $_comps[rewind]"]
        )
        #expect(loaded.output == "_rewind\n")
        // A pseudo-terminal in which Tab is pressed.
        let script = """
            zmodload zsh/zpty
            zpty shell zsh -fi
            zpty -w shell 'PS1=; autoload -U compinit; compinit -u -D; source ./script.zsh; echo re""ady'
            zpty -r -m shell line '*ready*'
            zpty -w -n shell $'rewind prune --only=int\t'
            zpty -r -m shell line '*interactions*' && print found
            zpty -d shell
            """
        #expect(try run("timeout", ["20", "zsh", "-fc", script]).output == "found\n")
    }

    @Test(
        "fish completes subcommands, options, choices, files and folders",
        .enabled(if: hasFish, "needs fish: apt-get install fish, or brew install fish")
    )
    func fishCompletes() throws {
        #expect(try run("fish", ["-n", "script.fish"]).output.isEmpty)
        func complete(_ line: String) throws -> [String] {
            try run("fish", ["-c", "source script.fish; complete -C \(ShellWord.quoted(line))"]).output
                .split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
        }
        #expect(try complete("rewind pru") == ["prune"])
        #expect(try complete("rewind prune --only ") == ["cassettes", "interactions"])
        #expect(try complete("rewind convert --to=d").contains { $0.hasSuffix("dvr") })
        #expect(try complete("rewind completions ") == ["bash", "fish", "zsh"])
        #expect(try complete("rewind prune --ap") == ["--apply"])
        #expect(try complete("rewind prune ").contains("Cassettes/"))
        #expect(try complete("rewind redact a").contains { $0.contains("talk.har") })
        #expect(try complete("rewind help conv") == ["convert"])
    }

    @Test("An unknown shell is a usage error that lists the known ones")
    func rejectsUnknownShell() throws {
        let run = try CommandRun(["completions", "tcsh"], in: folder.url)
        #expect(run.status == 64)
        #expect(run.errorOutput.contains("one of bash, zsh, fish"))
    }
}
