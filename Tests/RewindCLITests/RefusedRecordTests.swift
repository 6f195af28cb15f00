import Foundation
import Rewind
import RewindTestSupport
import XCTest

/// Runs `rewind record` against a server whose response contains a value that looks like a credential, and continues as the
/// message says, after the server was stopped.
final class RefusedRecordTests: XCTestCase {
    private static let key = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"
    private static let body =
        #"{"label": "\#(key)", "note": "see \#("gh" + "p_")x7Kq2mZ9vB4nR6tY8wL1cF3hJ5pD0sG2aE4u now"}"#

    /// Posts the JSON and prints the status of the response.
    private static let client = """
        import os, urllib.request, urllib.error
        body = open(os.environ["BODY"], "rb").read()
        request = urllib.request.Request(os.environ["REWIND_BASE_URL"] + "/labels", body)
        request.add_header("Content-Type", "application/json")
        try:
            print("status %d" % urllib.request.urlopen(request).status)
        except urllib.error.HTTPError as error:
            print("status %d" % error.code)
        """

    private var folder: TemporaryDirectory!
    private var environment: [String: String] = [:]
    /// The address of the server that was stopped.
    private var upstream = ""

    override func setUpWithError() throws {
        folder = try TemporaryDirectory()
        try Data(Self.body.utf8).write(to: folder["body.json"])
        environment = ["XDG_DATA_HOME": folder["data"].path, "BODY": folder["body.json"].path]
    }

    private func rewind(_ arguments: String...) throws -> ChildProcess {
        try ChildProcess(CommandRun.executable, arguments, environment: environment, directory: folder.url)
    }

    /// Records, and stops the server.
    private func record(_ options: String...) throws -> ChildProcess {
        let server = try PythonServer()
        defer { server.stop() }
        upstream = server.url.absoluteString
        let words = ["record", upstream, "--cassette", "api.har"] + options
        return try ChildProcess(
            CommandRun.executable,
            words + ["--", "python3", "-c", Self.client],
            environment: environment,
            directory: folder.url
        )
    }

    /// Runs a line of a message in a shell.
    private func paste(_ line: String) throws -> ChildProcess {
        let path = CommandRun.executable.deletingLastPathComponent().path
        return try ChildProcess(
            URL(fileURLWithPath: "/bin/sh"),
            ["-c", "PATH='\(path)':\"$PATH\"; \(line)"],
            environment: environment,
            directory: folder.url
        )
    }

    /// Replays the cassette to the same client, without the server.
    private func replay(_ options: String...) throws -> String {
        let words = ["record", upstream, "--cassette", "api.har", "--add"] + options
        return try ChildProcess(
            CommandRun.executable,
            words + ["--", "python3", "-c", Self.client],
            environment: environment,
            directory: folder.url
        ).output
    }

    private var files: [String] { folder.files.filter { !$0.hasPrefix("data/") && $0 != "body.json" } }

    func testEachPrintedCommandSavesTheRecordingWithoutTheServer() throws {
        for number in 0..<2 {
            let refused = try record()
            XCTAssertEqual(refused.status, 1, refused.output)
            XCTAssertFalse(refused.output.contains(Self.key), refused.output)
            XCTAssertEqual(files, ["api.refused"])
            let lines = refused.output.split(separator: "\n").map(String.init)
            let commands = lines.filter { $0.hasPrefix("    rewind redact ") }
            XCTAssertEqual(commands.count, 2, refused.output)
            let saved = try paste(commands[number])
            XCTAssertEqual(saved.status, 0, saved.output)
            XCTAssertEqual(saved.output, "saved 1 interaction to api.har\n")
            XCTAssertEqual(files, ["api.har"])
            XCTAssertEqual(folder.files.filter { $0.hasPrefix("data/") }, [], "the key is deleted")
            let text = try String(contentsOf: folder["api.har"], encoding: .utf8)
            XCTAssertEqual(text.contains(Self.key), number == 1)
            // The same options redact the request on replay.
            let options = commands[number].dropFirst("    rewind redact api.refused ".count)
            let replayed = try paste(
                "rewind record \(upstream) --cassette api.har --add \(options) -- python3 -c '\(Self.client)'"
            )
            XCTAssertTrue(replayed.output.contains("status 201"), replayed.output)
            XCTAssertTrue(replayed.output.contains("1 request: 1 replayed"), replayed.output)
            try FileManager.default.removeItem(at: folder["api.har"])
        }
    }

