import Foundation

extension Drift {
    /// In what a live outcome is of another make than the recorded one.
    ///
    /// An answer of another class of status has another body, of which nothing more is told.
    /// - Parameters:
    ///   - recorded: What came back when it was recorded.
    ///   - live: What comes back now.
    /// - Returns: The changes, those of a body in the order in which it has them; none where all is as it was.
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

    private static func between(_ recorded: Response, _ live: Response) -> [Drift] {
        // Whether a copy that the client has is still fresh is no question of the API (RFC 9110 section 15.4.5).
        let statuses = [recorded.status, live.status]
        guard recorded.status == live.status || !statuses.contains(304) || !statuses.contains(200) else {
            return []
        }
        var drifts: [Drift] = []
        if recorded.status != live.status {
            drifts.append(
                Drift(.status, "status", recorded: "\(recorded.status)", live: "\(live.status)")
            )
            guard recorded.status / 100 == live.status / 100 else { return drifts }
        }
        return drifts + mediaType(recorded, live) + body(recorded, live)
    }

    private static func mediaType(_ recorded: Response, _ live: Response) -> [Drift] {
        // What has no body has no type either, and the body tells that; some formats record no fields at all.
        guard recorded.body.isEmpty == live.body.isEmpty, !recorded.headers.isEmpty else { return [] }
        let types = [recorded, live].map { MediaType($0.headers["Content-Type"])?.essence }
        guard types[0] != types[1] else { return [] }
        return [Drift(.mediaType, "content type", recorded: types[0], live: types[1])]
    }

    private static func body(_ recorded: Response, _ live: Response) -> [Drift] {
        let (recorded, live) = (BodyKind(of: recorded), BodyKind(of: live))
        if case .json(let recorded) = recorded, case .json(let live) = live {
            var comparison = ShapeComparison()
            comparison.compare(recorded, live)
            return comparison.drifts
        }
        guard recorded.name != live.name else { return [] }
        return [Drift(.body, "body", recorded: recorded.name, live: live.name)]
    }
}

extension Failure {
    /// The failure in a few words that are the same on every platform.
    fileprivate var text: String { "failure \(domain) \(code)" }
}

/// What a response's body is, as far as one can be told from another without reading values.
enum BodyKind {
    /// No bytes.
    case nothing
    /// A JSON document.
    case json(JSONShape)
    /// A web page.
    case html
    /// Another document of XML.
    case xml
    /// Anything else.
    case other

    /// Reads the body of a response by its media type, or by what it plainly is.
    init(of response: Response) {
        let data = response.body.data
        let essence = MediaType(response.headers["Content-Type"])?.essence ?? ""
        let start = data.prefix(512).drop { " \t\r\n".utf8.contains($0) }
        guard !data.isEmpty else {
            self = .nothing
            return
        }
        let isJSON = essence.hasSuffix("json") || [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(start.first)
        if isJSON, let json = try? JSON(parsing: data) {
            self = .json(JSONShape(json))
        } else if essence == "text/html" || Self.begins(start, with: ["<!doctype html", "<html"]) {
            self = .html
        } else if essence.hasSuffix("/xml") || essence.hasSuffix("+xml") || Self.begins(start, with: ["<?xml"])
        {
            self = .xml
        } else {
            self = .other
        }
    }

    /// The kind in a word or two.
    var name: String {
        switch self {
        case .nothing: "nothing"
        case .json: "JSON"
        case .html: "HTML"
        case .xml: "XML"
        case .other: "something else"
        }
    }

    private static func begins(_ bytes: Data, with marks: [String]) -> Bool {
        let text = String(decoding: bytes.prefix(32), as: UTF8.self).lowercased()
        return marks.contains { text.hasPrefix($0) }
    }
}
