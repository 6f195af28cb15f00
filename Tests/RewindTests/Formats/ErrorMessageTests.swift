import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Compares every error of the module with `ErrorMessages.txt`, as users see it. `WRITE_GOLDEN=1` writes the file.
struct ErrorMessageTests {
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("ErrorMessages.txt")

    @Test("Every error and every note has its golden message")
    func golden() throws {
        var text = ""
        func section(_ title: String, _ messages: [String]) {
            text += "# \(title)\n\n" + messages.map { $0 + "\n" }.joined(separator: "\n") + "\n"
        }
        section("CassetteError", Self.cassetteErrors.map { "\(CassetteError(path: Self.path, problem: $0))" })
        section("Files that are no cassettes", Self.unreadableFiles.map { "\($0)" })
        section("CassetteError with a journal", Self.journalErrors.map { "\($0)" })
        section("CassetteError with a refused recording", ["\(Self.refused)"])
        section("Files that cannot be read", Self.invalidFiles.map(Self.readingError))
        section("Stubber.ConfigurationError", Self.configurationErrors.map { "\($0)" })
        section("Stubber.ScopeError", Self.scopeErrors.map { "\($0)" })
        section("StubError", Self.stubs.compactMap(\.problem).map { "\($0)" })
        section("MissingRequestsError", Self.missingRequests.map { "\($0)" })
        section("Interaction.InputError", Self.inputErrors.map { "\($0)" })
        section(
            "JSON syntax errors",
            Self.invalidJSON.map { Self.syntaxError(in: Data($0.utf8)) } + [Self.notUTF8]
        )
        section("JSON paths", Self.invalidPaths.map(Self.pathError))
        section("Files that cannot be written", Self.fileErrors.map { "\($0)" })
        section("Manifests", Self.manifestErrors.map { "\($0)" })
        section("Notes of a recovered journal", try Self.recoveryNotes())
        text.removeLast()
        if ProcessInfo.processInfo.environment["WRITE_GOLDEN"] != nil {
            try Data(text.utf8).write(to: Self.file)
        }
        #expect(try text == String(contentsOf: Self.file, encoding: .utf8))
    }

    private static let path = "/project/Cassettes/UserTests/login.har"
    private static let user = Interaction.Request(url: "https://api.example.com/users/42")
    private static let login = Interaction.Request(method: "POST", url: "https://api.example.com/login")

    private static let finding = CassetteError.Finding(
        number: 2,
        request: "POST https://api.example.com/login",
        place: "response header Set-Cookie at byte 14",
        kind: "json-web-token",
        fingerprint: "3543c50b0cb9",
        rule: .header("Set-Cookie")
    )

