import Foundation

/// The JSON files of LaserDisc. It compares method, URL and query, ignoring the order and the repetition of query items:
/// `matching = .approximate`.
package enum LaserDiscFormat: CassetteReader {
    package static let name = "LaserDisc"

    /// An object with `entries`; in HAR they are inside `log`.
    package static func recognizes(_ data: Data) -> Bool { FormatDetector.mark(of: data) == .entries }

    package static func read(_ data: Data) throws -> Cassette {
        Cassette(interactions: try JSONEntries(data, at: ["entries"]).entries.map(interaction))
    }

    private static func interaction(_ field: JSONField) throws -> Interaction {
        let field = try field.object()
        let response = try field.required("response").object()
        var interaction = Interaction(
            request: try request(field.required("request").object()),
            outcome: try outcome(response),
            startedAt: .distantPast
        )
        interaction.timing = .init(wait: max(0, try response["elapsedTime"]?.double() ?? 0) * 1000)
        return interaction
    }

    private static func request(_ field: JSONField) throws -> Interaction.Request {
        Interaction.Request(
            method: try field.required("method").string(),
            url: try field.required("url").string(),
            headers: try field.object("headers")?.headerFields() ?? HeaderList(),
            body: try field["body"].map { Interaction.Body(try $0.string()) }
        )
    }

    private static func outcome(_ field: JSONField) throws -> Interaction.Outcome {
        let statusLine = try field.required("status").string()
        let parts = statusLine.split(separator: " ", maxSplits: 1)
        guard let status = parts.first.flatMap({ Int($0) }), 100...999 ~= status else {
            throw try field.required("status").problem(
                "expected a status code and a reason phrase, such as `200 OK`"
            )
        }
        let text = try field["body"]?.string() ?? ""
        let encoding = TextEncoding(
            rawValue: try field["bodyEncodingRaw"]?.integer() ?? TextEncoding.utf8.rawValue
        )
        guard let data = encoding?.data(text) else {
            return .unknown(reason: "the text encoding of the body is unknown")
        }
        return .response(
            Interaction.Response(
                status: status,
                statusText: parts.count > 1 ? String(parts[1]) : "",
                headers: try field.object("headers")?.headerFields() ?? HeaderList(),
                body: Interaction.Body(data)
            )
        )
    }
}
