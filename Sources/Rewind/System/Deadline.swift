import Foundation

/// The end of a wait, told by a clock that nobody sets back.
package struct Deadline: Sendable {
    private let start = ContinuousClock.now
    private let time: Duration

    /// Sets the end so many seconds from now; a time without an end, or that no clock could tell, is one of decades.
    package init(after seconds: TimeInterval) {
        time = .seconds(Self.bounded(seconds))
    }

    /// How long it is until then; nothing or less when it has come.
    package var rest: Duration { time - start.duration(to: .now) }

    /// Whether it has come.
    package var isOver: Bool { rest <= .zero }

    /// Seconds that a duration can hold, as it stops the process where it cannot.
    package static func bounded(_ seconds: TimeInterval) -> TimeInterval {
        seconds.isNaN ? longest : min(max(seconds, 0), longest)
    }

    private static let longest: TimeInterval = 1e9
}
