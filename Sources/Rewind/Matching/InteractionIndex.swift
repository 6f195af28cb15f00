/// Finds the interactions that answer a request, at a cost that does not grow with the cassette.
package struct InteractionIndex: Sendable {
    private let matchers: [Matcher]
    private let buckets: [Key: [Int]]

    /// What all matchers project a request to.
    package typealias Key = [Projection]

    /// Projects every interaction that can answer, once.
    package init(_ interactions: [Interaction], matchers: [Matcher]) {
        self.matchers = matchers
        var buckets: [Key: [Int]] = Dictionary(minimumCapacity: interactions.count)
        for (position, interaction) in interactions.enumerated() where interaction.isReplayable {
            buckets[Self.key(of: interaction.request, matchers), default: []].append(position)
        }
        self.buckets = buckets
    }

    /// The key under which a request's interactions stand.
    package func key(of request: Request) -> Key {
        Self.key(of: request, matchers)
    }

    /// The positions of the interactions under a key, in recorded order.
    package func positions(under key: Key) -> [Int] {
        buckets[key] ?? []
    }

    private static func key(of request: Request, _ matchers: [Matcher]) -> Key {
        matchers.map { $0.projection(request) }
    }
}
