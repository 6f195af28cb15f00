/// Finds the interactions that answer a request, at a cost that does not grow with the cassette.
package struct InteractionIndex: Sendable {
    private let matchers: [Matcher]
    private let comparisons: [Matcher]
    private let groups: [Key: Int]
    private let positions: [[Int]]
    /// The groups of requests without a body, by how these are spelled: most live requests are spelled as recorded.
    private let spelled: [Spelling: Int]

    /// What a request without a body is projected from, where no matcher reads header fields.
    private struct Spelling: Hashable, Sendable {
        let method: String
        let url: String
    }

    /// What all matchers project a request to.
    package typealias Key = [Projection]

    /// Projects every interaction that can answer, once.
    package init(_ interactions: [Interaction], matchers: [Matcher]) {
        self.matchers = matchers.filter { !$0.isComparison }
        comparisons = matchers.filter(\.isComparison)
        var groups: [Key: Int] = Dictionary(minimumCapacity: interactions.count)
        var positions: [[Int]] = []
        var spelled: [Spelling: Int] = [:]
        let isSpelledOut = !self.matchers.parts.contains(.headers)
        for (position, interaction) in interactions.enumerated() where interaction.isReplayable {
            let request = interaction.request
            let key = Self.key(of: request, self.matchers)
            let group = groups[key] ?? positions.count
            if group < positions.count {
                positions[group].append(position)
            } else {
                groups[key] = group
                positions.append([position])
            }
            if isSpelledOut, request.body == nil {
                spelled[Spelling(method: request.method, url: request.url)] = group
            }
        }
        self.spelled = spelled
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
        if request.body == nil, let group = spelled[Spelling(method: request.method, url: request.url)] {
            return group
        }
        return groups[key(of: request)]
    }

    /// The positions of the interactions of a group, in recorded order.
    func positions(of group: Int) -> [Int] {
        positions[group]
    }

    /// Whether the matchers that compare, and do not project, accept a recorded request of a group.
    func agrees(_ request: Request, with recorded: Request) -> Bool {
        comparisons.allSatisfy { $0.agrees(request, with: recorded) }
    }

    /// How many groups there are.
    var groupCount: Int { positions.count }

    private static func key(of request: Request, _ matchers: [Matcher]) -> Key {
        matchers.map { $0.projection(request) }
    }
}
