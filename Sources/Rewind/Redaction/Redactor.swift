import Foundation

/// Replaces the secrets of one cassette with placeholders. The same secret always has the same placeholder.
package struct Redactor: Sendable {
    package let ledger: SecretLedger
    private let rules: SecretRules
    private let isOff: Bool
    /// Searches printed text; `nil` if the check for credentials is off.
    let credentialScanner: CredentialScanner?

    /// Creates a redactor.
    /// - Parameters:
    ///   - redaction: The rules.
    ///   - limit: The number of secrets that are searched for everywhere; all by default.
    ///   - known: Returns the placeholders that the cassette already contains.
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
        credentialScanner = redaction.credentialCheck?.scanner
    }

    /// Creates a redactor with the rules of another one, but without its secrets.
    package init(forgetting other: Redactor) {
        rules = other.rules
        ledger = SecretLedger()
        (isOff, credentialScanner) = (other.isOff, other.credentialScanner)
    }

    /// Whether there are rules in addition to the default names.
    var hasRules: Bool { rules.hasOwnRules }

    package func redact(_ request: Interaction.Request) -> Interaction.Request {
        guard !isOff else { return request }
        let editor = editor(of: request, ledger)
        let named = editor.edited(request)
        let redacted = ledger.replacer?.edited(named) ?? named
        return editor.unsearched.isEmpty ? redacted : SecretReplacer(editor.unsearched).edited(redacted)
    }

    /// Replaces the secrets that are known so far.
    package func redact(_ interaction: Interaction) -> Interaction {
        isOff ? interaction : replacingKnown(in: named(interaction))
    }

    /// Adds the secrets of an interaction without redacting it.
    func learn(_ interaction: Interaction) { if !isOff { _ = named(interaction) } }

    /// Replaces all secrets, including those that only a later interaction reveals.
    package func redact(_ interactions: [Interaction]) -> [Interaction] {
        guard !isOff else { return interactions }
        let named = named(interactions)
        guard let replacer = ledger.replacer else { return named }
        return named.mapParts { $0.map { replacer.removed(from: $0) } }.flatMap(\.self)
    }

    /// Replaces only copies of known secrets, without searching for new ones.
    package func replacingKnown(in interaction: Interaction) -> Interaction {
        ledger.replacer?.removed(from: interaction) ?? interaction
    }

    package func replacingKnown(in data: Data) -> Data { ledger.replacer?.replacing(in: data) ?? data }

    /// Numbers secrets in recorded order. Of many interactions, first finds, on all processors, those without secrets.
    private func named(_ interactions: [Interaction]) -> [Interaction] {
        let first = interactions.prefix(rules.hasFinders ? .max : Self.sampleCount).map { named($0) }
        let changedCount = zip(interactions, first).count { $0.redactedPlaces != $1.redactedPlaces }
        let rest = interactions[first.count...]
        // If most have secrets, the additional pass takes longer than it saves.
        guard changedCount * 2 < first.count else { return first + rest.map { named($0) } }
        return first + namedInParts(Array(rest))
    }

    private static let sampleCount = 64

    private func namedInParts(_ interactions: [Interaction]) -> [Interaction] {
        let arePlain = interactions.mapParts { part in
            // A temporary ledger, because secrets must not be numbered here.
            let ledger = SecretLedger()
            return part.map { interaction in
                let editor = editor(of: interaction.request, ledger)
                _ = edited(interaction, by: editor)
                return editor.places.isEmpty
            }
        }
        return zip(interactions, arePlain.joined()).map { $1 ? $0 : named($0) }
    }

    private func named(_ interaction: Interaction) -> Interaction {
        let editor = editor(of: interaction.request, ledger)
        var interaction = edited(interaction, by: editor)
        let known = Set(interaction.redactedPlaces)
        interaction.redactedPlaces += editor.places.filter { !known.contains($0) }
        return interaction
    }

    /// Edits an interaction, and what its text in the archive contains in addition.
    private func edited(_ interaction: Interaction, by editor: SecretEditor) -> Interaction {
        var edited = editor.edited(interaction)
        let unread = UnreadMembers { editor.edited(unread: $0, $1, isInResponse: $2) }
        if let text = interaction.original.flatMap({ unread.edited($0.text) }) {
            edited.original = OriginalText(text)
        }
        return edited
    }

    /// Redacts what an archive contains outside of its interactions.
    func redact(surroundings: JSONObject) -> JSONObject {
        guard !isOff else { return surroundings }
        let editor = SecretEditor(rules, ledger, host: "")
        return JSONObject(
            surroundings.members.map { member in
                guard member.name == "log", let log = member.value.objectValue else {
                    return member.edited(by: editor)
                }
                // The member of Rewind names tests.
                let members = log.members.map { $0.name == "_rewind" ? $0 : $0.edited(by: editor) }
                return JSONObject.Member(name: member.name, value: .object(JSONObject(members)))
            }
        )
    }

    private func editor(of request: Interaction.Request, _ ledger: SecretLedger) -> SecretEditor {
        SecretEditor(rules, ledger, host: rules.dependsOnHost ? URLParts(request.url).host : "")
    }
}

extension JSONObject.Member {
    fileprivate func edited(by editor: SecretEditor) -> JSONObject.Member {
        JSONObject.Member(name: name, value: editor.edited(unread: self, .member, isInResponse: false) ?? value)
    }
}

extension SecretReplacer {
    /// Replaces copies of secrets, and notes it in the interaction.
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
