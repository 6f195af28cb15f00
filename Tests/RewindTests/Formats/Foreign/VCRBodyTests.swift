import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

/// The bodies of VCR, vcrpy, go-vcr and their relatives. A body that the file does not contain is never an empty one.
struct VCRBodyTests {
    private static func cassette(
        _ response: String,
        request: String = "body: null",
        method: String = "GET",
        status: Int = 200,
        end: String = "version: 1"
    ) -> String {
        """
        interactions:
        - request:
            method: \(method)
            uri: http://vcr.invalid/
            \(request)
          response:
            status: {code: \(status), message: OK}
            \(response.replacingOccurrences(of: "\n", with: "\n    "))
        \(end)

        """
    }

    private func interaction(_ text: String) throws -> Interaction {
        try #require(try VCRYAMLFormat.read(Data(text.utf8)).interactions.first)
    }

    private func reason(_ interaction: Interaction) -> String? {
        if case .unknown(let reason) = interaction.outcome { reason } else { nil }
    }

    @Test(
        "A body is read in every form that tools write",
        arguments: [
            ("body: {string: 'a'}", "a"), ("body: {string: ''}", ""), ("body: {string: null}", ""),
            ("body: {}", ""),
            ("body: null", ""), ("body: ~", ""), ("body:", ""), ("body: ''", ""), ("body: a", "a"),
            ("content: a", "a"),
            ("body: {string: !!binary 'aGk='}", "hi"), ("body: !!binary |\n  aGk=\n", "hi"),
            ("body: {base64_string: \"aG\\nk=\\n\"}", "hi"), ("body: {encoding: UTF-8, base64_string: ''}", ""),
            ("body: {string: !!python/unicode 'é'}", "é"), ("body: {string: 12}", "12"),
            ("body: {raw_gzip: \"eJzLyAQA\nATsA0g==\"}", "hi"),
            ("body: {raw_gzip: H4sIAAAAAAACA8vIBACsKpPYAgAAAA==}", "hi"),
            (
                "headers: {Content-Encoding: gzip}\nbody: {string: !!binary 'H4sIAAAAAAACA8vIBACsKpPYAgAAAA=='}",
                "hi"
            ),
        ]
    )
    func forms(_ response: String, _ expected: String) throws {
        #expect(try interaction(Self.cassette(response)).response?.body == Interaction.Body(expected))
    }

    @Test(
        "A body that the file does not contain never answers, and the status and headers are kept",
        arguments: [
            ("headers: {A: b}", "no body was recorded"),
            ("headers: {A: b}\nbody: {encoding: UTF-8}", "no body was recorded"),
            ("headers: {A: b, Content-Length: 5}", "no body was recorded"),
            ("headers: {A: b}\nbody: {type: text}", "the body has an unknown format"),
            ("headers: {A: b}\nbody: [a, b]", "the body has an unknown format"),
            ("headers: {A: b}\nbody: {string: [a]}", "the body has an unknown format"),
            ("headers: {A: b}\nbody: {string: !!set {a}}", "in the body, the tag `!!set` is not supported"),
            ("headers: {A: b}\nbody: {string: !!binary '!'}", "the body is not valid base64"),
            ("headers: {A: b}\nbody: {base64_string: 1}", "the body is not valid base64"),
            (
                "headers: {A: b}\nbody: {file: yes, string: ../a.json}",
                "the body is in the file `../a.json`, which is not read"
            ),
            ("headers: {A: b}\nbody: {raw_gzip: aGVsbG8gdGhlcmU=}", "the body is not valid zlib data"),
            ("headers: {A: b}\nbody: {on_disk: a.json}", "the body is in the file `a.json`, which is not read"),
            ("headers: {A: b}\nparsed_body: [.inf]", "JSON cannot represent the number `.inf` in the body"),
            ("headers: {A: b}\nparsed_body: !!set {a}", "in the body, the tag `!!set` is not supported"),
        ]
    )
    func absences(_ response: String, _ expected: String) throws {
        let interaction = try interaction(Self.cassette(response))
        #expect(reason(interaction) == expected)
        #expect(interaction.recordedResponse?.status == 200)
        #expect(interaction.recordedResponse?.headers["A"] == "b")
        let archive = try HARFormat.read(HARFormat.write(Cassette(interactions: [interaction])))
        #expect(archive.interactions.map(reason) == [expected])
    }

