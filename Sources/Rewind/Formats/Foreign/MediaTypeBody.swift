import Foundation

/// How DVR and Vinyl put a body into JSON: by its media type as text, as a JSON value, or in base64.
enum MediaTypeBody {
    /// What a body is that has no media type.
    enum Untyped {
        case text
        case base64
    }

    /// How a body stands in the file.
    private enum Form {
        case text
        case json
        case base64

        init(_ headers: HeaderList, untyped: Untyped) {
            // Both compare the name, and the beginning of the value, to the letter.
            guard let type = headers.last(where: { $0.name == "Content-Type" })?.value else {
                self = untyped == .text ? .text : .base64
                return
            }
            self = type.hasPrefix("text/") ? .text : type.hasPrefix("application/json") ? .json : .base64
        }
    }

    /// The bytes of a body, or `nil` where there is none, or one of another type than the headers tell.
    ///
    /// The bytes of a JSON value are not those that were sent, as the format does not keep them.
    static func data(_ body: JSON?, _ headers: HeaderList, untyped: Untyped) throws(BodyAbsence) -> Data? {
        guard let body else { return nil }
        switch Form(headers, untyped: untyped) {
        case .json: return body.lineText
        case .text: return body.stringValue.map { Data($0.utf8) }
        case .base64:
            guard let text = body.stringValue else { return nil }
            guard let data = WrappedBase64.data(text) else { throw .invalidBase64 }
            return data
        }
    }

    /// The body as DVR writes it, or `nil` where the format cannot hold what the headers tell it is.
    static func json(_ data: Data, _ headers: HeaderList) -> JSON? {
        switch Form(headers, untyped: .base64) {
        // What is read back stands three levels deeper, in an interaction of an array.
        case .json:
            try? JSON(parsing: data, limits: JSONLimits(maximumDepth: JSONLimits.default.maximumDepth - 4))
        case .text: String(data: data, encoding: .utf8).map { .string($0) }
        case .base64: .string(data.base64EncodedString())
        }
    }
}
