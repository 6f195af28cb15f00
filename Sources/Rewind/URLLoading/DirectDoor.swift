/// The way in for requests that are no tasks of a URLSession, such as those that a server receives.
package struct DirectDoor: Sendable {
    private let stubber: Stubber
    private let loader: LiveLoader

    /// Opens a door to a stubber.
    package init(_ stubber: Stubber) {
        self.stubber = stubber
        loader = .of(stubber)
    }

    /// Asks the stubber about a request, and acts on its decision.
    /// - Parameters:
    ///   - request: The request as far as it costs nothing to know.
    ///   - completed: The request with all that is known of it, asked for only where that matters; the same by default.
    /// - Returns: The answer, or the exchange that gives it out part by part.
    package func ask(_ request: Request, completed: (@Sendable () -> Request)? = nil) -> DirectAnswer {
        let completed = completed ?? { request }
        return stubber.answer(to: request, completed: completed) { act(on: $0, completed) }
    }

    private func act(on answer: Answer, _ completed: () -> Request) -> DirectAnswer {
        var answer = answer
        if case .play(let track, let tempo) = answer {
            let interaction = track.interaction
            if let whole = AnswerPart(whole: interaction, tempo: tempo) {
                return .given(whole, .cassette(position: track.position))
            }
            // Made once, and not again by the exchange.
            answer = .play(Track(interaction, at: track.position), tempo: tempo)
        }
        if case .refuse(let miss) = answer { return .given(.refusal(miss), .nowhere) }
        let exchange = DirectExchange(completed(), of: stubber, through: loader)
        exchange.act(on: answer)
        return .coming(exchange)
    }
}

/// What a door without a task gets for a request.
package enum DirectAnswer: Sendable {
    /// All of it, at once; most answers are such, and need nothing that could wait.
    case given(AnswerPart, AnswerSource)
    /// One part after the other.
    case coming(DirectExchange)
}
