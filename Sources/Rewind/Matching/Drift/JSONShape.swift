/// What some JSON values that stand in one place have in common: which kinds they are of, and what is inside them.
///
/// Values say nothing, only their kinds do. All elements of an array make one shape, and so do the members of an object
/// whose names are ids.
///
/// ```swift
/// let shape = JSONShape(["users": [["id": 1], ["id": 2, "name": "Ada"]]])
/// // $: object, $.users: array, $.users[]: object, $.users[].id: number, $.users[].name: string, in 1 of 2
/// ```
package struct JSONShape: Hashable, Sendable {
    /// A step to what is inside a value.
    enum Step: Hashable, Sendable {
        case member(JSONStep)
        case element
    }

    /// How many values of each kind stand here.
    private(set) var counts: [JSONKind: Int] = [:]
    /// The names of all members, in the order in which they came up.
    private(set) var names: [JSONStep] = []
    private var children: [Step: JSONShape] = [:]

    /// Creates the shape of no value.
    init() {}

    /// Creates the shape of one value; recursion is as deep as the value.
    package init(_ json: JSON) {
        add(json)
    }

    private mutating func add(_ json: JSON) {
        counts[JSONKind(json), default: 0] += 1
        switch json {
        case .array(let elements):
            for element in elements { children[.element, default: JSONShape()].add(element) }
        case .object(let object):
            var seen: Set<JSONStep> = []
            // Of two members of one name the last counts, as it does for most readers.
            for member in object.members.reversed() where seen.insert(.name(member.name)).inserted {
                children[.member(.name(member.name)), default: JSONShape()].add(member.value)
            }
            for member in object.members where seen.remove(.name(member.name)) != nil {
                if self[.name(member.name)]?.total == 1 { names.append(.name(member.name)) }
            }
        case .null, .bool, .number, .string: break
        }
    }

    private mutating func merge(_ other: JSONShape) {
        counts.merge(other.counts, uniquingKeysWith: +)
        for name in other.names where self[name] == nil { names.append(name) }
        for (step, child) in other.children { children[step, default: JSONShape()].merge(child) }
    }
}

extension JSONShape {
    /// How many values stand here.
    var total: Int { counts.values.reduce(0, +) }

    /// The kinds they are of.
    var kinds: Set<JSONKind> { Set(counts.keys) }

    /// The number of objects among them.
    var objectCount: Int { counts[.object] ?? 0 }

    /// The elements of the arrays among them; `nil` where all are empty.
    var elements: JSONShape? { children[.element] }

    /// The members of a name; `nil` where there are none.
    subscript(name: JSONStep) -> JSONShape? { children[.member(name)] }

    /// Whether the names of the members are ids, so that they say no more than the positions of an array do.
    var isMap: Bool {
        !names.isEmpty
            && names.allSatisfy { if case .name(let name) = $0 { IDName.isOne(name) } else { false } }
    }

    /// The values of the members, whatever their names.
    var entries: JSONShape {
        names.compactMap { self[$0] }.reduce(into: JSONShape()) { $0.merge($1) }
    }
}
