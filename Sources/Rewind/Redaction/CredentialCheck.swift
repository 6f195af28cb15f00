import Foundation

/// Looks through interactions for what still looks like a credential.
package struct CredentialCheck: Sendable {
    let scanner: CredentialScanner

    /// Creates a check that lets values of some fingerprints pass.
    package init(allowing fingerprints: Set<String> = []) {
        scanner = CredentialScanner(allowing: fingerprints)
    }

    /// What looks like a credential in some interactions, in order.
    ///
    /// Interactions are looked through on all processors, as each is looked through by itself.
    package func findings(in interactions: [Interaction]) -> [UnredactedCredentials.Finding] {
        interactions.mapParts { part in
            part.indices.flatMap { findings(in: part[$0], number: $0 + 1) }
        }
        .flatMap(\.self)
    }

    /// What looks like a credential in one interaction.
    func findings(in interaction: Interaction, number: Int) -> [UnredactedCredentials.Finding] {
        var findings: [UnredactedCredentials.Finding] = []
        eachText(of: interaction) { text, place in
            for finding in scanner.findings(in: text) {
                findings.append(
                    UnredactedCredentials.Finding(
                        number: number,
                        request: "\(interaction.request.method) \(safe(interaction.request.url))",
                        place: "\(place()) at byte \(finding.range.lowerBound)",
                        kind: finding.rule,
                        fingerprint: finding.fingerprint
                    )
                )
            }
        }
        return findings
    }

    /// Goes through what is written of an interaction, piece by piece; where each stands is told when it is asked for.
    private func eachText(of interaction: Interaction, _ body: (UnsafeRawBufferPointer, () -> String) -> Void) {
        each(interaction.request.url) { body($0) { "request's URL" } }
        eachField(of: interaction.request.headers, in: "request", body)
        interaction.request.body?.data.withUnsafeBytes { body($0) { "request's body" } }
        if let response = interaction.response {
            eachField(of: response.headers, in: "response", body)
            response.body.data.withUnsafeBytes { body($0) { "response's body" } }
        }
        if var failure = interaction.failure {
            failure.changeTexts { text in
                each(text) { body($0) { "failure's message" } }
                return text
            }
        }
    }

    private func eachField(
        of headers: HeaderList,
        in message: String,
        _ body: (UnsafeRawBufferPointer, () -> String) -> Void
    ) {
        var line: [UInt8] = []
        for field in headers.fields {
            line.removeAll(keepingCapacity: true)
            line.append(contentsOf: field.name.utf8)
            line.append(contentsOf: ": ".utf8)
            line.append(contentsOf: field.value.utf8)
            line.withUnsafeBytes { body($0) { "\(message)'s header \(field.name)" } }
        }
    }

    private func each(_ text: String, _ body: (UnsafeRawBufferPointer) -> Void) {
        text.withBytes { body(UnsafeRawBufferPointer($0)) }
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
