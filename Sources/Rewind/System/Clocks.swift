import Foundation

/// The time of day, which dates recordings. Waits and durations use `ContinuousClock` or `DispatchTime`, because the
/// time of day can be set back. Tests replace it.
package struct WallClock: Sendable {
    package var now: @Sendable () -> Date = { Date() }

    package init() {}
    package init(now: @escaping @Sendable () -> Date) { self.now = now }

    /// The clock that a stubber uses if it is created here.
    @TaskLocal package static var current = WallClock()
}

/// The end of a wait, measured with a clock that cannot be set back.
package struct Deadline: Sendable {
    private let start = ContinuousClock.now
    private let time: Duration

    /// Creates a deadline; an infinite time becomes about 30 years.
    package init(after seconds: TimeInterval) { time = .seconds(Self.bounded(seconds)) }

    package var rest: Duration { time - start.duration(to: .now) }
    package var isOver: Bool { rest <= .zero }

    /// Limits seconds to a range that `Duration` can represent without trapping.
    package static func bounded(_ seconds: TimeInterval) -> TimeInterval {
        seconds.isNaN ? longest : min(max(seconds, 0), longest)
    }

    private static let longest: TimeInterval = 1e9
}
