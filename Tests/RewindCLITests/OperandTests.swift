import Foundation
import Rewind
import RewindTestSupport
import Testing

@testable import RewindCLI

/// How all subcommands find the cassettes and folders that their arguments name.
struct OperandTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        try folder.put("Package.swift")
        try folder.put("Sources/App/App.swift")
        try put("Cassettes/UserTests/login.har", "https://h/login")
        try put("Cassettes/old.har", "https://h/old")
        try put("other.har", "https://h/other")
    }

    private func put(_ name: String, _ urls: String...) throws {
        try folder.put(name)
        try Cassette(interactions: urls.map { .text($0, "1") }).write(to: folder[name])
    }

    private func run(_ words: String..., in directory: String = ".", environment: [String: String] = [:]) throws
        -> CommandRun
    {
        try CommandRun(words, environment: environment, in: folder[directory])
    }

    @Test("A cassette can be named as `list` prints it, with or without its extension")
    func names() throws {
        for name in [
            "UserTests/login.har", "UserTests/login", "Cassettes/UserTests/login.har",
            "Cassettes/UserTests/login",
            "./Cassettes/UserTests/login.har", folder["Cassettes/UserTests/login"].path,
        ] {
            for words in [
                ["show", name], ["show", name, "1", "--curl"], ["lint", name], ["redact", name],
                ["redact", name, "--check"], ["convert", name, "--to", "dvr", "--output", "-"],
                ["diff", name, "other"], ["verify", name, "--only", "POST"],
            ] {
                let run = try CommandRun(words, in: folder.url)
                #expect(run.status == (words[0] == "diff" ? 1 : 0), "\(words) \(run.errorOutput)")
            }
        }
        #expect(try run("show", "old").output.contains("https://h/old"))
        #expect(try run("show", "other").output.contains("https://h/other"))
        #expect(try run("show", "UserTests/login").output.hasPrefix("Cassettes/UserTests/login.har\n"))
        #expect(try run("lint", "UserTests").output.contains("1 cassette"))
        #expect(try run("list", "UserTests").output.contains("login.har"))
    }

    @Test("Every name that list prints can be shown", arguments: ["har", "json", "yml", "tail"])
    func others(_ suffix: String) throws {
        let copy = folder["Cassettes/some.thing.\(suffix)"]
        try FileManager.default.copyItem(at: folder["other.har"], to: copy)
        let listed = try JSON(parsing: try run("list", "--json").data).arrayValue ?? []
        for name in listed.compactMap({ $0["name"]?.stringValue }) {
            #expect(try run("show", name).status == 0, "\(name)")
        }
        #expect(try run("show", "some.thing").output.contains("https://h/other"))
    }

    @Test("A file is preferred to a folder of the same name, and the path to the name in the default folder")
    func precedence() throws {
        try put("Cassettes/UserTests.har", "https://h/users")
        #expect(try run("show", "UserTests").output.contains("https://h/users"))
        #expect(try run("lint", "UserTests").output.contains("1 cassette"))
        try put("old.har", "https://h/here")
        #expect(try run("show", "old.har").output.contains("https://h/here"))
        #expect(try run("show", "old").output.contains("https://h/here"))
    }

    @Test(
        "The default folder of all subcommands is REWIND_CASSETTES, or Cassettes here or in the project",
        arguments: [["list"], ["lint"], ["prune", "--manifest", "played"]]
    )
    func folders(_ words: [String]) throws {
        for directory in [".", "Sources/App"] {
            let run = try CommandRun(words, in: folder[directory])
            let found = folder["Cassettes"].path
            switch words[0] {
            case "list": #expect(run.output.contains("UserTests/login.har"), "\(run.errorOutput)")
            case "lint": #expect(run.output.contains("in 2 cassettes"), "\(run.errorOutput)")
            // The folder is found, and then the manifest is missing.
            default: #expect(run.errorOutput.contains("/played cannot be read"), "\(found) \(run.errorOutput)")
            }
        }
        try put("Sources/App/Cassettes/here.har", "https://h/here")
        try put("named/there.har", "https://h/there")
        let names = ["list": ["here.har", "there.har"], "lint": ["in 1 cassette", "in 1 cassette"]][words[0]]
        guard let names else { return }
        #expect(try CommandRun(words, in: folder["Sources/App"]).output.contains(names[0]))
        let environment = ["REWIND_CASSETTES": folder["named"].path]
        #expect(try CommandRun(words, environment: environment, in: folder.url).output.contains(names[1]))
    }

    @Test("A missing default folder is an error with status 65")
    func missing() throws {
        try FileManager.default.removeItem(at: folder["Cassettes"])
        for words in [["list"], ["prune", "--manifest", "m"]] {
            let run = try CommandRun(words, in: folder.url)
            #expect(run.status == 65)
            #expect(run.errorOutput.contains("the folder Cassettes does not exist"))
        }
    }

    @Test("A folder where a cassette is needed is named, with the command that lists it")
    func notAFile() throws {
        for words in [["show", "Cassettes"], ["diff", "old", "UserTests"], ["serve", "Cassettes"]] {
            let run = try CommandRun(words, in: folder.url)
            #expect(run.status == 65)
            #expect(
                run.errorOutput.contains(
                    "is a folder\n  To list the cassettes in it, run: rewind list Cassettes"
                )
            )
        }
    }

    @Test("Numbers in names are sorted by their value")
    func order() throws {
        for name in ["t10", "t2", "t1", "t02b", "9/a", "10/a"] {
            try put("Cassettes/N/\(name).har", "https://h/")
        }
        let json = try JSON(parsing: try run("list", "N", "--json").data).arrayValue ?? []
        #expect(
            json.compactMap { $0["name"]?.stringValue }
                == ["9/a.har", "10/a.har", "t1.har", "t2.har", "t02b.har", "t10.har"]
        )
        for name in ["t10", "t2", "t1"] { try folder.put("Cassettes/N/\(name).har", "{") }
        let lint = try run("lint", "N", "--format", "github").output.split(separator: "\n")
        #expect(lint.count == 3)
        for (line, name) in zip(lint, ["t1", "t2", "t10"]) { #expect(line.contains("/\(name).har"), "\(line)") }
    }

    @Test("A folder with the name of a cassette is reported, and the others are listed")
    func folderWithExtension() throws {
        try put("Cassettes/x.har/inner.har", "https://h/inner")
        let run = try run("list")
        #expect(run.status == 65)
        #expect(run.errorOutput.contains("Cassettes/x.har cannot be read: it is a folder"))
        #expect(run.output.contains("3 cassettes"))
        #expect(
            try self.run("lint").output.contains("Cassettes/x.har: error: it is a folder. Rename the folder")
        )
    }

    @Test("A symbolic link to a folder is named and not followed, and can be named itself")
    func links() throws {
        let path = folder["Cassettes/loop"].path
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder["Cassettes"].path)
        for words in [
            ["list"], ["lint"], ["redact", "Cassettes", "--check"], ["verify", "Cassettes", "--only", "POST"],
        ] {
            let run = try CommandRun(words, in: folder.url)
            #expect(run.status == 0, "\(words) \(run.errorOutput)")
            #expect(
                run.errorOutput.contains(
                    "Cassettes/loop is a symbolic link to a folder and was skipped\n  To include it, name it."
                )
            )
        }
        #expect(try run("list", "Cassettes/loop").output.contains("2 cassettes"))
    }

    @Test("An upstream that is no HTTP URL is an invalid argument, and nothing runs")
    func upstreams() throws {
        for upstream in ["ftp://h", "h:80", "/api=ftp://h", "https://", "file:///etc"] {
            let run = try run("record", upstream, "--cassette", "new.har", "--", "touch", "ran")
            #expect(run.status == 64, "\(upstream)")
            #expect(run.errorOutput.contains("for UPSTREAM: expected a URL such as https://api.example.com"))
        }
        #expect(try run("serve", "old", "--upstream", "ftp://h").status == 64)
        #expect(!folder.files.contains("ran") && !folder.files.contains("new.har"))
    }
}
