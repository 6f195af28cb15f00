import Foundation

/// Redacts a cassette when it is saved.
struct SaveRedaction: Sendable {
    let redaction: Redaction
    /// The secrets that already have placeholders, in the cassette or in what the test received.
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
        let (merged, redactor) = merged(present, recorded, merge)
        var cassette = cassette
        cassette.interactions = merged
        cassette.surroundings = redactor.redact(surroundings: cassette.surroundings)
        if let findings = redaction.credentialCheck?.findings(in: cassette.interactions), !findings.isEmpty {
            throw CassetteError(path: url.path, problem: .unredactedCredentials(findings))
        }
        var archive = HARArchive(cassette, to: url, from: url.deletingLastPathComponent(), hidingWith: redactor)
        // Only a file that was read can contain more than interactions.
        if !present.isEmpty { _ = archive.hide(with: redactor) }
        return archive
    }

    /// Merges and redacts interactions, without a check for credentials.
    func merged(
        _ present: [Interaction],
        _ recorded: [Interaction],
        _ merge: (_ present: [Interaction], _ recorded: [Interaction]) -> [Interaction]
    ) -> (interactions: [Interaction], redactor: Redactor) {
        let redactor = Redactor(redaction) { [known] in
            Placeholder.placeholders(in: present) + known.values
        }
        redactor.ledger.know(known)
        // A recording may reveal that a value in an earlier interaction is secret.
        let redacted = redactor.redact(present + recorded)
        let count = present.count
        return (merge(Array(redacted.prefix(count)), Array(redacted.dropFirst(count))), redactor)
    }
}
