import Foundation
import Rewind

/// A number of bytes in decimal units, such as `512 B`, `1.5 kB` or `20 MB`.
struct ByteCount: Hashable, Sendable, CustomStringConvertible {
    let bytes: Int

    private static let units = ["kB", "MB", "GB", "TB"]

    init(_ bytes: Int) { self.bytes = bytes }

    /// Reads a number with or without a unit, such as `500`, `64 kB`, `1.5MB` or `2GB`; `nil` if the text is invalid.
    init?(_ text: String) {
        let text = text.lowercased().filter { $0 != " " }
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let units = ["": 1.0, "b": 1, "k": 1e3, "kb": 1e3, "m": 1e6, "mb": 1e6, "g": 1e9, "gb": 1e9]
        guard let number = Double(digits), let unit = units[String(text.dropFirst(digits.count))],
            let bytes = Int(exactly: (number * unit).rounded())
        else { return nil }
        self.bytes = bytes
    }

    /// The number with a unit, with at least two digits from 1 kB on.
    var description: String {
        guard bytes >= 1000 else { return "\(bytes) B" }
        var number = Double(bytes) / 1000
        var unit = 0
        // A number that rounds to 1000 moves to the next unit.
        while number >= 999.5, unit < Self.units.count - 1 {
            number /= 1000
            unit += 1
        }
        return String(format: number < 9.95 ? "%.1f" : "%.0f", number) + " " + Self.units[unit]
    }
}

enum TimeText {
    /// A duration, such as `0.24 ms`, `12 ms`, `1.5 s` or `3 min 20 s`.
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

    /// The age of a date in the largest unit that fits: `now`, `5 minutes`, `3 days` or `2 years`.
    static func age(of date: Date, at now: Date = WallClock.current.now()) -> String {
        let seconds = now.timeIntervalSince(date)
        let units: [(name: String, seconds: Double)] = [
            ("year", 365 * 86_400), ("day", 86_400), ("hour", 3600), ("minute", 60),
        ]
        guard let unit = units.first(where: { seconds >= $0.seconds }) else { return "now" }
        let count = (seconds / unit.seconds).rounded(.down)
        return String(format: count == 1 ? "%.0f \(unit.name)" : "%.0f \(unit.name)s", count)
    }

    /// A date and time in UTC with milliseconds; `nil` if the date is unknown.
    static func instant(_ date: Date) -> String? {
        guard date != .distantPast else { return nil }
        return HARDate.text(date).replacing("T", with: " ").replacing("Z", with: " UTC")
    }
}

enum Counted {
    /// The number and the noun, in the plural unless the number is 1.
    static func text(_ count: Int, _ name: String) -> String { count == 1 ? "1 \(name)" : "\(count) \(name)s" }

    /// The first eight numbers of interactions: `#3, #5`, or `#1, … and 4 more`.
    static func list(_ numbers: some Collection<Int>) -> String {
        let shown = numbers.prefix(8).map { "#\($0)" }.joined(separator: ", ")
        return numbers.count > 8 ? "\(shown) and \(numbers.count - 8) more" : shown
    }
}
