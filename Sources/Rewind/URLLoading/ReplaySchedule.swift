import Foundation

/// The time at which each part of a recorded answer is delivered, in seconds from the request.
///
/// A session's timeouts apply as they do live: the answer ends when one of them is reached.
struct ReplaySchedule {
    enum Step: Equatable {
        case head
        /// Shares the memory of the body, so it is copied when it is delivered.
        case piece(Data)
        case end
        case timeout
    }

    /// The times after which a session gives up, in seconds.
    struct Timeouts {
        /// The longest time between two parts.
        var idle: Double
        var total: Double
    }

    let steps: [(seconds: Double, step: Step)]

    init(_ interaction: Interaction, timeScale: Double, timeouts: Timeouts) {
        let scale = timeScale / 1000
        let wait = interaction.timing.wait * scale
        let end = wait + interaction.timing.receive * scale
        var steps: [(seconds: Double, step: Step)] = []
        if let body = interaction.response?.body {
            steps.append((wait, .head))
            if body.chunks.isEmpty {
                if !body.isEmpty { steps.append((end, .piece(body.data))) }
            } else {
                steps += zip(body.slices, body.chunks).map { (wait + $1.offset * scale, .piece($0)) }
            }
        }
        steps.append((max(end, steps.last?.seconds ?? 0), .end))
        // A file may contain times that are too long for a clock.
        self.steps = Self.cut(steps.map { (Deadline.bounded($0.seconds), $0.step) }, timeouts)
    }

    /// Delivers the parts by a clock, until the current task is cancelled.
    func run(on clock: some Clock<Duration>, _ take: (Step) -> Void) async {
        let start = clock.now
        for (seconds, step) in steps {
            try? await clock.sleep(until: start.advanced(by: .seconds(seconds)), tolerance: nil)
            if Task.isCancelled { return }
            take(step)
        }
    }

    private static func cut(
        _ steps: [(seconds: Double, step: Step)],
        _ timeouts: Timeouts
    ) -> [(seconds: Double, step: Step)] {
        var kept: [(seconds: Double, step: Step)] = []
        var last = 0.0
        for step in steps {
            let limit = min(last + timeouts.idle, timeouts.total)
            guard step.seconds <= limit else { return kept + [(limit, .timeout)] }
            kept.append(step)
            last = step.seconds
        }
        return kept
    }
}

enum TimeoutLimit {
    private static let week: TimeInterval = 604_800

    /// The timeout, at most a week: Foundation traps if the milliseconds do not fit its integer.
    static func bounded(_ timeout: TimeInterval) -> TimeInterval {
        timeout.isNaN ? week : min(max(timeout, 0), week)
    }
}
