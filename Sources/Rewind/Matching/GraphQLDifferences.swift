import Foundation

/// The differences of two lists of GraphQL operations: names, variables by path, queries.
enum GraphQLDifferences {
    static func between(_ asked: GraphQLOperations?, and had: GraphQLOperations?) -> [Difference] {
        guard let asked, let had, asked.operations.count == had.operations.count else {
            return [
                Difference(part: "graphQL operations", recorded: names(had), requested: names(asked))
            ]
        }
        return zip(asked.operations, had.operations).enumerated().flatMap { index, pair in
            differences(pair.0, pair.1) { asked.ignoringVariable($0, at: index) }
        }
    }

    private static func names(_ operations: GraphQLOperations?) -> String? {
        operations?.operations.map { $0.name ?? "(unnamed)" }.joined(separator: ", ")
    }

    private static func differences(
        _ asked: GraphQLOperation,
        _ had: GraphQLOperation,
        ignoringVariable remedy: (Substring) -> Ignored
    ) -> [Difference] {
        var differences: [Difference] = []
        if asked.name != had.name {
            differences.append(
                Difference(part: "graphQL operation", recorded: had.name, requested: asked.name)
            )
        }
        let (query, recorded) = (asked.document?.normalized ?? "", had.document?.normalized ?? "")
        if query != recorded {
            let (query, recorded) = (Data(query.utf8), Data(recorded.utf8))
            let place = query.commonLength(with: recorded)
            differences.append(
                Difference(
                    part: "graphQL query",
                    recorded: BodyExcerpt(recorded, around: place).description,
                    requested: BodyExcerpt(query, around: place).description
                )
            )
        }
        return differences + variables(asked, had, ignoringVariable: remedy)
    }

    private static func variables(
        _ asked: GraphQLOperation,
        _ had: GraphQLOperation,
        ignoringVariable remedy: (Substring) -> Ignored
    ) -> [Difference] {
        BodyDifferences.json(asked.variables, had.variables, below: "variables")
            .map { difference in
                var difference = difference
                difference.remedy = remedy(difference.part.dropFirst("variables $".count))
                return difference
            }
    }
}
