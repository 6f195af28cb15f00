import Foundation

/// The JSON files of VCR (Ruby), betamax and vcrpy.
///
/// They compare method and URL: `matching = [.method, .url]`.
package enum VCRFormat: InflatingCassetteReader, CassetteWriter {
    package static let name = "VCR JSON"

    /// Whether the text is an object with `http_interactions`, or with `interactions` whose requests have a `uri`.
    package static func recognizes(_ data: Data) -> Bool {
        switch FormatDetector.mark(of: data) {
        case .recordings: true
        case .interactions: isPython(data)
        default: false
        }
    }

    /// Whether `interactions` are those of vcrpy and not those of DVR.
    static func isPython(_ data: Data) -> Bool {
        let request: [FormatDetector.Step] = [.member("interactions"), .firstElement, .member("request")]
        return FormatDetector.firstMember(of: ["uri"], at: request, in: data) != nil
            || FormatDetector.firstMember(of: ["version"], in: data) != nil
    }

    /// Reads a cassette.
    /// - Throws: ``CassetteError/Problem`` if the content is invalid.
    package static func read(_ data: Data) throws -> Cassette { try read(data, limits: .default) }

    package static func read(_ data: Data, limits: CassetteLimits) throws -> Cassette {
        let mark = FormatDetector.mark(of: data)
        let name: FormatDetector.Mark = mark == .recordings ? .recordings : .interactions
        let document = try JSONEntries(data, at: [name.rawValue])
        let root = JSONField(document.root, place: .root)
        try VCRVersion.check(root)
        return try Cassette(vcr: document.entries, .init(root, document.entries), limits)
    }

    /// Writes a cassette that VCR (Ruby) can play.
    ///
    /// The format cannot represent failures and interactions without an outcome, so they are not written. Neither are the
    /// duration and the chunks of a response.
    package static func write(_ cassette: Cassette) -> Data {
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
                "recorded_at": .string(
                    HTTPDate.text(interaction.recordedAt) ?? HARDate.text(interaction.recordedAt)
                ),
            ]
        }
        let document: JSON = ["http_interactions": .array(interactions), "recorded_with": "VCR 6.0.0"]
        return document.serialized()
    }

    private static func body(_ body: Interaction.Body?) -> JSON {
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

/// The format version that vcrpy and go-vcr write.
enum VCRVersion {
    static func check(_ root: CassetteField<some FieldValue>) throws {
        guard let field = root["version"] else { return }
        let number = field.value.integerValue ?? field.value.scalarText.flatMap { Int($0) }
        guard let number, 1...2 ~= number else { throw field.problem("expected version 1 or 2") }
    }
}
