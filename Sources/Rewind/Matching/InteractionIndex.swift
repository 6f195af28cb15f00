/// Finds the interactions that answer a request, at a cost that does not grow with the cassette.
package struct InteractionIndex: Sendable {
    private let matchers: [Matcher]
    private let comparisons: [Matcher]
    private let groups: [Key: Int]
    private let positions: [[Int]]
    /// The groups of requests without a body, by how these are spelled: most live requests are spelled as recorded.
    private let spelled: [Spelling: Int]
    /// The placeholders of secrets in what is compared of a recorded request, for those that have some.
    private let secrets: [Int: [Placeholder]]

    /// What a request without a body is projected from, where no matcher reads header fields.
    private struct Spelling: Hashable, Sendable {
        let method: String
        let url: String

        /// Compares byte by byte, as projections do.
        static func == (left: Spelling, right: Spelling) -> Bool {
            left.url.hasSameBytes(as: right.url) && left.method.hasSameBytes(as: right.method)
        }
    }

    /// What all matchers project a request to, the numbers taken out of its placeholders.
    ///
    /// The same secret need not have the same number in a test as on its cassette.
    package typealias Key = [Projection]

    /// Where a request's interactions stand, and the placeholders in what was compared of it.
    struct Place {
        let group: Int
        let secrets: [Placeholder]
    }

    /// The recorded requests, where any matcher compares with them.
    private let requests: [Request]

    /// Projects every interaction that can answer, once.
    package init(_ reel: any Reel, matchers: [Matcher]) {
        self.matchers = matchers.filter { !$0.isComparison }
        comparisons = matchers.filter(\.isComparison)
        var groups: [Key: Int] = Dictionary(minimumCapacity: reel.count)
        var positions: [[Int]] = []
        var spelled: [Spelling: Int] = [:]
        var secrets: [Int: [Placeholder]] = [:]
        let readsHeaders = matchers.parts.contains(.headers)
        requests = comparisons.isEmpty ? [] : reel.indices.map { reel.request(at: $0, withHeaders: true) }
        for position in reel.indices where reel.isReplayable(at: position) {
            let request = reel.request(at: position, withHeaders: readsHeaders)
            let (key, placeholders) = Self.key(of: request, self.matchers)
            if !placeholders.isEmpty { secrets[position] = placeholders }
            let group = groups[key] ?? positions.count
            if group < positions.count {
                positions[group].append(position)
            } else {
                groups[key] = group
                positions.append([position])
            }
            if !readsHeaders, request.body == nil, placeholders.isEmpty {
                spelled[Spelling(method: request.method, url: request.url)] = group
            }
        }
        self.spelled = spelled
        self.secrets = secrets
        self.groups = groups
        self.positions = positions
    }

    /// The key under which a request's interactions stand.
    package func key(of request: Request) -> Key {
        Self.key(of: request, matchers).key
    }

    /// Where the interactions that answer a request stand, if there are any.
    func place(of request: Request) -> Place? {
        if request.body == nil, let group = spelled[Spelling(method: request.method, url: request.url)] {
            return Place(group: group, secrets: [])
        }
        let (key, secrets) = Self.key(of: request, matchers)
        return groups[key].map { Place(group: $0, secrets: secrets) }
    }

    /// The placeholders in what is compared of a recorded request.
    func secrets(at position: Int) -> [Placeholder] {
        secrets.isEmpty ? [] : secrets[position] ?? []
    }

    /// The positions of the interactions of a group, in recorded order.
    func positions(of group: Int) -> [Int] {
        positions[group]
    }

    /// Whether the matchers that compare, and do not project, accept a recorded request of a group.
    func agrees(_ request: Request, at position: Int) -> Bool {
        comparisons.isEmpty || comparisons.allSatisfy { $0.agrees(request, with: requests[position]) }
    }

    /// How many groups there are.
    var groupCount: Int { positions.count }

    private static func key(of request: Request, _ matchers: [Matcher]) -> (key: Key, secrets: [Placeholder]) {
        guard let plain = request.withoutPlaceholderNumbers else {
            return (matchers.map { $0.projection(request) }, [])
        }
        let secrets = matchers.flatMap { $0.projection(request).placeholders }
        return (matchers.map { $0.projection(plain) }, secrets)
    }
}
