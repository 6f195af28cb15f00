/// The interactions recorded so far, in the order their requests were started.
///
/// The order of the requests, and not that of the answers, makes two recordings of one test alike.
package struct RecordedSequence: Sendable {
    private enum Entry: Sendable {
        case inFlight(Request)
        case finished(Interaction)
        case dropped
    }

    private var entries: [Entry] = []
    private var inFlightCount = 0

    /// Takes the next place for a request, and returns it.
    package mutating func begin(_ request: Request) -> Int {
        entries.append(.inFlight(request))
        inFlightCount += 1
        return entries.count - 1
    }

    /// Puts an interaction in the place that its request took, or nothing where it is not to be kept.
    package mutating func finish(_ interaction: Interaction?, at place: Int) {
        guard entries.indices.contains(place), case .inFlight = entries[place] else { return }
        entries[place] = interaction.map(Entry.finished) ?? .dropped
        inFlightCount -= 1
    }

    /// Whether any request has no answer yet.
    package var hasInFlight: Bool { inFlightCount > 0 }

    /// The requests that have no answer yet.
    package var inFlight: [Request] {
        entries.compactMap { if case .inFlight(let request) = $0 { request } else { nil } }
    }

    /// The interactions that are finished.
    package var finished: [Interaction] {
        entries.compactMap { if case .finished(let interaction) = $0 { interaction } else { nil } }
    }
}
