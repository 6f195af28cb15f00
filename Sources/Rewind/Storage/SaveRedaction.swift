import Foundation

/// Redacts a cassette when it is saved.
struct SaveRedaction: Sendable {
    let redaction: Redaction
    /// The secrets of live requests that already have placeholders in the cassette.
    let known: [String: Placeholder]

    /// Merges recorded interactions into a cassette, and redacts all of them.
    /// - Throws: ``CassetteError`` if a value still looks like a credential.
    func archive(
        of cassette: Cassette,
        adding recorded: [Interaction],
        to url: URL,
        merge: (_ present: [Interaction], _ recorded: [Interaction]) -> [Interaction]
    ) throws -> HARArchive {
        let present = cassette.interactions
        let redactor = Redactor(redaction) { Placeholder.placeholders(in: present) }
        redactor.ledger.know(known)
        // A recording may reveal that a value in an earlier interaction is secret.
        let redacted = redactor.redact(present + recorded)
        var cassette = cassette
        let count = present.count
        cassette.interactions = merge(Array(redacted.prefix(count)), Array(redacted.dropFirst(count)))
        if let findings = redaction.credentialCheck?.findings(in: cassette.interactions), !findings.isEmpty {
            throw CassetteError(path: url.path, problem: .unredactedCredentials(findings))
        }
        var archive = HARArchive(cassette, to: url, from: url.deletingLastPathComponent(), hidingWith: redactor)
        // Only a file that was read can contain more than interactions.
        if !present.isEmpty { _ = archive.hide(with: redactor) }
        return archive
    }
}
