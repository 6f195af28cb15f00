/// The types of the JSON values at one place and of the values inside them, without the values.
///
/// All elements of an array have one common structure, and so do the members of an object whose keys are ids.
///
/// ```swift
/// let structure = JSONStructure(["users": [["id": 1], ["id": 2, "name": "Ada"]]])
/// // $: object, $.users: array, $.users[]: object, $.users[].id: number, $.users[].name: string, in 1 of 2
/// ```
struct JSONStructure: Sendable {
    /// The type of a value; whole numbers and fractions have the same type.
    enum Kind: String, CaseIterable {
        case string, number, boolean, object, array, null
    }

    private var counts: [Kind: Int] = [:]
    /// In the order in which they appeared.
    private(set) var names: [JSONStep] = []
    private var children: [JSONStep: JSONStructure] = [:]

    private static let element = JSONStep.index(0)

    private init() {}

    /// Recurses as deep as the value.
    init(_ json: JSON) { add(json) }

    private mutating func add(_ json: JSON) {
        let kind: Kind =
            switch json {
            case .null: .null
            case .bool: .boolean
            case .number: .number
            case .string: .string
            case .array: .array
            case .object: .object
            }
        counts[kind, default: 0] += 1
        switch json {
        case .array(let elements):
            for element in elements { children[Self.element, default: JSONStructure()].add(element) }
        case .object(let object):
            // Of two members with the same name the last counts, as in most parsers.
            var values = Dictionary(object.members.map { (JSONStep.name($0.name), $0.value) }) { $1 }
            for member in object.members {
                let name = JSONStep.name(member.name)
                guard let value = values.removeValue(forKey: name) else { continue }
                if children[name] == nil { names.append(name) }
                children[name, default: JSONStructure()].add(value)
            }
        case .null, .bool, .number, .string: break
        }
    }

    private mutating func merge(_ other: JSONStructure) {
        counts.merge(other.counts, uniquingKeysWith: +)
        for name in other.names where children[name] == nil { names.append(name) }
        for (step, child) in other.children { children[step, default: JSONStructure()].merge(child) }
    }

    var total: Int { counts.values.reduce(0, +) }
    var kinds: Set<Kind> { Set(counts.keys) }
    var objectCount: Int { counts[.object] ?? 0 }
    /// The elements of the arrays; `nil` if all are empty.
    var elements: JSONStructure? { children[Self.element] }

    subscript(name: JSONStep) -> JSONStructure? { children[name] }

    /// Whether the keys are ids, and so not part of the structure.
    var isMap: Bool {
        !names.isEmpty && names.allSatisfy { if case .name(let name) = $0 { Self.isID(name) } else { false } }
    }

    var entries: JSONStructure {
        names.compactMap { children[$0] }.reduce(into: JSONStructure()) { $0.merge($1) }
    }

    /// Whether a key is an id, as in `{"1042": …}`: a number, a UUID (RFC 9562), an ISO 8601 day or month, or at least 16
    /// hexadecimal digits. At least one must be a decimal digit, as a word has none.
    private static func isID(_ name: String) -> Bool { idExpression?.groups(in: name) != nil }

    private static let idExpression = SharedExpression(
        #"\A(?:-?[0-9]+|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"#
            + #"|[0-9]{4}-[0-9]{2}(?:-[0-9]{2}(?:[ T](?s:.*))?)?|(?=[a-fA-F]*[0-9])[0-9a-fA-F]{16,})\z"#
    )
}

extension Drift {
    /// The differences that the recorded structure does not allow: a new type, a new member, or a missing member that every
    /// recorded object has. Empty arrays and objects allow anything. Recurses as deep as the structures.
    static func between(_ recorded: JSONStructure, _ live: JSONStructure, at place: String = "$") -> [Drift] {
        var drifts = betweenKinds(recorded, live, place)
        if let recorded = recorded.elements, let live = live.elements {
            drifts += between(recorded, live, at: place + "[]")
        }
        guard recorded.objectCount > 0, live.objectCount > 0 else { return drifts }
        let (map, object) = ("object keyed by ids", "object with fixed keys")
        switch (recorded.isMap, live.isMap) {
        case (true, true): return drifts + between(recorded.entries, live.entries, at: place + ".{}")
        case (false, false): return drifts + betweenMembers(recorded, live, place)
        case (true, false) where !live.names.isEmpty:
            return drifts + [Drift(.type, place, recorded: map, live: object)]
        case (false, true) where !recorded.names.isEmpty:
            return drifts + [Drift(.type, place, recorded: object, live: map)]
        case (true, false), (false, true): return drifts
        }
    }

    private static func betweenKinds(_ recorded: JSONStructure, _ live: JSONStructure, _ place: String)
        -> [Drift]
    {
        let added = live.kinds.subtracting(recorded.kinds)
        guard !added.isEmpty, !recorded.kinds.isEmpty else { return [] }
        let kind: Drift.Kind = added == [.null] || recorded.kinds == [.null] ? .nullability : .type
        return [Drift(kind, place, recorded: text(recorded.kinds), live: text(live.kinds, recorded.kinds))]
    }

    private static func betweenMembers(_ recorded: JSONStructure, _ live: JSONStructure, _ place: String)
        -> [Drift]
    {
        var drifts: [Drift] = []
        for name in recorded.names {
            guard let member = recorded[name] else { continue }
            let isAlwaysThere = member.total == recorded.objectCount
            let inside = place + name.description
            guard let liveMember = live[name] else {
                if isAlwaysThere { drifts.append(Drift(.removed, inside, recorded: text(member.kinds))) }
                continue
            }
            let missing = live.objectCount - liveMember.total
            if isAlwaysThere, missing > 0 {
                let text = "missing in \(missing) of \(live.objectCount)"
                drifts.append(Drift(.optional, inside, recorded: "always present", live: text))
            }
            drifts += between(member, liveMember, at: inside)
        }
        for name in live.names where recorded[name] == nil {
            drifts.append(Drift(.added, place + name.description, live: live[name].map { text($0.kinds) }))
        }
        return drifts
    }

    /// The recorded types come first.
    private static func text(_ kinds: Set<JSONStructure.Kind>, _ known: Set<JSONStructure.Kind> = [])
        -> String
    {
        let all = JSONStructure.Kind.allCases
        let ordered = all.filter(known.contains) + all.filter { !known.contains($0) }
        return ordered.filter(kinds.contains).map(\.rawValue).joined(separator: " or ")
    }
}
