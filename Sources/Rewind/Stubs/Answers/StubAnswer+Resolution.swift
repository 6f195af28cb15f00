import Foundation

extension StubAnswer {
    /// What a stub makes of an interaction that would have been played at a tempo.
    package typealias Shape = @Sendable (Interaction, _ tempo: Double) -> (Interaction, tempo: Double)

    /// What an answer is for one request.
    package enum Resolved: Sendable {
        /// An interaction to be played: at tempo 0 at once, at tempo 1 in its own times.
        case play(Interaction, tempo: Double)
        /// The cassette's own answer, to be shaped when it is played.
        case recorded(Shape)
        /// The answer of the network, as it is.
        case passthrough
        /// None: the sequence has come to its end.
        case exhausted
        /// None: the stub cannot be followed.
        case broken(StubProblem)
    }

    /// What the answer is for a request.
    /// - Parameters:
    ///   - request: The request.
    ///   - number: The number of requests that the stub answered before.
    /// - Returns: What is to be done.
    package func resolved(for request: Request, call number: Int) -> Resolved {
        if let problem { return .broken(problem) }
        var answer = self
        var turn = number
        var faults = answer.faults
        while true {
            switch answer.source {
            case .sequence(let answers, let end):
                guard let next = end.turn(of: turn, among: answers.count) else { return .exhausted }
                answer = answers[next.position]
                turn = next.call
                faults = answer.faults + faults
            case .written(let outcome, let timing):
                var interaction = Interaction(request: request, outcome: outcome, timing: timing)
                if request.method == "HEAD" { interaction.dropBody() }
                Self.apply(faults, to: &interaction, call: number)
                return .play(interaction, tempo: interaction.takesTime ? 1 : 0)
            case .recorded(let change):
                return .recorded { [faults] interaction, tempo in
                    var shaped = interaction
                    shaped.multiplyTimes(by: tempo)
                    if case .response = shaped.outcome { shaped.changeResponse(change) }
                    Self.apply(faults, to: &shaped, call: number)
                    return (shaped, tempo: shaped.takesTime ? 1 : 0)
                }
            case .passthrough: return .passthrough
            }
        }
    }

    private static func apply(_ faults: [StubFault], to interaction: inout Interaction, call: Int) {
        for fault in faults {
            fault.apply(to: &interaction, call: call)
            // What would follow silence is never heard.
            if case .silence = fault { return }
        }
    }
}

extension Interaction {
    /// Leaves the head alone, as the answer to HEAD is (RFC 9110 section 9.3.2).
    fileprivate mutating func dropBody() {
        changeResponse { $0.body = Body() }
        timing.receive = 0
    }
}
