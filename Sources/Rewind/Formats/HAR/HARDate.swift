import Foundation

/// The dates of an archive: ISO 8601 with milliseconds and a zone.
package enum HARDate {
    private static let wholeSeconds = Date.ISO8601FormatStyle()
    private static let withFraction = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    static func date(_ text: String) -> Date? {
        if let date = text.withBytes({ plainDate(UnsafeRawBufferPointer($0)) }) { return date }
        let date = (try? withFraction.parse(text)) ?? (try? wholeSeconds.parse(text))
        return date?.roundedToMilliseconds
    }

    /// The date that a string of a text spells.
    static func date(_ span: JSONSpan, in bytes: UnsafeRawBufferPointer) -> Date? {
        plainDate(UnsafeRawBufferPointer(rebasing: bytes[span.range])) ?? date(span.string(in: bytes))
    }

    /// A date of the one form that is written here, `2024-01-31T23:59:59.999Z`, which is quick to read.
    private static func plainDate(_ bytes: UnsafeRawBufferPointer) -> Date? {
        guard bytes.count == 24, hasPlainForm(bytes) else { return nil }
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

    /// The text of a date, to the millisecond, in UTC.
    package static func text(_ date: Date) -> String {
        // The style cuts a fraction off where it should round it, and a date is rarely a whole millisecond in binary.
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        if let text = plainText(milliseconds) { return text }
        let seconds = (milliseconds / 1000).rounded(.down)
        let fraction = String(Int(milliseconds - seconds * 1000))
        let padding = String(repeating: "0", count: 3 - fraction.count)
        let whole = wholeSeconds.format(Date(timeIntervalSince1970: seconds))
        return "\(whole.dropLast()).\(padding)\(fraction)Z"
    }

    private static func hasPlainForm(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let form: StaticString = "0000-00-00T00:00:00.000Z"
        for index in 0..<form.utf8CodeUnitCount {
            let mark = form.utf8Start[index]
            let fits =
                mark == UInt8(ascii: "0")
                ? UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[index] : bytes[index] == mark
            if !fits { return false }
        }
        return true
    }

    /// A date from 1970 to 9999, which is quick to write.
    private static func plainText(_ milliseconds: Double) -> String? {
        guard 0..<253_402_300_800_000 ~= milliseconds else { return nil }
        let whole = Int(milliseconds)
        let (seconds, days) = (whole / 1000 % 86_400, whole / 86_400_000)
        // Counted from March of the year 0, in eras of 400 years, so that a leap day is the last of its year.
        let shifted = days + 719_468
        let (era, day) = (shifted / 146_097, shifted % 146_097)
        let yearOfEra = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let months = (5 * dayOfYear + 2) / 153
        let month = months < 10 ? months + 3 : months - 9
        return String(unsafeUninitializedCapacity: 24) { text in
            var end = 0
            func put(_ number: Int, _ digits: Int, before mark: Unicode.Scalar) {
                var rest = number
                for place in stride(from: end + digits - 1, through: end, by: -1) {
                    text[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                    rest /= 10
                }
                text[end + digits] = UInt8(ascii: mark)
                end += digits + 1
            }
            put(era * 400 + yearOfEra + (month <= 2 ? 1 : 0), 4, before: "-")
            put(month, 2, before: "-")
            put(dayOfYear - (153 * months + 2) / 5 + 1, 2, before: "T")
            put(seconds / 3600, 2, before: ":")
            put(seconds / 60 % 60, 2, before: ":")
            put(seconds % 60, 2, before: ".")
            put(whole % 1000, 3, before: "Z")
            return end
        }
    }
}
