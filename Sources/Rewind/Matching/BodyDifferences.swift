import Foundation

/// The differences of two bodies: JSON by path, forms by field, multipart by part, text by line, all else by byte.
enum BodyDifferences {
    private static let limit = 8

    static func between(_ asked: BodyContent, and had: BodyContent) -> [Difference] {
        let remark = (asked.reason ?? had.reason).map { "compared byte for byte, as the body \($0)" }
        switch (asked, had) {
        case (.json(let asked, _), .json(let had, _)) where remark == nil:
            return json(asked, had)
        case (.form(let asked), .form(let had)):
            return form(asked, had)
        case (.multipart(let asked), .multipart(let had)):
            return multipart(asked, had)
        default:
            return [bytes(asked, had, remark: remark)]
        }
    }

    static func json(_ asked: JSON, _ had: JSON, below root: String = "body") -> [Difference] {
        JSONDifference.between(asked, had, limit: limit).map { difference in
            Difference(
                part: "\(root) \(difference.place)",
                recorded: difference.right.map(excerpt),
                requested: difference.left.map(excerpt),
                ignoring: root == "body" && !difference.place.steps.isEmpty
                    ? Ignored(.jsonPaths, ["\(difference.place)"]) : nil
            )
        }
    }

    private static func form(_ asked: FormFields, _ had: FormFields) -> [Difference] {
        let difference = ListDifference(of: asked.fields, and: had.fields) { [$0.name, $0.value] }
        return difference.pairs(by: \.name).prefix(limit).map { field, other in
            let name = (field ?? other)?.name ?? ""
            return Difference(
                part: "form field",
                recorded: other?.text,
                requested: field?.text,
                ignoring: Ignored(.formFields, [name])
            )
        }
    }

    private static func multipart(_ asked: MultipartContent, _ had: MultipartContent) -> [Difference] {
        let count = max(asked.parts.count, had.parts.count)
        return (0..<count).compactMap { position -> Difference? in
            let part = asked.parts.indices.contains(position) ? asked.parts[position] : nil
            let other = had.parts.indices.contains(position) ? had.parts[position] : nil
            if let part, let other, MultipartContent.areSame(part, other) { return nil }
            let name = (part ?? other)?.name
            let place = part.flatMap { part in other.map { part.content.commonLength(with: $0.content) } } ?? 0
            return Difference(
                part: "part " + (name.map { $0.debugDescription } ?? "\(position + 1)"),
                recorded: other.map { excerpt($0, around: place) },
                requested: part.map { excerpt($0, around: place) },
                ignoring: name.map { Ignored(.multipartParts, [$0]) }
            )
        }.prefix(limit).map { $0 }
    }

    private static func bytes(_ asked: BodyContent, _ had: BodyContent, remark: String?) -> Difference {
        let (requested, recorded) = (asked.bytes, had.bytes)
        var remark = remark
        if remark == nil, asked.kind != had.kind {
            remark = "recorded as \(had.kind), requested as \(asked.kind)"
        } else if remark == nil, let line = TextDifference(asked.text, had.text)?.line, line > 1 {
            remark = "from line \(line)"
        }
        let place = requested.commonLength(with: recorded)
        return Difference(
            part: "body",
            recorded: BodyExcerpt(recorded, around: place).description,
            requested: BodyExcerpt(requested, around: place).description,
            remark: remark
        )
    }

    private static func excerpt(_ part: MultipartContent.Part, around place: Int) -> String {
        BodyExcerpt(part.content, around: place).description + (part.mediaType.map { " " + $0.essence } ?? "")
    }

    private static func excerpt(_ json: JSON) -> String {
        let text = String(decoding: json.lineText, as: UTF8.self)
        return text.utf8.count <= BodyExcerpt.longestValue
            ? text : BodyExcerpt(Data(text.utf8), around: 0).description
    }
}

extension BodyContent {
    /// The bytes that are shown where nothing better can be.
    fileprivate var bytes: Data {
        switch self {
        case .none: Data()
        case .json(_, let data), .bytes(let data, _): data
        case .form(let form): Data(form.text.utf8)
        case .multipart(let content): content.canonicalData
        }
    }

    fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension Data {
    /// The number of bytes with which two bodies begin alike.
    func commonLength(with other: Data) -> Int {
        withUnsafeBytes { left in
            other.withUnsafeBytes { right in
                let shorter = Swift.min(left.count, right.count)
                return (0..<shorter).first { left[$0] != right[$0] } ?? shorter
            }
        }
    }
}
