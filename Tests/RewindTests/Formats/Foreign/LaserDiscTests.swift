import Foundation
import Rewind
import Testing

struct LaserDiscTests {
    private func interaction(_ response: String) throws -> Interaction {
        let text = """
            {"entries": [{"request": {"method": "PUT", "url": "https://example.com/a?b", "headers": {"Host": "x"},
                                      "body": "up"},
                          "response": {\(response)}}]}
            """
        return try #require(LaserDiscFormat.read(Data(text.utf8)).interactions.first)
    }

    @Test("A header field that occurs twice has both values")
    func duplicates() throws {
        let interaction = try interaction(#""status": "200 OK", "headers": {"A": "1", "B": null, "A": "2"}"#)
        #expect(interaction.response?.headers.map { "\($0.name): \($0.value)" } == ["A: 1", "B: ", "A: 2"])
    }

    @Test(
        "A LaserDisc entry is read with its status line, time and encoded text"
    )
    func whole() throws {
        let interaction = try interaction(
            #""status": "404 Not Here", "headers": {"A": "1"}, "body": "né", "bodyEncodingRaw": 5, "elapsedTime": 0.25"#
        )
        #expect(
            interaction
                == Interaction(
                    request: Interaction.Request(
                        method: "PUT",
                        url: "https://example.com/a?b",
                        headers: ["Host": "x"],
                        body: Interaction.Body("up")
                    ),
                    outcome: .response(
                        Interaction.Response(
                            status: 404,
                            statusText: "Not Here",
                            headers: ["A": "1"],
                            body: Interaction.Body(Data([0x6E, 0xE9]))
                        )
                    ),
                    startedAt: .distantPast,
                    timing: .init(wait: 250)
                )
        )
    }

    @Test(
        "Text in an unknown or unsuitable encoding is not a response",
        arguments: [0, 1, -4, 99_999]
    )
    func encodings(_ number: Int) throws {
        let outcome = try interaction(#""status": "200 OK", "body": "é", "bodyEncodingRaw": \#(number)"#)
            .outcome
        #expect(outcome == .unknown(reason: "the text encoding of the body is unknown"))
    }

    @Test("LaserDisc text is UTF-8 by default")
    func defaults() throws {
        let response = try interaction(#""status": "200", "body": "é""#).response
        #expect(response == Interaction.Response(statusText: "", body: Interaction.Body("é")))
    }

    @Test(
        "An invalid LaserDisc status is an error with its place",
        arguments: ["", "OK", "99", "1000 X", "-200"]
    )
    func status(_ status: String) {
        let expected = CassetteError.Problem.structure(
            place: "entry 1 (line 1), `response.status`",
            cause: "expected a status code and a reason phrase, such as `200 OK`"
        )
        #expect(throws: expected) { try interaction(#""status": "\#(status)""#) }
    }
}
