import Foundation

/// What a body holds, as far as its media type and its bytes tell.
package enum BodyContent {
    /// No bytes; no body and an empty one are equal, as they are on the wire.
    case none
    /// A JSON value, and the bytes that spell it.
    case json(JSON, spelled: Data)
    /// The fields of a form.
    case form(FormFields)
    /// The parts of a form with files.
    case multipart(MultipartContent)
    /// Anything else; the reason says why it is not what its media type promises, where that is so.
    case bytes(Data, reason: String?)

    /// Reads a request's body by its media type, or by what it plainly is where none is named.
    package init(of request: Request) {
        guard let body = request.body, !body.isEmpty else {
            self = .none
            return
        }
        let type = MediaType(request.headers["Content-Type"])
        switch type?.essence {
        case .some where type?.isJSON == true:
            self = Self.json(body.data, else: "is not valid JSON")
        case "application/x-www-form-urlencoded":
            // Platforms name this type for any body whose type nobody named.
            self = Self.form(body.data)
        case let essence? where essence.hasPrefix("multipart/"):
            self = Self.multipart(body.data, boundary: type?.parameters["boundary"])
        case nil:
            self = Self.plain(body.data)
        default:
            self = .bytes(body.data, reason: nil)
        }
    }

    /// The JSON value of a body, whatever its media type says.
    static func json(_ data: Data, else reason: String?) -> BodyContent {
        guard let json = try? JSON(parsing: data) else { return .bytes(data, reason: reason) }
        return .json(json, spelled: data)
    }

    /// What a body plainly is, or else its fields, where it can be a form.
    static func form(_ data: Data) -> BodyContent {
        let content = plain(data)
        guard case .bytes = content, let form = FormFields(data) else { return content }
        return .form(form)
    }

    /// The parts of a body, divided by a boundary that its media type names or its first line shows.
    static func multipart(_ data: Data, boundary: String?) -> BodyContent {
        guard let boundary = boundary ?? MultipartContent.boundary(beginning: data),
            let content = MultipartContent(data, boundary: boundary)
        else { return .bytes(data, reason: "has no parts that its boundary divides") }
        return .multipart(content)
    }

    private static func plain(_ data: Data) -> BodyContent {
        switch data.first(where: { !" \t\r\n".utf8.contains($0) }) {
        case UInt8(ascii: "{"), UInt8(ascii: "["): json(data, else: nil)
        case UInt8(ascii: "-"): multipart(data, boundary: nil).withoutReason
        default: .bytes(data, reason: nil)
        }
    }

    private var withoutReason: BodyContent {
        if case .bytes(let data, _) = self { .bytes(data, reason: nil) } else { self }
    }
}

extension BodyContent {
    /// What is compared: equal exactly where two bodies mean the same.
    package func projection(unorderedArrays: Bool = false) -> Projection {
        switch self {
        case .none: .absent
        case .json(let json, let data):
            json.canonicalText(unorderedArrays: unorderedArrays).map { .text("json \($0)") } ?? .bytes(data)
        case .form(let form): .text("form \(form.canonicalText())")
        case .multipart(let content): .parts(content.canonicalData)
        case .bytes(let data, _): .bytes(data)
        }
    }

    /// What the body is compared as, in a word or two.
    var kind: String {
        switch self {
        case .none: "nothing"
        case .json: "JSON"
        case .form: "a form"
        case .multipart: "multipart"
        case .bytes: "bytes"
        }
    }

    /// Why the body is compared byte for byte although it promised to be more.
    var reason: String? {
        switch self {
        case .bytes(_, let reason): reason
        case .json(let json, _): json.canonicalText() == nil ? "has two members of one name" : nil
        case .none, .form, .multipart: nil
        }
    }
}

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
