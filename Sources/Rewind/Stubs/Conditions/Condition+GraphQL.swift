extension Condition {
    /// Holds for a GraphQL operation of a name, in a JSON body, in a batch of them or in the query of a `GET`.
    ///
    /// ```swift
    /// .post("https://api.example.com/graphql") && .graphQL(operation: "Viewer")
    /// ```
    /// - Parameter name: The name of the operation, letter case included.
    /// - Returns: The condition.
    public static func graphQL(operation name: String) -> Condition {
        let part = ConditionPart(
            "graphQL(operation: \(name))",
            of: [.url, .body],
            problem: GraphQLLexer.isName(name)
                ? nil
                : "\(name.debugDescription) is no name of a GraphQL operation. Write the name alone, such as `Viewer` of"
                    + " `query Viewer { … }`."
        ) {
            $0.operations.contains { $0.name?.hasSameBytes(as: name) ?? false }
        } mismatch: {
            let names = $0.operations.map { $0.name ?? "(unnamed)" }.joined(separator: ", ")
            return "GraphQL operation is \(names.shown()), not \(name)"
        }
        return Condition(part)
    }
}
