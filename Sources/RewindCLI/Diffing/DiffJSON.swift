import Rewind

/// What two cassettes differ in, for programs to read.
enum DiffJSON {
    /// The differences of two cassettes.
    /// - Parameters:
    ///   - difference: The differences.
    ///   - left: What the one is called.
    ///   - right: What the other is called.
    /// - Returns: An object with the names, the counts and the interactions that differ.
    static func value(_ difference: CassetteDifference, _ left: String, _ right: String) -> JSON {
        var counts = JSONObject()
        for change in CassetteDifference.Change.allCases {
            counts.append(change.rawValue, JSON(difference.count(of: change)))
        }
        counts.append("same", JSON(difference.sameCount))
        return [
            "left": .string(left), "right": .string(right), "counts": .object(counts),
            "interactions": .array(difference.entries.map(value)),
        ]
    }

    private static func value(_ entry: CassetteDifference.Entry) -> JSON {
        var object: JSONObject = [
            "changes": .array(entry.changes.map { .string($0.rawValue) }),
            "left": entry.left.map { JSON($0) } ?? .null,
            "right": entry.right.map { JSON($0) } ?? .null,
            "method": .string(entry.request.method),
            "url": .string(entry.request.url),
            "answer": .string(entry.answer),
        ]
        if entry.left != nil, entry.right != nil {
            object.append("differences", .array(entry.differences.map(value)))
        }
        return .object(object)
    }

    private static func value(_ difference: PartDifference) -> JSON {
        var object: JSONObject = ["part": .string(difference.part)]
        if let place = difference.place { object.append("place", .string(place)) }
        // A part that is not there has no member, which tells it from a `null` that is.
        if let left = difference.left { object.append("left", left.json) }
        if let right = difference.right { object.append("right", right.json) }
        if !difference.lines.isEmpty {
            object.append("lines", .array(difference.lines.map { .string($0.text) }))
        }
        return .object(object)
    }
}
