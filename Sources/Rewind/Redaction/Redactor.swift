import Foundation

/// Removes the secrets from the messages of one cassette, each under one placeholder.
package struct Redactor: Sendable {
    package let ledger: SecretLedger
    private let rules: SecretRules
    private let isOff: Bool

    /// Creates a redactor.
    /// - Parameters:
    ///   - redaction: What is secret.
    ///   - limit: How many secrets are searched for everywhere; all by default.
    ///   - known: The placeholders that the cassette already has.
    package init(
        _ redaction: Redaction,
        limit: Int = .max,
        after known: @escaping @Sendable () -> [Placeholder] = { [] }
    ) {
        rules = SecretRules(redaction)
        ledger = SecretLedger(limit: limit, after: known)
        let named = redaction.namedSecrets
        ledger.know(named, isEverywhere: true)
        isOff = rules.isEmpty && named.isEmpty
    }

    /// Copies the rules of another redactor, not the secrets that it found.
    package init(forgetting other: Redactor) {
        rules = other.rules
        ledger = SecretLedger()
        isOff = other.isOff
    }

    package func redact(_ request: Interaction.Request) -> Interaction.Request {
        guard !isOff else { return request }
        let named = editor(of: request, ledger).edited(request)
        return ledger.replacer?.edited(named) ?? named
    }

    /// Removes the secrets that are known by now.
    package func redact(_ interaction: Interaction) -> Interaction {
        isOff ? interaction : replacingKnown(in: named(interaction))
    }

    /// Also removes a secret that only a later interaction reveals.
    package func redact(_ interactions: [Interaction]) -> [Interaction] {
        guard !isOff else { return interactions }
        let named = named(interactions)
        guard let replacer = ledger.replacer else { return named }
        return named.mapParts { $0.map { replacer.removed(from: $0) } }.flatMap(\.self)
    }

    /// Removes only copies of known secrets.
    package func replacingKnown(in interaction: Interaction) -> Interaction {
        ledger.replacer?.removed(from: interaction) ?? interaction
    }

    package func replacingKnown(in data: Data) -> Data { ledger.replacer?.replacing(in: data) ?? data }

    /// Numbers secrets in recorded order; finds those interactions that have none, as most do, on all processors first.
    private func named(_ interactions: [Interaction]) -> [Interaction] {
        guard !rules.hasFinders else { return interactions.map { named($0) } }
        let arePlain = interactions.mapParts { part in
            // A temporary ledger, as secrets must not get their numbers here.
            let ledger = SecretLedger()
            return part.map { interaction in
                let editor = editor(of: interaction.request, ledger)
                _ = editor.edited(interaction)
                return editor.places.isEmpty
            }
        }
        return zip(interactions, arePlain.joined()).map { $1 ? $0 : named($0) }
    }

    private func named(_ interaction: Interaction) -> Interaction {
        let editor = editor(of: interaction.request, ledger)
        var interaction = editor.edited(interaction)
        let known = Set(interaction.redactedPlaces)
        interaction.redactedPlaces += editor.places.filter { !known.contains($0) }
        return interaction
    }

    private func editor(of request: Interaction.Request, _ ledger: SecretLedger) -> SecretEditor {
        SecretEditor(rules, ledger, host: rules.dependsOnHost ? URLParts(request.url).host : "")
    }
}

extension SecretReplacer {
    /// Removes copies of secrets, and notes this if no name said so.
    fileprivate func removed(from interaction: Interaction) -> Interaction {
        var redacted = edited(interaction)
        if redacted != interaction { redacted.note(Interaction.copiesOfSecrets) }
        return redacted
    }
}

extension Interaction {
    package static let copiesOfSecrets = "copies of secrets"

    mutating func note(_ place: String) {
        if !redactedPlaces.contains(place) { redactedPlaces.append(place) }
    }
}