    @Test(
        "A missing body is empty where there cannot be one, and where the tool leaves out empty bodies",
        arguments: [
            cassette("headers: {}", method: "HEAD"), cassette("headers: {}", status: 204),
            cassette("headers: {}", status: 304),
            cassette("headers: {}", status: 103), cassette("headers: {Content-Length: '0'}"),
            cassette("headers: {}", end: "recorded_with: VCR-vcr/2.0.0"),
            cassette("headers: {}\nhttp_version: '1.1'", end: "  recorded_with: vcr/0.6.5.93, webmockr/0.8.0"),
        ]
    )
    func noBody(_ text: String) throws {
        #expect(try interaction(text).response?.body == Interaction.Body())
    }

    @Test("A request without a readable body keeps its response")
    func requests() throws {
        for (body, absence) in [
            ("body: !!binary '!'", "the request body is not valid base64"),
            ("body: {fields: {a: 1}}", "the request body has an unknown format"),
            ("parsed_body: [.nan]", "JSON cannot represent the number `.nan` in the body"),
        ] {
            let interaction = try interaction(Self.cassette("body: {string: a}", request: body))
            #expect(interaction.request.body == nil)
            #expect(interaction.request.bodyAbsence == absence)
            #expect(interaction.response?.body == Interaction.Body("a"))
        }
        let none = try interaction(Self.cassette("body: {string: a}", request: "headers: {}"))
        #expect(none.request.body == nil && none.request.bodyAbsence == nil)
        let parsed = try interaction(
            Self.cassette("body: {string: a}", request: "parsed_body: {b: [1, yes], a: é}")
        )
        #expect(parsed.request.body == Interaction.Body(#"{"b": [1, true], "a": "\u00e9"}"#))
    }

    // MARK: Played to a client

    private func play(_ text: String, _ configure: (inout Stubber.Configuration) -> Void = { _ in })
        async throws
        -> (outcome: Outcome, length: String?, coding: String?)
    {
        let folder = try TemporaryDirectory()
        try Data(text.utf8).write(to: folder["talk.yaml"])
        var configuration = Stubber.Configuration()
        configuration.matching = [.method, .url]
        configuration.requestMatchingFailed = { _ in }
        configure(&configuration)
        let url = try #require(URL(string: "http://vcr.invalid/"))
        return try await withCassette("talk.yaml", in: folder.url, mode: .never, configuration: configuration) {
            stubber in
            let outcome = await Outcome(of: url)
            let headers = HeaderList(outcome.headers.map { HeaderList.Field(name: $0.key, value: $0.value) })
            return (outcome, headers["Content-Length"], headers["Content-Encoding"])
        }
    }

    @Test("A response without a body member is a miss, not an empty 200")
    func playedAbsence() async throws {
        let (outcome, _, _) = try await play(Self.cassette("headers: {}"))
        #expect(outcome.failure == "Rewind 2")
        #expect(outcome.body.isEmpty && outcome.status == 0)
    }

    @Test("A parsed body is played as JSON, whatever length and coding the header has")
    func playedJSON() async throws {
        let response = """
            headers:
              content-type: [application/json]
              content-length: ['7']
              content-encoding: [gzip]
            parsed_body:
              name: Jörg
              list: [1, 2.5, null, on, 'on', 2024-01-02]
              text: |
                two
                lines
            """
        let expected =
            #"{"name": "J\u00f6rg", "list": [1, 2.5, null, true, "on", "2024-01-02"], "text": "two\nlines\n"}"#
        let (outcome, length, coding) = try await play(Self.cassette(response))
        #expect(outcome.failure == nil && outcome.status == 200)
        #expect(outcome.text == expected)
        #expect(length == nil || length == "\(expected.utf8.count)")
        #expect(coding == nil)
    }

    @Test("A request whose body cannot be read is answered if bodies are not compared")
    func playedRequest() async throws {
        let text = Self.cassette("body: {string: answer}", request: "body: !!binary '!'")
        #expect(try await play(text).outcome.text == "answer")
        let strict = try await play(text) { $0.matching = [.method, .url, .body] }
        #expect(strict.outcome.failure == "Rewind 2")
    }
}
