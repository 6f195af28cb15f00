extension Interaction {
    /// Changes the response, or what had arrived of one before the failure.
    mutating func changeResponse(_ change: (inout Response) -> Void) {
        switch outcome {
        case .response(var response):
            change(&response)
            outcome = .response(response)
        case .failure(let failure, .some(var partial)):
            change(&partial)
            outcome = .failure(failure, after: partial)
        case .failure, .unknown: break
        }
    }

    /// Changes the failure that ended the interaction, if one did.
    mutating func changeFailure(_ change: (inout Failure) -> Void) {
        guard case .failure(var failure, let partial) = outcome else { return }
        change(&failure)
        outcome = .failure(failure, after: partial)
    }
}
