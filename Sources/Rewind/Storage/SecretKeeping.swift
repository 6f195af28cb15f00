import Foundation

/// What is to be secret on a cassette that is written, and what is known of it by then.
struct SecretKeeping: Sendable {
    let redaction: Redaction
    /// The secrets of live requests for which the cassette has placeholders.
    let known: [String: Placeholder]

    /// A cassette with what was recorded, as it is written, without a secret.
    /// - Parameters:
    ///   - cassette: What is there.
    ///   - recorded: What was recorded, as it was.
    ///   - path: The file, for the error.
    ///   - folder: Where large bodies go.
    ///   - merge: Puts both together.
    /// - Returns: The bytes of the archive, and those of the files beside it.
    /// - Throws: ``UnredactedCredentials`` where something still looks like a credential.
    func archive(
        of cassette: Cassette,
        adding recorded: [Interaction],
        path: String,
        bodiesIn folder: BodyFolder,
        merge: (_ present: [Interaction], _ recorded: [Interaction]) -> [Interaction]
    ) throws -> HARArchive {
        let present = cassette.interactions
        let redactor = Redactor(redaction) { Placeholder.placeholders(in: present) }
        redactor.ledger.know(known)
        // What was recorded may tell of secrets that were there before.
        let redacted = redactor.redact(present + recorded)
        var cassette = cassette
        cassette.interactions = merge(
            Array(redacted.prefix(present.count)),
            Array(redacted.dropFirst(present.count))
        )
        if let findings = redaction.credentialCheck?.findings(in: cassette.interactions), !findings.isEmpty {
            throw UnredactedCredentials(path: path, findings: findings)
        }
        var archive = HARFormat.archive(cassette, bodiesIn: folder.name, beside: folder.attachments) {
            path,
            data in
            // A name that holds a secret would be replaced in the archive, and no longer be that of the file.
            let name = Data(path.utf8)
            return redactor.replacingKnown(in: name) == name && folder.isFree(path, for: data)
        }
        // Only what was read from a file can hold more than interactions.
        if !present.isEmpty { archive.document = redactor.replacingKnown(in: archive.document) }
        return archive
    }
}
