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

/// The differences of two lists of GraphQL operations: names, variables by path, queries.
enum GraphQLDifferences {
    static func between(_ asked: GraphQLOperations?, and had: GraphQLOperations?) -> [Difference] {
        guard let asked, let had, asked.operations.count == had.operations.count else {
            return [
                Difference(part: "graphQL operations", recorded: names(had), requested: names(asked))
            ]
        }
        return zip(asked.operations, had.operations).enumerated().flatMap { index, pair in
            differences(pair.0, pair.1) { asked.ignoringVariable($0, at: index) }
        }
    }

    private static func names(_ operations: GraphQLOperations?) -> String? {
        operations?.operations.map { $0.name ?? "(unnamed)" }.joined(separator: ", ")
    }

    private static func differences(
        _ asked: GraphQLOperation,
        _ had: GraphQLOperation,
        ignoringVariable remedy: (Substring) -> Ignored
    ) -> [Difference] {
        var differences: [Difference] = []
        if asked.name != had.name {
            differences.append(
                Difference(part: "graphQL operation", recorded: had.name, requested: asked.name)
            )
        }
        let (query, recorded) = (asked.document?.normalized ?? "", had.document?.normalized ?? "")
        if query != recorded {
            let (query, recorded) = (Data(query.utf8), Data(recorded.utf8))
            let place = query.commonLength(with: recorded)
            differences.append(
                Difference(
                    part: "graphQL query",
                    recorded: BodyExcerpt(recorded, around: place).description,
                    requested: BodyExcerpt(query, around: place).description
                )
            )
        }
        return differences + variables(asked, had, ignoringVariable: remedy)
    }

    private static func variables(
        _ asked: GraphQLOperation,
        _ had: GraphQLOperation,
        ignoringVariable remedy: (Substring) -> Ignored
    ) -> [Difference] {
        BodyDifferences.json(asked.variables, had.variables, below: "variables")
            .map { difference in
                var difference = difference
                difference.remedy = remedy(difference.part.dropFirst("variables $".count))
                return difference
            }
    }
}

/// A few characters of a body around the place where it differs from another.
struct BodyExcerpt: CustomStringConvertible {
    /// The bytes shown on either side of the place.
    private static let reach = 24
    /// The longest text that is shown whole where it stands for a value.
    static let longestValue = 60
    private let data: Data
    private let position: Int

    init(_ data: Data, around position: Int) {
        self.data = data
        self.position = min(position, data.count)
    }

    var description: String {
        guard !data.isEmpty else { return "no bytes" }
        let lower = boundary(near: max(0, position - Self.reach))
        let upper = boundary(near: min(data.count, position + Self.reach))
        let slice = data[data.startIndex + lower..<data.startIndex + upper]
        let text = String(decoding: slice, as: UTF8.self)
        let shown =
            text.unicodeScalars.allSatisfy(Self.isReadable)
            ? text.debugDescription : slice.map { Hexadecimal.text($0, digits: 2) }.joined(separator: " ")
        return "\(lower > 0 ? "…" : "")\(shown)\(upper < data.count ? "…" : "") (\(data.count) bytes)"
    }

    /// The next place at which no character of UTF-8 is cut in two; bytes that are no UTF-8 are cut anywhere.
    private func boundary(near place: Int) -> Int {
        guard place > 0 else { return 0 }
        let candidates = place..<min(place + 4, data.count)
        return candidates.first { data[data.startIndex + $0] & 0xC0 != 0x80 } ?? min(place, data.count)
    }

    private static func isReadable(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x20 && scalar != "\u{FFFD}" || scalar == "\t" || scalar == "\r" || scalar == "\n"
    }
}

extension Projection {
    /// The number of bytes with which two projections begin alike.
    func commonLength(with other: Projection) -> Int {
        bytes.commonLength(with: other.bytes)
    }

    /// The projection in a few words, around a place where it is long; `nil` where the request has no such part.
    func excerpt(around place: Int) -> String? {
        switch self {
        case .absent: nil
        case .text(let text): text.utf8.count <= 200 ? text : BodyExcerpt(bytes, around: place).description
        case .bytes, .parts: BodyExcerpt(bytes, around: place).description
        }
    }

    private var bytes: Data {
        switch self {
        case .absent: Data()
        case .text(let text): Data(text.utf8)
        case .bytes(let data), .parts(let data): data
        }
    }
}
