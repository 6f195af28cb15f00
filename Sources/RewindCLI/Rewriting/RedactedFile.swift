import Foundation
import Rewind

/// A cassette without its secrets, ready to be written in a format.
struct RedactedFile {
    let cassette: Cassette
    let report: RedactionReport
    let credentialsLeft: CommandError?
    let document: Data

    private let url: URL?
    private let rewrite: CassetteRewrite?

    init(
        _ source: CassetteSource,
        _ redaction: Redaction,
        as format: CassetteFormat,
        at url: URL?
    ) {
        self.url = url
        let redacted = RedactedCassette(source.cassette, redaction)
        cassette = redacted.cassette
        rewrite =
            format == .har
            ? CassetteRewrite(cassette, to: url, from: source.folder, hidingWith: redacted.redactor) : nil
        document = rewrite?.document ?? (format.writer ?? HARFormat.self).write(cassette)
        report = RedactionReport(redacted: redacted, hidesMore: rewrite?.hidesMore ?? false)
        credentialsLeft = CommandError(credentialsIn: redacted, document: document, path: source.path)
    }

    /// Writes the file whole or not at all, and those of its large bodies.
    func write() throws {
        guard let url else { return }
        if let rewrite { return try rewrite.write() }
        do {
            try AtomicFile(url).write(document)
        } catch {
            throw CassetteRewriteError.failed(url.path, cause: error.localizedDescription)
        }
    }
}

struct RedactionReport {
    let redacted: RedactedCassette
    /// Whether secrets were taken out of what stands beside the interactions.
    let hidesMore: Bool

    var isEmpty: Bool { redacted.changes.isEmpty && !hidesMore }

    var summary: String {
        redacted.changes.isEmpty
            ? "secrets beside the interactions"
            : "secrets in " + Counted.text(redacted.changes.count, "interaction")
    }

    var lines: [String] {
        redacted.changes.map { change in
            let places = change.places.isEmpty ? "in places told before" : change.places.joined(separator: ", ")
            return VisibleText.line("  #\(change.number) \(change.request): \(places)")
        } + (hidesMore ? ["  beside the interactions: copies of the same secrets"] : [])
    }
}

extension CommandError {
    /// What still looks like a credential in a cassette, for which it is not written; `nil` where nothing does.
    fileprivate init?(credentialsIn redacted: RedactedCassette, document: Data, path: String) {
        let inside = redacted.findings.map {
            ("#\($0.number) \($0.request), in the \($0.place)", $0.kind, $0.fingerprint)
        }
        let beside = inside.isEmpty ? redacted.findings(in: document) : []
        let places =
            inside
            + beside.map { line, finding in
                ("line \(line), beside its interactions", finding.rule, finding.fingerprint)
            }
        guard let first = places.first else { return nil }
        let shown = places.prefix(8).map { place, kind, fingerprint in
            "  \(place)\n    looks like \(kind), fingerprint \(fingerprint)"
        }
        let rest = places.count > shown.count ? ["  and \(places.count - shown.count) more"] : []
        let head = "\(path) holds what looks like credentials, and nothing was written:"
        let remedy = """
              If it is a secret, say where it stands: --header NAME, --field NAME or --json-path PATH.
              If it is none: --allow \(first.2)
            """
        self.init(description: ([head] + shown + rest + [remedy]).joined(separator: "\n"))
    }
}
