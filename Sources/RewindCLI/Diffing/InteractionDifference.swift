import Foundation
import Rewind

/// Finds the differences between two paired interactions.
enum InteractionDifference {
    private static let jsonLimit = 1000

    /// Ignores differences without meaning: the HTTP version, the order of query items and of headers with different names,
    /// and the platform's text for a failure.
    static func between(_ left: Interaction, _ right: Interaction, _ compared: ComparedParts)
        -> [PartDifference]
    {
        requests(left.request, right.request, compared) + outcomes(left, right, compared)
            + (compared.hasTimes ? times(left, right) : [])
    }

    private static func requests(
        _ left: Interaction.Request,
        _ right: Interaction.Request,
        _ compared: ComparedParts
    )
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
        let messages = (Message(left.headers, left.body), Message(right.headers, right.body))
        return [method].compactMap { $0 } + url + parts(of: "request", messages, compared)
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

    private static func outcomes(_ left: Interaction, _ right: Interaction, _ compared: ComparedParts)
        -> [PartDifference]
    {
        guard let response = left.recordedResponse, let other = right.recordedResponse else {
            return [PartDifference("answer", from: left.answerLine, to: right.answerLine)].compactMap { $0 }
        }
        let failure = PartDifference("failure", from: left.failure?.line, to: right.failure?.line)
        let obstacle = PartDifference("replay", from: left.replayLine, to: right.replayLine)
        // HTTP/2 and some formats have no reason phrase, so it is compared only if both responses have one.
        let lacksReason = response.statusText.isEmpty || other.statusText.isEmpty
        let isSame =
            lacksReason && response.status == other.status || obstacle != nil && response.status == other.status
        let status = isSame ? nil : PartDifference("status", from: response.statusLine, to: other.statusLine)
        // A body that cannot be read is not an empty one.
        let hasBodies = obstacle == nil
        let messages = (
            Message(response.headers, hasBodies ? response.body : nil),
            Message(other.headers, hasBodies ? other.body : nil)
        )
        let url = PartDifference("response URL", from: response.url, to: other.url)
        return [failure, obstacle, status, url].compactMap { $0 } + parts(of: "response", messages, compared)
    }

    private static func times(_ left: Interaction, _ right: Interaction) -> [PartDifference] {
        func milliseconds(_ time: Double) -> String { (JSONNumber(time)?.literal ?? "\(time)") + " ms" }
        func start(_ interaction: Interaction) -> String? {
            interaction.startedAt == .distantPast ? nil : HARDate.text(interaction.startedAt)
        }
        func pieces(_ interaction: Interaction) -> String {
            guard let chunks = interaction.response?.body.chunks, !chunks.isEmpty else { return "one" }
            return chunks.map { "\($0.count) bytes at \(milliseconds($0.offset))" }.joined(separator: ", ")
        }
        let (timing, other) = (left.timing, right.timing)
        return [
            PartDifference("started", from: start(left), to: start(right)),
            PartDifference("wait", from: milliseconds(timing.wait), to: milliseconds(other.wait)),
            PartDifference("receive", from: milliseconds(timing.receive), to: milliseconds(other.receive)),
            PartDifference("pieces", from: pieces(left), to: pieces(right)),
        ].compactMap { $0 }
    }

    // MARK: Header fields and bodies

    private struct Message {
        let headers: HeaderList
        let body: Interaction.Body

        init(_ headers: HeaderList, _ body: Interaction.Body?) {
            (self.headers, self.body) = (headers, body ?? Interaction.Body())
        }

        var summary: String? { body.isEmpty ? nil : body.data.summary(headers) }
    }

    private static func parts(of name: String, _ messages: (Message, Message), _ compared: ComparedParts)
        -> [PartDifference]
    {
        let fields = [messages.0, messages.1].map { message in
            message.headers.withoutPseudoFields.filter { compared.hasHeader($0.name) }
                .map { (name: $0.name, value: $0.value) }
        }
        let headers = PartDifference.between(
            fields[0],
            fields[1],
            part: "\(name) header",
            key: { $0.lowercased() },
            shown: { $0 }
        )
        return headers + bodies(of: name, messages.0, messages.1, compared)
    }

