import Foundation
import Testing

@testable import Rewind

/// Interactions whose request body is not known.
struct UnknownRequestBodyTests {
    private static let reason = "the request body is not valid base64"

    private static func interaction(_ method: String = "POST", url: String = "https://h/a") -> Interaction {
        var interaction = Interaction.page(url)
        interaction.request.method = method
        interaction.request.headers = ["Content-Type": "application/json"]
        interaction.request.bodyAbsence = reason
        return interaction
    }

    private static func entry(_ postData: String) -> String {
        let request = #"{ "method": "POST", "url": "https://example.com/", "postData": \#(postData) }"#
        return HARSamples.entry(request: request)
    }

    @Test(
        "A matcher that compares bodies never accepts it, not even for a request without a body",
        arguments: [
            RequestMatcher.body, .bodyBytes, .json, .json(unorderedArrays: true), .form, .multipart, .graphQL,
            .body.ignoring(.jsonPaths("$.a")),
        ]
    )
    func bodies(_ matcher: RequestMatcher) {
        let recorded = Self.interaction(url: "https://h/a?query={a}")
        let index = InteractionIndex([recorded], matchers: [.method, .url, matcher])
        for body in [nil, Interaction.Body(), Interaction.Body("{}"), Interaction.Body("query={a}")] {
            var request = recorded.request
            (request.bodyAbsence, request.body) = (nil, body)
            #expect(!matcher.matches(request, recorded.request))
            #expect(index.place(of: request) == nil)
            let differences = matcher.differences(request, from: recorded.request)
            #expect(differences.map(\.remark) == [Self.reason])
        }
    }

    @Test("It answers if the body is not compared")
    func otherMatchers() throws {
        let recorded = Self.interaction()
        let request = Interaction.Request(method: "POST", url: "https://h/a", body: Interaction.Body("live"))
        let index = InteractionIndex([recorded], matchers: [.method, .url, .headers("Accept")])
        #expect(try index.candidates(at: #require(index.place(of: request))).map(\.position) == [0])
    }

    @Test("A new body is known")
    func newBody() {
        var request = Self.interaction().request
        request.body = Interaction.Body("a")
        #expect(request.bodyAbsence == nil)
    }

    @Test("An archive keeps the reason, also of a cassette in another format")
    func archive() throws {
        let cassette = Cassette(interactions: [Self.interaction()])
        let read = try HARFormat.read(HARFormat.write(cassette))
        #expect(read.interactions.map(\.request) == cassette.interactions.map(\.request))
        #expect(read.interactions.map(\.outcome) == cassette.interactions.map(\.outcome))
    }

    @Test("A change of another part keeps the text of the body")
    func rewrite() throws {
        let text = #"{ "mimeType": "a/b", "text": "!", "_encoding": "base64", "comment": "c" }"#
        var cassette = try HARFormat.read(HARSamples.archive([Self.entry(text)]))
        #expect(cassette.interactions.first?.request.bodyAbsence == Self.reason)
        cassette.interactions[0].request.url = "https://example.com/new"
        let written = try JSON(parsing: HARFormat.write(cassette))
        let entry = try #require(written["log"]?["entries"]?[0]?["request"])
        #expect(entry["url"]?.stringValue == "https://example.com/new")
        #expect(try entry["postData"] == JSON(parsing: Data(text.utf8)))
    }

    @Test(
        "Parameters from which the body cannot be put together",
        arguments: [
            (
                #"{ "mimeType": "multipart/form-data", "params": [{ "name": "a", "value": "1" }] }"#,
                "neither the header `Content-Type` nor `postData.mimeType` has a boundary"
            ),
            (
                #"{ "mimeType": "multipart/form-data; boundary=X", "params": [{ "name": "a", "value": "1" }, { "name": "b", "fileName": "f" }] }"#,
                "`postData.params.1.value`, the content of a file, is missing"
            ),
        ]
    )
    func parameters(_ postData: String, _ cause: String) throws {
        let read = try HARFormat.read(HARSamples.archive([Self.entry(postData)]))
        let request = try #require(read.interactions.first?.request)
        #expect(request.body == nil)
        #expect(request.bodyAbsence == "the request body cannot be put together: \(cause)")
        #expect(read.interactions.first?.response != nil)
    }
}
