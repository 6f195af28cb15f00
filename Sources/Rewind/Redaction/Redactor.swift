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
        ledger = SecretLedger(limit: .max, after: { [] })
        isOff = other.isOff
    }

    /// A request without its secrets.
    package func redact(_ request: Request) -> Request {
        guard !isOff else { return request }
        var editor = SecretEditor(rules, ledger, host: rules.host(of: request))
        return replacingKnown(in: named(request, &editor))
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
        let known = KnownSecrets(replacer)
        return named.mapParts { $0.map { known.removed(from: $0) } }.flatMap(\.self)
    }

    // MARK: What names say

    /// Secrets get their numbers in recorded order, one interaction after the other. Which interactions have none, as most
    /// do, is found out on all processors before.
    private func named(_ interactions: [Interaction]) -> [Interaction] {
        let arePlain = interactions.mapParts { part in
            let other = Redactor(forgetting: self)
            return part.map(other.isPlain)
        }
        return zip(interactions, arePlain.joined()).map { $1 ? $0 : named($0) }
    }

    /// Whether nothing in an interaction is named as a secret, and nothing is found in it that is one everywhere.
    private func isPlain(_ interaction: Interaction) -> Bool {
        guard !rules.hasFinders else { return false }
        var editor = SecretEditor(rules, ledger, host: rules.host(of: interaction.request))
        _ = named(interaction, &editor)
        return editor.places.isEmpty
    }

    private func named(_ interaction: Interaction) -> Interaction {
        var editor = SecretEditor(rules, ledger, host: rules.host(of: interaction.request))
        var interaction = named(interaction, &editor)
        let known = Set(interaction.redactedPlaces)
        interaction.redactedPlaces += editor.places.filter { !known.contains($0) }
        return interaction
    }

    private func named(_ interaction: Interaction, _ editor: inout SecretEditor) -> Interaction {
        var interaction = interaction
        interaction.request = named(interaction.request, &editor)
        // Platforms put the URL into what they say of a failure.
        interaction.changeFailure { $0.changeTexts { editor.redactURL($0, at: "failure") } }
        interaction.changeResponse { $0 = named($0, &editor) }
        return interaction
    }

    private func named(_ request: Request, _ editor: inout SecretEditor) -> Request {
        var request = request
        request.url = editor.redactURL(request.url, at: "request")
        let type = request.headers["Content-Type"]
        if !request.headers.isEmpty { request.headers = editor.redact(request.headers, at: "request") }
        request.editBody { editor.redact($0, mediaType: type, at: "request body") }
        return request
    }

    private func named(_ response: Response, _ editor: inout SecretEditor) -> Response {
        var response = response
        let type = response.headers["Content-Type"]
        response.headers = editor.redact(response.headers, at: "response")
        response.editBody { editor.redact($0, mediaType: type, at: "response body") }
        return response
    }

    // MARK: What is known

    private func replacingKnown(in request: Request) -> Request {
        ledger.replacer.map { KnownSecrets($0).removed(from: request) } ?? request
    }

    /// An interaction without copies of the secrets that are known.
    package func replacingKnown(in interaction: Interaction) -> Interaction {
        ledger.replacer.map { KnownSecrets($0).removed(from: interaction) } ?? interaction
    }

    /// A text, such as what stands around the interactions in a file, without the secrets that are known.
    package func replacingKnown(in data: Data) -> Data {
        ledger.replacer?.replacing(in: data) ?? data
    }
}

extension Interaction {
    /// Notes that a secret was taken out, once for each place.
    mutating func note(_ place: String) {
        if !redactedPlaces.contains(place) { redactedPlaces.append(place) }
    }
}

extension SecretRules {
    /// The host of a request, where any rule is for some hosts only.
    fileprivate func host(of request: Request) -> String {
        dependsOnHost ? URLParts(request.url).host : ""
    }
}
