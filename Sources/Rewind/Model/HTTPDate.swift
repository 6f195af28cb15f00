import Foundation

/// The dates of header fields, in the three spellings of RFC 9110 section 5.6.7, which cookies have too.
package enum HTTPDate {
    /// Reads a date such as `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or
    /// `Sun Nov  6 08:49:37 1994`.
    ///
    /// The parts are found as browsers find them (RFC 6265 section 5.1.1), in any order; but what has parts that mean
    /// nothing here, such as another zone, or no day that there was, is no date.
    /// - Returns: The date, or `nil` where the text is none.
    package static func date(_ text: String) -> Date? {
        guard text.utf8.count <= 64 else { return nil }
        var parts = Parts()
        for token in text.split(whereSeparator: { " \t,-".contains($0) }) {
            guard parts.take(token) else { return nil }
        }
        return parts.date
    }

    /// Writes a date in the one spelling that is to be written, `Sun, 06 Nov 1994 08:49:37 GMT`, to the second.
    /// - Returns: The text, or `nil` for a year before 1601, where the calendar begins, or after 9999.
    package static func text(_ date: Date) -> String? {
        guard writable ~= date.timeIntervalSince1970 else { return nil }
        let parts = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second, .weekday],
            from: date
        )
        guard let year = parts.year, let month = parts.month, 1...12 ~= month, let day = parts.day,
            let weekday = parts.weekday, 1...7 ~= weekday
        else { return nil }
        let time = [parts.hour, parts.minute, parts.second].map { padded($0 ?? 0) }.joined(separator: ":")
        return "\(weekdays[weekday - 1]), \(padded(day)) \(months[month - 1]) \(year) \(time) GMT"
    }

    /// The seconds of the years 1601 to 9999.
    private static let writable = -11_644_473_600..<253_402_300_800.0

    private static func padded(_ number: Int) -> String {
        number < 10 ? "0\(number)" : String(number)
    }

    fileprivate static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()
    fileprivate static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    fileprivate static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}

/// What was found of a date so far.
private struct Parts {
    private var time: Int?
    private var day: Int?
    private var month: Int?
    private var year: Int?

    /// Takes a part, or returns `false` where it means nothing or is there twice.
    mutating func take(_ token: Substring) -> Bool {
        if token.contains(":") {
            guard time == nil, let seconds = Self.seconds(token) else { return false }
            time = seconds
        } else if let number = Self.number(token, digits: 1...2), day == nil {
            day = number
        } else if let number = Self.number(token, digits: 2...2) ?? Self.number(token, digits: 4...4) {
            guard year == nil else { return false }
            year = token.utf8.count == 4 ? number : number < 70 ? 2000 + number : 1900 + number
        } else if let number = HTTPDate.months.firstIndex(where: { Self.begins(token, $0) }) {
            guard month == nil else { return false }
            month = number + 1
        } else {
            let isZone = ["GMT", "UTC", "UT", "Z"].contains(token.uppercased())
            return isZone || HTTPDate.weekdays.contains { Self.begins(token, $0) }
        }
        return true
    }

    var date: Date? {
        guard let time, let day, let month, let year, year >= 1601 else { return nil }
        let parts = DateComponents(year: year, month: month, day: day)
        // A day that the month does not have would be one of the next.
        guard parts.isValidDate(in: HTTPDate.calendar) else { return nil }
        return HTTPDate.calendar.date(from: parts)?.addingTimeInterval(Double(time))
    }

    private static func seconds(_ token: Substring) -> Int? {
        let numbers = token.split(separator: ":", omittingEmptySubsequences: false)
            .map { number($0, digits: 1...2) }
        guard numbers.count == 3, let hour = numbers[0], let minute = numbers[1], let second = numbers[2],
            hour < 24, minute < 60, second < 60
        else { return nil }
        return (hour * 60 + minute) * 60 + second
    }

    private static func number(_ token: Substring, digits: ClosedRange<Int>) -> Int? {
        guard digits ~= token.utf8.count,
            token.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        else { return nil }
        return Int(token)
    }

    /// Whether a word is a name or begins with it, as `Sunday` and `September` do, and no digit follows.
    private static func begins(_ token: Substring, _ name: String) -> Bool {
        token.lowercased().hasPrefix(name.lowercased()) && token.allSatisfy(\.isLetter)
    }
}
