#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// What a response's head has from its fields.
    struct HeadContent: Equatable {
        /// The fields, as Foundation spells their names.
        var fields: [String: String] = [:]
        var mimeType: String?
        var textEncodingName: String?
        /// The length that the fields state, or -1.
        var length: Int64 = -1

        init() {}

        /// Asks Foundation what it makes of a content type.
        init(contentType: String) {
            let head = Self.made(of: ["Content-Type": contentType])
            mimeType = head?.mimeType
            textEncodingName = head?.textEncodingName
        }

        /// What can be read from a head.
        private init(_ head: HTTPURLResponse) {
            fields = head.allHeaderFields as? [String: String] ?? [:]
            mimeType = head.mimeType
            textEncodingName = head.textEncodingName
            length = head.expectedContentLength
        }

        /// A response as Foundation makes it.
        static func made(of fields: [String: String]?) -> HTTPURLResponse? {
            URL(string: "http://localhost/").flatMap {
                HTTPURLResponse(url: $0, statusCode: 200, httpVersion: nil, headerFields: fields)
            }
        }

        /// The fields of a response as Foundation keeps them; `nil` where it keeps them in another way.
        static func fields(of head: HTTPURLResponse) -> [String: String]? {
            ownFields.read("_allHeaderFields", of: head) as? [String: String]
        }

        // MARK: Filling

        private static let ownFields = StoredFields(of: HTTPURLResponse.self)
        private static let commonFields = StoredFields(of: URLResponse.self)

        /// Whether a response that was filled is the same as one that Foundation made, tried once.
        static let canFill: Bool = {
            let fields = ["Content-Type": "text/html; charset=Latin1", "Content-Length": "12", "X-One": "1"]
            guard let whole = made(of: fields), let empty = made(of: nil) else { return false }
            HeadContent(whole).fill(empty)
            return HeadContent(empty) == HeadContent(whole) && empty.value(forHTTPHeaderField: "x-one") == "1"
        }()

        /// Puts the content into a response that nobody has seen yet.
        func fill(_ head: HTTPURLResponse) {
            Self.ownFields.update("_allHeaderFields", of: head) { $0 = fields }
            Self.commonFields.update("mimeType", of: head) { $0 = mimeType }
            Self.commonFields.update("textEncodingName", of: head) { $0 = textEncodingName }
            Self.commonFields.update("expectedContentLength", of: head) { $0 = length }
        }
    }
#endif
