import Foundation

/// The GraphQL operations of a request, and where in it they stand.
package struct GraphQLOperations {
    /// The operations in order; there is at least one.
    package let operations: [GraphQLOperation]
    private let place: Place

    /// Where a request holds its operations.
    private enum Place {
        case body, batch, queryItems
    }

    /// Reads the operations of a JSON body, whatever its media type, or those of a query; `nil` where there are none.
    package init?(of request: Request) {
        if let data = request.body?.data, !data.isEmpty {
            guard let json = try? JSON(parsing: data), let operations = GraphQLOperation.all(in: json) else {
                return nil
            }
            self.operations = operations
            place = json.arrayValue == nil ? .body : .batch
        } else {
            guard let query = URLParts(request.url).query,
                let operation = GraphQLOperation(queryItems: FormFields(spelled: query))
            else { return nil }
            operations = [operation]
            place = .queryItems
        }
    }

    /// What leaves out a variable of the operation at an index.
    func ignoringVariable(_ path: some StringProtocol, at index: Int) -> Ignored {
        switch place {
        case .body: .jsonPaths("$.variables\(path)")
        case .batch: .jsonPaths("$[\(index)].variables\(path)")
        case .queryItems: .queryItems("variables")
        }
    }
}
