/// Finds the conditions that may hold for a request, at a cost that does not grow with those for other hosts and paths.
///
/// ```swift
/// var index = ConditionIndex<Stub>()
/// let id = index.add(.get("https://api.example.com/users"), stub)
/// let subject = ConditionSubject(request)
/// for entry in index.candidates(for: subject) {
///     if let captures = entry.condition.captures(in: subject) { … }
/// }
/// ```
package struct ConditionIndex<Value: Sendable>: Sendable {
    package struct Entry: Sendable {
        /// The number by which it is removed; later ones are higher.
        package let id: Int
        package let condition: Condition
        package let value: Value
    }

    private var nextID = 0
    private var keys: [Int: ConditionKey] = [:]
    /// The entries by what can be looked up of them, each list in the order they were added.
    private var entriesByKey: [ConditionKey: [Entry]] = [:]

    package init() {}

    package var isEmpty: Bool { keys.isEmpty }

    /// Adds a condition, and returns the number by which it is removed.
    @discardableResult
    package mutating func add(_ condition: Condition, _ value: Value) -> Int {
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

    /// The conditions that may hold for a request of which they are asked afterwards, the last added first.
    package func candidates(for subject: ConditionSubject) -> Candidates {
        guard !isEmpty else { return Candidates([]) }
        let key = subject.key
        let keys = [key, ConditionKey(host: key.host), ConditionKey(path: key.path), ConditionKey()]
        return Candidates(keys.compactMap { entriesByKey[$0] })
    }
}

extension ConditionIndex {
    /// The conditions of several lists, merged one by one.
    package struct Candidates: Sequence, IteratorProtocol {
        /// The lists, and how many entries of each are still to come, for a slice would copy its list when it shrinks.
        private var lists: [(entries: [Entry], count: Int)]

        init(_ lists: [[Entry]]) {
            self.lists = lists.map { ($0, $0.count) }
        }

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

/// What a condition demands to the letter, so that it can be looked up and need not be tried.
struct ConditionKey: Hashable, Sendable {
    var host: String?
    var path: String?

    func joined(with other: ConditionKey) -> ConditionKey {
        ConditionKey(host: host ?? other.host, path: path ?? other.path)
    }

    /// A path as ``PathPattern`` compares it: rooted, and its percent-encoding normalised.
    static func path(_ text: String) -> String {
        PercentEncoding.normalized(text.utf8.first == UInt8(ascii: "/") ? text : "/" + text)
    }
}

/// A request that several conditions are tried on; what takes time is computed once, and only when it is needed.
package final class ConditionSubject {
    let request: Request
    private(set) lazy var url = URLParts(request.url)
    private(set) lazy var queryItems = FormFields(spelled: url.query ?? "").fields
    private(set) lazy var operations = GraphQLOperations(of: request)?.operations ?? []
    private var projections: [BodyContent.Reading: Projection] = [:]

    package init(_ request: Request) {
        self.request = request
    }

    var key: ConditionKey {
        ConditionKey(host: url.host, path: ConditionKey.path(url.path))
    }

    /// The body as matchers compare it.
    func projection(ofBodyAs reading: BodyContent.Reading) -> Projection {
        if let projection = projections[reading] { return projection }
        let projection = BodyContent(request.body?.data, as: reading).projection()
        projections[reading] = projection
        return projection
    }
}
