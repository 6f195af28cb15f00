import Foundation

/// The interactions of a reel, the secrets taken out of their requests.
package struct RedactedReel: InteractionList {
    private let reel: any InteractionList
    /// The requests, which are redacted in recorded order, so that the numbers of placeholders are always the same.
    private let requests: [Request]

    /// Takes the secrets out of all requests.
    package init(_ reel: any InteractionList, _ redactor: Redactor) {
        self.reel = reel
        requests = reel.indices.map { redactor.redact(reel.request(at: $0, withHeaders: true)) }
    }

    /// The number of interactions.
    package var count: Int { requests.count }

    /// The interaction at a position.
    package subscript(position: Int) -> Interaction {
        var interaction = reel[position]
        interaction.request = requests[position]
        return interaction
    }

    /// As much of the interaction at a position as answers a request.
    package func answer(at position: Int, to request: Request) -> Interaction {
        reel.answer(at: position, to: request)
    }

    /// The request at a position.
    package func request(at position: Int, withHeaders: Bool) -> Request { requests[position] }

    /// The redacted URL of the request at a position, and when it was started.
    package func beginning(at position: Int) -> (url: String, startedAt: Date) {
        (requests[position].url, reel.beginning(at: position).startedAt)
    }

    /// Whether the interaction at a position has something to answer a request with.
    package func isReplayable(at position: Int) -> Bool { reel.isReplayable(at: position) }
}
