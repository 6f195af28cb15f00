extension YAMLParser {
    /// Reads a list in brackets or a map in braces, which may span lines.
    mutating func flow(depth: Int) throws -> YAMLNode {
        guard depth <= Self.maximumDepth else { throw text.error(Self.tooDeep) }
        let line = text.line
        let isMap = text.next == JSONByte.openBrace
        let end = isMap ? JSONByte.closeBrace : JSONByte.closeBracket
        text.skip()
        var elements: [YAMLNode] = []
        var pairs: [YAMLNode.Pair] = []
        while try skipFlowSpace() != end {
            let isExplicit = text.isAt("?")
            if isExplicit {
                text.skip()
                _ = try skipFlowSpace()
            }
            let element = try flowValue(depth)
            let hasValue = try skipFlowSpace() == JSONByte.colon
            if isMap || isExplicit || hasValue {
                guard case .scalar(let key, let style) = element.content else {
                    throw text.error("a key must be text")
                }
                let value = hasValue ? try flowMember(depth) : .null(line: text.line)
                let pair = YAMLNode.Pair(key: key, value: value, isPlain: style == .plain)
                // A member in brackets is a map of its own.
                let single = YAMLNode(content: isMap ? .sequence([]) : try merged([pair]), line: line)
                if isMap { pairs.append(pair) } else { elements.append(single) }
            } else {
                elements.append(element)
            }
            let next = try skipFlowSpace()
            guard next == JSONByte.comma || next == end else {
                throw text.error("expected a comma or `\(UnicodeScalar(end))`")
            }
            if next == JSONByte.comma { text.skip() }
        }
        text.skip()
        return YAMLNode(content: isMap ? try merged(pairs) : .sequence(elements), line: line)
    }

    private mutating func flowMember(_ depth: Int) throws -> YAMLNode {
        text.skip()
        let start = try skipFlowSpace()
        if start == JSONByte.comma || start == JSONByte.closeBrace || start == JSONByte.closeBracket {
            return .null(line: text.line)
        }
        return try flowValue(depth)
    }

    private mutating func flowValue(_ depth: Int) throws -> YAMLNode {
        let line = text.line
        let properties = try properties()
        if !properties.isEmpty { _ = try skipFlowSpace() }
        if let node = try delimited(properties, depth) { return node }
        // After a tag or an anchor, the text may be empty.
        let isEmpty = !properties.isEmpty && (text.next.map(Self.brackets.contains) ?? true)
        let content = isEmpty ? "" : try flowPlain()
        return keep(YAMLNode(content: .scalar(content, .plain), line: line), properties)
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

    /// Skips spaces, comments and line breaks, and returns the next byte.
    private mutating func skipFlowSpace() throws -> UInt8 {
        repeat {
            text.skipSpaces()
            while text.next == JSONByte.tab { text.skip() }
            text.skipComment()
        } while text.skipBreak()
        guard let next = text.next, !text.isAtMarker else { throw text.error("missing closing bracket") }
        return next
    }
}
