import Foundation

/// Writes a changed interaction into the entry it was read from.
///
/// What stood there and has no meaning to us stays, and so does the spelling of what was not changed.
enum HARRewrite {
    /// The members of an entry after a change.
    /// - Parameters:
    ///   - original: The members as they stood.
    ///   - before: The members as we would have written them before the change.
    ///   - after: The members as we would write them now.
    /// - Returns: The members to write.
    static func members(_ original: JSONObject, from before: JSONObject, to after: JSONObject) -> JSONObject {
        let known = after.members.map { member in
            guard !bound.contains(member.name), let old = before[member.name],
                let stood = original[member.name]
            else { return member }
            return JSONObject.Member(name: member.name, value: rewritten(stood, from: old, to: member.value))
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

    /// Members that say how others are to be read, which must not outlive them.
    private static let bound: Set = [
        "encoding", "_encoding", "_file", "params", "chunks", "failure", "fragment", "redacted",
    ]

    private static func rewritten(_ original: JSON, from before: JSON, to after: JSON) -> JSON {
        if before == after { return original }
        switch (original, before, after) {
        case (.object(let original), .object(let before), .object(let after)):
            return .object(members(original, from: before, to: after))
        case (.array(let original), .array(let before), .array(let after)) where original.count == before.count:
            var rest = Array(zip(before, original))
            return .array(
                after.map { element in
                    guard let index = rest.firstIndex(where: { $0.0 == element }) else { return element }
                    return rest.remove(at: index).1
                }
            )
        default: return after
        }
    }
}
