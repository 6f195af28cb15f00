import Rewind

/// What there is to say of an interaction beside its messages, in sentences.
enum InteractionFacts {
    /// When it was, and how long it took.
    static func timing(_ interaction: Interaction) -> String {
        let timing = interaction.timing
        let instant = TimeText.instant(interaction.startedAt).map { $0 + ", " } ?? ""
        guard let response = interaction.response else {
            return instant + "ended after " + TimeText.duration(milliseconds: timing.wait + timing.receive)
        }
        let (wait, receive) = (
            TimeText.duration(milliseconds: timing.wait), TimeText.duration(milliseconds: timing.receive)
        )
        let pieces = response.body.chunks.count
        return "\(instant)\(wait) to the head and \(receive) to the end"
            + (pieces > 1 ? ", in \(pieces) pieces" : "")
    }

    /// Where secrets were taken out of it; `nil` where nowhere.
    static func redactions(_ interaction: Interaction) -> String? {
        guard !interaction.redactedPlaces.isEmpty else { return nil }
        return "Secrets were taken out of "
            + interaction.redactedPlaces.map(VisibleText.line).joined(separator: ", ")
    }

    /// Why there is no whole response; `nil` where there is one.
    static func failure(_ interaction: Interaction) -> String? {
        switch interaction.outcome {
        case .response: nil
        case .failure(let failure, let partial):
            VisibleText.line(
                "Failed with \(failure.domain) \(failure.code)"
                    + (failure.message.isEmpty ? "" : ": \(failure.message)")
                    + (partial == nil ? "" : ", after what follows had come")
            )
        case .unknown(let reason): VisibleText.line("Has nothing to answer with: \(reason)")
        }
    }
}
