import Foundation

package enum BodyContent {
    /// No bytes. No body and an empty body look the same to a server.
    case none
    /// The recorder lost the body. It differs from every other body.
    case unknown
    case json(JSON, spelled: Data)
    case form(FormFields)
    case multipart(MultipartContent)
    /// Any other body. The reason, if any, says why it does not have the format of its media type.
    case bytes(Data, reason: String?)

    enum Reading: Sendable {
        case bytes, json, form, multipart
    }

    /// Parses a request's body by its media type, or by its first byte if it has none.
    package init(of request: Interaction.Request) {
        guard let body = request.body, !body.isEmpty else {
            self = request.bodyAbsence == nil ? .none : .unknown
            return
        }
        let type = MediaType(request.headers["Content-Type"])
        switch type?.essence {
        case .some where type?.isJSON == true: self = Self.json(body.data, else: "is not valid JSON")
        case "application/x-www-form-urlencoded":
            // URLSession sends this type with any body that has no media type.
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
        guard request.bodyAbsence == nil else {
            self = .unknown
            return
        }
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
            case .form: FormFields(data).map(BodyContent.form) ?? .bytes(data, reason: "is not a valid form")
            case .multipart: Self.multipart(data, boundary: boundary)
            }
    }

    static func json(_ data: Data, else reason: String?) -> BodyContent {
        guard let json = try? JSON(parsing: data) else { return .bytes(data, reason: reason) }
        return .json(json, spelled: data)
    }

    /// Uses the boundary of the media type, or of the body's first line.
    private static func multipart(
        _ data: Data,
        boundary: String?,
        else reason: String? = "is not valid multipart data"
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

    /// Two projections are equal if, and only if, the bodies are equivalent.
    package func projection(unorderedArrays: Bool = false) -> Projection {
        switch self {
        case .none: .absent
        case .unknown: .unknown
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
        case .unknown: "an unknown body"
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
        case .json(let json, _): json.canonicalText() == nil ? "has duplicate keys" : nil
        case .none, .unknown, .form, .multipart: nil
        }
    }
}

package struct GraphQLOperations {
    /// Never empty.
    package let operations: [GraphQLOperation]
    private let place: Place

    private enum Place {
        case body, batch, queryItems
    }

    /// Reads the operations of a JSON body with any media type, or of a query; `nil` if there are none.
    package init?(of request: Interaction.Request) {
        if let data = request.body?.data, !data.isEmpty {
            guard let json = try? JSON(parsing: data), let operations = GraphQLOperation.all(in: json)
            else { return nil }
            self.operations = operations
            place = json.arrayValue == nil ? .body : .batch
        } else {
            guard request.bodyAbsence == nil, let query = URLParts(request.url).query,
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
