import Foundation

/// The dates of header fields, in the three spellings of RFC 9110 section 5.6.7, which cookies have too.
///
/// A formatter of Foundation reads one spelling each, and has no strict mode: days that a month lacks, and other zones.
package enum HTTPDate {
    /// Reads a date such as `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or
    /// `Sun Nov  6 08:49:37 1994`.
    ///
    /// The parts are found as browsers find them (RFC 6265 section 5.1.1), in any order; but what has parts that mean
    /// nothing here, such as another zone, or no day that there was, is no date.
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
        // A day that the month does not have would be one of the next.
        guard let time, parts.day != nil, parts.month != nil, let year = parts.year, year >= 1601,
            parts.isValidDate(in: calendar)
        else { return nil }
        return calendar.date(from: parts)?.addingTimeInterval(Double(time))
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

/// The dates of an archive: ISO 8601 with milliseconds and a zone.
package enum HARDate {
    private static let wholeSeconds = Date.ISO8601FormatStyle()
    private static let withFraction = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    static func date(_ text: String) -> Date? {
        let date = (try? withFraction.parse(text)) ?? (try? wholeSeconds.parse(text))
        return date?.roundedToMilliseconds
    }

    /// The text of a date, to the millisecond, in UTC.
    package static func text(_ date: Date) -> String {
        // The style cuts a fraction off where it should round it, and a date is rarely a whole millisecond in binary.
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        let seconds = (milliseconds / 1000).rounded(.down)
        let fraction = String(Int(milliseconds - seconds * 1000))
        let padding = String(repeating: "0", count: 3 - fraction.count)
        let whole = wholeSeconds.format(Date(timeIntervalSince1970: seconds))
        return "\(whole.dropLast()).\(padding)\(fraction)Z"
    }
}

extension Interaction {
    /// The interaction as if it were recorded at another moment: its dates are as far from that one as they were from
    /// the moment of the recording.
    ///
    /// These are the header fields `Date`, `Expires` and `Last-Modified`, and the attribute `Expires` of cookies, so
    /// that a cookie or a cached page which was fresh when it was recorded still is. What is no date stays as it is, and
    /// so does `Max-Age`, which counts from the answer anyway.
    ///
    /// ```swift
    /// configuration.beforePlayback = { $0.refreshingDates(to: Date()) }
    /// ```
    /// - Parameter now: The moment.
    /// - Returns: The interaction, which now says that it was started then; the same one where it does not say when it
    ///   was recorded.
    package func refreshingDates(to now: Date) -> Interaction {
        // A date before the web is one that a file did not have.
        guard startedAt.timeIntervalSince1970 > 0 else { return self }
        // Header fields have whole seconds, and a `Date` of now must not become one of a second ago.
        let seconds = [startedAt, now].map { $0.timeIntervalSince1970.rounded(.down) }
        let dates = RefreshedDates(shift: seconds[1] - seconds[0])
        var refreshed = self
        refreshed.startedAt = now.roundedToMilliseconds
        refreshed.changeResponse { $0.headers = dates.headers($0.headers) }
        return refreshed
    }
}

/// The dates of a message, moved by some time.
package struct RefreshedDates: Sendable {
    /// How far they are moved, in seconds.
    package let shift: TimeInterval

    /// Moves dates by some seconds, to later ones where they are positive.
    package init(shift: TimeInterval) { self.shift = shift }

    /// The header fields with their dates moved.
    package func headers(_ headers: HeaderList) -> HeaderList {
        HeaderList(
            headers.map { field in
                HeaderList.Field(name: field.name, value: value(field.value, of: field) ?? field.value)
            }
        )
    }

    private func value(_ value: String, of field: HeaderList.Field) -> String? {
        if field.hasName("Set-Cookie") { return cookies(value) }
        return Self.names.contains { field.hasName($0) } ? date(value) : nil
    }

    private static let names = ["Date", "Expires", "Last-Modified"]

    /// Recorders for platforms that join duplicates join cookies too.
    private func cookies(_ value: String) -> String? {
        let cookies = SetCookie.split(value)
        let moved = cookies.map(cookie)
        return moved == cookies ? nil : moved.joined(separator: ", ")
    }

    private func cookie(_ cookie: String) -> String {
        let parts = cookie.split(separator: ";", omittingEmptySubsequences: false)
        return parts.enumerated().map { position, part in
            // The first part is the cookie itself, whatever its name.
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
