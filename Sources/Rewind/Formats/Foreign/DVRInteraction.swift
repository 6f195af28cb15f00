import Foundation

/// Reads what DVR calls an interaction and Vinyl a track.
struct DVRInteraction {
    /// What a body is that has no media type.
    let untyped: MediaTypeBody.Untyped
    /// Whether a request's body counts only beside headers, as for Vinyl.
    let needsHeadersForBody: Bool

    func interaction(_ field: JSONField) throws -> Interaction {
        let field = try field.object()
        let response = try field.required("response").object()
        let (request, requestAbsence) = try request(field, response)
        let outcome = try outcome(response)
        return Interaction(
            request: request,
            outcome: requestAbsence.map { .unknown(reason: $0.reason) } ?? outcome,
            startedAt: try field["recorded_at"].map { RecordedDate.date(try $0.double()) }
                ?? .distantPast
        )
    }

    /// Without a request, a track answers to the URL of its response.
    private func request(_ field: JSONField, _ response: JSONField) throws -> (Request, BodyAbsence?) {
        guard let field = try field.object("request") else {
            return (Request(url: try response.required("url").string()), nil)
        }
        let headers = Self.headers(field)
        var request = Request(
            method: try field["method"]?.string() ?? "GET",
            url: try field.required("url").string(),
            headers: headers ?? HeaderList()
        )
        guard headers != nil || !needsHeadersForBody else { return (request, nil) }
        do {
            request.body = try MediaTypeBody.data(field["body"]?.value, request.headers, untyped: untyped).map(
                Body.init(_:)
            )
            return (request, nil)
        } catch {
            return (request, .invalidRequestBase64)
        }
    }

    private func outcome(_ field: JSONField) throws -> Interaction.Outcome {
        guard let status = try field["status"]?.integer(), status > 0 else {
            return .unknown(reason: "the response has no status")
        }
        let headers = Self.headers(field) ?? HeaderList()
        do {
            let body = try MediaTypeBody.data(field["body"]?.value, headers, untyped: untyped)
            return .response(Response(status: status, headers: headers, body: Body(body ?? Data())))
        } catch {
            return .unknown(reason: error.reason)
        }
    }

    /// The header fields, none of which count where one of them is no text.
    private static func headers(_ field: JSONField) -> HeaderList? {
        field["headers"].flatMap { try? $0.headerFields() }
    }
}
