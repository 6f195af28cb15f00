import Foundation
import Rewind
import RewindTestSupport
import Testing

/// Interactions that never answer, with all that their file has of the response.
struct ShowUnansweredTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        try folder.put(
            "odd.har",
            """
            { "log": { "version": "1.2", "creator": { "name": "t", "version": "1" }, "entries": [
            \(Self.entry("cut", #""status": 203, "statusText": "Odd""#)),
            \(Self.entry("minus", #""status": -2, "statusText": """#)),
            { "request": { "method": "GET", "url": "https://h/none" }, "response": null }
            ] } }
            """
        )
    }

    private static func entry(_ name: String, _ status: String, header: String = "1") -> String {
        #"{ "startedDateTime": "2026-01-02T03:04:05.000Z","#
            + #" "request": { "method": "GET", "url": "https://h/\#(name)", "httpVersion": "HTTP/1.1" },"#
            + #" "response": { \#(status), "httpVersion": "HTTP/1.1","#
            + #" "headers": [{ "name": "X-A", "value": "\#(header)" }],"#
            + #" "content": { "text": "%", "encoding": "base64" } }, "timings": { "wait": 3, "receive": 2 } }"#
    }

    private func rewind(_ words: String...) throws -> CommandRun { try CommandRun(words, in: folder.url) }

    @Test("The timeline shows the status that the file has")
    func timeline() throws {
        let lines = try rewind("show", "odd.har").output.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("1   GET      203      never answers") })
        #expect(lines.contains { $0.hasPrefix("2   GET      -2       never answers") })
        #expect(lines.contains { $0.hasPrefix("3   GET      ?        no response") })
    }

    @Test("An interaction in full shows the status line, the header fields, the times and the reason")
    func full() throws {
        #expect(
            try rewind("show", "odd.har", "1").output == """
                Interaction 1 of 3, 2026-01-02 03:04:05.000 UTC, 3.0 ms to the response headers, 2.0 ms for the body

                GET https://h/cut HTTP/1.1

                No response to replay: the body is not valid base64 (the rest of the response is below)

                HTTP/1.1 203 Odd
                X-A: 1

                """
        )
        let page = try rewind("show", "odd.har", "--html").output
        #expect(page.contains("HTTP/1.1 203 Odd"))
        #expect(page.contains("<th scope=\"row\">X-A</th><td>1</td>"))
    }

    @Test("JSON has the response with a null body, and the reason")
    func json() throws {
        let shown = try JSON(parsing: rewind("show", "odd.har", "--json").data).arrayValue ?? []
        #expect(
            shown.map { $0["response"] ?? .null } == [
                [
                    "status": 203, "statusText": "Odd", "httpVersion": "HTTP/1.1",
                    "headers": [["name": "X-A", "value": "1"]], "body": .null,
                ],
                [
                    "status": -2, "statusText": "", "httpVersion": "HTTP/1.1",
                    "headers": [["name": "X-A", "value": "1"]], "body": .null,
                ], .null,
            ]
        )
        #expect(
            shown.map { $0["failure"]?["message"]?.stringValue } == [
                "the body is not valid base64", "the status is -2", "the entry has no response",
            ]
        )
    }

    @Test("lint, diff and convert name the reason with the status")
    func others() throws {
        let lint = try rewind("lint", "odd.har").output
        #expect(lint.contains("no response to replay: the body is not valid base64 (status 203)"))
        #expect(lint.contains("no response to replay: the status is -2"))
        try folder.put(
            "new.har",
            """
            { "log": { "entries": [
            \(Self.entry("cut", #""status": 500, "statusText": "Odd""#, header: "2"))
            ] } }
            """
        )
        let diff = try rewind("diff", "odd.har", "new.har").output
        #expect(diff.contains("status: 203 Odd → 500 Odd"))
        #expect(diff.contains("response header X-A: 1 → 2"))
        let convert = try rewind("convert", "odd.har", "--to", "har", "--output", "out/")
        #expect(
            convert.errorOutput.contains(
                """
                rewind: odd.har: 3 interactions without a response to replay:
                  #1 GET https://h/cut: the body is not valid base64 (status 203)
                  #2 GET https://h/minus: the status is -2
                  #3 GET https://h/none: the entry has no response
                """
            )
        )
        let shown = try (
            rewind("show", "odd.har", "--json").output, rewind("show", "out/odd.har", "--json").output
        )
        #expect(
            try JSON(parsing: Data(shown.0.utf8)).arrayValue?.map { $0["response"] }
                == JSON(parsing: Data(shown.1.utf8)).arrayValue?.map { $0["response"] }
        )
    }

    @Test("A request body that is not known is shown with its reason")
    func requestBody() throws {
        try folder.put(
            "request.har",
            """
            { "log": { "entries": [ { "request": { "method": "POST", "url": "https://h/a",
              "postData": { "mimeType": "a/b", "text": "%", "encoding": "base64" } },
              "response": { "status": 200, "content": { "text": "ok" } } } ] } }
            """
        )
        let shown = try JSON(parsing: rewind("show", "request.har", "--json").data)
        let reason = try #require(shown[0]?["request"]?["bodyAbsence"]?.stringValue)
        #expect(shown[0]?["request"]?["body"] == JSON.null)
        for words in [["1"], ["--curl"], ["--html"]] {
            let output = try CommandRun(["show", "request.har"] + words, in: folder.url).output
            #expect(output.contains("Unknown request body: \(reason)"))
        }
        #expect(try !rewind("show", "odd.har", "--json").output.contains("bodyAbsence"))
    }

    @Test("A cassette that cannot be read is reported by lint with the fix for its cause")
    func remedies() throws {
        try folder.put("wrong.har", #"{ "log": { "entries": 1 } }"#)
        #expect(try rewind("lint", "wrong.har").output.contains("Correct this place, or delete the file"))
        try folder.put("cut.har", #"{ "log": { "entries": ["#)
        #expect(try rewind("lint", "cut.har").output.contains("Restore the whole file"))
    }
}
