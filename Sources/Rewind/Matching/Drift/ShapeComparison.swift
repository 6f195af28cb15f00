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
