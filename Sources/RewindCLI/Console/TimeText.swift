import Foundation
import Rewind

/// Times as a person reads them.
enum TimeText {
    /// A duration: `0.24 ms`, `12 ms`, `1.5 s`, `3 min 20 s`.
    static func duration(milliseconds: Double) -> String {
        guard milliseconds.isFinite, milliseconds >= 0 else { return "?" }
        switch milliseconds {
        case ..<9.95: return String(format: milliseconds < 0.995 ? "%.2f ms" : "%.1f ms", milliseconds)
        case ..<999.5: return String(format: "%.0f ms", milliseconds)
        case ..<59_950: return String(format: "%.1f s", milliseconds / 1000)
        default:
            let seconds = (milliseconds / 1000).rounded()
            let minutes = (seconds / 60).rounded(.down)
            return String(format: "%.0f min %.0f s", minutes, seconds - minutes * 60)
        }
    }

    /// How long ago something was, in the largest unit that fits: `now`, `5 minutes`, `3 days`, `2 years`.
    static func age(of date: Date, at now: Date = WallClock.current.now()) -> String {
        let seconds = now.timeIntervalSince(date)
        let units: [(name: String, seconds: Double)] = [
            ("year", 365 * 86_400), ("day", 86_400), ("hour", 3600), ("minute", 60),
        ]
        guard let unit = units.first(where: { seconds >= $0.seconds }) else { return "now" }
        let count = (seconds / unit.seconds).rounded(.down)
        return String(format: count == 1 ? "%.0f \(unit.name)" : "%.0f \(unit.name)s", count)
    }

    /// A date and time in UTC, to the millisecond; `nil` where nothing tells of one.
    static func instant(_ date: Date) -> String? {
        guard date != .distantPast else { return nil }
        return HARDate.text(date).replacingOccurrences(of: "T", with: " ").replacingOccurrences(
            of: "Z",
            with: " UTC"
        )
    }
}
