/// What an event of a live request means for those who wait for the answer.
enum LiveStep: Sendable {
    /// They are told of it.
    case deliver(LiveEvent)
    /// They are played an interaction in place of what came.
    case play(Interaction, tempo: Double)
    /// They go on waiting, for an answer that is to be shaped has to be whole.
    case hold
}

extension Capture {
    /// Keeps an event, and says what follows from it.
    /// - Parameters:
    ///   - event: What the network says.
    ///   - request: The request that it answers, asked for only where it matters.
    ///   - shape: What a stub makes of the whole answer, where one does.
    ///   - tempo: That of a recording which is played in place of a network that cannot be reached.
    /// - Returns: What those who wait for the answer get.
    func step(
        after event: LiveEvent,
        answering request: @autoclosure () -> Request,
        shape: Answer.Shape?,
        tempo: Double
    ) -> LiveStep {
        if let recorded = replacement(for: event) { return Self.play(recorded, tempo: tempo, shape) }
        add(event)
        guard let shape else { return .deliver(event) }
        if case .sent = event { return .deliver(event) }
        guard case .end = event else { return .hold }
        return Self.play(interaction(answering: request()), tempo: 0, shape)
    }

    private static func play(_ interaction: Interaction, tempo: Double, _ shape: Answer.Shape?) -> LiveStep {
        let (shaped, tempo) = shape?(interaction, tempo) ?? (interaction, tempo)
        return .play(shaped, tempo: tempo)
    }
}
