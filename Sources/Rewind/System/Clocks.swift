import Foundation

/// The time of day, used only to date recordings. It can be set forward and back, so waits and durations use
/// `ContinuousClock` or `DispatchTime`. Only tests change it.
package struct WallClock: Sendable {
    package var now: @Sendable () -> Date = { Date() }

    package init() {}
    package init(now: @escaping @Sendable () -> Date) { self.now = now }

    /// The clock in force where a stubber is created.
    @TaskLocal package static var current = WallClock()
}

/// The end of a wait, by a clock that nobody sets back.
package struct Deadline: Sendable {
    private let start = ContinuousClock.now
    private let time: Duration

    /// Creates a deadline; an infinite time becomes one of decades.
    package init(after seconds: TimeInterval) { time = .seconds(Self.bounded(seconds)) }

    package var rest: Duration { time - start.duration(to: .now) }
    package var isOver: Bool { rest <= .zero }

    /// Limits seconds to what `Duration` can hold without trapping.
    package static func bounded(_ seconds: TimeInterval) -> TimeInterval {
        seconds.isNaN ? longest : min(max(seconds, 0), longest)
    }

    private static let longest: TimeInterval = 1e9
}
