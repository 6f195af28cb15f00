extension JSON {
    /// The value without the members and elements that any of the paths selects; the outermost value stays.
    package func removing(_ paths: [JSONPath]) -> JSON {
        edited(paths.map(JSONPathProgress.init), putting: nil)
    }

    /// The value with another in place of each member and element that any of the paths selects; the outermost value
    /// stays.
    package func replacing(_ paths: [JSONPath], with replacement: JSON) -> JSON {
        edited(paths.map(JSONPathProgress.init), putting: replacement)
    }

    private func edited(_ progress: [JSONPathProgress], putting replacement: JSON?) -> JSON {
        let progress = progress.filter { !$0.isOver }
        guard !progress.isEmpty else { return self }
        switch self {
        case .array(let elements):
            return .array(
                elements.enumerated().compactMap { index, element in
                    element.edited(progress, after: .index(index), putting: replacement)
                }
            )
        case .object(let object):
            return .object(
                JSONObject(
                    object.members.compactMap { member in
                        member.value.edited(progress, after: .name(member.name), putting: replacement).map {
                            value in
                            JSONObject.Member(name: member.name, value: value)
                        }
                    }
                )
            )
        default:
            return self
        }
    }

    /// What is left of a child, which is the replacement where it is selected itself.
    private func edited(
        _ progress: [JSONPathProgress],
        after step: JSONStep,
        putting replacement: JSON?
    ) -> JSON? {
        let advanced = progress.map { $0.advanced(by: step) }
        guard !advanced.contains(where: \.isComplete) else { return replacement }
        return edited(advanced, putting: replacement)
    }
}
