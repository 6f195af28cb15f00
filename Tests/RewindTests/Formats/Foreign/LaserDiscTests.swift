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
        let interaction = try interaction(
            #""status": "200 OK", "headers": {"A": "1", "B": null, "A": "2"}, "body": """#
        )
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
        arguments: [0, -4, 99_999, 0x8000_0A05]
    )
    func encodings(_ number: Int) throws {
        let outcome = try interaction(#""status": "200 OK", "body": "é", "bodyEncodingRaw": \#(number)"#)
            .outcome
        #expect(outcome == .unknown(reason: "the text encoding \(number) of the body is unknown"))
    }

    @Test(
        "Text is encoded as its number says",
        arguments: [
            (4, "é", [0xC3, 0xA9]), (5, "é", [0xE9]), (3, "テ", [0xA5, 0xC6]), (8, "テ", [0x83, 0x65]),
            (10, "é", [0xFF, 0xFE, 0xE9, 0]), (0x9000_0100, "é", [0, 0xE9]), (0x8000_0632, "中", [0xD6, 0xD0]),
            (0x8000_0940, "한", [0xC7, 0xD1]), (1, "e", [0x65]),
        ] as [(Int, String, [UInt8])]
    )
    func numbers(_ number: Int, _ text: String, _ bytes: [UInt8]) throws {
        let interaction = try interaction(
            #""status": "200 OK", "body": "\#(text)", "bodyEncodingRaw": \#(number)"#
        )
        #expect(interaction.response?.body.data == Data(bytes))
    }

    @Test("A character that the encoding does not have is not a response", arguments: [1, 9])
    func foreignCharacters(_ number: Int) throws {
        let interaction = try interaction(
            #""status": "200 OK", "body": "日", "bodyEncodingRaw": \#(number)"#
        )
        guard case .unknown(let reason) = interaction.outcome else {
            Issue.record("\(interaction.outcome)")
            return
        }
        #expect(reason.hasSuffix("cannot represent U+65E5"))
    }

    @Test("LaserDisc text is UTF-8 by default")
    func defaults() throws {
        let response = try interaction(#""status": "200", "body": "é""#).response
        #expect(response == Interaction.Response(statusText: "", body: Interaction.Body("é")))
    }

    @Test(
        "An entry with an invalid LaserDisc status never answers, and says where it is",
        arguments: ["", "OK", "99", "1000 X", "-200"]
    )
    func status(_ status: String) throws {
        let reason =
            "expected a status code and a reason phrase, such as `200 OK` (entry 1 (line 1), `response.status`)"
        #expect(try interaction(#""status": "\#(status)", "body": """#).outcome == .unknown(reason: reason))
    }
}
