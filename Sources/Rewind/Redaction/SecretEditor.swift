import Foundation

/// Puts placeholders where the names of a message say that a secret stands, and enters the secrets into a ledger.
struct SecretEditor {
    let rules: SecretRules
    let ledger: SecretLedger
    /// The host of the request, for rules that are for some hosts only.
    let host: String
    /// Where secrets were taken out, for the note that goes with an interaction.
    private(set) var places: [String] = []
    /// The same, to be asked quickly: a body may have very many.
    private var knownPlaces: Set<String> = []

    init(_ rules: SecretRules, _ ledger: SecretLedger, host: String) {
        self.rules = rules
        self.ledger = ledger
        self.host = host
    }

    /// The placeholder for a value under a name; `nil` where that is no secret, or a placeholder already.
    mutating func placeholder(for value: String, name: String, at place: @autoclosure () -> String)
        -> Placeholder?
    {
        guard !value.isEmpty, Placeholder(value) == nil, !JSONWebToken.isPlaceholder(value) else { return nil }
        note(place())
        return ledger.placeholder(for: value, name: name)
    }

    /// Notes a place, once.
    mutating func note(_ place: String) {
        if knownPlaces.insert(place).inserted { places.append(place) }
    }

    /// Enters what rules for whole texts find; it is replaced with everything else that is known.
    func enterValues(in text: String) {
        guard rules.hasFinders else { return }
        for (value, name) in rules.values(in: text, host: host) {
            _ = ledger.placeholder(for: value, name: name)
        }
    }
}

extension JSONWebToken {
    /// Whether a text is a token that stands for a secret.
    static func isPlaceholder(_ text: String) -> Bool {
        guard text.utf8.starts(with: "eyJ".utf8), let token = JSONWebToken(text.utf8) else { return false }
        return Placeholder(token) != nil
    }
}

extension Placeholder {
    /// What is written where a secret stood: a token where it was one, so that a client that looks into it still can.
    func text(for value: String, spelling: Spelling = .raw) -> String {
        jwtText(replacing: value) ?? text(spelling)
    }
}
