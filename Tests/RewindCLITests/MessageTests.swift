import Foundation
import Rewind
import RewindTestSupport
import Testing

@testable import RewindCLI

/// The messages of the command that no other golden file contains: errors and short results.
struct MessageTests {
    private typealias Samples = CassetteSamples

    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        try folder["talk.har"].record(Samples.interaction("/a"), Samples.failed("/b"))
        try folder["empty.har"].record()
        for name in ["one", "two"] { try makeFolder("many/\(name)") }
        for name in ["one", "two"] {
            try folder["many/\(name)/talk.har"].record(Samples.interaction("/\(name)"))
        }
        try makeFolder("Cassettes")
    }

    private func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(at: folder[name], withIntermediateDirectories: true)
    }

    /// Runs command lines, and returns them with their output and exit status. `'` quotes an argument.
    private func transcript(_ lines: [String], environment: [String: String] = [:]) throws -> String {
        try lines.map { line in
            let parts = line.split(separator: "'", omittingEmptySubsequences: false)
            let arguments = parts.enumerated().flatMap { index, part in
                index.isMultiple(of: 2) ? part.split(separator: " ").map(String.init) : [String(part)]
            }
            let run = try CommandRun(arguments, environment: environment, in: folder.url)
            let text = (run.output + run.errorOutput).replacingOccurrences(of: folder.url.path, with: "FOLDER")
                .replacing(#/rewind-[0-9A-F-]{36}/#, with: "rewind-UUID")
            return "$ rewind \(line)\n\(text)[exit status \(run.status)]\n"
        }.joined(separator: "\n")
    }

    @Test("Every usage error is in the golden file")
    func usageErrors() throws {
        let lines = [
            "dmo", "frobnicate", "help dmo", "demo --kep", "list --long", "demo --keep", "list --json=yes",
            "list --sort name --sort age", "list a b", "list --sort colour", "show", "show talk.har 0",
            "show talk.har 7", "show talk.har x", "show empty.har 1", "show talk.har --json --curl",
            "diff talk.har", "diff - -", "diff a b c", "diff --git a b", "diff talk.har talk.har --ignore date",
            "diff talk.har talk.har --ignore '$['", "diff --textconv a b", "verify talk.har --jobs 0",
            "verify talk.har --timeout soon", "verify talk.har --base-url api.example.com",
            "verify talk.har --header s3cret", "verify talk.har --secret UNSET", "lint --ignore secrets",
            "lint --format xml", "lint --max-age soon", "lint --max-body 1TB", "prune",
            "prune --only all --manifest m",
            "convert talk.har", "convert talk.har --to xml", "convert many --to dvr --output one.json",
            "convert many --to dvr --output -", "redact many", "redact - --in-place",
            "redact talk.har --value-env UNSET", "redact talk.har --redact 'path:$['", "record http://a",
            "record http://a --casette b", "record http://a --cassette b --",
            "record http://a --cassette b --port 65536",
            "serve", "serve talk.har --timing fast", "completions tcsh",
        ]
        try expectGolden(try transcript(lines), "messages/usage-errors.txt")
    }

    #if os(Linux)
        private static let hasLinuxErrors = true
    #else
        private static let hasLinuxErrors = false
    #endif

    @Test(
        "Every other error is in the golden file",
        .enabled(if: hasLinuxErrors, "the text of system errors depends on the platform")
    )
    func errors() throws {
        try Data("{".utf8).write(to: folder["broken.har"])
        try Data("hello".utf8).write(to: folder["other.txt"])
        try Data().write(to: folder["nothing.har"])
        try Data("http_interactions: []\nrecorded_with: VCR 6.0.0\n".utf8).write(to: folder["vcr.yml"])
        let yaml = """
            http_interactions:
            - request: {method: get, uri: "https://h/a?access_token=4f9a7c21e0b84d5f", body: {string: ""}, headers: {}}
              response: {status: {code: 200, message: OK}, headers: {}, body: {string: "1"}}
            recorded_with: VCR 6.0.0

            """
        try Data(yaml.utf8).write(to: folder["secret.yml"])
        try folder["exists.har"].record(Samples.interaction("/a"))
        try Data().write(to: folder["exists.json"])
        try folder["key.har"].record(Samples.interaction("/a", [:], "ghp_16C7e42F292c6912E7710c838347Ae178B4a"))
        let conflict = "{\"log\": {\n<<<<<<< HEAD\n=======\n>>>>>>> other\n}}"
        try Data(conflict.utf8).write(to: folder["conflict.har"])
        try Data("version https://git-lfs.github.com/spec/v1\n".utf8).write(to: folder["pointer.har"])
        try FileManager.default.createSymbolicLink(
            atPath: folder["link.har"].path,
            withDestinationPath: "nowhere"
        )
        let lines = [
            "list Missing", "list talk.har", "show many", "diff talk many", "serve many", "show missing",
            "show conflict", "show pointer", "show link", "lint conflict pointer link", "show missing.har",
            "show broken.har", "show nothing.har",
            "show other.txt", "show talk.har --output no/where.txt", "diff talk.har missing.har",
            "lint Missing",
            "convert exists.har --to dvr", "convert many --to dvr --output out/",
            "convert talk.har --to vcr --strict",
            "redact secret.yml --in-place", "redact key.har --check", "prune --manifest missing",
            "prune Cassettes --manifest missing",
            "prune Cassettes --manifest other.txt",
            "record ftp://example.com --cassette a.har",
            "record http://127.0.0.1:1 --cassette a.har --host nowhere",
            "serve missing.har",
        ]
        try expectGolden(try transcript(lines), "messages/errors.txt")
    }

    @Test("Short results are in the golden file")
    func results() throws {
        let lines = [
            "--version", "list", "list many --json", "show empty.har", "lint", "lint many",
            "diff talk.har talk.har",
            "diff empty.har empty.har --stat", "convert talk.har --to vcr", "convert talk.har --to har",
            "redact talk.har --check", "redact talk.har --in-place",
            "redact many --check",
            "show talk", "list one",
            "verify talk.har --base-url http://127.0.0.1:1", "verify talk.har --only POST",
        ]
        try expectGolden(try transcript(lines), "messages/results.txt")
    }

    @Test("The output of demo, record and serve is in the golden file")
    func serving() throws {
        let upstream = try ConversationServer()
        defer { upstream.stop() }
        let record = "record \(upstream.url.absoluteString) --cassette new.har"
        let get = "curl -s --noproxy \"*\" -o response $REWIND_BASE_URL/visit"
        let records = try transcript([
            "demo", "\(record) -- true", "\(record) -- sh -c '\(get)'",
            "\(record) --add -- sh -c '\(get)2; \(get)'",
            "\(record) --quiet -- sh -c '\(get)'", "\(record) -- sh -c '\(get); exit 7'",
            "record proxy --cassette new.har -- sh -c 'curl -s https://api.example.com/users || true'",
        ])
        let script = """
            "$0" serve talk.har > address 2> log &
            while [ ! -s address ]; do sleep 0.01; done
            for path in a a c 'd?token=4f9a7c21e0b84d5f'; do
                curl -s --noproxy '*' -o response "$(cat address)/$path"
            done
            kill $!; wait $!; cat address log
            """
        let bash = ["bash", "-c", script, CommandRun.executable.path]
        let served = try ChildProcess(URL(fileURLWithPath: "/usr/bin/env"), bash, directory: folder.url)
        let text = records + "\n$ rewind serve talk.har\n" + served.output
        let stable = text.replacing(#/127\.0\.0\.1:[0-9]+/#, with: "127.0.0.1:PORT")
            .replacing(#/ +[0-9.]+ ms/#, with: "   N ms").replacing(
                #/bytes +live +replay/#,
                with: "bytes       live   replay"
            )
            .replacing(#/\S+/rewind-demo-[0-9A-F-]+/#, with: "TEMPORARY")
        try expectGolden(stable, "messages/serving.txt")
    }

    @Test("The overview of the subcommands is in the golden file")
    func overview() throws {
        try expectGolden(CommandLineTool.overview + "\n", "help/overview.txt")
    }

    @Test("The manual page is in the golden file")
    func manual() throws {
        try expectGolden(try CommandRun(["man"], in: folder.url).output, "messages/man.txt")
    }
}
