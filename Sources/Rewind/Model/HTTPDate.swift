import Foundation

/// The dates of header fields and cookies, in the three formats of RFC 9110 section 5.6.7. Each formatter of Foundation
/// reads one format, and also accepts impossible days and other time zones.
package enum HTTPDate {
    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37 1994`. Like
    /// browsers (RFC 6265 section 5.1.1), it accepts the parts in any order, but no unknown part, no other time zone and
    /// no impossible day.
    package static func date(_ text: String) -> Date? {
        guard text.utf8.count <= 64 else { return nil }
        var time: Int?
        var parts = DateComponents()
        for token in text.split(whereSeparator: { " \t,-".contains($0) }) {
            if token.contains(":") {
                guard time == nil, let seconds = seconds(token) else { return nil }
                time = seconds
            } else if let day = number(token, digits: 1...2), parts.day == nil {
                parts.day = day
            } else if let year = number(token, digits: 2...4), token.utf8.count != 3, parts.year == nil {
                parts.year = token.utf8.count == 4 ? year : year < 70 ? 2000 + year : 1900 + year
            } else if let month = months.firstIndex(where: { isName($0, token) }), parts.month == nil {
                parts.month = month + 1
            } else {
                let isZone = ["GMT", "UTC", "UT", "Z"].contains(token.uppercased())
                guard isZone || weekdays.contains(where: { isName($0, token) }) else { return nil }
            }
        }
        // A day that the month does not have would become one of the next month.
        guard let time, parts.day != nil, parts.month != nil, let year = parts.year, year >= 1601,
            parts.isValidDate(in: calendar)
        else { return nil }
        return calendar.date(from: parts)?.addingTimeInterval(Double(time))
    }

    /// Formats a date as `Sun, 06 Nov 1994 08:49:37 GMT`; `nil` for a year before 1601 or after 9999.
    package static func text(_ date: Date) -> String? {
        guard writable ~= date.timeIntervalSince1970 else { return nil }
        let parts = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second, .weekday],
            from: date
        )
        guard let year = parts.year, let month = parts.month, 1...12 ~= month, let day = parts.day,
            let weekday = parts.weekday, 1...7 ~= weekday, let hour = parts.hour, let minute = parts.minute,
            let second = parts.second
        else { return nil }
        let time = String(format: "%02d:%02d:%02d", hour, minute, second)
        return "\(weekdays[weekday - 1]), \(day < 10 ? "0" : "")\(day) \(months[month - 1]) \(year) \(time) GMT"
    }

    private static let writable = -11_644_473_600..<253_402_300_800.0
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    private static func seconds(_ token: Substring) -> Int? {
        let parts = token.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { number($0, digits: 1...2) }
        guard parts.count == 3, numbers.count == 3, numbers[0] < 24, numbers[1] < 60, numbers[2] < 60
        else { return nil }
        return (numbers[0] * 60 + numbers[1]) * 60 + numbers[2]
    }

    private static func number(_ token: Substring, digits: ClosedRange<Int>) -> Int? {
        guard digits ~= token.utf8.count,
            token.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        else { return nil }
        return Int(token)
    }

    /// Whether a word is a name or begins with it, as `Sunday` and `September` do, and no digit follows.
    private static func isName(_ name: String, _ token: Substring) -> Bool {
        token.lowercased().hasPrefix(name.lowercased()) && token.allSatisfy(\.isLetter)
    }
}

/// The dates of a HAR archive: ISO 8601 with milliseconds and a time zone.
package enum HARDate {
    private static let wholeSeconds = Date.ISO8601FormatStyle()
    private static let withFraction = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    static func date(_ text: String) -> Date? {
        let date = (try? withFraction.parse(text)) ?? (try? wholeSeconds.parse(text))
        return date?.roundedToMilliseconds
    }

    package static func text(_ date: Date) -> String {
        // The style truncates fractions, and a date is rarely a whole millisecond in binary.
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        let seconds = (milliseconds / 1000).rounded(.down)
        let fraction = String(Int(milliseconds - seconds * 1000))
        let padding = String(repeating: "0", count: 3 - fraction.count)
        let whole = wholeSeconds.format(Date(timeIntervalSince1970: seconds))
        return "\(whole.dropLast()).\(padding)\(fraction)Z"
    }
}

extension Interaction {
    /// The interaction as if it had been recorded at another time, so that a cookie or page that was fresh then is fresh
    /// now. Moves the dates in the header fields `Date`, `Expires` and `Last-Modified`, and in the cookie attribute
    /// `Expires`. Values that are not dates stay, and so does `Max-Age`, which counts from the response.
    /// - Parameter now: The new start of the request.
    /// - Returns: The changed interaction, or the same one if its date is unknown.
    package func refreshingDates(to now: Date) -> Interaction {
        // A date before 1970 means that the file contained none.
        guard startedAt.timeIntervalSince1970 > 0 else { return self }
        // Header fields have whole seconds; rounding after subtraction could turn now into a second ago.
        let seconds = [startedAt, now].map { $0.timeIntervalSince1970.rounded(.down) }
        let dates = RefreshedDates(shift: seconds[1] - seconds[0])
        var refreshed = self
        refreshed.startedAt = now.roundedToMilliseconds
        refreshed.changeResponse { $0.headers = dates.headers($0.headers) }
        return refreshed
    }
}

package struct RefreshedDates: Sendable {
    /// In seconds.
    package let shift: TimeInterval

    package init(shift: TimeInterval) { self.shift = shift }

    package func headers(_ headers: HeaderList) -> HeaderList {
        HeaderList(
            headers.map { field in
                var field = field
                field.value = value(field.value, of: field) ?? field.value
                return field
            }
        )
    }

    private func value(_ value: String, of field: HeaderList.Field) -> String? {
        if field.hasName("Set-Cookie") { return cookies(value) }
        return Self.names.contains { field.hasName($0) } ? date(value) : nil
    }

    private static let names = ["Date", "Expires", "Last-Modified"]

    /// Some platforms join duplicate fields, cookies included, and so do recorders on them.
    private func cookies(_ value: String) -> String? {
        let cookies = SetCookie.split(value)
        let moved = cookies.map(cookie)
        return moved == cookies ? nil : moved.joined(separator: ", ")
    }

    private func cookie(_ cookie: String) -> String {
        let parts = cookie.split(separator: ";", omittingEmptySubsequences: false)
        return parts.enumerated().map { position, part in
            // The first part is the cookie itself, even if its name is `expires`.
            guard position > 0, let equals = part.firstIndex(of: "="),
                part[..<equals].trimmingSpaces().lowercased() == "expires",
                let date = date(part[part.index(after: equals)...].trimmingSpaces())
            else { return String(part) }
            return "\(part[...equals])\(date)"
        }.joined(separator: ";")
    }

    private func date(_ text: String) -> String? {
        HTTPDate.date(text).flatMap { HTTPDate.text($0.addingTimeInterval(shift)) }
    }
}
