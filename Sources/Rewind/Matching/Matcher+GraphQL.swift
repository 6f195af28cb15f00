import Foundation

extension Matcher {
    /// Compares GraphQL operations: their names, variables and queries, white space and comments of these free.
    ///
    /// Operations are read from a JSON body, batches included, or from the query of a `GET`. A request without one is
    /// compared by its body as ``body`` does. Beside it, compare ``method`` and ``path`` rather than ``url``.
    public static let graphQL = Matcher(
        "graphQL",
        of: [.url, .body],
        telling: { requested, recorded in
            guard let asked = GraphQLOperation.all(in: requested), let had = GraphQLOperation.all(in: recorded)
            else { return BodyDifferences.between(BodyContent(of: requested), and: BodyContent(of: recorded)) }
            return GraphQLDifferences.between(asked, and: had)
        }
    ) { request in
        guard let operations = GraphQLOperation.all(in: request) else {
            return BodyContent(of: request).projection()
        }
        return .text("graphql " + operations.map(\.canonicalText).joined(separator: "\n"))
    }
}

extension GraphQLOperation {
    /// The operations of a request; `nil` where it has none.
    static func all(in request: Request) -> [GraphQLOperation]? {
        if let data = request.body?.data, !data.isEmpty {
            return (try? JSON(parsing: data)).flatMap { all(in: $0) }
        }
        guard let query = URLParts(request.url).query else { return nil }
        return GraphQLOperation(queryItems: FormFields(spelled: query)).map { [$0] }
    }
}
