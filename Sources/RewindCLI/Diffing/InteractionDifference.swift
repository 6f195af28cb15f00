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
    /// What came back, in a few words.
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
    /// The domain and the code.
    var line: String { "\(domain) \(code)" }
}

extension Response {
    /// The status and its reason phrase, where it has one.
    var statusLine: String { statusText.isEmpty ? "\(status)" : "\(status) \(statusText)" }
}
