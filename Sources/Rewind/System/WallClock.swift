import Foundation

/// The time of day, by which what is recorded is dated.
///
/// People and time servers set it forward and back, so that nothing is measured by it: whoever waits, or tells how long
/// something took, asks `ContinuousClock` or `DispatchTime`. It is a value so that a test may set it; nobody else changes it.
package struct WallClock: Sendable {
    /// The date that it shows.
    package var now: @Sendable () -> Date = { Date() }

    /// That of the operating system.
    package init() {}

    /// A clock that shows what a closure returns.
    package init(now: @escaping @Sendable () -> Date) {
        self.now = now
    }

    /// The one in force where a stubber is made.
    @TaskLocal package static var current = WallClock()
}
