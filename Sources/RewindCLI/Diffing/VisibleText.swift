/// Texts as they are shown on a terminal, which must not obey what stands in them.
enum VisibleText {
    /// The text with a picture in place of each control character (Unicode, "Control Pictures").
    static func of(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 }) else { return String(text) }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x09: result.append(scalar)
            case 0..<0x20: result.append(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}")
            case 0x7F: result.append("\u{2421}")
            case 0x80..<0xA0: result.append("\u{FFFD}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    /// A text of one line, without most of what stands before and behind a place where it is long.
    /// - Parameters:
    ///   - text: The text.
    ///   - place: The number of characters before the place; 0 by default.
    ///   - limit: How many characters are shown; 100 by default.
    /// - Returns: The text to show.
    static func shortened(_ text: String, around place: Int = 0, to limit: Int = 100) -> String {
        // Texts of megabytes are not to be counted to their end.
        guard text.dropFirst(limit + limit / 4).first != nil else { return of(text) }
        let start = max(0, place - limit / 4)
        let rest = text.dropFirst(start)
        let part = rest.prefix(limit)
        return (start > 0 ? "…" : "") + of(part) + (part.endIndex < text.endIndex ? "…" : "")
    }

    /// Two texts, each around the place where they begin to differ.
    static func shortened(_ left: String, _ right: String, to limit: Int = 100) -> (left: String, right: String)
    {
        let place = zip(left, right).prefix { $0 == $1 }.count
        return (shortened(left, around: place, to: limit), shortened(right, around: place, to: limit))
    }
}
