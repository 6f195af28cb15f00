import Foundation
import Rewind

/// A redacted cassette, ready to be written in a format.
struct RedactedFile {
    let cassette: Cassette
    let report: RedactionReport
    /// The error if a value still looks like a credential.
    let credentials: CommandError?
    let document: Data

    private let url: URL?
    private let rewrite: CassetteRewrite?

    init(
        _ source: CassetteSource,
        _ redaction: Redaction,
        as format: CassetteFormat,
        at url: URL?,
        style: HARStyle = HARStyle()
    ) {
        self.url = url
        let redacted = RedactedCassette(source.cassette, redaction)
        cassette = redacted.cassette
        rewrite =
            format == .har
            ? CassetteRewrite(cassette, to: url, from: source.folder, as: style, hidingWith: redacted.redactor)
            : nil
        document = rewrite?.document ?? (format.writer ?? HARFormat.self).write(cassette)
        report = RedactionReport(
            redacted: redacted,
            hidesMore: rewrite?.hidesMore ?? false || redacted.changesSurroundings
        )
        credentials = CommandError(credentialsIn: redacted, document: document, path: source.path)
    }

    /// Writes the cassette atomically, and the files of its large bodies.
    func write() throws {
        guard let url else { return }
        if let rewrite { return try rewrite.write() }
        do {
            try AtomicFile(url).write(document)
        } catch {
            throw CassetteRewriteError.failed(url.path, cause: SystemCallError.cause(of: error))
        }
    }
}

/// What a redaction changed.
struct RedactionReport {
    let redacted: RedactedCassette
    /// Whether secrets were redacted in parts of the file outside the interactions.
    let hidesMore: Bool

    var isEmpty: Bool { redacted.changes.isEmpty && !hidesMore }

    var summary: String {
        redacted.changes.isEmpty
            ? "secrets outside the interactions"
            : "secrets in " + Counted.text(redacted.changes.count, "interaction")
    }

    var lines: [String] {
        redacted.changes.map { change in
            let places =
                change.places.isEmpty ? "in places redacted earlier" : change.places.joined(separator: ", ")
            return VisibleText.line("  #\(change.number) \(change.request): \(places)")
        } + (hidesMore ? ["  outside the interactions"] : [])
    }
}

extension CommandError {
    /// The error for values of a cassette that still look like credentials; `nil` if there are none.
    fileprivate init?(credentialsIn redacted: RedactedCassette, document: Data, path: String) {
        guard redacted.findings.isEmpty else {
            self = .credentials(path, CredentialAdvice(redacted.findings))
            return
        }
        let places = redacted.findings(in: document)
        guard let first = places.first else { return nil }
        let shown = places.prefix(8).map { line, finding in
            "  line \(line), outside the interactions\n    looks like \(finding.rule), fingerprint \(finding.fingerprint)"
        }
        let rest = places.count > shown.count ? ["  and \(places.count - shown.count) more"] : []
        self = .credentialsOutside(path, places: shown + rest, fingerprint: first.finding.fingerprint)
    }
}
