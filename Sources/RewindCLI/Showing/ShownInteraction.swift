import Foundation
import Rewind

/// An interaction as JSON for programs, in a shape that stays.
enum ShownInteraction {
    /// The object of an interaction of a number, counted from one.
    static func json(_ interaction: Interaction, number: Int) -> JSON {
        let request = interaction.request
        return [
            "number": JSON(number),
            "startedAt": interaction.startedAt == .distantPast
                ? .null : .string(HARDate.text(interaction.startedAt)),
            "request": [
                "method": .string(request.method), "url": .string(request.url),
                "httpVersion": .string(request.httpVersion), "headers": headers(request.headers),
                "body": body(request.body),
            ],
            "response": interaction.response.map(response) ?? .null,
            "failure": failure(interaction.outcome),
            "timing": ["wait": JSON(interaction.timing.wait), "receive": JSON(interaction.timing.receive)],
            "redacted": .array(interaction.redactedPlaces.map(JSON.string)),
        ]
    }

    private static func response(_ response: Response) -> JSON {
        [
            "status": JSON(response.status), "statusText": .string(response.statusText),
            "httpVersion": .string(response.httpVersion), "headers": headers(response.headers),
            "body": body(response.body),
        ]
    }

    private static func failure(_ outcome: Interaction.Outcome) -> JSON {
        switch outcome {
        case .response: .null
        case .failure(let failure, _):
            [
                "domain": .string(failure.domain), "code": JSON(failure.code),
                "message": .string(failure.message),
            ]
        case .unknown(let reason): ["domain": "Rewind", "code": 0, "message": .string(reason)]
        }
    }

    private static func headers(_ headers: HeaderList) -> JSON {
        .array(headers.map { ["name": .string($0.name), "value": .string($0.value)] })
    }

    /// The number of bytes, and the bytes as text where they are UTF-8 without a NUL, else in base64.
    private static func body(_ body: Body?) -> JSON {
        guard let body else { return .null }
        if let text = String(wellFormed: body.data), !text.utf8.contains(0) {
            return ["size": JSON(body.count), "text": .string(text)]
        }
        return ["size": JSON(body.count), "base64": .string(body.data.base64EncodedString())]
    }
}
