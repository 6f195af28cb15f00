import Foundation
import Rewind

/// The parts in which two interactions differ, in the order in which they are told.
enum InteractionDifference {
    /// Compares two interactions by what they mean.
    ///
    /// The version of HTTP, the order of header fields of different names and of query items, and what a platform says of
    /// a failure mean nothing.
    static func between(_ left: Interaction, _ right: Interaction, _ compared: ComparedParts)
        -> [PartDifference]
    {
        requests(left.request, right.request, compared) + outcomes(left, right, compared)
            + (compared.hasTimes ? times(left, right) : [])
    }

    private static func requests(_ left: Request, _ right: Request, _ compared: ComparedParts)
        -> [PartDifference]
    {
        let method = PartDifference("method", from: left.method, to: right.method)
        let url = compared.url.differences(right, from: left).map { difference in
            difference.part == "query item"
                ? queryItem(difference)
                : PartDifference(
                    part: difference.part,
                    left: difference.recorded.map(PartDifference.Value.text),
                    right: difference.requested.map(PartDifference.Value.text)
                )
        }
        return [method].compactMap { $0 } + url
            + headers(left.headers, right.headers, of: "request", compared)
            + BodyDifference(of: "request", compared).between(
                left.body,
                left.headers,
                and: right.body,
                right.headers
            )
    }

    private static func queryItem(_ difference: Difference) -> PartDifference {
        func field(_ text: String?) -> FormFields.Field? {
            text.flatMap { FormFields(spelled: $0).fields.first }
        }
        let (left, right) = (field(difference.recorded), field(difference.requested))
        return PartDifference(
            part: difference.part,
            place: left?.name ?? right?.name ?? "",
            left: left.map { .text($0.value ?? "(no value)") },
            right: right.map { .text($0.value ?? "(no value)") }
        )
    }

    private static func headers(
        _ left: HeaderList,
        _ right: HeaderList,
        of message: String,
        _ compared: ComparedParts
    ) -> [PartDifference] {
        func named(_ headers: HeaderList) -> [(name: String, value: String)] {
            headers.withoutPseudoFields.filter { compared.hasHeader($0.name) }.map { ($0.name, $0.value) }
        }
        return PartDifference.between(
            named(left),
            named(right),
            part: "\(message) header",
            key: { $0.lowercased() },
            shown: { $0 }
        )
    }

    private static func outcomes(_ left: Interaction, _ right: Interaction, _ compared: ComparedParts)
        -> [PartDifference]
    {
        guard let response = left.response, let other = right.response else {
            return [PartDifference("answer", from: left.answerLine, to: right.answerLine)].compactMap { $0 }
        }
        var differences = [
            PartDifference("failure", from: left.failure?.line, to: right.failure?.line),
            status(response, other),
        ].compactMap { $0 }
        differences += headers(response.headers, other.headers, of: "response", compared)
        differences += BodyDifference(of: "response", compared).between(
            response.body,
            response.headers,
            and: other.body,
            other.headers
        )
        return differences
    }

    /// A reason phrase counts only where both have one, as HTTP/2 and some formats have none.
    private static func status(_ left: Response, _ right: Response) -> PartDifference? {
        let isSilent = left.statusText.isEmpty || right.statusText.isEmpty
        if isSilent, left.status == right.status { return nil }
        return PartDifference("status", from: left.statusLine, to: right.statusLine)
    }

    private static func times(_ left: Interaction, _ right: Interaction) -> [PartDifference] {
        func milliseconds(_ time: Double) -> String {
            (JSONNumber(time)?.literal ?? "\(time)") + " ms"
        }
        func pieces(_ interaction: Interaction) -> String {
            guard let chunks = interaction.response?.body.chunks, !chunks.isEmpty else { return "one" }
            return chunks.map { "\($0.count) bytes at \(milliseconds($0.offset))" }.joined(separator: ", ")
        }
        return [
            PartDifference("started", from: left.start, to: right.start),
            PartDifference("wait", from: milliseconds(left.timing.wait), to: milliseconds(right.timing.wait)),
            PartDifference(
                "receive",
                from: milliseconds(left.timing.receive),
                to: milliseconds(right.timing.receive)
            ),
            PartDifference("pieces", from: pieces(left), to: pieces(right)),
        ].compactMap { $0 }
    }
}

