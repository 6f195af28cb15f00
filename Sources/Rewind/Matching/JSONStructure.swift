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

/// The way through a recorded and a live shape side by side.
///
/// Drift is what the live shape shows and the recorded one does not allow: a kind that never stood there, a member that is
/// new, one that was in every object and is not. What is empty says nothing about what could be in it.
struct ShapeComparison {
    private(set) var drifts: [Drift] = []

    /// Compares two shapes; recursion is as deep as they are.
    mutating func compare(_ recorded: JSONShape, _ live: JSONShape, at place: String = "$") {
        compareKinds(recorded, live, place)
        if let recorded = recorded.elements, let live = live.elements {
            compare(recorded, live, at: place + "[]")
        }
        guard recorded.objectCount > 0, live.objectCount > 0 else { return }
        switch (recorded.isMap, live.isMap) {
        case (true, true): compare(recorded.entries, live.entries, at: place + ".{}")
        case (false, false): compareMembers(recorded, live, place)
        case (true, false) where !live.names.isEmpty:
            drifts.append(Drift(.type, place, recorded: Self.map, live: Self.object))
        case (false, true) where !recorded.names.isEmpty:
            drifts.append(Drift(.type, place, recorded: Self.object, live: Self.map))
        case (true, false), (false, true): break
        }
    }

    private static let map = "object with ids for names"
    private static let object = "object with fixed names"

    private mutating func compareKinds(_ recorded: JSONShape, _ live: JSONShape, _ place: String) {
        let added = live.kinds.subtracting(recorded.kinds)
        guard !added.isEmpty, !recorded.kinds.isEmpty else { return }
        let isNullability = added == [.null] || recorded.kinds == [.null]
        drifts.append(
            Drift(
                isNullability ? .nullability : .type,
                place,
                recorded: JSONKind.text(recorded.kinds),
                live: JSONKind.text(live.kinds, knowing: recorded.kinds)
            )
        )
    }

    private mutating func compareMembers(_ recorded: JSONShape, _ live: JSONShape, _ place: String) {
        for name in recorded.names {
            guard let member = recorded[name] else { continue }
            let isAlwaysThere = member.total == recorded.objectCount
            let inside = place + name.description
            guard let liveMember = live[name] else {
                if isAlwaysThere {
                    drifts.append(Drift(.removed, inside, recorded: JSONKind.text(member.kinds)))
                }
                continue
            }
            let missing = live.objectCount - liveMember.total
            if isAlwaysThere, missing > 0 {
                let text = "missing in \(missing) of \(live.objectCount)"
                drifts.append(Drift(.optional, inside, recorded: "always there", live: text))
            }
            compare(member, liveMember, at: inside)
        }
        for name in live.names where recorded[name] == nil {
            let kinds = live[name].map { JSONKind.text($0.kinds) }
            drifts.append(Drift(.added, place + name.description, live: kinds))
        }
    }
}

/// A kind of JSON value, as far as those who read it are concerned: a whole number and a fraction are one.
package enum JSONKind: String, Hashable, Sendable, CaseIterable {
    case string, number, boolean, object, array, null

    /// Creates the kind of a value.
    package init(_ json: JSON) {
        self =
            switch json {
            case .null: .null
            case .bool: .boolean
            case .number: .number
            case .string: .string
            case .array: .array
            case .object: .object
            }
    }

    /// Several kinds in words, such as `string or null`, those first that were known before.
    static func text(_ kinds: Set<JSONKind>, knowing known: Set<JSONKind> = []) -> String {
        let ordered = allCases.filter(known.contains) + allCases.filter { !known.contains($0) }
        return ordered.filter(kinds.contains).map(\.rawValue).joined(separator: " or ")
    }
}

/// Tells the names of members that are ids, as in `{"1042": …, "1043": …}`, from those that a programmer chose.
enum IDName {
    /// Whether a name is a number, a UUID, a date or a long run of hexadecimal digits.
    static func isOne(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        return isNumber(bytes) || isUUID(bytes) || isDate(bytes) || isHexadecimal(bytes)
    }

    private static func isNumber(_ bytes: [UInt8]) -> Bool {
        let digits = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes[...]
        return !digits.isEmpty && digits.allSatisfy(isDigit)
    }

    /// RFC 9562 section 4.
    private static func isUUID(_ bytes: [UInt8]) -> Bool {
        let groups = bytes.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return groups.map(\.count) == [8, 4, 4, 4, 12]
            && groups.joined().allSatisfy(Hexadecimal.isDigitOfEitherCase)
    }

    /// A day or a month of ISO 8601, with whatever follows the day.
    private static func isDate(_ bytes: [UInt8]) -> Bool {
        let pattern = Array("0000-00".utf8)
        guard bytes.count >= pattern.count,
            zip(pattern, bytes).allSatisfy({ $0 == UInt8(ascii: "0") ? isDigit($1) : $0 == $1 })
        else { return false }
        let rest = bytes.dropFirst(pattern.count)
        guard !rest.isEmpty else { return true }
        let day = rest.dropFirst().prefix(2)
        return rest.first == UInt8(ascii: "-") && day.count == 2 && day.allSatisfy(isDigit)
            && (rest.count == 3 || rest.dropFirst(3).first.map { " T".utf8.contains($0) } ?? false)
    }

    /// A run without a digit is more likely a word, and a short one too.
    private static func isHexadecimal(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 16 && bytes.allSatisfy(Hexadecimal.isDigitOfEitherCase) && bytes.contains(where: isDigit)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
}
