/// Reads the part of YAML 1.1 that writers of cassettes use.
///
/// That is maps, lists, scalars of every style and the tag of base64. Anchors could make a small file grow without end,
/// and tags could ask for objects of any class; both are refused, as are keys that are no text.
struct YAMLParser {
    var text: YAMLText

    /// The number of maps and lists that may stand inside one another.
    static let maximumDepth = 64

    /// What a value belongs to.
    enum Owner {
        case document
        case list
        case key
    }

    /// Reads a text of one document.
    /// - Throws: ``CassetteProblem`` with the line and column.
    static func document(_ bytes: [UInt8]) throws -> YAMLNode {
        var parser = YAMLParser(text: try YAMLText(bytes))
        return try parser.document()
    }

    private mutating func document() throws -> YAMLNode {
        _ = text.skipToContent()
        if text.next == UInt8(ascii: "%") { throw text.error("directives are not read") }
        if text.isAtMarker { text.skip(3) }
        let node = try value(in: -1, of: .document, depth: 0)
        let hasMore = text.skipToContent()
        if hasMore { throw text.error("expected the end of the document") }
        if text.isAtMarker {
            text.skip(3)
            if text.skipToContent() || text.isAtMarker { throw text.error("only one document is read") }
        }
        return node
    }

    /// Reads what stands after a colon, a dash or the start of a document.
    ///
    /// The indentation is the column of the map or list that the value belongs to.
    mutating func value(in indent: Int, of owner: Owner, depth: Int) throws -> YAMLNode {
        guard depth <= Self.maximumDepth else {
            throw text.error("nested deeper than \(Self.maximumDepth) levels")
        }
        text.skipSpaces()
        let line = text.line
        let tag = try tag()
        text.skipSpaces()
        text.skipComment()
        guard text.endsLine() else {
            if owner == .key || tag != nil, text.isAtDash {
                throw text.error("a list may not begin on the line of its key")
            }
            return owner == .key ? try inline(in: indent, tag, depth) : try block(in: indent, tag, depth)
        }
        // A list may stand in the column of its key.
        guard text.skipToContent(),
            text.column > indent || owner == .key && text.column == indent && text.isAtDash
        else { return YAMLNode(content: .scalar("", tag ?? .plain), line: line) }
        if text.next == UInt8(ascii: "!") {
            guard tag == nil else { throw text.error("a value may have one tag") }
            return try value(in: indent, of: .key, depth: depth + 1)
        }
        return try block(in: indent, tag, depth)
    }

    /// Reads a value that may be a map or a list in the column where it begins.
    private mutating func block(in indent: Int, _ tag: YAMLNode.Style?, _ depth: Int) throws -> YAMLNode {
        let (column, line) = (text.column, text.line)
        if text.next == JSONByte.tab { throw text.error("a tab may not indent") }
        if text.isAtDash {
            guard tag != .binary else { throw text.error("only text may be base64") }
            return YAMLNode(content: .sequence(try sequence(at: column, depth)), line: line)
        }
        let start = text
        if let key = try key() {
            guard tag != .binary else { throw start.error("only text may be base64") }
            return YAMLNode(content: .mapping(try mapping(at: column, from: key, depth)), line: line)
        }
        text = start
        return try inline(in: indent, tag, depth)
    }

    private mutating func sequence(at column: Int, _ depth: Int) throws -> [YAMLNode] {
        var elements: [YAMLNode] = []
        var hasMore = true
        while hasMore, text.column == column, text.isAtDash {
            text.skip()
            elements.append(try value(in: column, of: .list, depth: depth + 1))
            hasMore = text.skipToContent()
        }
        try checkIndentation(column, hasMore)
        return elements
    }

    private mutating func mapping(at column: Int, from first: String, _ depth: Int) throws -> [YAMLNode.Pair] {
        var pairs: [YAMLNode.Pair] = []
        var key = first
        while true {
            pairs.append(.init(key: key, value: try value(in: column, of: .key, depth: depth + 1)))
            let hasMore = text.skipToContent()
            try checkIndentation(column, hasMore)
            guard hasMore, text.column == column else { return pairs }
            let start = text
            guard let next = try self.key() else { throw start.error("expected a key and a colon") }
            key = next
        }
    }

    private func checkIndentation(_ column: Int, _ hasMore: Bool) throws {
        if hasMore, text.column > column { throw text.error("indented deeper than what it follows") }
        if hasMore, text.next == JSONByte.tab { throw text.error("a tab may not indent") }
    }

    /// Reads a value that is no block map or list, up to the end of its last line.
    private mutating func inline(in indent: Int, _ tag: YAMLNode.Style?, _ depth: Int) throws -> YAMLNode {
        let line = text.line
        let style: YAMLNode.Style = tag == .binary ? .binary : .text
        switch text.next {
        case UInt8(ascii: "|"), UInt8(ascii: ">"):
            return YAMLNode(content: .scalar(try blockScalar(in: indent), style), line: line)
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            let node = YAMLNode(content: .scalar(try quoted(), style), line: line)
            try endLine()
            return node
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            guard tag != .binary else { throw text.error("only text may be base64") }
            let node = try flow(depth: depth + 1)
            try endLine()
            return node
        default:
            return YAMLNode(content: .scalar(try plain(in: indent), tag ?? .plain), line: line)
        }
    }

    private mutating func endLine() throws {
        text.skipSpaces()
        text.skipComment()
        guard text.endsLine() else { throw text.error("expected the end of the line") }
    }
}
