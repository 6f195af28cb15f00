/// Finds the conditions that may match a request, at a cost that does not grow with the conditions for other hosts and paths.
package struct ConditionIndex<Value: Sendable>: Sendable {
    package struct Entry: Sendable {
        /// Identifies the entry for removal; a later entry has a higher id.
        package let id: Int
        package let condition: RequestCondition
        package let value: Value
    }

    private var nextID = 0
    private var keys: [Int: ConditionKey] = [:]
    /// Each list in the order in which entries were added.
    private var entriesByKey: [ConditionKey: [Entry]] = [:]

    package init() {}

    package var isEmpty: Bool { keys.isEmpty }

    @discardableResult
    package mutating func add(_ condition: RequestCondition, _ value: Value) -> Int {
        let id = nextID
        nextID += 1
        let key = condition.key
        keys[id] = key
        entriesByKey[key, default: []].append(Entry(id: id, condition: condition, value: value))
        return id
    }

    package mutating func remove(_ id: Int) {
        guard let key = keys.removeValue(forKey: id) else { return }
        entriesByKey[key]?.removeAll { $0.id == id }
        if entriesByKey[key]?.isEmpty == true { entriesByKey[key] = nil }
    }

    /// The newest entry comes first.
    package func candidates(for subject: ConditionSubject) -> Candidates {
        guard !isEmpty else { return Candidates([]) }
        let key = subject.key
        let keys = [key, ConditionKey(host: key.host), ConditionKey(path: key.path), ConditionKey()]
        return Candidates(keys.compactMap { entriesByKey[$0] })
    }
}

extension ConditionIndex {
    package struct Candidates: Sequence, IteratorProtocol {
        /// A count instead of a slice, as shrinking a slice would copy the list.
        private var lists: [(entries: [Entry], count: Int)]

        init(_ lists: [[Entry]]) { self.lists = lists.map { ($0, $0.count) } }

        package mutating func next() -> Entry? {
            var newest: (place: Int, id: Int)?
            for (place, list) in lists.enumerated() where list.count > 0 {
                let id = list.entries[list.count - 1].id
                if id > newest?.id ?? -1 { newest = (place, id) }
            }
            guard let place = newest?.place else { return nil }
            lists[place].count -= 1
            return lists[place].entries[lists[place].count]
        }
    }
}

/// The parts of a condition without wildcards, by which the index finds it.
struct ConditionKey: Hashable, Sendable {
    var host: String?
    var path: String?

    func joined(with other: ConditionKey) -> ConditionKey {
        ConditionKey(host: host ?? other.host, path: path ?? other.path)
    }

    /// A path as ``PathPattern`` compares it: with a leading slash and normalized percent-encoding.
    static func path(_ text: String) -> String {
        PercentEncoding.normalized(text.utf8.first == UInt8(ascii: "/") ? text : "/" + text)
    }
}

/// A request that several conditions test; each expensive part is computed at most once.
package final class ConditionSubject {
    let request: Interaction.Request
    private(set) lazy var url = URLParts(request.url)
    private(set) lazy var queryItems = FormFields(spelled: url.query ?? "").fields
    private(set) lazy var operations = GraphQLOperations(of: request)?.operations ?? []
    private var projections: [BodyContent.Reading: Projection] = [:]

    package init(_ request: Interaction.Request) { self.request = request }

    var key: ConditionKey { ConditionKey(host: url.host, path: ConditionKey.path(url.path)) }

    func projection(ofBodyAs reading: BodyContent.Reading) -> Projection {
        if let projection = projections[reading] { return projection }
        let projection = BodyContent(request.body?.data, as: reading).projection()
        projections[reading] = projection
        return projection
    }
}
