import Foundation

extension Drift {
    /// The structural differences between a live outcome and the recorded one.
    ///
    /// The bodies are compared only if both statuses have the same first digit.
    package static func between(_ recorded: Interaction.Outcome, _ live: Interaction.Outcome) -> [Drift] {
        switch (recorded, live) {
        case (.response(let recorded), .response(let live)): between(recorded, live)
        case (.failure(let recorded, _), .failure(let live, _)):
            recorded.domain == live.domain && recorded.code == live.code
                ? [] : [outcome(recorded.text, live.text)]
        case (.response(let recorded), .failure(let live, _)): [outcome("status \(recorded.status)", live.text)]
        case (.failure(let recorded, _), .response(let live)): [outcome(recorded.text, "status \(live.status)")]
        case (.unknown, _), (_, .unknown): []
        }
    }

    private static func outcome(_ recorded: String, _ live: String) -> Drift {
        Drift(.outcome, "outcome", recorded: recorded, live: live)
    }

    private static func between(_ recorded: Interaction.Response, _ live: Interaction.Response) -> [Drift] {
        // A 304 depends on the client's copy, not on the API (RFC 9110 section 15.4.5).
        let statuses = [recorded.status, live.status]
        guard recorded.status == live.status || !statuses.contains(304) || !statuses.contains(200)
        else { return [] }
        var drifts: [Drift] = []
        if recorded.status != live.status {
            drifts = [Drift(.status, "status", recorded: "\(recorded.status)", live: "\(live.status)")]
            guard recorded.status / 100 == live.status / 100 else { return drifts }
        }
        return drifts + mediaType(recorded, live) + body(recorded, live)
    }

    private static func mediaType(_ recorded: Interaction.Response, _ live: Interaction.Response) -> [Drift] {
        // Without a body there is no type, and the drift of the body says so. Some formats record no header fields.
        guard recorded.body.isEmpty == live.body.isEmpty, !recorded.headers.isEmpty else { return [] }
        let types = [recorded, live].map { MediaType($0.headers["Content-Type"])?.essence }
        guard types[0] != types[1] else { return [] }
        return [Drift(.mediaType, "content type", recorded: types[0], live: types[1])]
    }

    private static func body(_ recorded: Interaction.Response, _ live: Interaction.Response) -> [Drift] {
        let (recorded, live) = (BodyKind(of: recorded), BodyKind(of: live))
        if case .json(let recorded) = recorded, case .json(let live) = live { return between(recorded, live) }
        guard recorded.name != live.name else { return [] }
        return [Drift(.body, "body", recorded: recorded.name, live: live.name)]
    }
}

extension Interaction.Failure {
    /// Domain and code, which are the same on every platform.
    fileprivate var text: String { "failure \(domain) \(code)" }
}

private enum BodyKind {
    case nothing
    case json(JSONStructure)
    case html
    case xml
    case other

    init(of response: Interaction.Response) {
        let data = response.body.data
        let essence = MediaType(response.headers["Content-Type"])?.essence ?? ""
        let start = data.prefix(512).drop { " \t\r\n".utf8.contains($0) }.prefix(32)
        let text = String(decoding: start, as: UTF8.self).lowercased()
        if data.isEmpty {
            self = .nothing
        } else if essence.hasSuffix("json") || ["{", "["].contains(text.first),
            let json = try? JSON(parsing: data)
        {
            self = .json(JSONStructure(json))
        } else if essence == "text/html" || text.hasPrefix("<!doctype html") || text.hasPrefix("<html") {
            self = .html
        } else if essence.hasSuffix("/xml") || essence.hasSuffix("+xml") || text.hasPrefix("<?xml") {
            self = .xml
        } else {
            self = .other
        }
    }

    var name: String {
        switch self {
        case .nothing: "no body"
        case .json: "JSON"
        case .html: "HTML"
        case .xml: "XML"
        case .other: "other data"
        }
    }
}
