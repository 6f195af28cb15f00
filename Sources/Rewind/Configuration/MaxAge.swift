import Foundation

/// How old a cassette may become, and what happens to one that is older.
///
/// ```swift
/// configuration.maxAge = .days(30, .reRecord)
/// ```
///
/// The age is that of the oldest interaction. A cassette whose interactions have no date has no age.
public struct MaxAge: Hashable, Sendable {
    /// The age, in seconds.
    public var seconds: TimeInterval
    /// What happens to a cassette that is older.
    public var policy: Policy

    /// Creates a limit from an age in seconds; ``Policy/warn`` is what happens by default.
    public init(seconds: TimeInterval, policy: Policy = .warn) {
        self.seconds = seconds
        self.policy = policy
    }

    /// A limit in days; ``Policy/warn`` is what happens by default.
    public static func days(_ days: Double, _ policy: Policy = .warn) -> MaxAge {
        MaxAge(seconds: days * 86_400, policy: policy)
    }

    /// What happens to a cassette that is too old.
    public enum Policy: String, Sendable, CaseIterable {
        /// It is played, and said to be too old on standard error.
        case warn
        /// It is played, and the test fails, if it has not failed already.
        case fail
        /// It is recorded anew in the modes `once` and `newEpisodes`; while the network cannot be reached it is played.
        case reRecord
    }
}

extension MaxAge {
    /// The age of a cassette's interactions in days, where it is older than allowed.
    func excess(of reel: any InteractionList, at now: Date = WallClock.current.now()) -> Int? {
        // A date before the web is one that a file did not have.
        let dates = reel.indices.map { reel.beginning(at: $0).startedAt }.filter {
            $0.timeIntervalSince1970 > 0
        }
        guard let oldest = dates.min(), now.timeIntervalSince(oldest) > seconds else { return nil }
        return Int((now.timeIntervalSince(oldest) / 86_400).rounded(.down))
    }
}
