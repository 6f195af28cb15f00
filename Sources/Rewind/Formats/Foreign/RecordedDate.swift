import Foundation

/// A date that a file tells as a number.
enum RecordedDate {
    /// The date of so many seconds since 1970; none that is beyond the years 1 to 9999, which no format can spell.
    static func date(_ seconds: Double) -> Date {
        -62_135_596_800..<253_402_300_800 ~= seconds ? Date(timeIntervalSince1970: seconds) : .distantPast
    }
}
