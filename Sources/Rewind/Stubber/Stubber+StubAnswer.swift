import Foundation

extension Stubber {
    /// What a stub answers to a request, of this stubber's or of one around it; `nil` where none is for it.
    func stubbed(_ asked: AskedRequest, _ course: Course) -> Answer? {
        guard let (stub, wildcards) = stub(for: asked, course) else { return nil }
        let call = stub.call(asked.full, wildcards)
        log?.add("stubbed by \(stub)", course.redactor.redact(asked.full))
        switch stub.response {
        case .fixed(let answer):
            return act(on: answer, of: stub, call, asked, course)
        case .computed(let respond):
            return .compute { [self] in
                do {
                    return reporting(act(on: try await respond(call), of: stub, call, asked, course))
                } catch {
                    let outcome = Interaction.Outcome.failure(Failure(error), after: nil)
                    return .play(Track(Interaction(request: call.request, outcome: outcome), at: 0), tempo: 0)
                }
            }
        }
    }

    /// The stub that answers; one of a scope around this one only where this one has none.
    private func stub(for asked: AskedRequest, _ course: Course) -> (stub: Stub, wildcards: [String])? {
        if let stubs = course.stubs {
            let needsHeaders = !stubs.parts.isDisjoint(with: [.headers, .body])
            if let found = stubs.stub(for: needsHeaders ? asked.full : asked.light) { return found }
        }
        guard let outer = course.outer else { return nil }
        let around = outer.state.withLock { Course(&$0) }
        return around.isOver ? nil : outer.stub(for: asked, around)
    }

    private func act(
        on answer: StubAnswer,
        of stub: Stub,
        _ call: StubbedRequest,
        _ asked: AskedRequest,
        _ course: Course
    ) -> Answer {
        switch answer.resolved(for: call.request, call: call.callNumber) {
        case .play(let interaction, let tempo): return .play(Track(interaction, at: 0), tempo: tempo)
        case .recorded(let shape): return answerWithoutStubs(to: asked, course, shape: shape)
        case .passthrough: return passThrough(asked.light, course)
        case .exhausted: return refuse(.stubExhausted("\(stub)", calls: call.callNumber), asked, course)
        case .broken(let problem):
            return refuse(.brokenStub("\(stub): \(problem.cause). \(problem.mend)"), asked, course)
        }
    }

    private func refuse(_ reason: Miss.Reason, _ asked: AskedRequest, _ course: Course) -> Answer {
        refuse(reason, course.redactor.redact(asked.light))
    }
}