    /// Compares JSON by path, forms by field, multipart by part, text by line, and other bodies by size and digest. A missing
    /// body equals an empty one.
    private static func bodies(of name: String, _ left: Message, _ right: Message, _ compared: ComparedParts)
        -> [PartDifference]
    {
        guard left.body.data != right.body.data else { return [] }
        switch (BodyContent(of: left.body, left.headers), BodyContent(of: right.body, right.headers)) {
        case (.json(let left, _), .json(let right, _)):
            return JSONDifference.between(compared.masked(left), compared.masked(right), limit: jsonLimit)
                .filter { compared.hasPlace($0.place) }
                .map { difference in
                    PartDifference(
                        part: "\(name) body",
                        place: "\(difference.place)",
                        left: difference.left.map(PartDifference.Value.json),
                        right: difference.right.map(PartDifference.Value.json)
                    )
                }
        case (.form(let left), .form(let right)):
            let fields = [left, right].map { form in
                form.fields.map { (name: $0.name, value: $0.value) }.filter { compared.hasField($0.name) }
            }
            return PartDifference.between(
                fields[0],
                fields[1],
                part: "\(name) form field",
                shown: { $0 ?? "(no value)" }
            )
        case (.multipart(let left), .multipart(let right)):
            let parts = [left, right].map { content in
                content.parts.filter { compared.hasPart($0.name) }.map { (name: $0.name ?? "", value: $0) }
            }
            return PartDifference.between(
                parts[0],
                parts[1],
                part: "\(name) part",
                by: MultipartContent.areSame,
                shown: { part in
                    part.content.count <= 80 && HARBody.isText(part.content)
                        ? String(decoding: part.content, as: UTF8.self) : part.content.summary(part.headers)
                }
            )
        default:
            var difference = PartDifference(part: "\(name) body")
            let texts = [left, right].map { HARBody.isText($0.body.data) ? $0.body.data : Data() }
            if !texts[0].isEmpty, !texts[1].isEmpty {
                let lines = texts.map { String(decoding: $0, as: UTF8.self) }
                difference.lines = ChangedLine.between(lines[0], lines[1])
            }
            if difference.lines.isEmpty {
                difference.left = left.summary.map(PartDifference.Value.text)
                difference.right = right.summary.map(PartDifference.Value.text)
            }
            return [difference]
        }
    }
}

extension BodyContent {
    init(of body: Interaction.Body?, _ headers: HeaderList) {
        self.init(of: Interaction.Request(url: "", headers: headers, body: body))
    }
}

extension Interaction {
    var answerLine: String {
        switch outcome {
        case .response(let response): response.statusLine
        case .failure(let failure, let response):
            failure.line + (response.map { " after \($0.statusLine)" } ?? "")
        case .unknown(let reason):
            (unreplayableResponse.map { "\($0.statusLine), " } ?? "") + "no response to replay: \(reason)"
        }
    }

    /// Why the interaction never answers; `nil` if it can answer.
    fileprivate var replayLine: String? {
        if case .unknown(let reason) = outcome { "no response to replay: \(reason)" } else { nil }
    }
}

extension Interaction.Failure {
    var line: String { "\(domain) \(code)" }
}

extension Interaction.Response {
    fileprivate var statusLine: String { statusText.isEmpty ? "\(status)" : "\(status) \(statusText)" }
}

/// A difference in one part of an interaction.
struct PartDifference: Hashable, Sendable {
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
    /// The place in the part, such as a header name or a JSON path; `nil` for the whole part.
    var place: String?
    var left: Value?
    var right: Value?
    var lines: [ChangedLine] = []

    var title: String { [part, place].compactMap { $0 }.joined(separator: " ") }
}

extension PartDifference {
    init?(_ part: String, from left: String?, to right: String?) {
        guard left != right else { return nil }
        self.init(part: part, left: left.map(Value.text), right: right.map(Value.text))
    }

    /// The differences between two lists of named values, in the order of the names. Among values with the same name, a common
    /// prefix and suffix is skipped.
    static func between<Element: Equatable>(
        _ left: [(name: String, value: Element)],
        _ right: [(name: String, value: Element)],
        part: String,
        key: (String) -> String = { $0 },
        by areSame: (Element, Element) -> Bool = { $0 == $1 },
        shown: (Element) -> String
    ) -> [PartDifference] {
        let groups = Dictionary(grouping: left) { key($0.name) }
        let otherGroups = Dictionary(grouping: right) { key($0.name) }
        var seen: Set<String> = []
        return (left + right).filter { seen.insert(key($0.name)).inserted }.flatMap { first in
            let group = (groups[key(first.name)] ?? []).map(\.value)
            let other = (otherGroups[key(first.name)] ?? []).map(\.value)
            let start = zip(group, other).prefix(while: areSame).count
            let shared = zip(group.reversed(), other.reversed()).prefix(while: areSame).count
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
