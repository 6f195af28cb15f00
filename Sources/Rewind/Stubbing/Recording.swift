import Foundation

/// One live request that is being recorded.
package final class Recording: Sendable {
    /// When the request was started.
    package let startedAt = Date()
    private let request: Request
    private let end: @Sendable (Interaction) -> Void
    private let isOver = Locked(false)

    package init(of request: Request, end: @escaping @Sendable (Interaction) -> Void) {
        self.request = request
        self.end = end
    }

    /// Puts what came back on the cassette; only the first call counts.
    package func finish(_ outcome: Interaction.Outcome, timing: Interaction.Timing) {
        let isFirst = isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
        guard isFirst else { return }
        end(Interaction(request: request, outcome: outcome, startedAt: startedAt, timing: timing))
    }
}
