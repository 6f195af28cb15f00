import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

/// What stays of a response that never answers.
struct UnansweredEntryTests {
    private static let head =
        #""statusText": "Odd", "httpVersion": "HTTP/2", "headers": [{ "name": "X-A", "value": "1" }]"#

    private static func entry(_ members: String) -> String {
        HARSamples.entry(response: #"{ \#(members.isEmpty ? "" : members + ", ")\#(head) }"#)
    }

    @Test(
        "The status and the header fields of a response without a usable body or status are read",
        arguments: [
            (#""status": 200, "content": { "text": "%", "encoding": "base64" }"#, 200),
            (#""status": 404, "content": { "size": 9 }"#, 404), (#""status": -2"#, -2), (#""status": 99"#, 99),
            (#""status": 1000"#, 1000), (#""status": null"#, 0), (#""status": "no""#, 0), ("", 0),
        ]
    )
    func reading(_ members: String, _ status: Int) throws {
        let interaction = try HARSamples.interaction(Self.entry(members))
        #expect(!interaction.isReplayable)
        #expect(interaction.response == nil)
        let head = Interaction.Response(
            status: status,
            statusText: "Odd",
            headers: ["X-A": "1"],
            httpVersion: "HTTP/2"
        )
        #expect(interaction.recordedResponse == head)
    }

    @Test("A body that can be read is kept although the status cannot answer")
    func body() throws {
        let entry = Self.entry(#""status": 99, "content": { "text": "hi" }"#)
        #expect(try HARSamples.interaction(entry).recordedResponse?.body.data == Data("hi".utf8))
    }

    @Test("A response with nothing to tell is none", arguments: [#"{ "status": 0 }"#, "null", "{}"])
    func nothing(_ response: String) throws {
        #expect(try HARSamples.interaction(HARSamples.entry(response: response)).recordedResponse == nil)
    }

    @Test(
        "An interaction that never answers is the same after it was written to a new archive",
        arguments: [
            nil, Interaction.Response(status: 200, headers: ["X-A": "1"]),
            Interaction.Response(status: 0, headers: ["X-A": "1"]),
            Interaction.Response(status: 99, body: Interaction.Body("whole")),
            Interaction.Response(status: 302, headers: ["Location": "/next"], httpVersion: "HTTP/2"),
        ]
    )
    func writing(_ response: Interaction.Response?) throws {
        let interaction = Interaction(
            request: Interaction.Request(url: "https://example.com/a"),
            read: .unknown(reason: "the body has no known coding", response: response),
            startedAt: Date(timeIntervalSince1970: 1)
        )
        let data = HARFormat.write(Cassette(interactions: [interaction]))
        #expect(try HARFormat.read(data).interactions == [interaction])
        let content = try JSON(parsing: data)["log"]?["entries"]?.arrayValue?.first?["response"]?["content"]
        let hasText = content?["text"] != nil
        #expect(
            hasText == (response?.body.isEmpty == false),
            "no tool may take a missing body for an empty one"
        )
    }

    @Test("A response of another format keeps its status and header fields in an archive")
    func conversion() throws {
        let text = """
            http_interactions:
            - request:
                method: get
                uri: https://example.com/
              response:
                status: {code: 418, message: Teapot}
                headers: {X-A: ["1"]}
                body: {encoding: UTF-8, base64_string: "%%%"}
            recorded_with: VCR 6

            """
        let read = try VCRYAMLFormat.read(Data(text.utf8)).interactions
        #expect(read.map(\.recordedResponse?.status) == [418])
        #expect(read.map(\.recordedResponse?.headers) == [["X-A": "1"]])
        #expect(try HARFormat.read(HARFormat.write(Cassette(interactions: read))).interactions == read)
    }

    @Test("Secrets in a response that never answers are redacted, and the rest of its entry stays")
    func redaction() throws {
        let secret = "4f9a7c21e0b84d5f"
        let response =
            #"{ "status": 200, "headers": [{ "name": "Set-Cookie", "value": "session=\#(secret)" }],"#
            + #" "content": { "size": 7, "mimeType": "a/b", "_file": "gone.bin" } }"#
        let cassette = try HARFormat.read(HARSamples.archive([HARSamples.entry(response: response)]))
        let redacted = RedactedCassette(cassette, .default).cassette
        let data = HARFormat.write(redacted)
        #expect(data.range(of: Data(secret.utf8)) == nil)
        let entry = try JSON(parsing: data)["log"]?["entries"]?.arrayValue?.first
        #expect(entry?["response"]?["content"]?["_file"]?.stringValue == "gone.bin")
        #expect(entry?["response"]?["content"]?["text"] == nil)
        #expect(try HARFormat.read(data).interactions.map(\.outcome) == cassette.interactions.map(\.outcome))
    }

    @Test("A changed outcome replaces what an archive says about a missing one")
    func answered() throws {
        let unanswered = Interaction(
            request: Interaction.Request(url: "https://example.com/a"),
            read: .unknown(reason: "no body", response: Interaction.Response(status: 200)),
            startedAt: Date(timeIntervalSince1970: 1)
        )
        var cassette = try HARFormat.read(HARFormat.write(Cassette(interactions: [unanswered])))
        let response = Interaction.Response(status: 201, body: Interaction.Body("now"))
        cassette.interactions[0].outcome = .response(response)
        #expect(try HARFormat.read(HARFormat.write(cassette)).interactions.map(\.response) == [response])
    }
}
