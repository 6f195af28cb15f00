import Foundation

/// Takes the secrets out of the messages of one cassette, each under one placeholder.
package struct Redactor: Sendable {
    /// The secrets found so far.
    package let ledger: SecretLedger
    private let rules: SecretRules
    private let isOff: Bool

    /// Creates a redactor.
    /// - Parameters:
    ///   - redaction: What is secret.
    ///   - limit: How many secrets are looked for everywhere; all by default.
    ///   - known: The placeholders that the cassette has already.
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

    /// Creates a redactor by the rules of another, which knows none of the secrets that one has found.
    package init(forgetting other: Redactor) {
        rules = other.rules
        ledger = SecretLedger()
        isOff = other.isOff
    }

    /// A request without its secrets.
    package func redact(_ request: Request) -> Request {
        guard !isOff else { return request }
        let named = editor(of: request, ledger).edited(request)
        return ledger.replacer?.edited(named) ?? named
    }

    /// An interaction without the secrets that are known by now.
    package func redact(_ interaction: Interaction) -> Interaction {
        isOff ? interaction : replacingKnown(in: named(interaction))
    }

    /// Interactions without their secrets, also where a secret is known only from a later one.
    package func redact(_ interactions: [Interaction]) -> [Interaction] {
        guard !isOff else { return interactions }
        let named = named(interactions)
        guard let replacer = ledger.replacer else { return named }
        return named.mapParts { $0.map { replacer.removed(from: $0) } }.flatMap(\.self)
    }

    /// An interaction without copies of the secrets that are known.
    package func replacingKnown(in interaction: Interaction) -> Interaction {
        ledger.replacer?.removed(from: interaction) ?? interaction
    }

    /// A text, such as what stands around the interactions in a file, without the secrets that are known.
    package func replacingKnown(in data: Data) -> Data {
        ledger.replacer?.replacing(in: data) ?? data
    }

    // MARK: What names say

    /// Secrets get their numbers in recorded order, one interaction after the other. Which interactions have none, as most
    /// do, is found out on all processors before.
    private func named(_ interactions: [Interaction]) -> [Interaction] {
        guard !rules.hasFinders else { return interactions.map { named($0) } }
        let arePlain = interactions.mapParts { part in
            // Secrets get no number here, so that they are entered into a ledger that is thrown away.
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

    private func editor(of request: Request, _ ledger: SecretLedger) -> SecretEditor {
        SecretEditor(rules, ledger, host: rules.dependsOnHost ? URLParts(request.url).host : "")
    }
}

extension SecretReplacer {
    /// An interaction without copies of the secrets, with a note where there was one: no name said so.
    fileprivate func removed(from interaction: Interaction) -> Interaction {
        var redacted = edited(interaction)
        if redacted != interaction { redacted.note(Interaction.copiesOfSecrets) }
        return redacted
    }
}

extension Interaction {
    /// What is noted where only copies of secrets stood.
    package static let copiesOfSecrets = "copies of secrets"

    /// Notes that a secret was taken out, once for each place.
    mutating func note(_ place: String) {
        if !redactedPlaces.contains(place) { redactedPlaces.append(place) }
    }
}
