import Foundation

struct SentBodies {
    let requested: Data
    let recorded: Data

    var isEmpty: Bool { requested.isEmpty && recorded.isEmpty }

    func difference(of part: String = "body", remark: String? = nil) -> Difference {
        let place = requested.commonLength(with: recorded)
        let line = line(at: place)
        return Difference(
            part,
            recorded: recorded.excerpt(around: place),
            requested: requested.excerpt(around: place),
            remark: remark ?? (line > 1 ? "from line \(line)" : nil)
        )
    }

    private func line(at place: Int) -> Int {
        let lineFeed = UInt8(ascii: "\n")
        // If both lines end here, they are equal, and only one body continues.
        let isEqualLine = [requested, recorded].allSatisfy { $0.dropFirst(place).first ?? lineFeed == lineFeed }
        return requested.prefix(place).count { $0 == lineFeed } + (isEqualLine ? 2 : 1)
    }
}

extension Difference {
    private static let limit = 8

    /// Compares JSON by path, forms by field and multipart by part. Other bodies differ as a whole and are shown as sent.
    static func betweenBodies(_ requested: BodyContent, _ recorded: BodyContent, sent: SentBodies)
        -> [Difference]
    {
        let remark = (requested.reason ?? recorded.reason).map { "compared byte for byte, as the body \($0)" }
        switch (requested, recorded) {
        case (.json(let requested, _), .json(let recorded, _)) where remark == nil:
            return betweenJSON(requested, recorded, below: "body") { place in
                place.steps.isEmpty ? nil : RequestMatcher.Ignored(.jsonPaths, ["\(place)"])
            }
        case (.form(let requested), .form(let recorded)):
            let fields = ListDifference(of: requested.fields, and: recorded.fields) { [$0.name, $0.value] }
            return fields.pairs(by: \.name).prefix(limit).map { field, recorded in
                let ignored = RequestMatcher.Ignored(.formFields, [(field ?? recorded)?.name ?? ""])
                let (requested, recorded) = (field?.text, recorded?.text)
                return Difference("form field", recorded: recorded, requested: requested, ignoring: ignored)
            }
        case (.multipart(let requested), .multipart(let recorded)):
            return betweenParts(requested.parts, recorded.parts)
        default:
            let kinds =
                requested.kind == recorded.kind
                ? nil : "recorded as \(recorded.kind), requested as \(requested.kind)"
            return [sent.difference(remark: remark ?? kinds)]
        }
    }

    private static func betweenJSON(
        _ requested: JSON,
        _ recorded: JSON,
        below root: String,
        ignoring ignored: (JSONPlace) -> RequestMatcher.Ignored?
    ) -> [Difference] {
        JSONDifference.between(requested, recorded, limit: limit).map { difference in
            Difference(
                "\(root) \(difference.place)",
                recorded: difference.right.map(excerpt),
                requested: difference.left.map(excerpt),
                ignoring: ignored(difference.place)
            )
        }
    }

    private static func excerpt(_ json: JSON) -> String {
        let text = String(decoding: json.lineText, as: UTF8.self)
        return text.utf8.count <= 60 ? text : Data(text.utf8).excerpt()
    }

    private static func betweenParts(_ requested: [MultipartContent.Part], _ recorded: [MultipartContent.Part])
        -> [Difference]
    {
        let differences = (0..<max(requested.count, recorded.count)).lazy.compactMap {
            position -> Difference? in
            let part = position < requested.count ? requested[position] : nil
            let other = position < recorded.count ? recorded[position] : nil
            if let part, let other, MultipartContent.areSame(part, other) { return nil }
            let name = (part ?? other)?.name
            let place = part?.content.commonLength(with: other?.content ?? Data()) ?? 0
            return Difference(
                "part " + (name.map { $0.debugDescription } ?? "\(position + 1)"),
                recorded: other.map { excerpt($0, around: place) },
                requested: part.map { excerpt($0, around: place) },
                ignoring: name.map { RequestMatcher.Ignored(.multipartParts, [$0]) }
            )
        }
        return Array(differences.prefix(limit))
    }

    private static func excerpt(_ part: MultipartContent.Part, around place: Int) -> String {
        part.content.excerpt(around: place) + (part.mediaType.map { " " + $0.essence } ?? "")
    }

    static func betweenOperations(_ requested: GraphQLOperations?, _ recorded: GraphQLOperations?)
        -> [Difference]
    {
        guard let requested, let recorded, requested.operations.count == recorded.operations.count else {
            let names = [recorded, requested].map { operations in
                operations?.operations.map { $0.name ?? "(unnamed)" }.joined(separator: ", ")
            }
            return [Difference("graphQL operations", recorded: names[0], requested: names[1])]
        }
        return zip(requested.operations, recorded.operations).enumerated().flatMap { index, pair in
            let (operation, recorded) = pair
            var differences: [Difference] = []
            if operation.name != recorded.name {
                let (requested, recorded) = (operation.name, recorded.name)
                differences.append(Difference("graphQL operation", recorded: recorded, requested: requested))
            }
            let documents = [operation, recorded].map { Data(($0.document?.normalized ?? "").utf8) }
            if documents[0] != documents[1] {
                let sent = SentBodies(requested: documents[0], recorded: documents[1])
                var query = sent.difference(of: "graphQL query")
                query.remark = nil
                differences.append(query)
            }
            return differences
                + betweenJSON(operation.variables, recorded.variables, below: "variables") { place in
                    requested.ignoringVariable("\(place)".dropFirst(), at: index)
                }
        }
    }
}

extension Projection {
    /// An excerpt around a place if the projection is long; `nil` if the request has no such part.
    func excerpt(around place: Int) -> String? {
        switch self {
        case .absent, .unknown: nil
        case .text(let text) where text.utf8.count <= 200: text
        case .text, .bytes, .parts: bytes.excerpt(around: place)
        }
    }

    var bytes: Data {
        switch self {
        case .absent, .unknown: Data()
        case .text(let text): Data(text.utf8)
        case .bytes(let data), .parts(let data): data
        }
    }
}

extension Data {
    func commonLength(with other: Data) -> Int {
        withUnsafeBytes { left in
            other.withUnsafeBytes { right in
                let shorter = Swift.min(left.count, right.count)
                return (0..<shorter).first { left[$0] != right[$0] } ?? shorter
            }
        }
    }

    func excerpt(around position: Int = 0) -> String {
        guard !isEmpty else { return "(empty)" }
        let reach = 24
        let lower = characterBoundary(near: Swift.max(0, position - reach))
        let upper = characterBoundary(near: Swift.min(count, position + reach))
        let slice = dropFirst(lower).prefix(upper - lower)
        let text = String(decoding: slice, as: UTF8.self)
        let isReadable = text.unicodeScalars.allSatisfy { scalar in
            scalar.value >= 0x20 && scalar != "\u{FFFD}" || "\t\r\n".unicodeScalars.contains(scalar)
        }
        let shown =
            isReadable
            ? text.debugDescription : slice.map { Hexadecimal.text($0, digits: 2) }.joined(separator: " ")
        return
            "\(lower > 0 ? "…" : "")\(shown)\(upper < count ? "…" : "") (\(count) \(count == 1 ? "byte" : "bytes"))"
    }

    /// The next place that does not split a UTF-8 character; other bytes can be split anywhere.
    private func characterBoundary(near place: Int) -> Int {
        guard place > 0 else { return 0 }
        let next = dropFirst(place).prefix(4).firstIndex { $0 & 0xC0 != 0x80 }
        return next.map { $0 - startIndex } ?? Swift.min(place, count)
    }
}
