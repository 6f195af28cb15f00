import Foundation

/// The differences of two lists of GraphQL operations: names, variables by path, queries.
enum GraphQLDifferences {
    static func between(_ asked: [GraphQLOperation], and had: [GraphQLOperation]) -> [Difference] {
        guard asked.count == had.count else {
            return [
                Difference(
                    part: "graphQL operations",
                    recorded: had.map { $0.name ?? "(unnamed)" }.joined(separator: ", "),
                    requested: asked.map { $0.name ?? "(unnamed)" }.joined(separator: ", ")
                )
            ]
        }
        return zip(asked, had).flatMap(differences)
    }

    private static func differences(_ asked: GraphQLOperation, _ had: GraphQLOperation) -> [Difference] {
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
        return differences + variables(asked, had)
    }

    private static func variables(_ asked: GraphQLOperation, _ had: GraphQLOperation) -> [Difference] {
        BodyDifferences.json(asked.variables, had.variables, below: "variables")
            .map { difference in
                var difference = difference
                let path = difference.part.dropFirst("variables $".count)
                difference.remedy = Ignored(.jsonPaths, ["$.variables\(path)"])
                return difference
            }
    }
}
