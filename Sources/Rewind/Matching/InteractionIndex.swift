/// Finds the interactions that answer a request, at a cost that does not grow with the cassette.
package struct InteractionIndex: Sendable {
    private let matchers: [Matcher]
    private let groups: [Key: Int]
    private let positions: [[Int]]

    /// What all matchers project a request to.
    package typealias Key = [Projection]

    /// Projects every interaction that can answer, once.
    package init(_ interactions: [Interaction], matchers: [Matcher]) {
        self.matchers = matchers
        var groups: [Key: Int] = Dictionary(minimumCapacity: interactions.count)
        var positions: [[Int]] = []
        for (position, interaction) in interactions.enumerated() where interaction.isReplayable {
            let key = Self.key(of: interaction.request, matchers)
            if let group = groups[key] {
                positions[group].append(position)
            } else {
                groups[key] = positions.count
                positions.append([position])
            }
        }
        self.groups = groups
        self.positions = positions
    }

    /// The key under which a request's interactions stand.
    package func key(of request: Request) -> Key {
        Self.key(of: request, matchers)
    }

    /// The positions of the interactions under a key, in recorded order.
    package func positions(under key: Key) -> [Int] {
        groups[key].map { positions[$0] } ?? []
    }

    /// The number of the interactions that answer a request, if there are any.
    func group(of request: Request) -> Int? {
        groups[key(of: request)]
    }

    /// The positions of the interactions of a group, in recorded order.
    func positions(of group: Int) -> [Int] {
        positions[group]
    }

    /// How many groups there are.
    var groupCount: Int { positions.count }

    private static func key(of request: Request, _ matchers: [Matcher]) -> Key {
        matchers.map { $0.projection(request) }
    }
}
