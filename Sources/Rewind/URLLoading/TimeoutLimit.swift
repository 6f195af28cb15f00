import Foundation

/// Keeps timeouts in the range in which swift-corelibs-foundation survives them.
enum TimeoutLimit {
    private static let week: TimeInterval = 604_800

    /// The timeout, or a week where it is longer: Foundation traps where milliseconds do not fit its integer.
    static func bounded(_ timeout: TimeInterval) -> TimeInterval {
        timeout.isNaN ? week : min(max(timeout, 0), week)
    }
}
