import Foundation

/// A request to run one GraphQL operation, as clients send it over HTTP.
package struct GraphQLOperation: Sendable {
    /// The name in the request or, if there is none, that of the document's only operation.
    package let name: String?
    /// `nil` if only the hash of the document was sent.
    package let kind: GraphQLDocument.Kind?
    /// `nil` if only its hash was sent.
    package let document: GraphQLDocument?
    package let variables: JSON
    /// A text that is equal for two requests if and only if they run the same operation with the same variables. The
    /// layout of the document, the spelling of the variables and the name of the only operation do not matter. Missing
    /// variables, `null` and `{}` are equal. Members that GraphQL does not define are compared too.
    package let canonicalText: String

    /// Reads a JSON body with a GraphQL `query`, or with `extensions` that identify a persisted query.
    package init?(json: JSON) {
        guard let object = json.objectValue, !object.hasDuplicateNames else { return nil }
        var others = object
        for name in Self.memberNames { others[name] = JSON?.none }
        self.init(object, others: others.members.isEmpty ? .null : .object(others))
    }

    /// Reads a JSON body with one operation or an array of operations; `nil` if an element is not an operation.
    package static func all(in json: JSON) -> [GraphQLOperation]? {
        guard let elements = json.arrayValue else { return GraphQLOperation(json: json).map { [$0] } }
        let operations = elements.compactMap(GraphQLOperation.init(json:))
        return operations.isEmpty || operations.count < elements.count ? nil : operations
    }

    /// Reads the query of a URL. Its variables and extensions are JSON text.
    package init?(queryItems: FormFields) {
        var object = JSONObject()
        for name in Self.memberNames {
            let values = queryItems.fields.filter { $0.name == name }.compactMap(\.value)
            guard let text = values.first, !text.isEmpty else { continue }
            guard values.count == 1 else { return nil }
            let isJSON = name == "variables" || name == "extensions"
            let value = isJSON ? try? JSON(parsing: Data(text.utf8)) : .string(text)
            guard let value else { return nil }
            object[name] = value
        }
        let others = queryItems.canonicalText(ignoring: Self.memberNames.contains)
        self.init(object, others: others.isEmpty ? .null : .string(others))
    }

    private init?(_ object: JSONObject, others: JSON) {
        guard Self.isTextOrAbsent(object["query"]), Self.isTextOrAbsent(object["operationName"]) else {
            return nil
        }
        let extensions = object["extensions"]
        let hasHash = extensions?["persistedQuery"]?.objectValue != nil
        var document: GraphQLDocument?
        if let text = object["query"]?.stringValue {
            document = GraphQLDocument(text)
            guard let document, hasHash || !document.operations.isEmpty else { return nil }
        } else if !hasHash {
            return nil
        }
        let given = object["operationName"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
        let operation = document?.operation(named: given)
        let name = given ?? operation?.name
        let parts = [
            name.map(JSON.string) ?? .null, document.map { .string($0.normalized) } ?? .null,
            Self.absentIfEmpty(object["variables"]), Self.absentIfEmpty(extensions), others,
        ]
        guard let text = JSON.array(parts).canonicalText() else { return nil }
        self.name = name
        self.kind = operation?.kind
        self.document = document
        let variables = Self.absentIfEmpty(object["variables"])
        self.variables = variables == .null ? [:] : variables
        canonicalText = text
    }

    private static let memberNames = ["query", "operationName", "variables", "extensions"]

    private static func isTextOrAbsent(_ value: JSON?) -> Bool {
        switch value {
        case .none, .some(.null), .some(.string): true
        default: false
        }
    }

    private static func absentIfEmpty(_ value: JSON?) -> JSON { value == [:] ? .null : value ?? .null }
}
