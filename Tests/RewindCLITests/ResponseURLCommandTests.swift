import Foundation
import Rewind
import RewindTestSupport
import Testing

/// Commands with a response that came from another URL than was requested.
struct ResponseURLCommandTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        for (name, url) in [("a.har", "https://long.invalid/b"), ("b.har", "https://other.invalid/b")] {
            var interaction = Interaction.text("http://short.invalid/a", "hi")
            if case .response(var response) = interaction.outcome {
                response.url = url
                interaction.outcome = .response(response)
            }
            try Cassette(interactions: [interaction]).write(to: folder[name])
        }
    }

    private func run(_ words: String...) throws -> CommandRun { try CommandRun(words, in: folder.url) }

    @Test("The URL is shown as text, as JSON and in the page")
    func shown() throws {
        #expect(
            try run("show", "a.har", "1").output.contains(
                "\n\nResponse from https://long.invalid/b\n\nHTTP/1.1 200"
            )
        )
        let json = try JSON(parsing: run("show", "--json", "a.har").data)
        #expect(json[0]?["response"]?["url"]?.stringValue == "https://long.invalid/b")
        #expect(try run("show", "--html", "a.har").output.contains("Response from https://long.invalid/b"))
    }

    @Test("Another URL is a difference")
    func differing() throws {
        let run = try run("diff", "a.har", "b.har")
        #expect(run.status == 1)
        #expect(run.output.contains("response URL"))
        #expect(run.output.contains("https://other.invalid/b"))
    }

    @Test("A conversion to DVR keeps the URL, and one to VCR reports its loss")
    func converted() throws {
        let dvr = try run("convert", "a.har", "--to", "dvr", "--output", "dvr.json")
        #expect(dvr.errorOutput == "")
        #expect(
            try Cassette(contentsOf: folder["dvr.json"]).interactions.first?.response?.url
                == "https://long.invalid/b"
        )
        let vcr = try run("convert", "a.har", "--to", "vcr", "--output", "vcr.json")
        #expect(vcr.errorOutput.contains("VCR JSON cannot represent:\n  the response's own URL: #1\n"))
    }
}
