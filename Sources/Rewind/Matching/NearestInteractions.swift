/// The recorded interactions that come nearest to a request that none of them answers.
package struct NearestInteractions: Sendable {
    /// One recorded interaction and how it differs.
    package struct Candidate: Sendable {
        /// The place on the cassette, counted from one.
        package var number: Int
        /// The recorded request.
        package var request: Request
        /// The parts in which the request differs from it; none where it was already played.
        package var differences: [Difference]
        /// Why it could not answer even a request that matches, where that is so.
        package var obstacle: String?
    }

    /// The nearest first.
    package var candidates: [Candidate]

    /// Compares a request with every recorded one, which only a miss has to pay for.
    package init(to request: Request, among interactions: [Interaction], matchers: [Matcher], limit: Int = 3) {
        let path = URLParts(request.url).path
        let ranked = interactions.enumerated().map { position, interaction in
            let differences = Difference.between(request, and: interaction.request, matchers: matchers)
            let distance = differences.reduce(0) { $0 + Self.weight(of: $1) }
            let likeness = zip(path, URLParts(interaction.request.url).path).prefix { $0 == $1 }.count
            return (position, distance, likeness, differences)
        }
        candidates =
            ranked
            .sorted { ($0.1, -$0.2, $0.0) < ($1.1, -$1.2, $1.0) }
            .prefix(limit)
            .map { position, _, _, differences in
                Candidate(
                    number: position + 1,
                    request: interactions[position].request,
                    differences: differences,
                    obstacle: interactions[position].obstacle
                )
            }
    }

    /// A different server or path makes a request a stranger; a different item of its query does not.
    private static func weight(of difference: Difference) -> Int {
        switch difference.part {
        case "scheme", "host", "port", "path": 4
        case "method": 2
        default: 1
        }
    }
}

extension Interaction {
    /// Why it never answers, where that is so.
    fileprivate var obstacle: String? {
        if case .unknown(let reason) = outcome { reason } else { nil }
    }
}
