import Foundation

extension Stubber {
    /// Begins to record a request.
    /// - Parameters:
    ///   - full: The request as it is sent.
    ///   - redacted: The request as it is compared.
    ///   - place: Its place among those that are recorded.
    ///   - tape: The tape it is recorded on; where another one has taken its place by the end, nothing is kept.
    /// - Returns: What takes the answer.
    func recording(of full: Request, _ redacted: Request, at place: Int, on tape: UUID) -> Recording {
        Recording(of: full, startedAt: clock.now()) { [weak self, state, configuration] interaction in
            let kept = configuration.beforeRecord.map { $0(interaction) } ?? interaction
            // Nobody is told of an answer before it is in the journal.
            let journal = state.withLock { $0.tape.id == tape && !$0.isOver ? $0.tape.journal : nil }
            if let kept { journal?.append(kept, at: place) }
            let redactor = state.withLock { state -> Redactor? in
                guard !state.isOver, state.tape.id == tape else { return nil }
                state.tape.recorded.finish(kept, at: place)
                return state.tape.redactor
            }
            guard let redactor, let kept, let callback = configuration.didEndRecording else { return }
            let redacted = redactor.redact(kept)
            self?.notify { callback(redacted) }
        } unreachable: { [weak self] in
            self?.answerWithoutNetwork(to: redacted)
        }
    }
}
