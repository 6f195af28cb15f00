import Foundation

/// A number of bytes, as people write and read it: `512 B`, `1.5 kB`, `20 MB`, in powers of a thousand.
struct ByteCount: Hashable, Sendable, CustomStringConvertible {
    /// The number.
    let bytes: Int

    private static let units = ["kB", "MB", "GB", "TB"]

    /// Creates a number.
    init(_ bytes: Int) {
        self.bytes = bytes
    }

    /// Reads a number with or without a unit: `500`, `64 kB`, `1.5MB`, `2GB`; `nil` where it is none.
    init?(_ text: String) {
        let text = text.lowercased().filter { $0 != " " }
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let units = ["": 1.0, "b": 1, "k": 1e3, "kb": 1e3, "m": 1e6, "mb": 1e6, "g": 1e9, "gb": 1e9]
        guard let number = Double(digits), let unit = units[String(text.dropFirst(digits.count))],
            let bytes = Int(exactly: (number * unit).rounded())
        else { return nil }
        self.bytes = bytes
    }

    /// The number with a unit, to two digits at least.
    var description: String {
        guard bytes >= 1000 else { return "\(bytes) B" }
        var number = Double(bytes) / 1000
        var unit = 0
        // What rounds to a thousand is one of the next unit.
        while number >= 999.5, unit < Self.units.count - 1 {
            number /= 1000
            unit += 1
        }
        return String(format: number < 9.95 ? "%.1f" : "%.0f", number) + " " + Self.units[unit]
    }
}
