import Foundation

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
    /// A condition and what it is for.
    package struct Entry: Sendable {
        /// The number by which it is removed; later ones are higher.
        package let id: Int
        /// The condition.
        package let condition: Condition
        /// What it is for.
        package let value: Value
    }

    private var nextID = 0
    /// Where each entry stands.
    private var keys: [Int: ConditionKey] = [:]
    /// The entries by what can be looked up of them, each list in the order they were added.
    private var entriesByKey: [ConditionKey: [Entry]] = [:]

    /// Creates an empty index.
    package init() {}

    /// Whether there are no conditions.
    package var isEmpty: Bool { keys.isEmpty }

    /// Adds a condition.
    /// - Returns: The number by which it is removed.
    @discardableResult
    package mutating func add(_ condition: Condition, _ value: Value) -> Int {
        let id = nextID
        nextID += 1
        let key = condition.form.key
        keys[id] = key
        entriesByKey[key, default: []].append(Entry(id: id, condition: condition, value: value))
        return id
    }

    /// Removes a condition, if it is there.
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
    /// The conditions of several lists, merged as they are asked for.
    package struct Candidates: Sequence, IteratorProtocol {
        /// The lists, and how many entries of each are still to come, for a slice would copy its list when it shrinks.
        private var lists: [(entries: [Entry], count: Int)]

        init(_ lists: [[Entry]]) {
            self.lists = lists.map { ($0, $0.count) }
        }

        /// The next condition, older than those before.
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
    /// The host, in lower case; `nil` where several can do.
    var host: String?
    /// The path, its percent-encoding normalised; `nil` where several can do.
    var path: String?

    /// What two conditions demand together.
    func joined(with other: ConditionKey) -> ConditionKey {
        ConditionKey(host: host ?? other.host, path: path ?? other.path)
    }
}

extension ConditionKey {
    /// A path as ``PathPattern`` compares it: rooted, and its percent-encoding normalised.
    static func path(_ text: String) -> String {
        PercentEncoding.normalized(text.utf8.first == UInt8(ascii: "/") ? text : "/" + text)
    }
}

/// A request of which several conditions are asked; what takes time is found out once, and only when it is asked for.
package final class ConditionSubject {
    /// The request.
    package let request: Request
    private(set) lazy var url = URLParts(request.url)
    private(set) lazy var queryItems = FormFields(spelled: url.query ?? "").fields
    private(set) lazy var operations = GraphQLOperations(of: request)?.operations ?? []
    private var bodies: [BodyReading.Kind: BodyReading] = [:]

    /// Creates a subject for one request.
    package init(_ request: Request) {
        self.request = request
    }

    /// What can be looked up of the request.
    var key: ConditionKey {
        ConditionKey(host: url.host, path: ConditionKey.path(url.path))
    }

    func body(as kind: BodyReading.Kind) -> BodyReading {
        if let reading = bodies[kind] { return reading }
        let reading = BodyReading(request.body?.data ?? Data(), as: kind)
        bodies[kind] = reading
        return reading
    }
}

/// A body, read the way a condition asks for, whatever its media type says.
struct BodyReading: Sendable {
    /// The ways to read a body.
    enum Kind: Sendable {
        case bytes, json, form
    }

    let content: BodyContent
    /// What is compared, as matchers compare it.
    let projection: Projection

    init(_ data: Data, as kind: Kind) {
        content =
            switch kind {
            case _ where data.isEmpty: .none
            case .bytes: .bytes(data, reason: nil)
            case .json: .json(data, else: "is not valid JSON")
            case .form: FormFields(data).map(BodyContent.form) ?? .bytes(data, reason: "is no form")
            }
        projection = content.projection()
    }
}
