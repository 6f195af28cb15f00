extension JSON {
    /// The value without the members and elements that any of the paths selects; the outermost value stays.
    package func removing(_ paths: [JSONPath]) -> JSON {
        removing(paths.map(JSONPathProgress.init))
    }

    private func removing(_ progress: [JSONPathProgress]) -> JSON {
        let progress = progress.filter { !$0.isOver }
        guard !progress.isEmpty else { return self }
        switch self {
        case .array(let elements):
            return .array(
                elements.enumerated().compactMap { index, element in
                    element.removing(progress, after: .index(index))
                }
            )
        case .object(let object):
            return .object(
                JSONObject(
                    object.members.compactMap { member in
                        member.value.removing(progress, after: .name(member.name)).map { value in
                            JSONObject.Member(name: member.name, value: value)
                        }
                    }
                )
            )
        default:
            return self
        }
    }

    /// What is left of a child, or `nil` where it is selected itself.
    private func removing(_ progress: [JSONPathProgress], after step: JSONStep) -> JSON? {
        let advanced = progress.map { $0.advanced(by: step) }
        guard !advanced.contains(where: \.isComplete) else { return nil }
        return removing(advanced)
    }
}
