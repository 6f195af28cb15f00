import Foundation

/// Reads one entry of an archive into an interaction.
struct HAREntry {
    private let entry: JSONField
    private let attachments: Attachments?

    init(_ entry: JSONField, _ attachments: Attachments?) {
        self.entry = entry
        self.attachments = attachments
    }

    func interaction() throws -> Interaction {
        let field = try entry.object().object("request")
        var request = try field.map(HARMessage.request) ?? Request(method: "", url: "")
        var absence: BodyAbsence?
        do {
            request.body = try HARBody.request(field?.object("postData"), request.headers, attachments)
        } catch let problem as BodyAbsence {
            absence = problem
        }
        if request.method.isEmpty || request.url.isEmpty {
            absence = BodyAbsence(reason: "the request has no method or no URL")
        }
        let outcome = try outcome(of: request)
        var interaction = Interaction(
            request: request,
            outcome: absence.map { .unknown(reason: $0.reason) } ?? outcome,
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

    private func outcome(of request: Request) throws -> Interaction.Outcome {
        let own = try entry.object("_rewind")
        let failure = try own?.object("failure").map { try $0.failureWithUserInfo() }
        let field = try entry.object("response")
        guard let field, var response = try HARMessage.response(field) else {
            if let failure { return .failure(failure, after: nil) }
            return .unknown(reason: field == nil ? "the entry has no response" : "the response's status is 0")
        }
        do {
            let body = try HARBody.response(
                field.object("content"),
                to: request,
                head: response,
                attachments
            )
            response.body = Body(body, chunks: try chunks(own))
        } catch let absence as BodyAbsence {
            return .unknown(reason: absence.reason)
        }
        if let failure { return .failure(failure, after: response) }
        return .response(response)
    }

    private func chunks(_ own: JSONField?) throws -> [Body.Chunk] {
        try own?["chunks"]?.elements().map { chunk in
            let pair = try chunk.elements()
            guard pair.count == 2 else { throw chunk.problem("expected a time and a size") }
            return Body.Chunk(offset: try pair[0].double(), count: try pair[1].integer())
        } ?? []
    }
}
