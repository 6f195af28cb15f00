import Foundation

/// Reads an interaction as VCR, betamax, vcrpy and go-vcr write it, in JSON or YAML.
enum VCRInteraction {
    static func interaction(
        _ field: CassetteField<some FieldValue>,
        _ budget: inout InflationBudget
    ) throws -> Interaction {
        let field = try field.object()
        let (request, absence) = try request(field.required("request").object())
        let response = try field.required("response").object()
        let outcome = try outcome(response, &budget)
        var interaction = Interaction(
            request: request,
            outcome: absence.map { .unknown(reason: $0.reason) } ?? outcome,
            startedAt: try field["recorded_at"].flatMap { VCRDate.date(try $0.string()) } ?? .distantPast
        )
        interaction.timing = .init(
            wait: try response["duration"].map { VCRDuration.milliseconds(try $0.string()) } ?? 0
        )
        return interaction
    }

    private static func request(_ field: CassetteField<some FieldValue>) throws -> (Request, BodyAbsence?) {
        let method = try field.required("method").string()
        var request = Request(
            // Ruby's symbols are in lower case.
            method: method == method.lowercased() ? method.uppercased() : method,
            url: try (field["uri"] ?? field["url"] ?? field.required("uri")).string(),
            headers: try field["headers"]?.headerFields() ?? HeaderList(),
            httpVersion: try httpVersion(field)
        )
        do {
            // All of these write an empty text where there is no body.
            if let data = try VCRBody.data(field), !data.isEmpty { request.body = Body(data) }
            return (request, nil)
        } catch let absence as BodyAbsence {
            return (request, BodyAbsence(reason: "of the request, " + absence.reason))
        }
    }

    private static func outcome(
        _ field: CassetteField<some FieldValue>,
        _ budget: inout InflationBudget
    ) throws -> Interaction.Outcome {
        var response = try VCRStatus.response(field)
        response.headers = try field["headers"]?.headerFields() ?? HeaderList()
        response.httpVersion = try httpVersion(field)
        do {
            response.body = try VCRBody.decoded(field, response.headers, &budget)
            return .response(response)
        } catch let absence as BodyAbsence {
            return .unknown(reason: absence.reason)
        }
    }

    private static func httpVersion(_ field: CassetteField<some FieldValue>) throws -> String {
        guard let version = try (field["http_version"] ?? field["proto"])?.string() else { return "HTTP/1.1" }
        return version.first?.isNumber == true ? "HTTP/\(version)" : version
    }
}
