import Foundation

/// The recorded interactions that are most similar to a request that none of them answers.
package struct NearestInteractions: Sendable {
    package struct Candidate: Sendable {
        /// The number of the interaction, counted from 1.
        package var number: Int
        package var request: Interaction.Request
        /// Empty if the interaction matches and was already played.
        package var differences: [Difference]
        /// Why the interaction cannot be replayed, if it cannot.
        package var obstacle: String?
        /// The placeholders of the recorded request, if it differs only in their secrets.
        package var otherSecrets: [Placeholder] = []
    }

    /// The most similar comes first.
    package var candidates: [Candidate]

    package init(
        to request: Interaction.Request,
        among list: any InteractionList,
        at positions: [Int]? = nil,
        matchers: [RequestMatcher],
        limit: Int = 3
    ) {
        let sketch = RequestSketch(request)
        let plain = request.withoutPlaceholderNumbers ?? request
        // A fast comparison selects the few that are compared in full.
        let likely = (positions ?? Array(list.indices))
            .map { position in
                let recorded = RequestSketch(list.request(at: position, withHeaders: false))
                return (position: position, likeness: sketch.likeness(to: recorded))
            }
            .sorted { ($1.likeness, $0.position) < ($0.likeness, $1.position) }
            .prefix(24)
        candidates = likely.map { position, likeness in
            let interaction = list[position]
            // The same secret may have another number in the cassette, so numbers are not compared.
            let recorded = interaction.request.withoutPlaceholderNumbers ?? interaction.request
            let differences = Difference.between(plain, and: recorded, matchers: matchers)
            let distance = differences.reduce(0) { $0 + Self.weight(of: $1) }
            var obstacle: String?
            if case .unknown(let reason) = interaction.outcome { obstacle = reason }
            let candidate = Candidate(
                number: position + 1,
                request: interaction.request,
                differences: differences,
                obstacle: obstacle,
                otherSecrets: differences.isEmpty && interaction.request != recorded
                    ? Self.secrets(of: interaction.request, matchers) : []
            )
            return (candidate, distance, likeness)
        }
        .sorted { ($0.1, $1.2, $0.0.number) < ($1.1, $0.2, $1.0.number) }
        .prefix(limit)
        .map { $0.0 }
    }

    /// The placeholders in the compared parts of a request; if there are none, those in its header fields.
    private static func secrets(of request: Interaction.Request, _ matchers: [RequestMatcher]) -> [Placeholder]
    {
        let compared = matchers.flatMap { $0.projection(request).placeholders }
        return compared.isEmpty
            ? request.headers.fields.flatMap { Placeholder.placeholders(in: $0.value) } : compared
    }

    /// A different server or path weighs more than a different query item.
    private static func weight(of difference: Difference) -> Int {
        switch difference.part {
        case "scheme", "host", "port", "path": 4
        case "method": 2
        default: 1
        }
    }
}

private struct RequestSketch {
    private let method: String
    private let url: URLParts
    private let items: Set<String>
    private let bodyStart: Data
    private let bodyEnd: Data

    init(_ request: Interaction.Request) {
        method = request.method
        url = URLParts(request.url)
        items = Set(url.queryItems)
        bodyStart = request.body?.data.prefix(100) ?? Data()
        bodyEnd = request.body.map { Data($0.data.suffix(100).reversed()) } ?? Data()
    }

    /// Higher if two requests have more in common.
    func likeness(to other: RequestSketch) -> Int {
        var likeness = 0
        if method == other.method { likeness += 1000 }
        if url.host == other.url.host { likeness += 4000 }
        if url.path == other.url.path { likeness += 4000 }
        likeness += 3 * min(500, Self.common(url.path, other.url.path))
        likeness += 300 * items.intersection(other.items).count / max(items.count, other.items.count, 1)
        likeness += min(100, Self.common(url.query ?? "", other.url.query ?? ""))
        likeness += bodyStart.isEmpty == other.bodyStart.isEmpty ? 300 : 0
        // Often one end of a body changes every time, and the other end distinguishes requests.
        return likeness + bodyStart.commonLength(with: other.bodyStart)
            + bodyEnd.commonLength(with: other.bodyEnd)
    }

    private static func common(_ left: String, _ right: String) -> Int {
        zip(left.utf8, right.utf8).prefix { $0 == $1 }.count
    }
}
