extension VisibleText {
    /// A text of one line, without most of what stands before and behind a place where it is long.
    /// - Parameters:
    ///   - text: The text.
    ///   - place: The number of characters before the place; 0 by default.
    ///   - limit: How many characters are shown; 100 by default.
    /// - Returns: The text to show.
    static func shortened(_ text: String, around place: Int = 0, to limit: Int = 100) -> String {
        // Texts of megabytes are not to be counted to their end.
        guard text.dropFirst(limit + limit / 4).first != nil else { return line(text) }
        let start = max(0, place - limit / 4)
        let rest = text.dropFirst(start)
        let part = rest.prefix(limit)
        return (start > 0 ? "…" : "") + line(String(part)) + (part.endIndex < text.endIndex ? "…" : "")
    }

    /// Two texts, each around the place where they begin to differ.
    static func shortened(_ left: String, _ right: String, to limit: Int = 100) -> (left: String, right: String)
    {
        let place = zip(left, right).prefix { $0 == $1 }.count
        return (shortened(left, around: place, to: limit), shortened(right, around: place, to: limit))
    }
}
