#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// Makes the heads of responses, and asks Foundation only once what it makes of some names or of a content type.
    ///
    /// `HTTPURLResponse` changes the spelling of every name and parses every content type. What it finds is the same for
    /// most responses of a cassette, so it is put into a response that was made without fields. `replay/floor-seq`,
    /// `replay/floor-64` and `parallel/floor-16` need this: without it they lose a tenth to a fifth. Where the fields are
    /// unusual, or this version of Foundation keeps them in another way, Foundation makes all of the response.
    final class ResponseHeads: Sendable {
        static let shared = ResponseHeads()

        private let known = Locked(
            (spellings: [HeaderNames: HeaderSpelling?](), types: [String: HeadContent]())
        )

        /// A response with fields, which Foundation makes with all of them or with none.
        func head<Head: HTTPURLResponse>(_ fields: HeaderList, made make: ([String: String]?) -> Head?) -> Head?
        {
            guard HeadContent.canFill, let content = content(of: fields), let head = make(nil) else {
                return make(fields.joined)
            }
            content.fill(head)
            return head
        }

        private func content(of fields: HeaderList) -> HeadContent? {
            known.withLock { known in
                let names = HeaderNames(fields: fields)
                guard let spelling = known.spellings.remembered(names, or: HeaderSpelling.init) ?? nil else {
                    return nil
                }
                var content = HeadContent()
                if let position = spelling.contentType {
                    let type = fields[position].value
                    guard let known = known.types.remembered(type, or: HeadContent.init(contentType:)) else {
                        return nil
                    }
                    content = known
                }
                content.length = spelling.contentLength.flatMap { Int64(fields[$0].value) } ?? -1
                content.fields.reserveCapacity(spelling.names.count)
                for (name, field) in zip(spelling.names, fields.fields) { content.fields[name] = field.value }
                return content
            }
        }
    }

    extension Dictionary {
        /// The value for a key, found out where it is new; `nil` where there are too many, as nothing is gained then.
        fileprivate mutating func remembered(_ key: Key, or find: (Key) -> Value) -> Value? {
            if let known = self[key] { return known }
            guard count < 256 else { return nil }
            let value = find(key)
            self[key] = value
            return value
        }
    }

    /// A list of fields that counts as the same as any other with these names.
    private struct HeaderNames: Hashable {
        let fields: HeaderList

        static func == (left: HeaderNames, right: HeaderNames) -> Bool {
            left.fields.elementsEqual(right.fields) { $0.name == $1.name }
        }

        func hash(into hasher: inout Hasher) {
            for field in fields { hasher.combine(field.name) }
        }
    }

    /// How Foundation spells the names of a list of fields, and where those are whose values it reads.
    private struct HeaderSpelling {
        var names: [String] = []
        var contentType: Int?
        var contentLength: Int?

        /// Asks Foundation; `nil` where more than the names decides about the response.
        init?(_ asked: HeaderNames) {
            for (position, field) in asked.fields.enumerated() {
                let made = HeadContent.made(of: [field.name: ""])
                guard let name = made?.allHeaderFields.keys.first as? String,
                    !names.contains(where: field.hasName), !field.hasName("Content-Disposition")
                else { return nil }
                names.append(name)
                if field.hasName("Content-Type") { contentType = position }
                if field.hasName("Content-Length") { contentLength = position }
            }
        }
    }

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
        fileprivate static func made(of fields: [String: String]?) -> HTTPURLResponse? {
            URL(string: "http://localhost/").flatMap {
                HTTPURLResponse(url: $0, statusCode: 200, httpVersion: nil, headerFields: fields)
            }
        }

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
            Self.ownFields.set("_allHeaderFields", of: head, to: fields)
            Self.commonFields.set("mimeType", of: head, to: mimeType)
            Self.commonFields.set("textEncodingName", of: head, to: textEncodingName)
            Self.commonFields.set("expectedContentLength", of: head, to: length)
        }
    }
#endif
