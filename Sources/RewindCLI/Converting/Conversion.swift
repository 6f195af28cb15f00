import Foundation
import Rewind

/// A cassette in another format and without its secrets, ready to be written.
struct Conversion {
    /// What the format cannot hold of it.
    let loss: ConversionLoss
    /// What was taken out of it.
    let report: RedactionReport
    /// The bytes of the file.
    let document: Data

    private let url: URL?
    private let rewrite: CassetteRewrite?

    /// Reads a cassette and makes it ready.
    /// - Parameters:
    ///   - source: The cassette.
    ///   - path: What it is called.
    ///   - format: The format.
    ///   - url: Where it goes; standard output where there is none.
    ///   - redaction: What is secret.
    /// - Throws: ``CredentialsLeft`` where it may not be written.
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
    /// - Throws: ``CassetteRewriteError`` where that fails.
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