    func testThePrintedLinesOfTheFileOfRulesSaveIt() throws {
        let refused = try record()
        let lines = refused.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let rules = lines.filter { $0.hasPrefix("redact ") }
        XCTAssertEqual(rules.first, "redact field:label", refused.output)
        XCTAssertTrue(rules.last?.hasPrefix("redact pattern:") ?? false, refused.output)
        try Data((rules.joined(separator: "\n") + "\n").utf8).write(to: folder["redaction.rules"])
        let replayed = try replay()
        XCTAssertTrue(replayed.contains("saved 1 interaction, which an earlier run recorded"), replayed)
        XCTAssertTrue(replayed.contains("status 201"), replayed)
        XCTAssertFalse(try String(contentsOf: folder["api.har"], encoding: .utf8).contains(Self.key))
    }

    func testTheHeaderThatContainsAValueIsTheRule() throws {
        let server = try PythonServer()
        defer { server.stop() }
        let command = "curl -s --noproxy '*' -H 'X-Acme-Auth: user \(Self.key)' \"$REWIND_BASE_URL/user\""
        let words = ["record", server.url.absoluteString, "--cassette", "api.har", "--", "sh", "-c", command]
        func run(_ words: [String]) throws -> ChildProcess {
            try ChildProcess(CommandRun.executable, words, environment: environment, directory: folder.url)
        }
        let refused = try run(words)
        XCTAssertEqual(refused.status, 1, refused.output)
        for part in ["if it is secret:     --redact header:X-Acme-Auth\n", "    redact header:X-Acme-Auth\n"] {
            XCTAssertTrue((refused.output + "\n").contains(part), refused.output)
        }
        XCTAssertEqual(try run(["redact", "api.refused", "--redact", "header:X-Acme-Auth"]).status, 0)
        XCTAssertFalse(try String(contentsOf: folder["api.har"], encoding: .utf8).contains(Self.key))
    }

    func testTheNextRunSaysWhyTheRecordingOfTheRefusedRunIsIncomplete() throws {
        // Without a folder for the key, only the journal contains the recording.
        let temporary = folder["tmp"]
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
        try Data().write(to: temporary.appendingPathComponent("rewind-keys-\(getuid())"))
        environment["TMPDIR"] = temporary.path
        environment["XDG_DATA_HOME"] = folder["body.json"].path
        environment["HOME"] = folder["body.json"].path
        let refused = try record()
        XCTAssertEqual(refused.status, 1, refused.output)
        XCTAssertTrue(refused.output.contains("record again"), refused.output)
        let next = try replay()
        let expected =
            "from a run whose recording was not saved, because it contains values that look like credentials"
        XCTAssertTrue(next.contains(expected), next)
        XCTAssertTrue(next.contains("REDACTEDwithheld"), next)
        XCTAssertFalse(next.contains("ended early"), next)
    }

    func testTheNextRecordWithTheOptionsSavesIt() throws {
        XCTAssertEqual(try record().status, 1)
        let output = try replay("--redact", "field:label", "--redact", "field:note")
        XCTAssertTrue(output.contains("saved 1 interaction, which an earlier run recorded"), output)
        XCTAssertTrue(output.contains("status 201"), output)
        XCTAssertEqual(files, ["api.har"])
    }

    func testTheFileOfRulesIsSharedByAllSubcommands() throws {
        XCTAssertEqual(try record().status, 1)
        let rules = "# labels\nredact field:label\nredact field:note\n"
        try Data(rules.utf8).write(to: folder["redaction.rules"])
        let saved = try rewind("redact", "api.refused")
        XCTAssertEqual(saved.output, "saved 1 interaction to api.har\n")
        let replayed = try replay()
        XCTAssertTrue(replayed.contains("status 201"), replayed)
        XCTAssertEqual(try record().status, 0)
        XCTAssertEqual(try rewind("lint", "api.har").status, 0)
        XCTAssertFalse(try rewind("list", ".").output.contains("rules"))
        try Data("redact label\n".utf8).write(to: folder["redaction.rules"])
        for words in [
            ["redact", "--check", "api.har"], ["convert", "api.har", "--to", "vcr"], ["lint", "api.har"],
            ["verify", "api.har"], ["serve", "api.har"], ["record", upstream, "--cassette", "api.har"],
        ] {
            let run = try ChildProcess(
                CommandRun.executable,
                words,
                environment: environment,
                directory: folder.url
            )
            XCTAssertEqual(run.status, 65, "\(words): \(run.output)")
            XCTAssertTrue(run.output.contains("redaction.rules:1:8: expected header:NAME"), run.output)
        }
    }

