import Foundation

/// The dates of the family: those of HTTP from VCR, and those of ISO 8601 without a zone from betamax.
enum VCRDate {
    static func date(_ text: String) -> Date? {
        HARDate.date(text) ?? HARDate.date(text + "Z") ?? httpDate(text)
    }

    /// A date such as `Tue, 25 Jun 2013 16:19:25 GMT` (RFC 9110 section 5.6.7).
    private static func httpDate(_ text: String) -> Date? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(of: String(parts[2])) else {
            return nil
        }
        let digits = ["0\(month + 1)".suffix(2), "0\(parts[1])".suffix(2)]
        return HARDate.date("\(parts[3])-\(digits[0])-\(digits[1])T\(parts[4])Z")
    }

    /// A date as HTTP spells it, to the second.
    static func text(_ date: Date) -> String {
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let seconds = date.timeIntervalSince1970.rounded(.down)
        // The first day of 1970 was a Thursday.
        let day = (seconds / 86_400).rounded(.down).truncatingRemainder(dividingBy: 7)
        let text = HARDate.text(Date(timeIntervalSince1970: seconds))
        let parts = text.split { "-T.".contains($0) }
        guard parts.count == 5, let month = Int(parts[1]), 1...12 ~= month else { return text }
        return "\(days[(Int(day) + 11) % 7]), \(parts[2]) \(months[month - 1]) \(parts[0]) \(parts[3]) GMT"
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}

/// The time of an answer as Go spells it, such as `1m2.5s`, or in nanoseconds.
enum VCRDuration {
    /// The time in milliseconds, 0 where the text is no time.
    static func milliseconds(_ text: String) -> Double {
        if let nanoseconds = Double(text) { return max(0, nanoseconds / 1_000_000) }
        var rest = text[...]
        var sum = 0.0
        while !rest.isEmpty {
            let number = rest.prefix { $0.isNumber || $0 == "." }
            let unit = rest.dropFirst(number.count).prefix { $0.isLetter }
            guard let value = Double(number), let factor = units[String(unit)] else { return 0 }
            sum += value * factor
            rest = rest.dropFirst(number.count + unit.count)
        }
        return sum
    }

    private static let units: [String: Double] = [
        "h": 3_600_000, "m": 60_000, "s": 1000, "ms": 1, "us": 0.001, "µs": 0.001, "μs": 0.001, "ns": 0.000_001,
    ]
}
