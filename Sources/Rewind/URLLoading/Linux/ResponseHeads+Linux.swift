#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// Makes the heads of responses, and asks Foundation only once what it makes of some names or of a content type.
    ///
    /// `HTTPURLResponse` spells every name anew and takes every content type apart, which would be two fifths of what a
    /// replayed request costs on the one queue that all sessions share. What it finds is the same for most responses
    /// of a cassette, so it is put into a response that was made without fields. Where the fields are unusual, or this
    /// version of Foundation keeps them in another way, Foundation makes all of the response.
    final class ResponseHeads: Sendable {
        static let shared = ResponseHeads()

        private let known = Locked(KnownHeads())

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
                guard let spelling = known.spelling(of: HeaderNames(fields: fields)) else { return nil }
                var content = HeadContent()
                if let position = spelling.contentType {
                    guard let type = known.contentType(fields[position].value) else { return nil }
                    content = type
                }
                content.length = spelling.contentLength.flatMap { Int64(fields[$0].value) } ?? -1
                content.fields.reserveCapacity(spelling.names.count)
                for (name, field) in zip(spelling.names, fields.fields) { content.fields[name] = field.value }
                return content
            }
        }
    }

    /// What Foundation was asked before.
    private struct KnownHeads {
        // A cassette has a handful; one that has very many would gain nothing.
        private static let limit = 256

        private var spellings: [HeaderNames: HeaderSpelling?] = [:]
        private var contentTypes: [String: HeadContent] = [:]

        mutating func spelling(of names: HeaderNames) -> HeaderSpelling? {
            if let known = spellings[names] { return known }
            guard spellings.count < Self.limit else { return nil }
            let spelling = HeaderSpelling(names)
            spellings[names] = .some(spelling)
            return spelling
        }

        mutating func contentType(_ value: String) -> HeadContent? {
            if let known = contentTypes[value] { return known }
            guard contentTypes.count < Self.limit else { return nil }
            let content = HeadContent(contentType: value)
            contentTypes[value] = content
            return content
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

    /// How Foundation spells the names of a list of fields, and where those stand that it looks into.
    private struct HeaderSpelling {
        var names: [String] = []
        var contentType: Int?
        var contentLength: Int?

        /// Asks Foundation; `nil` where more than the names decides about the response.
        init?(_ asked: HeaderNames) {
            for (position, field) in asked.fields.enumerated() {
                guard let name = Self.spelling(of: field.name), !names.contains(where: field.hasName) else {
                    return nil
                }
                names.append(name)
                if field.hasName("Content-Type") { contentType = position }
                if field.hasName("Content-Length") { contentLength = position }
                if field.hasName("Content-Disposition") { return nil }
            }
        }

        private static func spelling(of name: String) -> String? {
            HeadContent.made(of: [name: ""])?.allHeaderFields.keys.first as? String
        }
    }
#endif
