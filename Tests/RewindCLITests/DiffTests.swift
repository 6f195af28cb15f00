import Foundation
import Rewind
import RewindTestSupport
import Testing

@testable import RewindCLI

struct DiffTests {
    private typealias Samples = CassetteSamples

    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func diff(_ words: String..., input: Data = Data()) throws -> CommandRun {
        try CommandRun(["diff"] + words, input: input, in: folder.url)
    }

    /// Writes two cassettes that differ in every way.
    private func recordAll() throws {
        let users = #"{"items":[{"id":1,"name":"Ada"},{"id":2,"name":"Bob"}],"at":"09:00"}"#
        let more = #"{"items":[{"id":1,"name":"Ada L."},{"id":2,"name":"Bob"},{"id":3}],"at":"10:00","n":3}"#
        let page = (1...20).map { "Line \($0)\n" }.joined()
        try folder["a.har"].record(
            Samples.interaction(
                "/users?page=1&size=20",
                ["ETag": "\"a\"", "Set-Cookie": "x=1", "X-Old": "1"],
                users
            ),
            Samples.interaction("/job", [:], #"{"state":"queued"}"#),
            Samples.interaction("/job", [:], #"{"state":"done"}"#),
            Samples.interaction("DELETE /users/1", status: 204, [:], ""),
            Samples.interaction("/page", [:], page, answerType: "text/plain"),
            Samples.interaction(
                "POST /login",
                sending: "user=ada&pin=1&old",
                as: "application/x-www-form-urlencoded"
            ),
            Samples.interaction("/image", [:], "\u{0}\u{1}", answerType: "image/png"),
            Samples.interaction("/flaky"),
            Samples.interaction("/last")
        )
        try folder["b.har"].record(
            Samples.interaction("/last"),
            Samples.interaction(
                "/users?page=2&size=20",
                status: 206,
                ["ETag": "\"b\"", "Set-Cookie": "x=1", "set-cookie": "y=2"],
                more
            ),
            Samples.interaction("/job", [:], #"{"state":"queued"}"#),
            Samples.interaction("/job", [:], #"{"state":"running"}"#),
            Samples.interaction("/job", [:], #"{ "state" : "done" }"#),
            Samples.interaction(
                "/page",
                [:],
                page.replacingOccurrences(of: "Line 9\n", with: "Line nine\n") + "End\n",
                answerType: "text/plain"
            ),
            Samples.interaction(
                "POST /login",
                sending: "user=bob&pin=1&new=",
                as: "application/x-www-form-urlencoded"
            ),
            Samples.interaction("/image", [:], "\u{0}\u{2}", answerType: "image/png"),
            Samples.failed("/flaky"),
            Samples.interaction("POST /users", sending: #"{"name":"Cy"}"#, status: 201, [:], #"{"id":3}"#)
        )
    }

    @Test("Added, removed, changed and moved interactions are reported part by part")
    func reportsAll() throws {
        try recordAll()
        let run = try diff("a.har", "b.har")
        #expect(run.status == 1)
        #expect(run.errorOutput.isEmpty)
        try expectGolden(run.output, "diff/all.txt")
        try expectGolden(try diff("--json", "a.har", "b.har").output, "diff/all.json")
        let counts = try diff("--stat", "a.har", "b.har")
        #expect(counts.output == "5 changed, 2 added, 1 removed, 1 moved, 2 unchanged\n")
        #expect(counts.status == 1)
        let quiet = try diff("--quiet", "a.har", "b.har")
        #expect(quiet.output.isEmpty)
        #expect(quiet.status == 1)
    }

    @Test("Dates, formatting and the file format do not count as differences")
    func sameMeaning() throws {
        var interaction = Samples.interaction(
            "POST /users?b=2&a=1",
            sending: #"{"a":1,"b":[2]}"#,
            ["X-One": "1"],
            #"{"n":1.0,"m":null}"#
        )
        try folder["a.har"].record(interaction)
        try folder["dvr.json"].record(interaction, as: .dvr)
        try folder["vcr.json"].record(interaction, as: .vcr)
        interaction.startedAt += 1000
        interaction.timing = .init(wait: 12, receive: 3)
        interaction.request.url = "HTTPS://api.example.com:443/users?a=1&b=2"
        interaction.request.body = Interaction.Body(#"{ "b": [2], "a": 1 }"#)
        interaction.outcome = .response(
            Interaction.Response(
                headers: ["x-one": "1", "content-type": "application/json"],
                body: Interaction.Body(
                    Data(#"{"m":null,"n":1}"#.utf8),
                    chunks: [.init(offset: 1, count: 4), .init(offset: 2, count: 12)]
                )
            )
        )
        try folder["b.har"].record(interaction)
        for other in ["b.har", "dvr.json", "vcr.json"] {
            let run = try diff("a.har", other)
            #expect(run.output == "No differences in 1 interaction.\n", "\(other)")
            #expect(run.status == 0, "\(other)")
        }
        let run = try diff("--times", "a.har", "b.har")
        #expect(run.status == 1)
        try expectGolden(run.output, "diff/times.txt")
    }

    @Test("Ignored parts affect neither pairing nor comparison")
    func ignores() throws {
        try folder["a.har"].record(
            Samples.interaction(
                "POST /a?ts=1",
                sending: #"{"id":1,"n":1}"#,
                ["Date": "Mon"],
                #"{"at":1,"list":[{"at":1,"v":1}]}"#
            ),
            Samples.interaction("POST /f", sending: "nonce=1&a=1", as: "application/x-www-form-urlencoded"),
            Samples.interaction("/b")
        )
        try folder["b.har"].record(
            Samples.interaction("/b"),
            Samples.interaction(
                "POST /a?ts=2",
                sending: #"{"id":2,"n":1}"#,
                ["Date": "Tue"],
                #"{"at":2,"list":[{"at":3,"v":1}]}"#
            ),
            Samples.interaction("POST /f", sending: "a=1&nonce=2", as: "application/x-www-form-urlencoded")
        )
        let parts = ["header:d*", "query:ts", "form:nonce", "$..at", "$.id", "order"]
        #expect(try diff("a.har", "b.har", "--ignore", parts.joined(separator: ",")).status == 0)
        for part in parts {
            let others = parts.filter { $0 != part }.joined(separator: ",")
            let run = try diff("a.har", "b.har", "--ignore=\(others)", "--ignore", "header:x-none")
            #expect(run.status == 1, "\(part)")
            #expect(
                run.output.hasSuffix(part == "order" ? "1 moved, 2 unchanged\n" : "1 changed, 2 unchanged\n"),
                "\(part)"
            )
        }
        #expect(
            try diff("a.har", "b.har", "--ignore", "order,header:date").output.contains("$.list[0].at: 1 → 3")
        )
        try folder["c.har"].record(Samples.interaction("/c", [:], #"{"v":1}"#))
        try folder["d.har"].record(Samples.interaction("/c", [:], #"{"v":1,"at":2}"#))
        #expect(try diff("c.har", "d.har", "--ignore", "$.at").status == 0)
        #expect(try diff("c.har", "d.har", "--ignore", "$.v").output.contains("+ response body $.at: 2"))
    }

    @Test("A part of a multipart form can be ignored")
    func ignoresParts() throws {
        for (name, sum) in [("a.har", "1"), ("b.har", "2")] {
            let parts = [("note", "hello"), ("sum", sum)].map { name, value in
                "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
            }
            try folder[name].record(
                Samples.interaction(
                    "POST /form",
                    sending: parts.joined() + "--b--\r\n",
                    as: "multipart/form-data; boundary=b"
                )
            )
        }
        #expect(try diff("a.har", "b.har").output.contains("request part sum: 1 → 2"))
        #expect(try diff("a.har", "b.har", "--ignore", "part:sum").status == 0)
        #expect(try diff("a.har", "b.har", "--ignore", "part:note").status == 1)
        let quiet = try diff("a.har", "a.har", "--quiet")
        #expect(quiet.status == 0 && quiet.output.isEmpty)
    }

    @Test(
        "An unknown part for --ignore is a usage error",
        arguments: ["date", "heading:date", "header:", "$.", "$[?(@.a)]", "order:x"]
    )
    func refusesIgnored(_ word: String) throws {
        let run = try diff("a.har", "b.har", "--ignore", word)
        #expect(run.status == 64)
        #expect(run.errorOutput.contains("invalid value '\(word)' for --ignore"))
    }

    @Test("One of the cassettes can be read from standard input")
    func readsStandardInput() throws {
        try folder["a.har"].record(Samples.interaction("/a"))
        let data = try Data(contentsOf: folder["a.har"])
        #expect(try diff("-", "a.har", input: data).status == 0)
        #expect(try diff("a.har", "-", input: data).status == 0)
        let run = try diff("a.har", "-", input: Data("{".utf8))
        #expect(run.status == 65)
        #expect(run.errorOutput.contains("standard input"))
    }

    @Test("Invalid arguments exit with 64, and unreadable files with 65")
    func refuses() throws {
        try folder["a.har"].record(Samples.interaction("/a"))
        for words in [
            ["a.har"], ["a.har", "a.har", "a.har"], ["-", "-"], ["--textconv", "a", "b"], ["--git", "a", "b"],
        ] {
            #expect(try CommandRun(["diff"] + words, in: folder.url).status == 64, "\(words)")
        }
        try Data(#"{"log": {"entries": [}}"#.utf8).write(to: folder["broken.har"])
        for words in [
            ["a.har", "broken.har"], ["missing.har", "a.har"], ["a.har", "."], ["/dev/zero", "a.har"],
        ] {
            let run = try CommandRun(["diff"] + words, in: folder.url)
            #expect(run.status == 65, "\(words)")
            #expect(run.output.isEmpty)
            #expect(run.errorOutput.contains(words[1] == "." ? " is a folder\n" : "the cassette "))
        }
    }

    @Test("A body file is compared by content, or by name if it is missing")
    func comparesBodyFiles() throws {
        try FileManager.default.createDirectory(at: folder["a.bodies"], withIntermediateDirectories: true)
        try Data([0, 1, 2]).write(to: folder["a.bodies/001-GET-avatar.png"])
        try Data([0, 1, 3]).write(to: folder["a.bodies/001-GET-avatar-2.png"])
        try Data(Samples.archive(withBodyAt: "a.bodies/001-GET-avatar.png").utf8).write(to: folder["a.har"])
        try Data(Samples.archive(withBodyAt: "a.bodies/001-GET-avatar-2.png").utf8).write(to: folder["b.har"])
        let held = try diff("a.har", "b.har")
        #expect(held.output.contains("image/png, 3 B, SHA-256 ae4b3280e56e… → image/png, 3 B, SHA-256"))
        try FileManager.default.removeItem(at: folder["a.bodies"])
        let named = try diff("a.har", "b.har")
        #expect(named.status == 1)
        #expect(named.output.contains("-(in the file 001-GET-avatar.png)\n"), "\(named.output)")
        #expect(named.output.contains("+(in the file 001-GET-avatar-2.png)\n"))
        #expect(try diff("a.har", "a.har").status == 0)
    }

    @Test("Control characters are escaped in text and textconv output")
    func showsControlCharacters() throws {
        try folder["a.har"].record(Samples.interaction("/a", ["X": "a"], "one\n", answerType: "text/plain"))
        try folder["b.har"].record(
            Samples.interaction("/a", ["X": "\u{1B}[2J\u{9B}"], "o\u{8}ne\r\n", answerType: "text/plain")
        )
        for run in [try diff("a.har", "b.har"), try diff("--textconv", "b.har")] {
            #expect(run.output.controlCharacters.isEmpty)
            #expect(run.output.contains(#"\u001B[2J"#))
        }
    }

    @Test("git difftool works with rewind diff", .enabled(if: GitRepository.isAvailable, GitRepository.need))
    func servesDifftool() throws {
        let repository = try GitRepository()
        try repository.folder["a.har"].record(Samples.interaction("/a", [:], #"{"n":1}"#))
        try repository.commit()
        try repository.folder["a.har"].record(Samples.interaction("/a", [:], #"{"n":2}"#))
        try repository.folder["new.har"].record(Samples.interaction("/new"))
        try repository.git("add", "--all")
        let run = try repository.git("difftool", "-y", "-x", "rewind diff", "HEAD")
        #expect(run.status == 0, "\(run.output)")
        #expect(run.output.contains("response body $.n: 1 → 2"), "\(run.output)")
        #expect(run.output.contains("+ GET https://api.example.com/new → 200 OK"), "\(run.output)")
    }

    @Test(
        "git diff works with rewind diff as GIT_EXTERNAL_DIFF",
        .enabled(if: GitRepository.isAvailable, GitRepository.need)
    )
    func servesExternalDiff() throws {
        let repository = try GitRepository()
        try recordAll()
        try FileManager.default.copyItem(at: folder["a.har"], to: repository.folder["old.har"])
        try repository.folder["gone.har"].record(Samples.failed("/gone"))
        try repository.folder["broken.har"].record(Samples.interaction("/a"))
        try repository.folder["same.har"].record(Samples.interaction("/a"))
        try repository.commit()
        try repository.git("mv", "old.har", "renamed.har")
        try repository.git("rm", "--quiet", "gone.har")
        var changed = try Cassette(contentsOf: folder["a.har"])
        changed.interactions.removeLast()
        try changed.write(to: repository.folder["renamed.har"])
        var same = Samples.interaction("/a")
        same.startedAt += 1
        try repository.folder["same.har"].record(same)
        try Data("{".utf8).write(to: repository.folder["broken.har"])
        try repository.folder["new.har"].record(Samples.interaction("/new"))
        try repository.git("add", "--all")
        let run = try repository.git(
            "diff",
            "--find-renames=80%",
            "HEAD",
            environment: ["GIT_EXTERNAL_DIFF": "rewind diff --git"]
        )
        #expect(run.status == 0)
        try expectGolden(run.output, "diff/git.txt")
    }

    @Test(
        "git diff works with rewind diff --textconv",
        .enabled(if: GitRepository.isAvailable, GitRepository.need)
    )
    func servesTextConversion() throws {
        let repository = try GitRepository()
        try recordAll()
        try FileManager.default.copyItem(at: folder["a.har"], to: repository.folder["talk.har"])
        try Data("*.har diff=rewind\n".utf8).write(to: repository.folder[".gitattributes"])
        try repository.git("config", "diff.rewind.textconv", "rewind diff --textconv")
        try repository.commit()
        try FileManager.default.removeItem(at: repository.folder["talk.har"])
        try FileManager.default.copyItem(at: folder["b.har"], to: repository.folder["talk.har"])
        let run = try repository.git("diff")
        #expect(run.status == 0)
        // The blob hashes depend on dates.
        let lines = run.output.components(separatedBy: "\n").filter { !$0.hasPrefix("index ") }
        try expectGolden(lines.joined(separator: "\n"), "diff/textconv.txt")
        for shown in [try repository.git("show"), try repository.git("log", "-p")] {
            #expect(shown.output.contains("+GET https://api.example.com/job"), "\(shown.output)")
        }
        try Data("<<<<<<< ours\n".utf8).write(to: repository.folder["talk.har"])
        let broken = try repository.git("diff")
        #expect(broken.status == 0)
        #expect(broken.output.contains("+<<<<<<< ours"))
    }

    @Test("The text of a cassette shows every kind of body, and does not depend on body files")
    func writesText() throws {
        let multipart = """
            --b\r\nContent-Disposition: form-data; name="note"\r\n\r\nhello\r\n--b\r
            Content-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n\u{0}\u{1}\r\n--b--\r\n
            """
        var partial = Samples.failed("/partial")
        partial.outcome = .failure(
            Interaction.Failure(code: -1005),
            after: Interaction.Response(headers: ["A": "1"], body: Interaction.Body("half"))
        )
        try folder["a.har"].record(
            Samples.interaction(
                "POST /form",
                sending: "a=1&b=%C3%BC&c",
                as: "application/x-www-form-urlencoded"
            ),
            Samples.interaction("PUT /parts", sending: multipart, as: "multipart/form-data; boundary=b"),
            Samples.interaction("/json", [:], #"{"b":1,"a":[1,2,{"c":null}]}"#),
            Samples.interaction("/image", [:], "\u{0}", answerType: "image/png"),
            Samples.interaction("HEAD /empty", [:], ""),
            Samples.failed("/timeout"),
            partial
        )
        let run = try diff("--textconv", "a.har")
        #expect(run.status == 0)
        try expectGolden(run.output, "diff/text.txt")

        try Data(Samples.archive(withBodyAt: "b.bodies/x.png").utf8).write(to: folder["b.har"])
        let without = try diff("--textconv", "b.har").output
        #expect(without.contains("(in the file x.png)"))
        try FileManager.default.createDirectory(at: folder["b.bodies"], withIntermediateDirectories: true)
        try Data([1]).write(to: folder["b.bodies/x.png"])
        #expect(try diff("--textconv", "b.har").output == without)
    }
}
