import Foundation

/// Reads one entry of an archive into an interaction.
enum HAREntry {
    static func interaction(_ entry: HARField) throws -> Interaction {
        let request = try entry.object().object("request")
        var interaction = Interaction(
            request: try request.map(Self.request) ?? Request(method: "", url: ""),
            outcome: try outcome(entry),
            startedAt: try entry["startedDateTime"].flatMap { HARDate.date(try $0.string()) } ?? .distantPast
        )
        if let fragment = try entry.object("_rewind")?["fragment"]?.string(),
            !interaction.request.url.contains("#")
        {
            interaction.request.url += "#" + fragment
        }
        if let places = try entry.object("_rewind")?["redacted"]?.elements() {
            interaction.redactedPlaces = try places.map { try $0.string() }
        }
        if let timings = try entry.object("timings") {
            interaction.timing.wait = max(0, try timings["wait"]?.double() ?? 0)
            interaction.timing.receive = max(0, try timings["receive"]?.double() ?? 0)
        }
        return interaction
    }

    private static func request(_ field: HARField) throws -> Request {
        Request(
            method: try field["method"]?.string() ?? "",
            url: try field["url"]?.string() ?? "",
            headers: try headers(field),
            body: try field.object("postData").flatMap(HARBody.requestBody),
            httpVersion: try field["httpVersion"]?.string() ?? ""
        )
    }

    private static func outcome(_ entry: HARField) throws -> Interaction.Outcome {
        let own = try entry.object("_rewind")
        let failure = try own?.object("failure").map { field in
            Failure(
                domain: try field["domain"]?.string() ?? NSURLErrorDomain,
                code: try field["code"]?.integer() ?? NSURLErrorUnknown,
                message: try field["message"]?.string() ?? ""
            )
        }
        let response = try entry.object("response")
        let status = try response?["status"]?.integer() ?? 0
        guard let response, status > 0 else {
            if let failure { return .failure(failure, after: nil) }
            return .unknown(
                reason: response == nil ? "the entry has no response" : "the response's status is 0"
            )
        }
        do {
            let body = try HARBody.responseBody(response.object("content"), chunks: chunks(own))
            let value = Response(
                status: status,
                statusText: try response["statusText"]?.string() ?? "",
                headers: try headers(response),
                body: body,
                httpVersion: try response["httpVersion"]?.string() ?? ""
            )
            if let failure { return .failure(failure, after: value) }
            return .response(value)
        } catch let absence as HARBody.Absence {
            return .unknown(reason: absence.reason)
        }
    }

    private static func headers(_ message: HARField) throws -> HeaderList {
        if let plain = plainHeaders(message.value["headers"]) { return plain }
        let fields = try message["headers"]?.elements() ?? []
        return HeaderList(
            try fields.map { field in
                // Slack exports pairs where the specification has objects.
                if field.value.arrayValue != nil {
                    let pair = try field.elements()
                    guard pair.count == 2 else { throw field.problem("expected a name and a value") }
                    return HeaderList.Field(name: try pair[0].string(), value: try pair[1].string())
                }
                let field = try field.object()
                return HeaderList.Field(
                    name: try field["name"]?.string() ?? "",
                    value: try field["value"]?.string() ?? ""
                )
            }
        )
    }

    /// The header fields where they are as the specification has them, which needs no place for an error.
    private static func plainHeaders(_ value: JSON?) -> HeaderList? {
        guard let elements = value?.arrayValue else { return nil }
        var fields: [HeaderList.Field] = []
        fields.reserveCapacity(elements.count)
        for element in elements {
            guard let name = element["name"]?.stringValue, let value = element["value"]?.stringValue else {
                return nil
            }
            fields.append(HeaderList.Field(name: name, value: value))
        }
        return HeaderList(fields)
    }

    private static func chunks(_ own: HARField?) throws -> [Body.Chunk] {
        try own?["chunks"]?.elements().map { chunk in
            let pair = try chunk.elements()
            guard pair.count == 2 else { throw chunk.problem("expected a time and a size") }
            return Body.Chunk(offset: try pair[0].double(), count: try pair[1].integer())
        } ?? []
    }
}