    private static let refused: CassetteError = {
        let place = "response body at byte 14"
        let findings = [SuggestedRule.field("label"), .path("$.keys[0]"), .pattern(#"ghp_[\w]{36}"#), nil].map {
            rule in
            CassetteError.Finding(
                number: 3,
                request: "\(user)",
                place: place,
                kind: "github-token",
                fingerprint: String(SHA256Digest("\(String(describing: rule))".utf8).hexadecimal.prefix(12)),
                rule: rule
            )
        }
        var error = CassetteError(path: path, problem: .unredactedCredentials(findings))
        error.refusedPath = "/project/Cassettes/UserTests/login.refused"
        return error
    }()

    private static let cassetteErrors: [CassetteError.Problem] = [
        .empty, .unknownFormat, .syntax(line: 12, column: 5, cause: "expected a value"),
        .structure(place: "entry 3 (line 40), `request.url`", cause: "expected a string"),
        .tooLarge("it has more than \(CassetteLimits.default.maximumSize) bytes"),
        .unreadable("No such file or directory"),
        .syntax(line: 7, column: 1, cause: UnreadableFile.mergeConflict.cause),
        .unwritable("could not write /project/Cassettes/UserTests/.rewind-1.tmp: No space left on device"),
        .unredactedCredentials([finding]),
        .inUse(by: "UserTests.testLogin", test: "UserTests.testLogout", isRecording: true),
        .inUse(by: "UserTests.testLogin", test: "UserTests.testLogout", isRecording: false),
        .differsOnlyInCase(from: "/project/Cassettes/UserTests/Login.har"),
    ]

    private static let unreadableFiles = UnreadableFile.allCases.filter { $0 != .mergeConflict }.map {
        CassetteError(path: path, problem: .unreadable($0.cause))
    }

    private static let journalErrors: [CassetteError] = [
        (CassetteError.Problem.unwritable("could not open it: Permission denied"), 2, 0),
        (.unwritable("could not open it: Permission denied"), 2, 1),
        (.syntax(line: 1, column: 1, cause: "expected a value"), 2, 0),
        (.unredactedCredentials([finding]), 2, 0),
    ].map { problem, count, missing in
        var error = CassetteError(path: path, problem: problem)
        let journal = "/project/Cassettes/UserTests/login.5f3a9c01d2b4.journal"
        error.journal = CassetteError.KeptJournal(path: journal, count: count, missingCount: missing)
        return error
    }

    /// Invalid files of each format.
    private static let invalidFiles =
        [
            "{\n", #"{"log": 1}"#, #"{"log": {"version": "2.0", "entries": []}}"#,
            #"{"log": {"version": "1.2"}}"#,
            #"{"log": {"entries": [{"request": {"method": 1}}]}}"#, #"{"log": {"entries": [{}]}}"#,
            #"{"interactions": [{}]}"#, #"{"version": 3, "interactions": []}"#,
            #"{"http_interactions": [{"request": {"method": "get"}, "response": {"status": 20}}]}"#,
            "HTTP/1.1 200 OK\nA", "HTTP/1.1 OK\n\n",
            "HTTP/1.1 200 OK\nContent-Length: 9\n\nshort",
            "GET\n/users\n200\n",
            "bplist00 scenes", "<plist><key>scenes</key>", "<plist><key>scenes</key></dict>",
            "<plist><key>scenes</key><a",
            #"<?xml encoding="utf-16"?><key>scenes</key>"#,
            "<!DOCTYPE plist [<!ENTITY b>]><plist><key>scenes</key>",
        ] + invalidYAML.map { "interactions: []\n" + $0 }

    private static let invalidYAML = [
        "a: 1", "a: 1\n", "version: 3\n", "? [a]\n", "a: *b", "a: %b", "a: !!python/object:b c",
        "a: !!str !!str b", "a: - b",
        "a:\n\tb: c", "a: 'b", #"a: "\q""#, "a: [b", "a: ['b' c]", "a: b: c", "a: b\n---\nc: d", "a: |x",
        "<<: b", "a\n", "a: 'b' c", " a: b", "a:\n    b: 1\n  c: 2",
    ]

    private static func readingError(of text: String) -> String {
        do {
            let folder = URL(fileURLWithPath: "/project")
            _ = try RecordedCassette(Data(text.utf8), path: "Cassettes/talk", in: folder).cassette
            return "no error: \(text.debugDescription)"
        } catch {
            return "\(error)"
        }
    }

    private static let configurationErrors: [Stubber.ConfigurationError] =
        [
            .unknownMode("always", variable: "REWIND_MODE"), .noProject(above: ["/tmp/UserTests.swift"]),
            .noProject(above: ["the working directory /", "the test bundle /tmp/App.xctest"]),
            .invalidCassetteName("../login"), .hiddenArguments(test: "UserTests.page(number:)"),
            .invalidMatcher(#".json.ignoring(.jsonPaths("id"))"#, cause: pathError(of: "id")),
            .unwritableManifest("/runs/manifest.jsonl", cause: "could not open it: Permission denied"),
        ]
        + [.jsonPath("$.user["), .pattern("(", name: "id")].map { (rule: Redaction.Rule) in
            var redaction = Redaction.default
            redaction.add(rule)
            return .invalidRedaction(redaction.problem ?? "no problem")
        } + [redactionWithInvalidPlaceholder]
        + [
            "redact pin", "redact header:", "redact path:$[", "redact pattern:(", "keep", "allow 12",
            "hide field:a",
        ].map {
            invalidLine("# ours\n  \($0)")
        }

    private static func invalidLine(_ text: String) -> Stubber.ConfigurationError {
        do {
            _ = try RulesFile.rules(in: Data(text.utf8), path: "/project/Cassettes/redaction.rules")
            return .invalidRedaction("no problem")
        } catch { return error as? Stubber.ConfigurationError ?? .invalidRedaction("\(error)") }
    }

    private static var redactionWithInvalidPlaceholder: Stubber.ConfigurationError {
        var redaction = Redaction.default
        redaction.replace("secret", with: "API_KEY")
        return .invalidRedaction(redaction.problem ?? "no problem")
    }

    private static let scopeErrors: [Stubber.ScopeError] = [
        .misses([Miss(.noStub, request: user, testName: "UserTests.testLogin")]),
        .requestsInFlight([user, login]), .unplayedInteractions([user]), .unusedStubs(Array(stubs.prefix(1))),
        .cassetteTooOld("The cassette \(path) was recorded 40 days ago"),
        .drift([
            DriftReport(
                cassettePath: path,
                entries: [
                    .init(number: 1, request: user, drifts: [Drift(.added, "$.email", live: "string")])
                ]
            )
        ]),
    ]

    private static let stubs: [Stub] = [
        (RequestCondition.get("https://api.example.com/users/*"), StubAnswer.status(1000)),
        (.get("https://"), .status(200)),
        (.get("https://api.example.com/avatar"), .file("avatar.png")),
        (.get("https://api.example.com/users"), .json(["share": .value(Double.nan)])),
        (.get("https://api.example.com/slow"), .status(200).delayed(by: .seconds(-1))),
    ].map { condition, answer in
        let place = Stub.SourceLocation("AppTests/UserTests.swift", "/project/Tests/UserTests.swift", 12)
        return Stub(condition, named: nil, at: place, .fixed(answer))
    }

    private static let missingRequests = [
        MissingRequestsError(
            condition: .get("https://api.example.com/users/42"),
            expectedCount: 1,
            requests: [],
            others: []
        ),
        MissingRequestsError(
            condition: .get("https://api.example.com/users/42"),
            expectedCount: 2,
            requests: [user],
            others: [(login, "its method is POST")]
        ),
        MissingRequestsError(
            condition: .get("https://api.example.com/users/42"),
            expectedCount: 2,
            requests: [user],
            unanswered: [user],
            others: []
        ),
        MissingRequestsError(
            condition: .get("https://api.example.com/users/42"),
            expectedCount: 1,
            requests: [],
            unanswered: [],
            others: [(login, "its method is POST")]
        ),
    ]

    private static let inputErrors: [Interaction.InputError] = [
        .url("api.example.com/users"), .status(1000), .json(cause: "date: Date is out of range."),
    ]

    private static let invalidJSON = [
        "", "[", #"{"a""#, #"["a"#, "[1.", "[nil]", "{a: 1}", #"{"a" 1}"#, "[1 2]", #"{"a": 1 "b": 2}"#, "[1,]",
        "[-]",
        "[01]", "[\"\n\"]", #"["\x"]"#, #"["\u12"]"#, String(repeating: "[", count: 129), "[] []",
    ]

    private static let notUTF8 = syntaxError(in: Data([0x22, 0xE9, 0x22]))

    private static func syntaxError(in text: Data) -> String {
        do {
            return "no error: \(try JSON(parsing: text))"
        } catch { return "\(error)" }
    }

    private static let invalidPaths = [
        "id", "$id", "$.", "$[1:2]", "$[0,1]", "$[01]", "$[-1]", "$['a", #"$['\x']"#,
    ]

    private static func pathError(of text: String) -> String {
        do {
            return "no error: \(try JSONPath(text))"
        } catch { return "\(error)" }
    }

    private static let fileErrors: [any Error & CustomStringConvertible] = [
        CassetteRewriteError.changed(path),
        CassetteRewriteError.failed(path, cause: "could not open it: Permission denied"),
    ]

    private static let manifestErrors: [ManifestError] = [
        .unreadable("No such file or directory"), .empty, .brokenLine(3),
        .unended(Date(timeIntervalSince1970: 0)),
        .unended(nil), .partial("--filter UserTests --skip Slow"), .elsewhere("/project/Cassettes"),
    ].map { ManifestError(path: "/runs/manifest.jsonl", problem: $0) }

    /// The notes about a journal with two interactions, one of which contains a credential, and an incomplete line; and
    /// about a file that is not a journal.
    private static func recoveryNotes() throws -> [String] {
        let folder = try TemporaryDirectory()
        let location = try CassetteLocation(name: "login", in: folder.url)
        let header = JournalHeader(
            cassette: "login.har",
            mode: "once",
            process: 4711,
            start: Date(timeIntervalSince1970: 1_700_000_000)
        )
        let key = ["gh", "p_0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R"].joined()
        let bodies = ["{}", "the key is \(key)"]
        let lines = bodies.enumerated().map { place, text in
            let response = Interaction.Response(body: Interaction.Body(text))
            let interaction = Interaction(request: user, outcome: .response(response))
            return JournalLine(place: place, interaction: CredentialCheck().withholding(in: interaction))
        }
        let url = folder.url.appendingPathComponent("login.0123456789ab.journal")
        // The file is locked until the journal is released.
        do {
            let journal = try JournalFile(url, header, .current, lines: lines)
            withExtendedLifetime(journal) {}
        }
        let handle = try FileHandle(forWritingTo: url)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("2 18 {\"startedDate".utf8))
        try handle.close()
        try Data("my notes\n".utf8).write(to: folder.url.appendingPathComponent("login.0123456789ac.journal"))
        let notes = Locked<[String]>([])
        Note.withReader({ note in notes.withLock { $0.append(note) } }) {
            JournalRecovery(location: location, redaction: .default).run()
        }
        return notes.withLock { $0 }.map { note in
            String(note.dropLast()).replacingOccurrences(of: folder.url.path, with: "/project/Cassettes")
        }
    }
}
