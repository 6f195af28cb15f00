import Foundation

/// The outcome of an interaction in a file, with what the file has of a response that never answers.
struct ReadOutcome {
    var outcome: Interaction.Outcome
    /// The response without the body if that cannot be read; `nil` unless the outcome is unknown.
    var unreplayable: Interaction.Response?

    static func response(_ response: Interaction.Response) -> ReadOutcome {
        ReadOutcome(outcome: .response(response))
    }

    static func failure(_ failure: Interaction.Failure, after partial: Interaction.Response?) -> ReadOutcome {
        ReadOutcome(outcome: .failure(failure, after: partial))
    }

    /// An outcome that never answers. A response with nothing to tell is the same as none.
    static func unknown(reason: String, response: Interaction.Response? = nil) -> ReadOutcome {
        let isBlank = response.map {
            $0.status == 0 && $0.statusText.isEmpty && $0.headers.isEmpty && $0.body.isEmpty
        }
        return ReadOutcome(outcome: .unknown(reason: reason), unreplayable: isBlank == true ? nil : response)
    }

    /// Reads the body of a response whose head is known. Without its body, the response never answers.
    static func reading(_ head: Interaction.Response, body: () throws -> Interaction.Body) throws -> ReadOutcome
    {
        do {
            var response = head
            response.body = try body()
            return .response(response)
        } catch let absence as BodyAbsence {
            return .unknown(reason: absence.reason, response: head)
        }
    }

    /// The same outcome if nothing prevents it; otherwise one that never answers, with the whole response.
    func prevented(by absence: BodyAbsence?) -> ReadOutcome {
        guard let absence else { return self }
        switch outcome {
        case .response(let response): return .unknown(reason: absence.reason, response: response)
        case .failure(_, let partial): return .unknown(reason: absence.reason, response: partial)
        case .unknown: return .unknown(reason: absence.reason, response: unreplayable)
        }
    }
}

extension Interaction {
    /// Creates an interaction that was read from a file.
    /// - Parameters:
    ///   - request: The request.
    ///   - read: The outcome.
    ///   - absence: What is missing in the request, so that the interaction never answers.
    ///   - startedAt: The time at which the request started.
    ///   - timing: How long the response took.
    init(
        request: Interaction.Request,
        read: ReadOutcome,
        preventedBy absence: BodyAbsence? = nil,
        startedAt: Date,
        timing: Timing = Timing()
    ) {
        let isAddressed = !request.method.isEmpty && !request.url.isEmpty
        let addressAbsence = BodyAbsence(reason: "the request has no method or no URL")
        let read = read.prevented(by: absence ?? (isAddressed ? nil : addressAbsence))
        self.init(request: request, outcome: read.outcome, startedAt: startedAt, timing: timing)
        unreplayableResponse = read.unreplayable
    }
}
