import Foundation
import Rewind
import Testing

struct DVRReadingTests {
    /// The only interaction of a DVR cassette with additional members.
    private func dvr(request: String = "", response: String = "") throws -> Interaction {
        let text = """
            {"name": "talk", "interactions": [{"recorded_at": 1434688721.440751,
              "request": {"method": "POST", "url": "http:\\/\\/example.com"\(request)},
              "response": {"status": 200, "url": "http://example.com/"\(response)}}]}
            """
        return try #require(DVRFormat.read(Data(text.utf8)).interactions.first)
    }

    /// The only interaction of a Vinyl cassette with additional members.
    private func vinyl(request: String = "", response: String = "") throws -> Interaction {
        let text = """
            [{"request": {"url": "http://example.com"\(request)},
              "response": {"status": 200, "url": "http://example.com/"\(response)}}]
            """
        return try #require(VinylFormat.read(Data(text.utf8)).interactions.first)
    }

    @Test("A DVR interaction is read with its date")
    func whole() throws {
        let interaction = try dvr(
            request: #", "headers": {"Content-Type": "text/plain; charset=x"}, "body": "héllo""#,
            response:
                #", "headers": {"Content-Type": "application/json", "Etag": "\"1\""}, "body": {"a": [1.50, null]}"#
        )
        #expect(
            interaction
                == Interaction(
                    request: Interaction.Request(
                        method: "POST",
                        url: "http://example.com",
                        headers: ["Content-Type": "text/plain; charset=x"],
                        body: Interaction.Body("héllo")
                    ),
                    outcome: .response(
                        Interaction.Response(
                            headers: ["Content-Type": "application/json", "Etag": "\"1\""],
                            body: Interaction.Body(#"{ "a": [1.50, null] }"#)
                        )
                    ),
                    startedAt: Date(timeIntervalSince1970: 1_434_688_721.440751)
                )
        )
    }

    @Test(
        "A DVR body is decoded by its exact media type",
        arguments: [
            (#""Content-Type": "text/html""#, #""aGk=""#, "aGk="),
            (#""Content-Type": "application/json; charset=utf-8""#, #""hi""#, #""hi""#),
            (#""Content-Type": "application/jsonish""#, "[1,2]", "[1, 2]"),
            (#""Content-Type": "application/problem+json""#, #""aGk=""#, "hi"),
            (#""Content-Type": "image/png""#, #""aG\nk=""#, "hi"),
            (#""content-type": "text/html""#, #""aGk=""#, "hi"), ("", #""aGk=""#, "hi"), ("", "null", nil),
        ] as [(String, String, String?)]
    )
    func bodies(_ headers: String, _ body: String, _ expected: String?) throws {
        let members = #", "headers": {\#(headers)}, "body": \#(body)"#
        let interaction = try dvr(request: members, response: members)
        #expect(interaction.request.body == expected.map { Interaction.Body($0) })
        #expect(interaction.response?.body == Interaction.Body(expected ?? ""))
    }

    @Test(
        "A date out of range is ignored, and the interaction can be written",
        arguments: ["1e300", "-1e15", "1e12"]
    )
    func dates(_ number: String) throws {
        let text = FormatSamples.dvr.replacingOccurrences(of: "1.5", with: number)
        let cassette = try DVRFormat.read(Data(text.utf8))
        #expect(cassette.interactions.first?.startedAt == .distantPast)
        #expect(!HARFormat.write(cassette).isEmpty)
    }

    @Test("Invalid base64 in a DVR file affects only its interaction")
    func brokenBase64() throws {
        #expect(
            try dvr(response: #", "body": "!""#).outcome == .unknown(reason: "the body is not valid base64")
        )
        let request = try dvr(request: #", "body": "!""#)
        #expect(request.request.bodyAbsence == "the request body is not valid base64")
        #expect(request.isReplayable)
    }

    @Test("A header value that is a number is read as text, and the others are preserved")
    func headers() throws {
        let members = #", "headers": {"Content-Type": "text/plain", "Age": 1}, "body": "aGk=""#
        let interaction = try dvr(request: members)
        #expect(interaction.request.headers == ["Content-Type": "text/plain", "Age": "1"])
        #expect(interaction.request.body == Interaction.Body("aGk="))
    }

    @Test("Cookies that were joined in a dictionary are split")
    func cookies() throws {
        let headers = #", "headers": {"Set-Cookie": "a=1; Expires=Thu, 01 Jan 1970, b=2"}"#
        let values = try dvr(response: headers).response?.headers.values(for: "set-cookie")
        #expect(values == ["a=1; Expires=Thu, 01 Jan 1970", "b=2"])
    }

    @Test(
        "A DVR response without a status never answers",
        arguments: [
            ("{}", "the response has no status code"), (#"{"status": 0}"#, "the status is 0"),
            (#"{"url": "http://a"}"#, "the response has no status code"),
            (#"{"status": 1000}"#, "the status is 1000"),
        ]
    )
    func status(_ response: String, _ reason: String) throws {
        let text = #"[{"request": {"url": "http://example.com"}, "response": \#(response)}]"#
        let interactions = try VinylFormat.read(Data(text.utf8)).interactions
        #expect(interactions.map(\.outcome) == [.unknown(reason: reason)])
    }

    @Test("A Vinyl interaction is a GET request, and its bodies are text without a media type")
    func interaction() throws {
        let interaction = try vinyl(
            request: #", "headers": {}, "body": "up""#,
            response: #", "headers": {}, "body": "down""#
        )
        #expect(
            interaction.request == Interaction.Request(url: "http://example.com", body: Interaction.Body("up"))
        )
        #expect(interaction.outcome == .response(Interaction.Response(body: Interaction.Body("down"))))
        #expect(interaction.startedAt == .distantPast)
    }

    @Test(
        "A Vinyl request has a body only with headers, and a missing request has the URL of the response"
    )
    func interactionRequest() throws {
        #expect(try vinyl(request: #", "body": "up""#).request.body == nil)
        let text = #"[{"response": {"status": 204, "url": "http://example.com/a", "headers": {}}}]"#
        let interactions = try VinylFormat.read(Data(text.utf8)).interactions
        #expect(interactions.map(\.request) == [Interaction.Request(url: "http://example.com/a")])
    }

    @Test("Vinyl accepts trailing commas and preserves commas in strings")
    func trailingCommas() throws {
        let text = """
            [ { "response": { "status": 200, "url": "http://a", "headers": { "A": ",}", "B": "\\",]", } , }, },
            ,]
            """
        let error = try #require(throws: CassetteError.Problem.self) { try VinylFormat.read(Data(text.utf8)) }
        #expect(
            error == .syntax(line: 1, column: 98, cause: "unexpected trailing comma")
        )
        let corrected = Data(text.replacingOccurrences(of: "\n,", with: "\n").utf8)
        let headers = try VinylFormat.read(corrected).interactions.first?.response?.headers
        #expect(headers == ["A": ",}", "B": "\",]"])
    }
}
