import Foundation

/// What is to be secret on a cassette that is written, and what is known of it by then.
struct SecretKeeping: Sendable {
    let redaction: Redaction
    /// The secrets of live requests for which the cassette has placeholders.
    let known: [String: Placeholder]

    /// The bytes of a cassette with what was recorded, without a secret.
    /// - Parameters:
    ///   - cassette: What is there.
    ///   - recorded: What was recorded, as it was.
    ///   - path: The file, for the error.
    ///   - merge: Puts both together.
    /// - Returns: The bytes.
    /// - Throws: ``UnredactedCredentials`` where something still looks like a credential.
    func document(
        of cassette: Cassette,
        adding recorded: [Interaction],
        path: String,
        merge: (_ present: [Interaction], _ recorded: [Interaction]) -> [Interaction]
    ) throws -> Data {
        let present = cassette.interactions
        let redactor = Redactor(redaction) { Placeholder.placeholders(in: present) }
        redactor.ledger.know(known)
        let before = redactor.redact(present)
        let added = redactor.redact(recorded)
        // What was recorded may have told of secrets that were there before.
        var cassette = cassette
        cassette.interactions = merge(before.map { redactor.replacingKnown(in: $0) }, added)
        if let findings = redaction.credentialCheck?.findings(in: cassette.interactions), !findings.isEmpty {
            throw UnredactedCredentials(path: path, findings: findings)
        }
        let document = HARFormat.write(cassette)
        // Only what was read from a file can hold more than interactions.
        return present.isEmpty ? document : redactor.replacingKnown(in: document)
    }
}
