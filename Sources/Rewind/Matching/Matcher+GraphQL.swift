import Foundation

extension Matcher {
    /// Compares GraphQL operations: their names, variables and queries, white space and comments of these free.
    ///
    /// Operations are read from a JSON body, batches included, or from the query of a `GET`. A request without one is
    /// compared by its body as ``body`` does. Beside it, compare ``method`` and ``path`` rather than ``url``.
    public static let graphQL = Matcher(
        "graphQL",
        of: [.url, .body],
        reading: { request in
            // Operations are read from JSON of any media type, so that what is left out is found there, too.
            guard case .bytes(let data, let reason) = BodyContent(of: request) else {
                return BodyContent(of: request)
            }
            return .json(data, else: reason)
        },
        telling: { requested, recorded, sent in
            let (asked, had) = (GraphQLOperations(of: requested), GraphQLOperations(of: recorded))
            guard asked != nil || had != nil else {
                let (asked, had) = (BodyContent(of: requested), BodyContent(of: recorded))
                return BodyDifferences.between(asked, and: had, sent: sent)
            }
            return GraphQLDifferences.between(asked, and: had)
        }
    ) { request in
        guard let operations = GraphQLOperations(of: request)?.operations else {
            return BodyContent(of: request).projection()
        }
        return .text("graphql " + operations.map(\.canonicalText).joined(separator: "\n"))
    }
}
