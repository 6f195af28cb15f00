import Foundation

extension VCRFormat: WritableCassetteFormat {
    /// Writes a cassette that Ruby's VCR plays: two spaces, fixed order of members, one newline at the end.
    ///
    /// VCR has no place for failures, which are left out as are interactions without an answer, nor for the times and
    /// pieces in which an answer came.
    public static func write(_ cassette: Cassette) -> Data {
        let interactions = cassette.interactions.compactMap { interaction -> JSON? in
            guard case .response(let response) = interaction.outcome else { return nil }
            return [
                "request": [
                    "method": .string(interaction.request.method.lowercased()),
                    "uri": .string(interaction.request.url),
                    "body": body(interaction.request.body),
                    "headers": headers(interaction.request.headers),
                ],
                "response": [
                    "status": ["code": JSON(response.status), "message": .string(response.statusText)],
                    "headers": headers(response.headers),
                    "body": body(response.body),
                    "http_version": .string(response.httpVersion),
                ],
                "recorded_at": .string(VCRDate.text(interaction.recordedAt)),
            ]
        }
        let document: JSON = ["http_interactions": .array(interactions), "recorded_with": "VCR 6.0.0"]
        return document.serialized()
    }

    private static func body(_ body: Body?) -> JSON {
        let data = body?.data ?? Data()
        guard let text = HARBody.text(data) else {
            return ["encoding": "ASCII-8BIT", "base64_string": .string(data.base64EncodedString())]
        }
        return ["encoding": "UTF-8", "string": .string(text)]
    }

    private static func headers(_ headers: HeaderList) -> JSON {
        .object(
            JSONObject(
                headers.grouped.map { name, values in
                    JSONObject.Member(name: name, value: .array(values.map { .string($0) }))
                }
            )
        )
    }
}
