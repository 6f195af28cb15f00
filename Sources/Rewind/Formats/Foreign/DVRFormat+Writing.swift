import Foundation

extension DVRFormat: WritableCassetteFormat {
    /// Writes a cassette that DVR plays: two spaces, fixed order of members, one newline at the end.
    ///
    /// DVR has no place for failures, which are left out as are interactions without an answer, for several fields of one
    /// name, which are joined, or for bytes that are not what their media type says, which it leaves out itself.
    public static func write(_ cassette: Cassette) -> Data {
        let interactions = cassette.interactions.compactMap { interaction -> JSON? in
            guard case .response(let response) = interaction.outcome else { return nil }
            return [
                "recorded_at": JSON(interaction.recordedAt.timeIntervalSince1970),
                "request": request(interaction.request),
                "response": self.response(response, to: interaction.request),
            ]
        }
        let document: JSON = ["name": "cassette", "interactions": .array(interactions)]
        return document.serialized()
    }

    private static func request(_ request: Request) -> JSON {
        var members: JSONObject = ["method": .string(request.method), "url": .string(request.url)]
        if !request.headers.isEmpty { members.append("headers", headers(request.headers)) }
        let body = request.body.flatMap { MediaTypeBody.json($0.data, canonical(request.headers)) }
        if let body { members.append("body", body) }
        return .object(members)
    }

    private static func response(_ response: Response, to request: Request) -> JSON {
        var members: JSONObject = [
            "url": .string(request.url), "status": JSON(response.status), "headers": headers(response.headers),
        ]
        let body =
            response.body.isEmpty ? nil : MediaTypeBody.json(response.body.data, canonical(response.headers))
        if let body { members.append("body", body) }
        return .object(members)
    }

    private static func headers(_ headers: HeaderList) -> JSON {
        var members = JSONObject()
        for (name, value) in canonical(headers).joined.sorted(by: { $0.key < $1.key }) {
            members.append(name, .string(value))
        }
        return .object(members)
    }

    /// The fields with the one name spelled as DVR looks for it.
    private static func canonical(_ headers: HeaderList) -> HeaderList {
        HeaderList(
            headers.map { field in
                let isType = field.name.lowercased() == "content-type"
                return HeaderList.Field(name: isType ? "Content-Type" : field.name, value: field.value)
            }
        )
    }
}
