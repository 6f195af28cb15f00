import Foundation
import Rewind

/// The interactions that never answer. An archive keeps what the file has of them, with the reason.
struct Unanswered {
    let text: String

    init?(of cassette: Cassette) {
        let lines = cassette.interactions.enumerated().compactMap { position, interaction in
            interaction.obstacle.map { "  #\(position + 1) \(interaction.request): \($0)" }
        }
        guard !lines.isEmpty else { return nil }
        let count = Counted.text(lines.count, "interaction")
        let rest = lines.count > 8 ? ["  and \(lines.count - 8) more"] : []
        text = (["\(count) without a response to replay:"] + lines.prefix(8) + rest).joined(separator: "\n")
    }
}

/// The parts of a cassette that a format cannot represent, found by reading the written file back.
struct ConversionLoss {
    private var numbers: [(kind: Kind, numbers: [Int])] = []

    private enum Kind: String, CaseIterable {
        case failure = "failures (the interaction is omitted)"
        case outcome = "missing responses (the interaction is omitted)"
        case request = "method or URL"
        case requestHeaders = "request headers"
        case requestBody = "the exact bytes of request bodies"
        case status = "status"
        case headers = "response headers"
        case url = "the response's own URL"
        case body = "the exact bytes of response bodies"
        case reasonPhrase = "reason phrase or HTTP version"
        case time = "timing or chunks of the response"

        /// Whether the loss changes what a replay returns.
        var changesAnswer: Bool { self != .reasonPhrase && self != .time }
    }

    init(of cassette: Cassette, in format: CassetteFormat, written data: Data) throws {
        // HAR with Rewind's extensions represents everything.
        guard format != .har else { return }
        var rest = try format.reader.read(data).interactions[...]
        var numbers: [Kind: [Int]] = [:]
        for (position, before) in cassette.interactions.enumerated() {
            let kinds: [Kind]
            switch before.outcome {
            case .failure: kinds = [.failure]
            case .unknown: kinds = [.outcome]
            case .response(let response):
                guard let after = rest.popFirst() else { kinds = [.outcome]; break }
                kinds = Self.kinds(before, response, after)
            }
            for kind in kinds { numbers[kind, default: []].append(position + 1) }
        }
        self.numbers = Kind.allCases.compactMap { kind in numbers[kind].map { (kind, $0) } }
    }

    var changesAnswers: Bool { numbers.contains { $0.kind.changesAnswer } }
    var lines: [String] { numbers.map { kind, numbers in "  \(kind.rawValue): \(Counted.list(numbers))" } }

    private static func kinds(_ before: Interaction, _ response: Interaction.Response, _ after: Interaction)
        -> [Kind]
    {
        guard case .response(let read) = after.outcome else { return [.body] }
        let (sent, got) = (before.request, after.request)
        let isSame: [(Kind, Bool)] = [
            (.request, sent.method == got.method && sent.urlWithoutFragment == got.urlWithoutFragment),
            (.requestHeaders, values(sent.headers) == values(got.headers)),
            // An empty body and no body are sent the same way.
            (
                .requestBody,
                sent.bodyAbsence == nil && sent.body?.data ?? Data() == got.body?.data ?? Data()
            ),
            (.status, response.status == read.status),
            (.headers, values(response.headers) == values(read.headers)),
            (.url, response.url == read.url),
            (.body, response.body.data == read.body.data),
            (.reasonPhrase, response.statusText == read.statusText && response.httpVersion == read.httpVersion),
            (.time, before.timing == after.timing && response.body.chunks.isEmpty),
        ]
        return isSame.filter { !$1 }.map(\.0)
    }

    /// The values by name: the order of fields with different names has no meaning (RFC 9110 section 5.3).
    private static func values(_ headers: HeaderList) -> [String: [String]] {
        headers.reduce(into: [:]) { $0[$1.name.lowercased(), default: []].append($1.value) }
    }
}
