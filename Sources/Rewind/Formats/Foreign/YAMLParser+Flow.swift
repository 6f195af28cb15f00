extension YAMLParser {
    /// Reads a list in brackets or a map in braces, which may go over lines.
    mutating func flow(depth: Int) throws -> YAMLNode {
        guard depth <= Self.maximumDepth else {
            throw text.error("nested deeper than \(Self.maximumDepth) levels")
        }
        let line = text.line
        let isMap = text.next == JSONByte.openBrace
        let end = isMap ? JSONByte.closeBrace : JSONByte.closeBracket
        text.skip()
        var elements: [YAMLNode] = []
        var pairs: [YAMLNode.Pair] = []
        while try skipFlowSpace() != end {
            let element = try flowValue(depth)
            if isMap {
                guard let key = element.stringValue else {
                    throw text.error("keys that are no text are not read")
                }
                pairs.append(.init(key: key, value: try flowMember(depth)))
            } else {
                elements.append(element)
            }
            let next = try skipFlowSpace()
            guard next == JSONByte.comma || next == end else {
                throw text.error("expected a comma or the end of the list")
            }
            if next == JSONByte.comma { text.skip() }
        }
        text.skip()
        return YAMLNode(content: isMap ? .mapping(pairs) : .sequence(elements), line: line)
    }

    private mutating func flowMember(_ depth: Int) throws -> YAMLNode {
        let next = try skipFlowSpace()
        guard next == JSONByte.colon else { return YAMLNode(content: .scalar("", .plain), line: text.line) }
        text.skip()
        let start = try skipFlowSpace()
        if start == JSONByte.comma || start == JSONByte.closeBrace {
            return YAMLNode(content: .scalar("", .plain), line: text.line)
        }
        return try flowValue(depth)
    }

    private mutating func flowValue(_ depth: Int) throws -> YAMLNode {
        let line = text.line
        let tag = try tag()
        let style: YAMLNode.Style = tag == .binary ? .binary : .text
        switch text.next {
        case JSONByte.openBrace, JSONByte.openBracket:
            guard tag != .binary else { throw text.error("only text may be base64") }
            return try flow(depth: depth + 1)
        case JSONByte.quote, UInt8(ascii: "'"):
            return YAMLNode(content: .scalar(try quoted(), style), line: line)
        default: return YAMLNode(content: .scalar(try flowPlain(), tag ?? .plain), line: line)
        }
    }

    /// Reads text without quotes up to a comma, a bracket, or a colon and a space.
    private mutating func flowPlain() throws -> String {
        try checkStart()
        var result: [UInt8] = []
        while let byte = text.next {
            if Self.brackets.contains(byte) || isFlowColon { break }
            if text.isBlank() {
                let spaces = spaces()
                result += foldedBreaks() ?? Array(spaces)
                if isComment(after: 0) && !spaces.isEmpty { break }
                continue
            }
            result.append(byte)
            text.skip()
        }
        return String(decoding: result, as: UTF8.self).trimmingSpaces()
    }

    private var isFlowColon: Bool {
        guard text.next == JSONByte.colon else { return false }
        return text.isBlank(after: 1) || text.byte(after: 1).map(Self.brackets.contains) ?? false
    }

    private static let brackets: Set<UInt8> = [
        JSONByte.comma, JSONByte.openBracket, JSONByte.closeBracket, JSONByte.openBrace, JSONByte.closeBrace,
    ]

    /// Skips spaces, comments and ends of lines, and returns what follows.
    private mutating func skipFlowSpace() throws -> UInt8 {
        repeat {
            text.skipSpaces()
            while text.next == JSONByte.tab { text.skip() }
            text.skipComment()
        } while text.skipBreak()
        guard let next = text.next, !text.isAtMarker else { throw text.error("the list has no end") }
        return next
    }
}
