import Foundation

/// The dates of an archive: ISO 8601 with milliseconds and a zone.
enum HARDate {
    private static let wholeSeconds = Date.ISO8601FormatStyle()
    private static let withFraction = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    static func date(_ text: String) -> Date? {
        if let date = plainDate(text) { return date }
        let date = (try? withFraction.parse(text)) ?? (try? wholeSeconds.parse(text))
        return date?.roundedToMilliseconds
    }

    /// A date of the one form that is written here, `2024-01-31T23:59:59.999Z`, which is quick to read.
    private static func plainDate(_ text: String) -> Date? {
        let bytes = Array(text.utf8)
        guard bytes.count == 24,
            zip(bytes, "0000-00-00T00:00:00.000Z".utf8).allSatisfy({ byte, form in
                form == UInt8(ascii: "0") ? UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte : byte == form
            })
        else { return nil }
        func number(_ range: Range<Int>) -> Int {
            bytes[range].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        }
        let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
        let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
        guard year >= 1900, 1...12 ~= month, 1...28 ~= day, hour < 24, minute < 60, second < 60 else {
            return nil
        }
        // Counted from March, so that a leap day is the last of its year.
        let (years, months) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        let days = years * 365 + years / 4 - years / 100 + years / 400 + (months * 153 + 2) / 5 + day - 719_469
        let milliseconds = ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + number(20..<23)
        return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
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
