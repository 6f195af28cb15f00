import Foundation
import Rewind

/// A cassette in another format and without its secrets, ready to be written.
struct Conversion {
    let loss: ConversionLoss
    let report: RedactionReport
    let document: Data

    private let url: URL?
    private let rewrite: CassetteRewrite?

    init(
        _ source: CassetteSource,
        _ path: String,
        to format: any WritableCassetteFormat.Type,
        at url: URL?,
        _ redaction: Redaction
    ) throws {
        self.url = url
        let redacted = RedactedCassette(source.cassette, redaction)
        if format == HARFormat.self {
            let rewrite = CassetteRewrite(
                redacted.cassette,
                to: url,
                from: source.folder,
                hidingWith: redacted.redactor
            )
            document = rewrite.document
            self.rewrite = rewrite
        } else {
            document = format.write(redacted.cassette)
            rewrite = nil
        }
        report = RedactionReport(redacted, hidesMore: rewrite?.hidesMore ?? false)
        if let left = CredentialsLeft(redacted, document: document, path: path) { throw left }
        loss = try ConversionLoss(of: redacted.cassette, in: format, written: document)
    }

    /// Writes the file, and those of its large bodies.
    func write() throws {
        guard let url else { return }
        if let rewrite { try rewrite.write() } else { try WholeFile(url).write(document) }
    }
}

/// A cassette that was not converted.
enum ConversionError: Error, Hashable, CustomStringConvertible {
    case exists(String, String)
    case twice(String, String)
    case loses(String)

    var description: String {
        switch self {
        case .exists(let path, let place):
            "\(path) was not converted, as \(place) is there already.\n"
                + "  Name another place with --output, or write over it with --force."
        case .twice(let path, let place):
            "\(path) was not converted, as another of these cassettes goes to \(place).\n"
                + "  Convert it by itself, and name another place with --output."
        case .loses(let lines): "\(lines)\n  It was not converted, as --strict is given."
        }
    }
}

/// What a format cannot hold of a cassette, found by reading back what was written.
struct ConversionLoss {
    /// What is lost, each with the interactions it is lost of.
    private var numbers: [(kind: Kind, numbers: [Int])] = []

    /// Something that a format may not hold.
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

    init(of cassette: Cassette, in format: any WritableCassetteFormat.Type, written data: Data) throws {
        // The native format leaves nothing out.
        guard format != HARFormat.self else { return }
        var rest = try format.read(data).interactions[...]
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

    /// Whether a replay answers with something else than it would before.
    var changesAnswers: Bool { numbers.contains { $0.kind.changesAnswer } }

    var lines: [String] {
        numbers.map { kind, numbers in "  \(kind.rawValue): \(Counted.list(numbers))" }
    }

    private static func kinds(_ before: Interaction, _ response: Response, _ after: Interaction) -> [Kind] {
        guard case .response(let read) = after.outcome else { return [.body] }
        var kinds: [Kind] = []
        let (sent, got) = (before.request, after.request)
        if sent.method != got.method || sent.urlWithoutFragment != got.urlWithoutFragment {
            kinds.append(.request)
        }
        if values(sent.headers) != values(got.headers) { kinds.append(.requestHeaders) }
        // Formats that write no difference between an empty body and none lose nothing that is sent.
        if sent.body?.data ?? Data() != got.body?.data ?? Data() { kinds.append(.requestBody) }
        if response.status != read.status { kinds.append(.status) }
        if values(response.headers) != values(read.headers) { kinds.append(.headers) }
        if response.body.data != read.body.data { kinds.append(.body) }
        if response.statusText != read.statusText || response.httpVersion != read.httpVersion {
            kinds.append(.words)
        }
        if before.timing != after.timing || !response.body.chunks.isEmpty { kinds.append(.time) }
        return kinds
    }

    /// The values under each name, as the order of different names means nothing (RFC 9110 section 5.3).
    private static func values(_ headers: HeaderList) -> [String: [String]] {
        headers.reduce(into: [:]) { $0[$1.name.lowercased(), default: []].append($1.value) }
    }
}
