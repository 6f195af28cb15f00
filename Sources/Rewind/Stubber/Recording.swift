import Foundation

/// One live request whose answer is waited for: to be recorded, or to be compared with a recorded one.
package final class Recording: Sendable {
    /// When the request was started.
    package let startedAt: Date
    /// Whether the answer goes onto the cassette.
    package let isKept: Bool
    private let request: Request
    private let end: @Sendable (Interaction) -> Void
    private let unreachable: @Sendable () -> Interaction?
    private let isOver = Locked(false)

    package init(
        of request: Request,
        startedAt: Date = WallClock.current.now(),
        isKept: Bool = true,
        end: @escaping @Sendable (Interaction) -> Void,
        unreachable: @escaping @Sendable () -> Interaction? = { nil }
    ) {
        self.request = request
        self.startedAt = startedAt
        self.isKept = isKept
        self.end = end
        self.unreachable = unreachable
    }

    /// What is to be played because the network could not be reached, where there is something; nothing is recorded
    /// then.
    package func replacement(for failure: Failure) -> Interaction? {
        guard failure.meansUnreachable, let interaction = unreachable() else { return nil }
        isOver.withLock { $0 = true }
        return interaction
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

extension Failure {
    /// Whether no server was reached at all.
    fileprivate var meansUnreachable: Bool {
        let codes = [
            NSURLErrorNotConnectedToInternet, NSURLErrorCannotFindHost, NSURLErrorDNSLookupFailed,
            NSURLErrorCannotConnectToHost,
        ]
        return domain == NSURLErrorDomain && codes.contains(code)
    }
}
