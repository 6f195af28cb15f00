import Foundation

/// Looks through interactions for what still looks like a credential.
package struct CredentialCheck: Sendable {
    private let scanner: CredentialScanner

    /// Creates a check that lets values of some fingerprints pass.
    package init(allowing fingerprints: Set<String> = []) {
        scanner = CredentialScanner(allowing: fingerprints)
    }

    /// What looks like a credential in some interactions, in order.
    package func findings(in interactions: [Interaction]) -> [UnredactedCredentials.Finding] {
        interactions.enumerated().flatMap { position, interaction in
            texts(of: interaction).flatMap { place, data in
                scanner.findings(in: data).map { finding in
                    UnredactedCredentials.Finding(
                        number: position + 1,
                        request: "\(interaction.request.method) \(safe(interaction.request.url))",
                        place: "\(place) at byte \(finding.range.lowerBound)",
                        kind: finding.rule,
                        fingerprint: finding.fingerprint
                    )
                }
            }
        }
    }

    /// What is written of an interaction, piece by piece.
    private func texts(of interaction: Interaction) -> [(place: String, data: Data)] {
        var texts = [("request's URL", Data(interaction.request.url.utf8))]
        texts += fields(of: interaction.request.headers, in: "request")
        if let body = interaction.request.body { texts.append(("request's body", body.data)) }
        if let response = interaction.response {
            texts += fields(of: response.headers, in: "response")
            texts.append(("response's body", response.body.data))
        }
        if let failure = interaction.failure { texts.append(("failure's message", Data(failure.message.utf8))) }
        return texts
    }

    private func fields(of headers: HeaderList, in message: String) -> [(place: String, data: Data)] {
        headers.map { ("\(message)'s header \($0.name)", Data("\($0.name): \($0.value)".utf8)) }
    }

    /// A URL without what may be the very thing that was found.
    private func safe(_ url: String) -> String {
        guard !scanner.findings(in: Data(url.utf8)).isEmpty else { return url }
        return url.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }.map {
            String(url[..<$0])
        }
        .flatMap { scanner.findings(in: Data($0.utf8)).isEmpty ? $0 : nil } ?? "(its URL)"
    }
}

extension Redaction {
    /// The check that a save has to pass; `nil` where it is switched off.
    package var credentialCheck: CredentialCheck? {
        scansForCredentials ? CredentialCheck(allowing: allowedFingerprints) : nil
    }
}
