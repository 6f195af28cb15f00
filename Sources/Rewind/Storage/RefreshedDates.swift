import Foundation

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
    package init(shift: TimeInterval) {
        self.shift = shift
    }

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
