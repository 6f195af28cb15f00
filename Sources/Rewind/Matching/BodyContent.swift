import Foundation

package enum BodyContent {
    /// No bytes: no body equals an empty one, as on the wire.
    case none
    case json(JSON, spelled: Data)
    case form(FormFields)
    case multipart(MultipartContent)
    /// Anything else; the reason says why it is not what its media type promises.
    case bytes(Data, reason: String?)

    enum Reading: Sendable {
        case bytes, json, form, multipart
    }

    /// Reads a request's body by its media type, or by its bytes where none is named.
    package init(of request: Interaction.Request) {
        guard let body = request.body, !body.isEmpty else {
            self = .none
            return
        }
        let type = MediaType(request.headers["Content-Type"])
        switch type?.essence {
        case .some where type?.isJSON == true: self = Self.json(body.data, else: "is not valid JSON")
        case "application/x-www-form-urlencoded":
            // Platforms use this type for any body without one.
            let content = Self.plain(body.data)
            guard case .bytes = content, let form = FormFields(body.data) else {
                self = content
                return
            }
            self = .form(form)
        case let essence? where essence.hasPrefix("multipart/"):
            self = Self.multipart(body.data, boundary: type?.parameters["boundary"])
        case nil: self = Self.plain(body.data)
        default: self = .bytes(body.data, reason: nil)
        }
    }

    init(_ request: Interaction.Request, as reading: Reading) {
        let type = reading == .multipart ? MediaType(request.headers["Content-Type"]) : nil
        self.init(request.body?.data, as: reading, boundary: type?.parameters["boundary"])
    }

    init(_ data: Data?, as reading: Reading, boundary: String? = nil) {
        guard let data, !data.isEmpty else {
            self = .none
            return
        }
        self =
            switch reading {
            case .bytes: .bytes(data, reason: nil)
            case .json: Self.json(data, else: "is not valid JSON")
            case .form: FormFields(data).map(BodyContent.form) ?? .bytes(data, reason: "is no form")
            case .multipart: Self.multipart(data, boundary: boundary)
            }
    }

    static func json(_ data: Data, else reason: String?) -> BodyContent {
        guard let json = try? JSON(parsing: data) else { return .bytes(data, reason: reason) }
        return .json(json, spelled: data)
    }

    /// The parts of a body, divided by the boundary of its media type or of its first line.
    private static func multipart(
        _ data: Data,
        boundary: String?,
        else reason: String? = "has no parts that its boundary divides"
    ) -> BodyContent {
        let boundary = boundary ?? MultipartContent.boundary(beginning: data)
        let content = boundary.flatMap { MultipartContent(data, boundary: $0) }
        return content.map(BodyContent.multipart) ?? .bytes(data, reason: reason)
    }

    private static func plain(_ data: Data) -> BodyContent {
        switch data.first(where: { !" \t\r\n".utf8.contains($0) }) {
        case UInt8(ascii: "{"), UInt8(ascii: "["): json(data, else: nil)
        case UInt8(ascii: "-"): multipart(data, boundary: nil, else: nil)
        default: .bytes(data, reason: nil)
        }
    }

    /// Equal exactly where two bodies mean the same.
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

    var kind: String {
        switch self {
        case .none: "nothing"
        case .json: "JSON"
        case .form: "a form"
        case .multipart: "multipart"
        case .bytes: "bytes"
        }
    }

    /// Why the body is compared byte for byte despite its media type.
    var reason: String? {
        switch self {
        case .bytes(_, let reason): reason
        case .json(let json, _): json.canonicalText() == nil ? "has two members of one name" : nil
        case .none, .form, .multipart: nil
        }
    }
}

package struct GraphQLOperations {
    /// There is at least one.
    package let operations: [GraphQLOperation]
    private let place: Place

    private enum Place {
        case body, batch, queryItems
    }

    /// Reads the operations of a JSON body, whatever its media type, or of a query; `nil` where there are none.
    package init?(of request: Interaction.Request) {
        if let data = request.body?.data, !data.isEmpty {
            guard let json = try? JSON(parsing: data), let operations = GraphQLOperation.all(in: json)
            else { return nil }
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

    func ignoringVariable(_ path: some StringProtocol, at index: Int) -> RequestMatcher.Ignored {
        switch place {
        case .body: .jsonPaths("$.variables\(path)")
        case .batch: .jsonPaths("$[\(index)].variables\(path)")
        case .queryItems: .queryItems("variables")
        }
    }
}
