import Foundation

/// The differences of two bodies: JSON by path, forms by field, multipart by part, text by line, all else by byte.
enum BodyDifferences {
    private static let limit = 8

    /// Lists the differences; bodies that differ as a whole are shown as they were sent.
    static func between(_ asked: BodyContent, and had: BodyContent, sent: Sent) -> [Difference] {
        let remark = (asked.reason ?? had.reason).map { "compared byte for byte, as the body \($0)" }
        switch (asked, had) {
        case (.json(let asked, _), .json(let had, _)) where remark == nil:
            return json(asked, had)
        case (.form(let asked), .form(let had)):
            return form(asked, had)
        case (.multipart(let asked), .multipart(let had)):
            return multipart(asked, had)
        default:
            let kinds = asked.kind == had.kind ? nil : "recorded as \(had.kind), requested as \(asked.kind)"
            return [sent.difference(remark: remark ?? kinds)]
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

    private static func excerpt(_ part: MultipartContent.Part, around place: Int) -> String {
        BodyExcerpt(part.content, around: place).description + (part.mediaType.map { " " + $0.essence } ?? "")
    }

    private static func excerpt(_ json: JSON) -> String {
        let text = String(decoding: json.lineText, as: UTF8.self)
        return text.utf8.count <= BodyExcerpt.longestValue
            ? text : BodyExcerpt(Data(text.utf8), around: 0).description
    }
}

extension BodyDifferences {
    /// Two bodies as they were sent.
    struct Sent {
        private let requested: Data
        private let recorded: Data

        init(requested: Request, recorded: Request) {
            self.init(requested.body?.data ?? Data(), recorded: recorded.body?.data ?? Data())
        }

        init(_ requested: Data, recorded: Data) {
            self.requested = requested
            self.recorded = recorded
        }

        /// Whether neither request has a body.
        var isEmpty: Bool { requested.isEmpty && recorded.isEmpty }

        /// Shows both around the first byte that differs.
        func difference(of part: String = "body", remark: String? = nil) -> Difference {
            let place = requested.commonLength(with: recorded)
            return Difference(
                part: part,
                recorded: BodyExcerpt(recorded, around: place).description,
                requested: BodyExcerpt(requested, around: place).description,
                remark: remark ?? line.map { "from line \($0)" }
            )
        }

        /// The first line that differs, where it is not the very first.
        private var line: Int? {
            let texts = [requested, recorded].map { String(decoding: $0, as: UTF8.self) }
            return TextDifference(texts[0], texts[1]).flatMap { $0.line > 1 ? $0.line : nil }
        }
    }
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