extension Interaction {
    var answerLine: String {
        switch outcome {
        case .response(let response): response.statusLine
        case .failure(let failure, let response):
            failure.line + (response.map { " after \($0.statusLine)" } ?? "")
        case .unknown(let reason): "none, for \(reason)"
        }
    }

    /// When it was recorded, in UTC; `nil` where that is not known.
    fileprivate var start: String? {
        startedAt == .distantPast ? nil : HARDate.text(startedAt)
    }
}

extension Failure {
    var line: String { "\(domain) \(code)" }
}

extension Response {
    /// The status and its reason phrase, where it has one.
    var statusLine: String { statusText.isEmpty ? "\(status)" : "\(status) \(statusText)" }
}

/// A part in which two interactions differ.
struct PartDifference: Hashable, Sendable {
    /// What stands in a part.
    enum Value: Hashable, Sendable {
        case text(String)
        case json(JSON)

        var line: String {
            switch self {
            case .text(let text): text
            case .json(let json): String(decoding: json.lineText, as: UTF8.self)
            }
        }

        var json: JSON {
            switch self {
            case .text(let text): .string(text)
            case .json(let json): json
            }
        }
    }

    /// The part, such as `response header`.
    let part: String
    /// Where in the part, such as the header's name or a path in JSON; `nil` where all of it is meant.
    var place: String?
    /// What stands there on the left; `nil` where nothing does.
    var left: Value?
    /// What stands there on the right; `nil` where nothing does.
    var right: Value?
    var lines: [ChangedLine] = []

    var title: String { [part, place].compactMap { $0 }.joined(separator: " ") }
}

extension PartDifference {
    /// Creates a difference of texts; `nil` where there is none.
    init?(_ part: String, _ place: String? = nil, from left: String?, to right: String?) {
        guard left != right else { return nil }
        self.init(part: part, place: place, left: left.map(Value.text), right: right.map(Value.text))
    }

    /// The differences of two lists of named values, in the order of the names.
    ///
    /// Of values under one name, those that two lists share at their start and end are set aside.
    static func between<Element: Equatable>(
        _ left: [(name: String, value: Element)],
        _ right: [(name: String, value: Element)],
        part: String,
        key: (String) -> String,
        shown: (Element) -> String
    ) -> [PartDifference] {
        let groups = Dictionary(grouping: left) { key($0.name) }
        let mates = Dictionary(grouping: right) { key($0.name) }
        var seen: Set<String> = []
        return (left + right).filter { seen.insert(key($0.name)).inserted }.flatMap { first in
            let group = (groups[key(first.name)] ?? []).map(\.value)
            let other = (mates[key(first.name)] ?? []).map(\.value)
            let start = zip(group, other).prefix { $0 == $1 }.count
            let shared = zip(group.reversed(), other.reversed()).prefix { $0 == $1 }.count
            let end = min(shared, min(group.count, other.count) - start)
            let (lefts, rights) = (group[start..<group.count - end], other[start..<other.count - end])
            return (start..<max(lefts.endIndex, rights.endIndex)).map { index in
                PartDifference(
                    part: part,
                    place: first.name,
                    left: lefts.indices.contains(index) ? .text(shown(lefts[index])) : nil,
                    right: rights.indices.contains(index) ? .text(shown(rights[index])) : nil
                )
            }
        }
    }
}

/// Compares two bodies: JSON by path, forms by field, multipart by part, text by line, all else by size and digest.
struct BodyDifference {
    private let message: String
    private let compared: ComparedParts
    private static let limit = 1000

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
