/// Writes a changed interaction into the entry from which it was read. Members that Rewind does not know and the
/// spelling of unchanged members are preserved.
enum HARRewrite {
    /// The members of an entry after a change.
    /// - Parameters:
    ///   - original: The members that were read.
    ///   - before: The members as Rewind would have written them before the change.
    ///   - after: The members as Rewind would write them now.
    /// - Returns: The members to write.
    static func members(_ original: JSONObject, from before: JSONObject, to after: JSONObject) -> JSONObject {
        let known = after.members.map { member in
            guard !bound.contains(member.name), let old = before[member.name],
                let stood = original[member.name]
            else { return member }
            let rewrite = member.name == "headers" ? rewrittenHeaders : rewritten
            return JSONObject.Member(name: member.name, value: rewrite(stood, old, member.value))
        }
        let unknown = original.members.compactMap { member -> JSONObject.Member? in
            guard after[member.name] == nil, !bound.contains(member.name) else { return nil }
            guard let old = before[member.name] else { return member }
            guard let stood = member.value.objectValue, let old = old.objectValue else { return nil }
            let rest = members(stood, from: old, to: JSONObject())
            return rest.members.isEmpty ? nil : .init(name: member.name, value: .object(rest))
        }
        return JSONObject(known + unknown)
    }

    /// Members that determine how others are read, and are removed with them.
    private static let bound: Set = [
        "encoding", "_encoding", "_file", "_isBinary", "_unknown", "params", "chunks", "failure", "unanswered",
        "fragment", "redacted", "responseURL", "decoded",
    ]

    private static func rewritten(_ original: JSON, _ before: JSON, _ after: JSON) -> JSON {
        if before == after { return original }
        switch (original, before, after) {
        case (.object(let original), .object(let before), .object(let after)):
            return .object(members(original, from: before, to: after))
        case (.array(let original), .array(let before), .array(let after)) where original.count == before.count:
            // The places of equal elements, the first one at the end.
            var places = Dictionary(grouping: before.indices.reversed()) { before[$0] }
            return .array(after.map { element in places[element]?.popLast().map { original[$0] } ?? element })
        default: return after
        }
    }

    /// The header fields after a change. Each element that could be read represents one or more fields; the others stay.
    private static func rewrittenHeaders(_ original: JSON, _ before: JSON, _ after: JSON) -> JSON {
        guard before != after, let old = before.arrayValue, let new = after.arrayValue else { return original }
        guard let elements = original.arrayValue else {
            let unread = original.members.filter { !$0.value.isHeaderValue }
            return .array(new + unread.map { ["name": .string($0.name), "value": $0.value] })
        }
        // The elements with the places of their fields; those that cannot be read have none.
        var end = 0
        let read = elements.map { element in
            let start = end
            end += element.countOfHeaders ?? 0
            return (element: element, fields: start..<end)
        }
        let unread = read.filter(\.fields.isEmpty).map(\.element)
        guard end == old.count else { return .array(new + unread) }
        if old.count == new.count {
            return .array(
                read.flatMap { element, fields in
                    old[fields] == new[fields] ? [element] : Array(new[fields])
                }
            )
        }
        // The elements of fields that stay, the first one at the end.
        var spelled: [JSON: [JSON]] = [:]
        for (element, fields) in read.reversed() where fields.count == 1 {
            spelled[old[fields.lowerBound], default: []].append(element)
        }
        return .array(new.map { spelled[$0]?.popLast() ?? $0 } + unread)
    }
}
