import Foundation
import Rewind

/// What still looks like a credential in a cassette, for which it is not written.
struct CredentialsLeft: Error, CustomStringConvertible {
    private let path: String
    private let places: [(place: String, kind: String, fingerprint: String)]

    /// What a cassette still has; `nil` where that is nothing.
    /// - Parameters:
    ///   - redacted: The cassette without its secrets.
    ///   - document: Its text as it is to be written, where it may hold more than interactions.
    ///   - path: What the cassette is called.
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

    /// Where each stands, and what settles it.
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
