import Foundation

/// XML with one line for each element, indented by two spaces for each level.
///
/// The content of an element that contains text stays unchanged, because its whitespace may matter. `XMLDocument` of
/// Foundation is not usable here: it changes what it writes, repairs or truncates malformed input, and crashes on Linux if
/// nothing remains.
enum XMLText {
    private enum Kind {
        case open, close, text
        /// An empty-element tag, a comment, a processing instruction or a declaration.
        case empty
    }

    /// An open element and the line of its start tag.
    private struct Element {
        let name: Substring
        let start: String.Index
        let line: Int
        var hasText = false
        var hasElements = false
    }

    /// Indents a text; `nil` if its tags do not match.
    static func indented(_ text: String) -> String? {
        var lines: [(depth: Int, text: Substring)] = []
        // The first represents the whole text.
        var open = [Element(name: "", start: text.startIndex, line: 0)]
        var rest = text[...]
        while !rest.isEmpty {
            guard let (kind, end) = token(rest) else { return nil }
            let content = rest[..<end]
            rest = rest[end...]
            let last = open.count - 1
            switch kind {
            case .open:
                open[last].hasElements = true
                open.append(
                    Element(name: name(content.dropFirst()), start: content.startIndex, line: lines.count)
                )
                lines.append((last, content))
            case .close:
                let element = open.removeLast()
                guard last > 0, element.name == name(content.dropFirst(2)) else { return nil }
                if element.hasText || !element.hasElements {
                    lines.removeSubrange(element.line...)
                    lines.append((last - 1, text[element.start..<end]))
                } else {
                    lines.append((last - 1, content))
                }
            case .empty:
                open[last].hasElements = true
                if content.hasPrefix("<![CDATA[") { open[last].hasText = true }
                lines.append((last, content))
            case .text:
                guard content.utf8.contains(where: { !" \t\r\n".utf8.contains($0) }) else { continue }
                open[last].hasText = true
                lines.append((last, content))
            }
        }
        guard open.count == 1, open[0].hasElements else { return nil }
        return lines.map { depth, text -> String in
            // Deeper levels would consist mostly of spaces.
            let indentation = String(repeating: "  ", count: min(depth, 64))
            return indentation + text.trimmingCharacters(in: .whitespacesAndNewlines)
        }.joined(separator: "\n")
    }

    /// The kind and the end of the first token of a text (XML 1.0 sections 2 and 3); `nil` if a tag has no end.
    private static func token(_ text: Substring) -> (Kind, String.Index)? {
        guard text.utf8.first == UInt8(ascii: "<") else {
            return (.text, text.utf8.firstIndex(of: UInt8(ascii: "<")) ?? text.endIndex)
        }
        for (start, mark) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")] where text.hasPrefix(start) {
            let rest = text.utf8.dropFirst(start.utf8.count)
            return rest.firstRange(of: mark.utf8).map { (.empty, $0.upperBound) }
        }
        guard let end = endOfTag(text) else { return nil }
        if text.hasPrefix("<!") || text[..<end].hasSuffix("/>") { return (.empty, end) }
        return (text.hasPrefix("</") ? .close : .open, end)
    }

    /// The end of a tag, or of a declaration with its internal subset in brackets; quoted text is skipped.
    private static func endOfTag(_ text: Substring) -> String.Index? {
        var quote: UInt8?
        var brackets = 0
        let end = text.utf8.firstIndex { byte in
            if let mark = quote {
                if byte == mark { quote = nil }
                return false
            }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
            case UInt8(ascii: "["): brackets += 1
            case UInt8(ascii: "]"): brackets -= 1
            default: return byte == UInt8(ascii: ">") && brackets <= 0
            }
            return false
        }
        return end.map { text.utf8.index(after: $0) }
    }

    private static func name(_ tag: Substring) -> Substring {
        Substring(tag.utf8.prefix { !" \t\r\n/>".utf8.contains($0) })
    }
}
