import Foundation
import Rewind

/// A cassette without its secrets, ready to take the place of the file it was read from.
struct RedactedFile {
    let path: String
    let report: RedactionReport
    /// What still looks like a credential, where something does.
    let credentialsLeft: CredentialsLeft?
    let document: Data

    private let form: Form

    private enum Form {
        case archive(CassetteRewrite)
        case other(URL)
        case foreign(String)
    }

    init(_ input: CassetteInput, _ redaction: Redaction, isPrinted: Bool) throws {
        path = input.path
        let source = try CassetteSource(input)
        let redacted = RedactedCassette(source.cassette, redaction)
        if source.format == HARFormat.self {
            let rewrite = CassetteRewrite(
                redacted.cassette,
                to: isPrinted ? nil : source.url,
                from: source.folder,
                hidingWith: redacted.redactor
            )
            document = rewrite.document
            form = .archive(rewrite)
            report = RedactionReport(redacted, hidesMore: rewrite.hidesMore)
        } else {
            let format = source.writableFormat
            document = (format ?? HARFormat.self).write(redacted.cassette)
            form = source.url.flatMap { format == nil ? nil : .other($0) } ?? .foreign(source.format.name)
            report = RedactionReport(redacted, hidesMore: false)
        }
        credentialsLeft = CredentialsLeft(redacted, document: document, path: path)
    }

    func write() throws {
        switch form {
        case .archive(let rewrite): try rewrite.write()
        case .other(let url): try WholeFile(url).write(document)
        case .foreign(let name): throw UnwritableFormat(path: path, format: name)
        }
    }
}

/// A cassette in a format that Rewind reads and does not write.
struct UnwritableFormat: Error, CustomStringConvertible {
    let path: String
    let format: String

    var description: String {
        "\(path) is in the format \(format), which Rewind does not write, and was left untouched.\n"
            + "  `rewind convert \(path) --to har` makes an archive of it, without its secrets."
    }
}

/// The lines that tell what was taken out of a cassette.
struct RedactionReport {
    private let redacted: RedactedCassette
    private let hidesMore: Bool

    init(_ redacted: RedactedCassette, hidesMore: Bool) {
        self.redacted = redacted
        self.hidesMore = hidesMore
    }

    var isEmpty: Bool { redacted.changes.isEmpty && !hidesMore }

    var summary: String {
        redacted.changes.isEmpty
            ? "secrets beside the interactions"
            : "secrets in " + Counted.text(redacted.changes.count, "interaction")
    }

    /// A line for each interaction, and one for what stands beside them.
    var lines: [String] {
        redacted.changes.map { change in
            let places = change.places.isEmpty ? "in places told before" : change.places.joined(separator: ", ")
            return VisibleText.line("  #\(change.number) \(change.request): \(places)")
        } + (hidesMore ? ["  beside the interactions: copies of the same secrets"] : [])
    }
}

/// What still looks like a credential in a cassette, for which it is not written.
struct CredentialsLeft: Error, CustomStringConvertible {
    private let path: String
    private let places: [(place: String, kind: String, fingerprint: String)]

    /// What a cassette still has; `nil` where that is nothing.
    init?(_ redacted: RedactedCassette, document: Data? = nil, path: String) {
        self.path = path
        if redacted.findings.isEmpty, let document {
            places = redacted.findings(in: document).map { line, finding in
                ("line \(line), beside its interactions", finding.rule, finding.fingerprint)
            }
        } else {
            places = redacted.findings.map {
                ("#\($0.number) \($0.request), in the \($0.place)", $0.kind, $0.fingerprint)
            }
        }
        if places.isEmpty { return nil }
    }

    var description: String {
        let shown = places.prefix(8).map { place, kind, fingerprint in
            "  \(place)\n    looks like \(kind), fingerprint \(fingerprint)"
        }
        let rest = places.count > shown.count ? ["  and \(places.count - shown.count) more"] : []
        let head = "\(path) holds what looks like credentials, and nothing was written:"
        let remedy = """
              If it is a secret, say where it stands: --header NAME, --field NAME or --json-path PATH.
              If it is none: --allow \(places.first?.fingerprint ?? "FINGERPRINT")
            """
        return ([head] + shown + rest + [remedy]).joined(separator: "\n")
    }
}

/// A file that the command writes whole or not at all.
struct WholeFile {
    private let url: URL

    init(_ url: URL) {
        self.url = url
    }

    func write(_ data: Data) throws {
        do {
            try AtomicFile(url).write(data)
        } catch {
            throw CassetteRewriteError.failed(url.path, cause: error.localizedDescription)
        }
    }
}
