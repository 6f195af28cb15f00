import Foundation

@testable import Rewind

/// Redaction leaves no copy of a known secret, and repeated redaction ends.
///
/// A second redaction may replace more: a value of ordinary words looks generated once a part of it is a placeholder.
func fuzzRedaction(_ data: Data) {
    var input = FuzzInput(data)
    let interactions = [input.interaction(), input.interaction()]
    var redaction = Redaction.default
    redaction.replace(secret, with: "<API_KEY>")
    let redacted = Redactor(redaction).redact(interactions)
    check(redacted.count == interactions.count, "interactions are lost")
    for interaction in redacted {
        for bytes in texts(of: interaction) {
            check(bytes.range(of: Data(secret.utf8)) == nil, "the secret is left: \(interaction)")
        }
    }
    let again = Redactor(redaction).redact(redacted)
    for (once, twice) in zip(again, Redactor(redaction).redact(again)) {
        check(once.request.url == twice.request.url, "\(once.request.url) becomes \(twice.request.url)")
        check(once.request.headers == twice.request.headers, "\(once.request) becomes \(twice.request)")
        check(once.request.body?.data == twice.request.body?.data, "\(once.request) becomes \(twice.request)")
        check(once.response?.headers == twice.response?.headers, "\(once) becomes \(twice)")
        check(once.response?.body.data == twice.response?.body.data, "\(once) becomes \(twice)")
    }
    _ = check.findings(in: redacted)
    if let restorer = SecretRestorer(redaction) {
        for interaction in redacted { _ = restorer.restored(interaction) }
    }
}

private let check = CredentialCheck()
private let secret = "s3cr3t+Value/42="

private func texts(of interaction: Interaction) -> [Data] {
    let request = interaction.request
    let fields = request.headers.map(\.value) + (interaction.response?.headers.map(\.value) ?? [])
    let bodies = [request.body?.data, interaction.response?.body.data].compactMap { $0 }
    return ([request.url] + fields).map { Data($0.utf8) } + bodies
}
