import Rewind

/// A text of several items with commas between them.
enum ListText {
    /// The items without white space around them; a comma between quotes divides nothing, as in `$['a,b']`.
    static func items(_ text: String) -> [String] {
        var quote: Character?
        let items = text.split { character in
            if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
            }
            return character == "," && quote == nil
        }
        return items.map { $0.trimmingSpaces() }.filter { !$0.isEmpty }
    }
}
