import Foundation

struct SecretKeeping: Sendable {
    let redaction: Redaction
    /// Secrets of live requests for which the cassette has placeholders.
    let known: [String: Placeholder]

    /// The merged cassette as it is written, without secrets.
    /// - Throws: ``CassetteError`` where something still looks like a credential.
    func archive(
        of cassette: Cassette,
        adding recorded: [Interaction],
        to url: URL,
        merge: (_ present: [Interaction], _ recorded: [Interaction]) -> [Interaction]
    ) throws -> HARArchive {
        let present = cassette.interactions
        let redactor = Redactor(redaction) { Placeholder.placeholders(in: present) }
        redactor.ledger.know(known)
        // A recording may reveal secrets in earlier interactions.
        let redacted = redactor.redact(present + recorded)
        var cassette = cassette
        let count = present.count
        cassette.interactions = merge(Array(redacted.prefix(count)), Array(redacted.dropFirst(count)))
        if let findings = redaction.credentialCheck?.findings(in: cassette.interactions), !findings.isEmpty {
            throw CassetteError(path: url.path, problem: .unredactedCredentials(findings))
        }
        var archive = HARArchive(cassette, to: url, from: url.deletingLastPathComponent(), hidingWith: redactor)
        // Only a file that was read can hold more than interactions.
        if !present.isEmpty { _ = archive.hide(with: redactor) }
        return archive
    }
}
