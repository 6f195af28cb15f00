#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// Makes the heads of responses, and asks Foundation only once what it makes of some names and a content type.
    ///
    /// `HTTPURLResponse` changes the spelling of every name and parses every content type. What it finds is the same for
    /// most responses of a cassette, so it is put into a response that was made without fields. `replay/floor-seq`,
    /// `replay/floor-64` and `parallel/floor-16` need this: without it they lose a tenth to a fifth. Where the fields are
    /// unusual, or this version of Foundation keeps them in another way, Foundation makes all of the response.
    final class ResponseHeads: Sendable {
        static let shared = ResponseHeads()

        private let known = Locked<[HeaderShape: HeadTemplate?]>([:])

        /// A response with fields, which Foundation makes with all of them or with none.
        func head<Head: HTTPURLResponse>(_ fields: HeaderList, made make: ([String: String]?) -> Head?) -> Head?
        {
            guard HeadTemplate.canFill, let template = template(for: fields), let head = make(nil) else {
                return make(fields.joined)
            }
            template.fill(head, with: fields)
            return head
        }

        private func template(for fields: HeaderList) -> HeadTemplate? {
            let shape = HeaderShape(fields: fields)
            return known.withLock { known in
                if let template = known[shape] { return template }
                // A cassette has a handful; one that has very many would gain nothing.
                guard known.count < 256 else { return nil }
                let template = HeadTemplate(fields)
                known[shape] = .some(template)
                return template
            }
        }
    }

    /// A list of fields that is equal to any other with the same names and content type.
    private struct HeaderShape: Hashable {
        let fields: HeaderList

        static func == (left: HeaderShape, right: HeaderShape) -> Bool {
            left.fields.elementsEqual(right.fields) { left, right in
                left.name == right.name && (left.value == right.value || !left.hasName("Content-Type"))
            }
        }

        func hash(into hasher: inout Hasher) {
            for field in fields {
                hasher.combine(field.name)
                if field.hasName("Content-Type") { hasher.combine(field.value) }
            }
        }
    }

    /// What Foundation makes of fields, as far as it follows from their names and the content type.
    struct HeadTemplate: Sendable {
        private static let ownFields = StoredFields(of: HTTPURLResponse.self)
        private static let commonFields = StoredFields(of: URLResponse.self)

        /// The names as Foundation spells them.
        private var names: [String] = []
        private var positionOfLength: Int?
        private let mimeType: String?
        private let textEncodingName: String?

        /// Asks Foundation; `nil` where other values decide as well.
        init?(_ fields: HeaderList) {
            let whole = Self.made(of: fields.joined)
            mimeType = whole?.mimeType
            textEncodingName = whole?.textEncodingName
            for (position, field) in fields.fields.enumerated() {
                let alone = Self.made(of: [field.name: ""])
                guard let name = alone?.allHeaderFields.keys.first as? String,
                    !names.contains(where: field.hasName), !field.hasName("Content-Disposition")
                else { return nil }
                names.append(name)
                if field.hasName("Content-Length") { positionOfLength = position }
            }
        }

        /// Puts fields into a response that nobody has seen yet.
        func fill(_ head: HTTPURLResponse, with fields: HeaderList) {
            var content: [String: String] = Dictionary(minimumCapacity: names.count)
            for (name, field) in zip(names, fields.fields) { content[name] = field.value }
            let length = positionOfLength.flatMap { Int64(fields[$0].value) } ?? -1
            Self.ownFields.set("_allHeaderFields", of: head, to: content)
            Self.commonFields.set("mimeType", of: head, to: mimeType)
            Self.commonFields.set("textEncodingName", of: head, to: textEncodingName)
            Self.commonFields.set("expectedContentLength", of: head, to: length)
        }

        /// Whether a response that was filled is the same as one that Foundation made, tried once.
        static let canFill: Bool = {
            let fields: HeaderList = [
                "Content-Type": "text/html; charset=Latin1", "Content-Length": "12", "X-One": "1",
            ]
            guard let template = HeadTemplate(fields), let whole = made(of: fields.joined),
                let filled = made(of: nil)
            else { return false }
            template.fill(filled, with: fields)
            return filled == whole && filled.allHeaderFields as? [String: String] == fields.joined
                && filled.value(forHTTPHeaderField: "x-one") == "1"
        }()

        private static func made(of fields: [String: String]?) -> HTTPURLResponse? {
            URL(string: "http://localhost/").flatMap {
                HTTPURLResponse(url: $0, statusCode: 200, httpVersion: nil, headerFields: fields)
            }
        }
    }
#endif
