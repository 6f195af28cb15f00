import Foundation

/// A number of bytes as a person reads it: `512 B`, `1.5 kB`, `20 MB`.
enum ByteCount {
    private static let units = ["kB", "MB", "GB", "TB"]

    /// The text of a number of bytes, in powers of a thousand.
    static func text(_ count: Int) -> String {
        guard count >= 1000 else { return "\(count) B" }
        var number = Double(count) / 1000
        var unit = 0
        // What rounds to a thousand is one of the next unit.
        while number >= 999.5, unit < units.count - 1 {
            number /= 1000
            unit += 1
        }
        return String(format: number < 9.95 ? "%.1f" : "%.0f", number) + " " + units[unit]
    }
}