    func testTheKeyIsInTheDataFolderOfTheUser() throws {
        environment["XDG_DATA_HOME"] = ""
        environment["HOME"] = folder["home"].path
        XCTAssertEqual(try record().status, 1)
        #if os(Linux)
            let keys = folder.files.filter { $0.hasPrefix("home/.local/share/Rewind/Keys/") }
            XCTAssertEqual(keys.count, 1, "\(folder.files)")
        #endif
        let saved = try rewind("redact", "api.refused", "--redact", "field:label", "--redact", "field:note")
        XCTAssertEqual(saved.status, 0, saved.output)
        XCTAssertEqual(folder.files.filter { $0.hasPrefix("home/") }, [])
    }

    func testOptionsAreSplitAtCommasExceptRules() throws {
        XCTAssertEqual(try record().status, 1)
        let both = try rewind("redact", "--check", "api.refused", "--redact", "field:label,field:note")
        XCTAssertEqual(both.status, 1, "both values are still in it: \(both.output)")
        let texts = try rewind("redact", "api.refused").output.split(separator: "\n")
        let fingerprints = texts.compactMap { $0.components(separatedBy: "fingerprint ").dropFirst().first }
        XCTAssertEqual(fingerprints.count, 2, "\(texts)")
        let list = fingerprints.map { String($0.prefix(12)) }.joined(separator: ",")
        XCTAssertEqual(try rewind("redact", "api.refused", "--allow", list).status, 0)
    }

    func testARefusedRecordingStaysUntilAllValuesAreDecided() throws {
        XCTAssertEqual(try record().status, 1)
        let partly = try rewind("redact", "api.refused", "--redact", "field:label")
        XCTAssertEqual(partly.status, 1)
        XCTAssertFalse(partly.output.contains("field:label\n"), partly.output)
        XCTAssertTrue(partly.output.contains("looks like github-token"), partly.output)
        XCTAssertEqual(files, ["api.refused"])
        let listed = try rewind("list", ".").output
        XCTAssertTrue(listed.contains("api.refused"), listed)
        XCTAssertTrue(
            try rewind("lint", ".").output.contains("api.refused: warning: this recording was not saved")
        )
        let check = try rewind(
            "redact",
            "--check",
            "api.refused",
            "--redact",
            "field:label",
            "--redact",
            "field:note"
        )
        XCTAssertEqual(check.output, "api.refused: 1 interaction can be saved\n")
        XCTAssertEqual(files, ["api.refused"])
    }

    func testInvalidRulesAreUsageErrors() throws {
        let cases = [
            (["--redact", "pin"], "expected header:NAME, field:NAME, path:JSONPATH or pattern:REGEX"),
            (["--redact", "pattern:("], "expected a regular expression"),
            (["--keep", "a b"], "expected the name of a header field or a field"),
            (["--value-env", "NOT_SET_ANYWHERE"], "expected an environment variable that is set"),
            (
                ["--allow", Self.key],
                "invalid value for --allow: expected a fingerprint of 12 hexadecimal digits"
            ),
        ]
        let commands = [
            ["redact", "a.har"], ["convert", "a.har", "--to", "vcr"], ["verify", "a.har"], ["lint", "a.har"],
            ["serve", "a.har"], ["record", "http://a", "--cassette", "a.har"],
        ]
        for (words, expected) in cases {
            for command in commands {
                let run = try ChildProcess(CommandRun.executable, command + words, directory: folder.url)
                XCTAssertEqual(run.status, 64, run.output)
                XCTAssertTrue(run.output.contains(expected), run.output)
                XCTAssertFalse(run.output.contains(Self.key), run.output)
            }
        }
    }
}
