import Foundation

/// XML with a line for each element and two spaces for each level.
///
/// An element that holds text keeps its content as it is, for there white space may count.
enum XMLText {
    /// Indents a text; `nil` where its tags do not fit together.
    static func indented(_ text: String) -> String? {
        guard let tokens = XMLTokens(text) else { return nil }
        var lines: [String] = []
        var depth = 0
        var index = 0
        func add(_ text: Substring) {
            let line = text.trimmingCharacters(in: .whitespacesAndNewlines)
            // Levels beyond this many would be more blanks than text.
            if !line.isEmpty { lines.append(String(repeating: "  ", count: min(depth, 64)) + line) }
        }
        while index < tokens.all.count {
            let token = tokens.all[index]
            if token.kind == .open, let end = tokens.endOfWhole[index] {
                add(text[token.range.lowerBound..<tokens.all[end].range.upperBound])
                index = end
            } else {
                if token.kind == .close { depth -= 1 }
                add(text[token.range])
                if token.kind == .open { depth += 1 }
            }
            index += 1
        }
        return lines.joined(separator: "\n")
    }
}

/// The tags of an XML text and what is between them, as far as an indentation asks (XML 1.0 section 2 and 3).
private struct XMLTokens {
    enum Kind {
        case open, close, text
        /// A tag that is closed in itself, a comment, an instruction, a declaration.
        case alone
    }

    struct Token {
        let kind: Kind
        let range: Range<String.Index>
    }

    private(set) var all: [Token] = []
    /// For each opening tag whose element is to stay on its line, the position of the closing one.
    private(set) var endOfWhole: [Int: Int] = [:]

    /// An element that is not closed yet.
    private struct Open {
        let position: Int
        let name: Substring
        var hasText = false
        var hasElements = false
    }

    init?(_ text: String) {
        var open: [Open] = []
        var rest = text[...]
        while !rest.isEmpty {
            guard let (kind, end) = Self.token(rest) else { return nil }
            let content = rest[..<end]
            all.append(Token(kind: kind, range: rest.startIndex..<end))
            rest = rest[end...]
            switch kind {
            case .open:
                if !open.isEmpty { open[open.count - 1].hasElements = true }
                open.append(Open(position: all.count - 1, name: Self.name(content.dropFirst())))
            case .close:
                guard let last = open.popLast(), last.name == Self.name(content.dropFirst(2)) else {
                    return nil
                }
                if last.hasText || !last.hasElements { endOfWhole[last.position] = all.count - 1 }
            case .alone:
                if !open.isEmpty { open[open.count - 1].hasElements = true }
                if content.hasPrefix("<![CDATA["), !open.isEmpty { open[open.count - 1].hasText = true }
            case .text:
                let isBlank = content.utf8.allSatisfy { " \t\r\n".utf8.contains($0) }
                if !isBlank, !open.isEmpty { open[open.count - 1].hasText = true }
            }
        }
        guard open.isEmpty, all.contains(where: { $0.kind != .text }) else { return nil }
    }

    /// The kind and the end of what a text begins with; `nil` where a tag has no end.
    private static func token(_ text: Substring) -> (Kind, String.Index)? {
        guard text.utf8.first == UInt8(ascii: "<") else {
            return (.text, text.utf8.firstIndex(of: UInt8(ascii: "<")) ?? text.endIndex)
        }
        for (start, mark) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")] where text.hasPrefix(start) {
            return end(of: mark, in: text.utf8.dropFirst(start.utf8.count)).map { (.alone, $0) }
        }
        guard let end = endOfTag(text) else { return nil }
        if text.hasPrefix("<!") || text[..<end].hasSuffix("/>") { return (.alone, end) }
        return (text.hasPrefix("</") ? .close : .open, end)
    }

    private static func end(of mark: String, in text: Substring.UTF8View) -> String.Index? {
        var rest = text
        let bytes = Array(mark.utf8)
        while let start = rest.firstIndex(of: bytes[0]) {
            rest = rest[start...]
            if rest.starts(with: bytes) { return rest.index(start, offsetBy: bytes.count) }
            rest = rest.dropFirst()
        }
        return nil
    }

    /// The end of a tag, or of a declaration with what it has between brackets; what is quoted ends neither.
    private static func endOfTag(_ text: Substring) -> String.Index? {
        var quote: UInt8?
        var brackets = 0
        for index in text.utf8.indices {
            let byte = text.utf8[index]
            if let mark = quote {
                if byte == mark { quote = nil }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
            case UInt8(ascii: "["): brackets += 1
            case UInt8(ascii: "]"): brackets -= 1
            case UInt8(ascii: ">") where brackets <= 0: return text.utf8.index(after: index)
            default: break
            }
        }
        return nil
    }

    private static func name(_ tag: Substring) -> Substring {
        Substring(tag.utf8.prefix { !" \t\r\n/>".utf8.contains($0) })
    }
}
