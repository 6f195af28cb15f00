import Foundation

/// The time of day, by which what is recorded is dated.
///
/// People and time servers set it forward and back, so that nothing is measured by it: whoever waits, or tells how long
/// something took, asks `ContinuousClock` or `DispatchTime`. It is a value so that a test may set it; nobody else changes it.
package struct WallClock: Sendable {
    package var now: @Sendable () -> Date = { Date() }

    package init() {}
    package init(now: @escaping @Sendable () -> Date) { self.now = now }

    /// The one in force where a stubber is made.
    @TaskLocal package static var current = WallClock()
}

/// The end of a wait, told by a clock that nobody sets back.
package struct Deadline: Sendable {
    private let start = ContinuousClock.now
    private let time: Duration

    /// Sets the end so many seconds from now; a time without an end, or that no clock could tell, is one of decades.
    package init(after seconds: TimeInterval) { time = .seconds(Self.bounded(seconds)) }

    /// How long it is until then; nothing or less when it has come.
    package var rest: Duration { time - start.duration(to: .now) }
    package var isOver: Bool { rest <= .zero }

    /// Seconds that a duration can hold, as it stops the process where it cannot.
    package static func bounded(_ seconds: TimeInterval) -> TimeInterval {
        seconds.isNaN ? longest : min(max(seconds, 0), longest)
    }

    private static let longest: TimeInterval = 1e9
}
