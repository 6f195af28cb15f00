import Foundation
import Rewind

/// What a format cannot hold of a cassette, found by reading back what was written.
struct ConversionLoss {
    private var numbers: [(kind: Kind, numbers: [Int])] = []

    private enum Kind: String, CaseIterable {
        case failure = "the failure, so the interaction is left out"
        case outcome = "an interaction without a usable answer, which is left out"
        case request = "the method or the URL"
        case requestHeaders = "header fields of the request"
        case requestBody = "the body of the request, byte for byte"
        case status = "the status"
        case headers = "header fields of the response"
        case body = "the body of the response, byte for byte"
        case words = "the reason phrase or the version of the protocol"
        case time = "when the answer came, and in which pieces"

        /// Whether a replay answers with something else for it.
        var changesAnswer: Bool { self != .words && self != .time }
    }

    init(of cassette: Cassette, in format: CassetteFormat, written data: Data) throws {
        // The native format leaves nothing out.
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
        let isKept: [(Kind, Bool)] = [
            (.request, sent.method == got.method && sent.urlWithoutFragment == got.urlWithoutFragment),
            (.requestHeaders, values(sent.headers) == values(got.headers)),
            // Formats that write no difference between an empty body and none lose nothing that is sent.
            (.requestBody, sent.body?.data ?? Data() == got.body?.data ?? Data()),
            (.status, response.status == read.status),
            (.headers, values(response.headers) == values(read.headers)),
            (.body, response.body.data == read.body.data),
            (.words, response.statusText == read.statusText && response.httpVersion == read.httpVersion),
            (.time, before.timing == after.timing && response.body.chunks.isEmpty),
        ]
        return isKept.filter { !$1 }.map(\.0)
    }

    /// The values under each name, as the order of different names means nothing (RFC 9110 section 5.3).
    private static func values(_ headers: HeaderList) -> [String: [String]] {
        headers.reduce(into: [:]) { $0[$1.name.lowercased(), default: []].append($1.value) }
    }
}
