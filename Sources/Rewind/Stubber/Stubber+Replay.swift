import Foundation

extension Stubber {
    /// The interaction as the app gets it.
    /// - Parameters:
    ///   - recorded: The interaction of the cassette.
    ///   - found: How the request found it.
    ///   - redactor: The redactor of the request.
    ///   - request: Returns the redacted live request with its header fields.
    /// - Returns: The interaction to play.
    func prepared(
        _ recorded: RecordedInteraction,
        _ found: Playback.Found,
        _ redactor: Redactor,
        _ request: () -> Interaction.Request
    ) -> RecordedInteraction {
        let restorer = restorer(for: recorded.interaction, found, redactor, request)
        guard restorer != nil || rules.playsWhole else { return recorded }
        var interaction = restorer?.restored(recorded.interaction) ?? recorded.interaction
        if configuration.refreshesDates { interaction = interaction.refreshingDates(to: clock.now()) }
        return RecordedInteraction(
            configuration.beforePlayback?(interaction) ?? interaction,
            at: recorded.position
        )
    }

    /// The restorer of the secrets in a response; `nil` if it contains none.
    ///
    /// If the request contains a secret where the recorded request has a placeholder, the response contains that secret
    /// in place of that placeholder, and so do the responses to later requests.
    private func restorer(
        for interaction: Interaction,
        _ found: Playback.Found,
        _ redactor: Redactor,
        _ request: () -> Interaction.Request
    ) -> SecretRestorer? {
        let places = interaction.redactedPlaces
        // Most responses contain no placeholders, and are not searched for them.
        guard !places.isEmpty else { return restorer }
        let isInResponse = places.contains { !$0.hasPrefix("\(MessageKind.request.rawValue) ") }
        guard isInResponse || redactor.hasRules else { return restorer }
        let own = redactor.ledger.secrets(pairedBy: found.pairs(with: request()))
        guard isInResponse else { return restorer }
        let ledger = redactor.ledger
        let sent: SecretRestorer.SentSecret = { own[$0] ?? ledger.secret(for: $0) }
        return restorer?.restoring(sent) ?? SecretRestorer(of: sent)
    }
}
