import Foundation

/// The JSON files of DVR (<https://github.com/venmo/DVR>).
///
/// DVR repeats interactions without limit, and uses the last of several interactions for one request. Here they are
/// played in the order of the file. Of a redirect, DVR stores only the final URL, which is ignored here.
///
/// DVR compares method, URL and body, like the default matchers:
///
/// ```swift
/// configuration.matching = .default
/// configuration.repeats = .last
/// ```
package enum DVRFormat: CassetteWriter {
    package static let name = "DVR"

    /// Whether the text is an object with `interactions` that are not those of vcrpy.
    package static func recognizes(_ data: Data) -> Bool {
        // swift-vcr has almost the same format, but all its bodies are base64.
        FormatDetector.mark(of: data) == .interactions && !VCRFormat.isPython(data)
            && FormatDetector.firstMember(of: ["recordMode"], in: data) == nil
    }

    /// Reads a cassette.
    /// - Throws: ``CassetteError/Problem`` if the content is invalid.
    package static func read(_ data: Data) throws -> Cassette {
        let entries = try JSONEntries(data, at: ["interactions"]).entries
        return Cassette(interactions: try entries.map(DVRReader().interaction))
    }

    /// Writes a cassette that DVR can play.
    ///
    /// The format cannot represent failures and interactions without an outcome, so they are not written. Several fields of
    /// the same name are joined. A body that does not fit its media type is not written, because DVR ignores it.
    package static func write(_ cassette: Cassette) -> Data {
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

    private static func request(_ request: Interaction.Request) -> JSON {
        var members: JSONObject = ["method": .string(request.method), "url": .string(request.url)]
        if !request.headers.isEmpty { members.append("headers", headers(request.headers)) }
        if let body = request.body.flatMap({ json($0, request.headers) }) { members.append("body", body) }
        return .object(members)
    }

    private static func response(_ response: Interaction.Response, to request: Interaction.Request) -> JSON {
        var members: JSONObject = [
            "url": .string(request.url), "status": JSON(response.status), "headers": headers(response.headers),
        ]
        if !response.body.isEmpty, let body = json(response.body, response.headers) {
            members.append("body", body)
        }
        return .object(members)
    }

    private static func json(_ body: Interaction.Body, _ headers: HeaderList) -> JSON? {
        (BodyForm(canonical(headers)) ?? .base64).json(body.data)
    }

    private static func headers(_ headers: HeaderList) -> JSON {
        var members = JSONObject()
        for (name, value) in canonical(headers).joined.sorted(by: { $0.key < $1.key }) {
            members.append(name, .string(value))
        }
        return .object(members)
    }

    /// The fields, with `Content-Type` spelled as DVR expects it.
    private static func canonical(_ headers: HeaderList) -> HeaderList {
        HeaderList(
            headers.map { field in
                let isType = field.name.lowercased() == "content-type"
                return HeaderList.Field(name: isType ? "Content-Type" : field.name, value: field.value)
            }
        )
    }
}

/// Reads the interactions of DVR and Vinyl, whose formats are almost the same.
struct DVRReader {
    /// In Vinyl, a body without a media type is text, and a request without headers has no body.
    var isVinyl = false

    func interaction(_ field: JSONField) throws -> Interaction {
        let field = try field.object()
        let response = try field.required("response").object()
        let (request, absence) = try request(field, response)
        let outcome = try outcome(response)
        return Interaction(
            request: request,
            outcome: absence.map { .unknown(reason: $0.reason) } ?? outcome,
            startedAt: try field["recorded_at"].map { RecordedDate.date(try $0.double()) } ?? .distantPast
        )
    }

    /// An interaction without a request answers `GET` requests for the URL of its response.
    private func request(_ field: JSONField, _ response: JSONField) throws -> (
        Interaction.Request, BodyAbsence?
    ) {
        guard let field = try field.object("request") else {
            return (Interaction.Request(url: try response.required("url").string()), nil)
        }
        let headers = Self.headers(field)
        var request = Interaction.Request(
            method: try field["method"]?.string() ?? "GET",
            url: try field.required("url").string(),
            headers: headers ?? HeaderList()
        )
        guard headers != nil || !isVinyl, let body = field["body"]?.value else { return (request, nil) }
        do {
            request.body = try form(request.headers).data(body).map { Interaction.Body($0) }
            return (request, nil)
        } catch {
            return (request, .invalidRequestBase64)
        }
    }

    private func outcome(_ field: JSONField) throws -> Interaction.Outcome {
        guard let status = try field["status"]?.integer(), status > 0 else {
            return .unknown(reason: "the response has no status code")
        }
        let headers = Self.headers(field) ?? HeaderList()
        return try .reading {
            let body = try field["body"].flatMap { try form(headers).data($0.value) }
            return Interaction.Response(
                status: status,
                headers: headers,
                body: Interaction.Body(body ?? Data())
            )
        }
    }

    private func form(_ headers: HeaderList) -> BodyForm { BodyForm(headers) ?? (isVinyl ? .text : .base64) }

    /// The header fields; `nil` if a value is not a string.
    private static func headers(_ field: JSONField) -> HeaderList? {
        field["headers"].flatMap { try? $0.headerFields() }
    }
}

private enum BodyForm {
    case text, json, base64

    init?(_ headers: HeaderList) {
        // DVR and Vinyl compare the name and the beginning of the value case-sensitively.
        guard let type = headers.last(where: { $0.name == "Content-Type" })?.value else { return nil }
        self = type.hasPrefix("text/") ? .text : type.hasPrefix("application/json") ? .json : .base64
    }

    /// The bytes of a body; `nil` if it contradicts the media type. JSON may differ from the bytes that were sent.
    func data(_ body: JSON) throws(BodyAbsence) -> Data? {
        guard self != .json else { return body.lineText }
        guard let text = body.stringValue else { return nil }
        guard self == .base64 else { return Data(text.utf8) }
        guard let data = WrappedBase64.data(text) else { throw .invalidBase64 }
        return data
    }

    /// The body as DVR writes it; `nil` if it does not fit the media type.
    func json(_ data: Data) -> JSON? {
        switch self {
        // In the file, it is nested deeper, inside the array of interactions.
        case .json:
            try? JSON(parsing: data, limits: JSONLimits(maximumDepth: JSONLimits.default.maximumDepth - 4))
        case .text: String(data: data, encoding: .utf8).map { .string($0) }
        case .base64: .string(data.base64EncodedString())
        }
    }
}
