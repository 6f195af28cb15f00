import Foundation
import Rewind

/// Compares two bodies: JSON by path, forms by field, multipart by part, text by line, all else by size and digest.
struct BodyDifference {
    private let message: String
    private let compared: ComparedParts
    /// How many places of JSON are looked for.
    private static let limit = 1000

    /// Creates the comparison of the bodies of requests or of responses.
    init(of message: String, _ compared: ComparedParts) {
        self.message = message
        self.compared = compared
    }

    /// Compares two bodies, read by what their header fields say of them; no body and an empty one are the same.
    func between(_ left: Body?, _ headers: HeaderList, and right: Body?, _ others: HeaderList)
        -> [PartDifference]
    {
        guard left?.data ?? Data() != right?.data ?? Data() else { return [] }
        let request = Request(url: "", headers: headers, body: left)
        let other = Request(url: "", headers: others, body: right)
        switch (BodyContent(of: request), BodyContent(of: other)) {
        case (.json(let left, _), .json(let right, _)):
            return json(left, right)
        case (.form(let left), .form(let right)):
            return fields(left, right)
        case (.multipart(let left), .multipart(let right)):
            return parts(left, right)
        default:
            return [whole(left ?? Body(), headers, right ?? Body(), others)]
        }
    }

    private func json(_ left: JSON, _ right: JSON) -> [PartDifference] {
        JSONDifference.between(compared.masked(left), compared.masked(right), limit: Self.limit)
            .filter { compared.hasPlace($0.place) }
            .map { difference in
                PartDifference(
                    part: "\(message) body",
                    place: "\(difference.place)",
                    left: difference.left.map(PartDifference.Value.json),
                    right: difference.right.map(PartDifference.Value.json)
                )
            }
    }

    private func fields(_ left: FormFields, _ right: FormFields) -> [PartDifference] {
        func named(_ form: FormFields) -> [(name: String, value: String?)] {
            form.fields.map { ($0.name, $0.value) }.filter { compared.hasField($0.0) }
        }
        return PartDifference.between(
            named(left),
            named(right),
            part: "\(message) form field",
            key: { $0 },
            shown: { $0 ?? "(no value)" }
        )
    }

    private func parts(_ left: MultipartContent, _ right: MultipartContent) -> [PartDifference] {
        func named(_ content: MultipartContent) -> [(name: String, value: PartContent)] {
            content.parts.filter { compared.hasPart($0.name) }.map { ($0.name ?? "", PartContent(part: $0)) }
        }
        return PartDifference.between(
            named(left),
            named(right),
            part: "\(message) part",
            key: { $0 },
            shown: { BodySummary($0.part.content, $0.part.headers).excerpt }
        )
    }

    private func whole(_ left: Body, _ headers: HeaderList, _ right: Body, _ others: HeaderList)
        -> PartDifference
    {
        var difference = PartDifference(part: "\(message) body")
        if !left.isEmpty, !right.isEmpty, HARBody.isText(left.data), HARBody.isText(right.data) {
            difference.lines = ChangedLine.between(
                String(decoding: left.data, as: UTF8.self),
                String(decoding: right.data, as: UTF8.self)
            )
        }
        if difference.lines.isEmpty {
            difference.left = left.isEmpty ? nil : .text(BodySummary(left.data, headers).description)
            difference.right = right.isEmpty ? nil : .text(BodySummary(right.data, others).description)
        }
        return difference
    }

    /// A part of a multipart body, the same as another where its name, file, type and bytes are.
    private struct PartContent: Equatable {
        let part: MultipartContent.Part

        static func == (left: PartContent, right: PartContent) -> Bool {
            MultipartContent.areSame(left.part, right.part)
        }
    }
}
