/// The layout of a story: labels in a column, lines of prose that fit a terminal of 80 columns.
enum StoryText {
    private static let width = 80

    /// A label and its value, which is never broken, as it may be a path or a URL to be copied.
    static func labelled(_ label: String, _ value: String) -> String {
        "  " + (label + ":").padding(to: 10) + value
    }

    /// Prose under a label, or with an indentation alone.
    static func paragraph(_ text: String, label: String) -> [String] {
        paragraph(text, indentation: 12, first: labelled(label, ""))
    }

    /// Prose of lines that begin at a column.
    static func paragraph(_ text: String, indentation: Int) -> [String] {
        paragraph(text, indentation: indentation, first: String(repeating: " ", count: indentation))
    }

    private static func paragraph(_ text: String, indentation: Int, first: String) -> [String] {
        let margin = String(repeating: " ", count: indentation)
        var lines: [String] = []
        var line = first
        var isEmpty = true
        for word in text.split(separator: " ") {
            if !isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = margin
                isEmpty = true
            }
            line += (isEmpty ? "" : " ") + word
            isEmpty = false
        }
        return lines + [line]
    }

    /// A value without its middle where it is very long.
    static func shortened(_ value: String, to limit: Int = 300) -> String {
        guard value.utf8.count > limit, value.count > limit else { return value }
        return "\(value.prefix(limit * 2 / 3))…\(value.suffix(limit / 3))"
    }
}

extension String {
    /// The text with spaces at its end, up to a width.
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
