import Foundation
import Rewind

/// When each of some interactions was under way, in milliseconds from the beginning of the first.
///
/// Interactions may be recorded days apart. No pause between them is longer than the longest one is, so that all can be
/// seen on one line; those whose dates nothing tells follow one another.
struct Waterfall: Sendable {
    /// One interaction.
    struct Bar: Hashable, Sendable {
        /// When its request was started.
        let start: Double
        /// The time to the head of the response.
        let wait: Double
        /// The time from there to the end.
        let receive: Double

        /// When it was over.
        var end: Double { start + wait + receive }
    }

    /// The interactions in their order.
    let bars: [Bar]
    /// The time from the first beginning to the last end, the pauses cut short.
    let duration: Double
    /// The time in which at least one was under way.
    let busy: Double

    /// Lays out interactions.
    init(_ interactions: [Interaction]) {
        let lengths = interactions.map { Self.length(of: $0.timing.wait) + Self.length(of: $0.timing.receive) }
        let longestPause = lengths.max() ?? 0
        let starts = interactions.map { $0.startedAt.timeIntervalSince1970 * 1000 }
        let order = interactions.indices.sorted { (starts[$0], $0) < (starts[$1], $1) }
        var bars = [Bar](repeating: Bar(start: 0, wait: 0, receive: 0), count: interactions.count)
        var (end, previous, busy) = (0.0, 0.0, 0.0)
        var previousStart: Double?
        for index in order {
            let timing = interactions[index].timing
            var start = end
            if interactions[index].startedAt != .distantPast, let previousStart {
                start = min(previous + starts[index] - previousStart, end + longestPause)
            }
            bars[index] = Bar(
                start: start,
                wait: Self.length(of: timing.wait),
                receive: Self.length(of: timing.receive)
            )
            busy += max(0, bars[index].end - max(end, start))
            end = max(end, bars[index].end)
            previous = start
            previousStart = interactions[index].startedAt == .distantPast ? nil : starts[index]
        }
        self.bars = bars
        duration = end
        self.busy = busy
    }

    /// A time that can be drawn, whatever a file says.
    private static func length(of milliseconds: Double) -> Double {
        milliseconds.isFinite ? min(max(0, milliseconds), 1e12) : 0
    }
}
