import Foundation

/// The dates of an archive: ISO 8601 with milliseconds and a zone.
enum HARDate {
    private static let wholeSeconds = Date.ISO8601FormatStyle()
    private static let withFraction = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    static func date(_ text: String) -> Date? {
        let date = (try? withFraction.parse(text)) ?? (try? wholeSeconds.parse(text))
        return date?.roundedToMilliseconds
    }

    static func text(_ date: Date) -> String {
        // The style cuts a fraction off where it should round it, and a date is rarely a whole millisecond in binary.
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        let seconds = (milliseconds / 1000).rounded(.down)
        let fraction = String(Int(milliseconds - seconds * 1000))
        let padding = String(repeating: "0", count: 3 - fraction.count)
        let whole = wholeSeconds.format(Date(timeIntervalSince1970: seconds))
        return "\(whole.dropLast()).\(padding)\(fraction)Z"
    }
}
