import Foundation

/// The JSON files of DVR (<https://github.com/venmo/DVR>).
///
/// DVR repeats interactions without limit, and uses the last of several interactions for one request. Here they are
/// played in the order of the file. DVR follows redirects, and stores only the last response with its URL.
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
        try DVRReader().cassette(data, at: ["interactions"])
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
            "url": .string(response.url ?? request.url), "status": JSON(response.status),
            "headers": headers(response.headers),
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

    func cassette(_ data: Data, at path: [String]) throws -> Cassette {
        let entries = try JSONEntries(TrailingCommas.removed(from: data), at: path).entries
        return try Cassette(
            read: entries.map(interaction),
            from: path.first.map { "`\($0)`" } ?? "the first line"
        )
    }

    private func interaction(_ field: JSONField) -> Interaction {
        var reading = EntryReading()
        let entry = reading.value { try field.object() }
        let response = reading.value { try entry?.required("response").object() }
        let request = request(entry, response, &reading)
        let outcome = response.map { self.outcome($0, to: request, &reading) }
        return Interaction(
            request: request,
            read: outcome ?? .unknown(reason: "the response is missing"),
            preventedBy: reading.absence,
            startedAt: entry?["recorded_at"]?.recordedDate ?? .distantPast
        )
    }

    /// In Vinyl, an interaction without a request answers `GET` requests for the URL of its response.
    private func request(_ entry: JSONField?, _ response: JSONField?, _ reading: inout EntryReading)
        -> Interaction.Request
    {
        let recorded = reading.value {
            try isVinyl ? entry?.object("request") : entry?.required("request").object()
        }
        guard let field = recorded else {
            return Interaction.Request(url: reading.url("url", of: response))
        }
        var request = Interaction.Request(
            method: reading.value { try field["method"]?.string() } ?? "GET",
            url: reading.url("url", of: field),
            headers: reading.headers(field["headers"])
        )
        guard !isVinyl || field["headers"] != nil, let body = field["body"] else { return request }
        let form = form(request.headers)
        reading.body(of: &request) { try form.data(body, named: "the request body") }
        return request
    }

    private func outcome(_ field: JSONField, to request: Interaction.Request, _ reading: inout EntryReading)
        -> ReadOutcome
    {
        var response = Interaction.Response(
            status: reading.status(field["status"]),
            headers: reading.headers(field["headers"])
        )
        response.setURL(field["url"]?.value.stringValue, of: request)
        guard let body = field["body"] else {
            // What DVR cannot represent, such as invalid JSON, it omits.
            return ReadOutcome.response(response).prevented(by: response.absence(ofBodyTo: request.method))
        }
        let data = reading.value { try form(response.headers).data(body, named: "the body") }
        response.body = Interaction.Body(data ?? Data())
        return .response(response)
    }

    private func form(_ headers: HeaderList) -> BodyForm { BodyForm(headers) ?? (isVinyl ? .text : .base64) }
}

extension CassetteField {
    /// A date in seconds since 1970, or as text; `nil` if it is neither.
    fileprivate var recordedDate: Date? {
        if let seconds = value.doubleValue { return RecordedDate.date(seconds) }
        guard let text = value.stringValue else { return nil }
        return Double(text).map(RecordedDate.date) ?? VCRDate.date(text)
    }
}

private enum BodyForm {
    case text, json, base64

    init?(_ headers: HeaderList) {
        // DVR and Vinyl compare the name and the beginning of the value case-sensitively.
        guard let type = headers.last(where: { $0.name == "Content-Type" })?.value else { return nil }
        self = type.hasPrefix("text/") ? .text : type.hasPrefix("application/json") ? .json : .base64
    }

    /// The bytes of a body. JSON may differ from the bytes that were sent.
    func data(_ body: JSONField, named name: String) throws -> Data {
        guard self != .json else { return body.value.lineText }
        guard let text = body.value.stringValue else {
            throw body.problem("\(name) is not a string, as its media type requires")
        }
        guard self == .base64 else { return Data(text.utf8) }
        guard let data = WrappedBase64.data(text) else {
            throw BodyAbsence(reason: "\(name) is not valid base64")
        }
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
