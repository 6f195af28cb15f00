import Foundation
import Rewind
import RewindServer
import RewindTestSupport
import Testing

struct TerminalTests {
    private static let evil = "\u{1B}[31m\u{7}\u{9B}2J\u{202E}"

    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        let evil = Self.evil
        var login = CassetteSamples.interaction(
            "https://api.example.com/\(evil)?access_token=4f9a7c21e0b84d5f",
            ["X-\(evil)": evil],
            #"{"\#(evil)": {"token": "c2b1a09f8e7d"}}"#
        )
        login.request.method = "POST\(evil)"
        login.outcome = .response(
            Interaction.Response(status: 200, statusText: evil, body: Interaction.Body(evil))
        )
        let failed = Interaction(
            request: Interaction.Request(url: "ftp://\(evil)"),
            outcome: .failure(Interaction.Failure(domain: evil, code: 1, message: evil), after: nil)
        )
        let key = CassetteSamples.interaction("/\(evil)", [:], "ghp_16C7e42F292c6912E7710c838347Ae178B4a")
        try folder["a.har"].record(login, failed)
        try folder["b.har"].record(CassetteSamples.interaction("/b"))
        try folder["\(evil).har"].record(login, key)
        try Data("{\"\(evil)\": }".utf8).write(to: folder["broken\(evil).har"])
    }

    @Test(
        "Every subcommand escapes control characters of a cassette",
        arguments: [
            ["list", "."], ["list", ".", "--json"], ["show", "a.har"], ["show", "a.har", "1-2"],
            ["show", "a.har", "--json"], ["show", "a.har", "--curl"], ["diff", "a.har", "b.har"],
            ["diff", "b.har", "a.har"], ["diff", "a.har", "b.har", "--json"], ["diff", "--textconv", "a.har"],
            ["lint", "."], ["lint", ".", "--format", "github"], ["lint", ".", "--format", "sarif"],
            ["redact", ".", "--check"], ["convert", ".", "--to", "dvr", "--output", "out/"],
            ["verify", ".", "--base-url", "http://127.0.0.1:1"],
            ["verify", ".", "--base-url", "http://127.0.0.1:1", "--json"],
        ]
    )
    func isEscaped(_ words: [String]) throws {
        let run = try CommandRun(words, in: folder.url)
        #expect(run.output.controlCharacters.isEmpty)
        #expect(run.errorOutput.controlCharacters.isEmpty)
        #expect((run.output + run.errorOutput).lowercased().contains(#"\u001b[31m"#))
    }

    @Test("`rewind verify` escapes control characters of a live response")
    func isEscapedLive() throws {
        let server = HTTPServer { _, response in
            let body = Data(#"{"a\u009b31m": 1}"#.utf8)
            try response.respond(headers: ["Content-Type": "application/json"], body: body)
        }
        let url = try server.start().absoluteString
        defer { server.stop() }
        for words in [[], ["--json"]] {
            let run = try CommandRun(["verify", "b.har", "--base-url", url] + words, in: folder.url)
            #expect(run.status == 1)
            #expect(run.output.controlCharacters.isEmpty)
            #expect(run.output.contains(#"\u009B31m"#))
        }
    }
}
